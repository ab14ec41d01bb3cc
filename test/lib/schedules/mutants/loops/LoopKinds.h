//===- LoopKinds.h - Breakage of the loops that tiling makes ----*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Mutations of the loops of a schedule: what sort they are, by what they are
// counted, what they are mapped to. Test support.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_LOOPS_LOOPKINDS_H
#define FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_LOOPS_LOOPKINDS_H

#include "test/lib/schedules/mutants/Mutation.h"

namespace formwork::testing {

/// Takes tile sizes for numbers of threads, or the reverse.
bool threadsForSizes(mlir::transform::NamedSequenceOp entry, Random &random);
/// Tiles to the other sort of loop; what is behind reads that.
bool otherLoop(mlir::transform::NamedSequenceOp entry, Random &random);
/// Makes other loops of an scf.forall.
bool lowerForall(mlir::transform::NamedSequenceOp entry, Random &random);
/// Coalesces a nest, or fuses two loops.
bool mergeLoops(mlir::transform::NamedSequenceOp entry, Random &random);
/// Maps a tiling to other units than is meant.
bool otherMapping(mlir::transform::NamedSequenceOp entry, Random &random);

} // namespace formwork::testing

#endif // FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_LOOPS_LOOPKINDS_H
