//===- FollowUpKinds.h - Breakage of what follows a step --------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Mutations that add a step and go on with what it is expected to leave: the
// slices, the loops, the vectors or the pads that it makes, or the ops that a
// clean-up keeps. Test support.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_STEPS_FOLLOWUPKINDS_H
#define FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_STEPS_FOLLOWUPKINDS_H

#include "test/lib/schedules/mutants/Mutation.h"

namespace formwork::testing {

/// Vectorizes an op and its producer, in some order or at once.
bool vectorizeWithProducer(mlir::transform::NamedSequenceOp entry,
                           Random &random);
/// Looks for the vector ops that a vectorization made.
bool findVectors(mlir::transform::NamedSequenceOp entry, Random &random);
/// Works on the slices that a tiling made.
bool slicesOfTile(mlir::transform::NamedSequenceOp entry, Random &random);
/// Unrolls a loop of a new nest, jammed or not, and goes on with the nest.
bool jamLoops(mlir::transform::NamedSequenceOp entry, Random &random);
/// Works on ops of which a clean-up may have made fewer.
bool sharedByCleanUp(mlir::transform::NamedSequenceOp entry, Random &random);
/// Works on the pads of an op.
bool useThePad(mlir::transform::NamedSequenceOp entry, Random &random);
/// Makes loops of an op, and works on them.
bool loopsOfOp(mlir::transform::NamedSequenceOp entry, Random &random);

} // namespace formwork::testing

#endif // FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_STEPS_FOLLOWUPKINDS_H
