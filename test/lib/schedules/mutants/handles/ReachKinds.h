//===- ReachKinds.h - Breakage of ways to payload ---------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Mutations by which a schedule reaches the same payload by another way: from
// the function, from what is around it, from its neighbour. Test support.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_HANDLES_REACHKINDS_H
#define FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_HANDLES_REACHKINDS_H

#include "test/lib/schedules/mutants/Mutation.h"

namespace formwork::testing {

/// Looks in the functions instead of the module.
bool functionScope(mlir::transform::NamedSequenceOp entry, Random &random);
/// Takes the module for the parent of something in it.
bool rootByParent(mlir::transform::NamedSequenceOp entry, Random &random);
/// Finds an op as the neighbour of another, instead of by a match.
bool foundByNeighbour(mlir::transform::NamedSequenceOp entry, Random &random);

} // namespace formwork::testing

#endif // FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_HANDLES_REACHKINDS_H
