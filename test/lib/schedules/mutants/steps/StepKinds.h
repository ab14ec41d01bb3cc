//===- StepKinds.h - Breakage of single steps -------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Mutations that swap, drop, copy or move one step. Test support.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_STEPS_STEPKINDS_H
#define FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_STEPS_STEPKINDS_H

#include "test/lib/schedules/mutants/Mutation.h"

namespace formwork::testing {

/// Swaps two neighbours of which the second does not need the first.
bool swapSteps(mlir::transform::NamedSequenceOp entry, Random &random);
/// Drops a step; what used its results uses another handle of their type.
bool dropStep(mlir::transform::NamedSequenceOp entry, Random &random);
/// Repeats a step.
bool duplicateStep(mlir::transform::NamedSequenceOp entry, Random &random);
/// Moves a step far behind its place.
bool moveFar(mlir::transform::NamedSequenceOp entry, Random &random);
/// Repeats a step on its result.
bool onceMore(mlir::transform::NamedSequenceOp entry, Random &random);

} // namespace formwork::testing

#endif // FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_STEPS_STEPKINDS_H
