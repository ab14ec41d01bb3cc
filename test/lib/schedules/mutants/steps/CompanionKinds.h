//===- CompanionKinds.h - Breakage among ops that go together ---*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Mutations that add a step which is about an op and its neighbours: what is
// fused with it, packed for it, or written anew before it. Test support.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_STEPS_COMPANIONKINDS_H
#define FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_STEPS_COMPANIONKINDS_H

#include "test/lib/schedules/mutants/Mutation.h"

namespace formwork::testing {

/// Fuses a chain of producers into new loops.
bool fuseChain(mlir::transform::NamedSequenceOp entry, Random &random);
/// Tiles what comes after an op, and fuses the op.
bool fuseEpilogue(mlir::transform::NamedSequenceOp entry, Random &random);
/// Packs an op, and transposes one of the packings.
bool packTranspose(mlir::transform::NamedSequenceOp entry, Random &random);
/// Pads the operands up to sizes of the iteration space.
bool padToSizes(mlir::transform::NamedSequenceOp entry, Random &random);
/// Writes an op in another form before the steps that follow.
bool rewriteBefore(mlir::transform::NamedSequenceOp entry, Random &random);
/// Folds unit dimensions, vectorizes, and lowers that.
bool vectorizeIdiom(mlir::transform::NamedSequenceOp entry, Random &random);
/// Peels a new loop, and goes on with one of its parts.
bool peelThenUnroll(mlir::transform::NamedSequenceOp entry, Random &random);
/// Tiles by ever smaller sizes, each for its part of a dimension.
bool continuousSizes(mlir::transform::NamedSequenceOp entry, Random &random);

} // namespace formwork::testing

#endif // FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_STEPS_COMPANIONKINDS_H
