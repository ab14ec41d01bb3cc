//===- ClosingKinds.h - Breakage of what comes last -------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Mutations of what a schedule does last: the branch that was last, handles
// from all over it, the ops that it has not touched. Test support.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_ORDER_CLOSINGKINDS_H
#define FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_ORDER_CLOSINGKINDS_H

#include "test/lib/schedules/mutants/Mutation.h"

namespace formwork::testing {

/// Does first what comes of the last match, or of a later one.
bool lastBranchFirst(mlir::transform::NamedSequenceOp entry, Random &random);
/// Gathers handles from all over the schedule, and works on all of them.
bool gatherHandles(mlir::transform::NamedSequenceOp entry, Random &random);
/// Works on all ops that are left, before the schedule goes on.
bool finishTheRest(mlir::transform::NamedSequenceOp entry, Random &random);

} // namespace formwork::testing

#endif // FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_ORDER_CLOSINGKINDS_H
