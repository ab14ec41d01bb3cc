//===- BlockKinds.h - Breakage of blocks of steps ---------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Mutations that cut, move, copy or wrap several steps at once. Test support.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_ORDER_BLOCKKINDS_H
#define FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_ORDER_BLOCKKINDS_H

#include "test/lib/schedules/mutants/Mutation.h"

namespace formwork::testing {

/// Ends the schedule early.
bool cutTail(mlir::transform::NamedSequenceOp entry, Random &random);
/// Drops a step, and all that reads what it makes.
bool dropBranch(mlir::transform::NamedSequenceOp entry, Random &random);
/// Swaps two blocks of steps.
bool swapBlocks(mlir::transform::NamedSequenceOp entry, Random &random);
/// Copies steps, for another handle.
bool recipeForOther(mlir::transform::NamedSequenceOp entry, Random &random);
/// Edits the body of a sequence that is included.
bool editHelper(mlir::transform::NamedSequenceOp entry, Random &random);
/// Says that a helper consumes what it only reads.
bool overstateConsume(mlir::transform::NamedSequenceOp entry, Random &random);

} // namespace formwork::testing

#endif // FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_ORDER_BLOCKKINDS_H
