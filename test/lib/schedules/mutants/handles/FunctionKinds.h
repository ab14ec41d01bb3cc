//===- FunctionKinds.h - Ways to the functions ------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Mutations of how a schedule gets at the functions of the payload, and at what
// is in them. Test support.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_HANDLES_FUNCTIONKINDS_H
#define FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_HANDLES_FUNCTIONKINDS_H

#include "test/lib/generator/Random.h"

#include "mlir/Dialect/Transform/IR/TransformOps.h"

namespace formwork::testing {

/// Takes the functions once, at the start, for all that asks for them.
bool functionsUpFront(mlir::transform::NamedSequenceOp entry, Random &random);
/// Looks in the first function, or in the only one.
bool oneFunction(mlir::transform::NamedSequenceOp entry, Random &random);
/// Finds ops in a loop over the functions.
bool findPerFunction(mlir::transform::NamedSequenceOp entry, Random &random);

} // namespace formwork::testing

#endif // FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_HANDLES_FUNCTIONKINDS_H
