//===- OrderKinds.h - Breakage of the order of a schedule -------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Mutations that order or repeat the steps of a schedule as a whole, the way
// authors tidy one up. Test support.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_ORDER_ORDERKINDS_H
#define FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_ORDER_ORDERKINDS_H

#include "test/lib/schedules/mutants/Mutation.h"

namespace formwork::testing {

/// Puts steps of one sort together.
bool groupSteps(mlir::transform::NamedSequenceOp entry, Random &random);
/// Puts together what comes of one match.
bool depthFirst(mlir::transform::NamedSequenceOp entry, Random &random);
/// Matches first, all that can be.
bool gatherMatches(mlir::transform::NamedSequenceOp entry, Random &random);
/// Runs the schedule, or an end of it, once more.
bool runTwice(mlir::transform::NamedSequenceOp entry, Random &random);
/// Does once what is looked up twice.
bool shareEqual(mlir::transform::NamedSequenceOp entry, Random &random);
/// Does the rest of the schedule for each op of a handle.
bool restPerOp(mlir::transform::NamedSequenceOp entry, Random &random);
/// Moves a step over the end of a region.
bool inOrOut(mlir::transform::NamedSequenceOp entry, Random &random);
/// Changes what a sequence says of its arguments.
bool flipMarks(mlir::transform::NamedSequenceOp entry, Random &random);

} // namespace formwork::testing

#endif // FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_ORDER_ORDERKINDS_H
