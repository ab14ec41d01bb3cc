//===- SlipKinds.h - Breakage by slips of an editor -------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Mutations as they come of editing a schedule in haste: copies in which a name
// is old, arguments in another order, a match that was not made anew. Test
// support.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_STEPS_SLIPKINDS_H
#define FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_STEPS_SLIPKINDS_H

#include "test/lib/schedules/mutants/Mutation.h"

namespace formwork::testing {

/// Copies steps for another handle, and forgets to rename one use.
bool halfRenamed(mlir::transform::NamedSequenceOp entry, Random &random);
/// Declares the parameters or results of a sequence in another order.
bool reorderParameters(mlir::transform::NamedSequenceOp entry, Random &random);
/// Repeats a step for each op of a handle that it does not read.
bool repeatPerOp(mlir::transform::NamedSequenceOp entry, Random &random);
/// Runs a pass, and matches anew what follows it, or most of that.
bool rematchSome(mlir::transform::NamedSequenceOp entry, Random &random);
/// Does what comes behind a clean-up before it, or the reverse.
bool overCleanUp(mlir::transform::NamedSequenceOp entry, Random &random);
/// Tiles in a loop over a handle, and works on what the loop hands out.
bool collectFromLoop(mlir::transform::NamedSequenceOp entry, Random &random);
/// Tries a recipe, and goes on without it where it fails.
bool fallBack(mlir::transform::NamedSequenceOp entry, Random &random);

} // namespace formwork::testing

#endif // FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_STEPS_SLIPKINDS_H
