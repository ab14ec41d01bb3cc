//===- ParameterKinds.h - Breakage by parameters ----------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Mutations that take from a parameter what a step or a pass has as a number.
// Test support.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_OPERATIONS_PARAMETERKINDS_H
#define FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_OPERATIONS_PARAMETERKINDS_H

#include "test/lib/generator/Random.h"

#include "mlir/Dialect/Transform/IR/TransformOps.h"

namespace formwork::testing {

/// Looks up tile sizes in a table on the payload.
bool sizeFromTable(mlir::transform::NamedSequenceOp entry, Random &random);
/// Runs a pass of which an option comes from a parameter.
bool optionByParameter(mlir::transform::NamedSequenceOp entry, Random &random);
/// Takes a number of a step other than a tile size from a parameter.
bool parameterForNumber(mlir::transform::NamedSequenceOp entry, Random &random);

} // namespace formwork::testing

#endif // FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_OPERATIONS_PARAMETERKINDS_H
