//===- RegionKinds.h - Breakage of where steps stand ------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Mutations that move steps, copy them, or wrap them in control flow. Test
// support.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_CONTROL_REGIONKINDS_H
#define FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_CONTROL_REGIONKINDS_H

#include "test/lib/schedules/mutants/Mutation.h"

namespace formwork::testing {

/// Does a step for each op of a handle, or of what is around it.
bool wrapInForeach(mlir::transform::NamedSequenceOp entry, Random &random);
/// Does a run of steps in a sequence of its own, in which one may fail.
bool wrapInSequence(mlir::transform::NamedSequenceOp entry, Random &random);
/// Does a step in an alternative over the functions that it works on.
bool wrapInAlternatives(mlir::transform::NamedSequenceOp entry, Random &random);
/// Does a run of steps in a sequence that is included, maybe twice.
bool outlineSteps(mlir::transform::NamedSequenceOp entry, Random &random);
/// Moves a step up; a match to the start, and to all of the payload.
bool hoistStep(mlir::transform::NamedSequenceOp entry, Random &random);
/// Copies a run of steps, behind it or between what follows.
bool copySteps(mlir::transform::NamedSequenceOp entry, Random &random);
/// Propagates failures that were suppressed, or the reverse.
bool flipFailures(mlir::transform::NamedSequenceOp entry, Random &random);

} // namespace formwork::testing

#endif // FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_CONTROL_REGIONKINDS_H
