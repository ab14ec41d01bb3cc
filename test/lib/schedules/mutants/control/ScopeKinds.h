//===- ScopeKinds.h - Breakage of what a region reaches ---------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Mutations that put steps into regions or sequences which reach more, or
// other, payload than they are handed. Test support.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_CONTROL_SCOPEKINDS_H
#define FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_CONTROL_SCOPEKINDS_H

#include "test/lib/schedules/mutants/Mutation.h"

namespace formwork::testing {

/// Consumes the entries in a loop, in which it reads an outer handle.
bool outerInForeach(mlir::transform::NamedSequenceOp entry, Random &random);
/// Consumes what is around each entry, in a loop over them.
bool parentInForeach(mlir::transform::NamedSequenceOp entry, Random &random);
/// Loops over two handles at once.
bool zipForeach(mlir::transform::NamedSequenceOp entry, Random &random);
/// Does the rest of the schedule for each function.
bool restPerFunction(mlir::transform::NamedSequenceOp entry, Random &random);
/// Hands another handle out of a region.
bool yieldOther(mlir::transform::NamedSequenceOp entry, Random &random);
/// Hands one payload to two arguments of which one is consumed.
bool argumentTwice(mlir::transform::NamedSequenceOp entry, Random &random);
/// Makes a step one of two alternatives to choose from.
bool tuneRegions(mlir::transform::NamedSequenceOp entry, Random &random);

} // namespace formwork::testing

#endif // FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_CONTROL_SCOPEKINDS_H
