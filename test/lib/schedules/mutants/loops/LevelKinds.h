//===- LevelKinds.h - Breakage of levels ------------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Mutations that add a recipe of several levels: a fusion through two nests,
// loops in loops; or a look at each step. Test support.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_LOOPS_LEVELKINDS_H
#define FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_LOOPS_LEVELKINDS_H

#include "test/lib/schedules/mutants/Mutation.h"

namespace formwork::testing {

/// Fuses a producer into two nests, one in the other.
bool downTheLevels(mlir::transform::NamedSequenceOp entry, Random &random);
/// Reports what steps do, behind them.
bool traceSteps(mlir::transform::NamedSequenceOp entry, Random &random);
/// Loops over ops in a loop over functions.
bool nestedTurns(mlir::transform::NamedSequenceOp entry, Random &random);

} // namespace formwork::testing

#endif // FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_LOOPS_LEVELKINDS_H
