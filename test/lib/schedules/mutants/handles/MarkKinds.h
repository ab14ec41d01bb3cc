//===- MarkKinds.h - Breakage by marks and names ----------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Mutations of the marks on payload, and of names that stand in a schedule.
// Test support.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_HANDLES_MARKKINDS_H
#define FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_HANDLES_MARKKINDS_H

#include "test/lib/schedules/mutants/Mutation.h"

namespace formwork::testing {

/// Puts the marks where the schedule ends.
bool gatherMarks(mlir::transform::NamedSequenceOp entry, Random &random);
/// Finds payload by the mark that the schedule gave it.
bool loopByMark(mlir::transform::NamedSequenceOp entry, Random &random);
/// Marks payload with a number, and finds it by that.
bool numberMark(mlir::transform::NamedSequenceOp entry, Random &random);
/// Misspells the name of an op, a pass or a mark.
bool misspeltName(mlir::transform::NamedSequenceOp entry, Random &random);

} // namespace formwork::testing

#endif // FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_HANDLES_MARKKINDS_H
