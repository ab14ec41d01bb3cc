//===- AttributeKinds.h - Breakage by an attribute --------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Mutations that edit an attribute, or the patterns of a step. Test support.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_OPERATIONS_ATTRIBUTEKINDS_H
#define FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_OPERATIONS_ATTRIBUTEKINDS_H

#include "test/lib/schedules/mutants/Mutation.h"

namespace formwork::testing {

/// Removes, doubles or swaps entries of an array.
bool editArray(mlir::transform::NamedSequenceOp entry, Random &random);
/// Changes a number or a switch that a step has.
bool changeScalar(mlir::transform::NamedSequenceOp entry, Random &random);
/// Sets a flag that a step does not have.
bool addFlag(mlir::transform::NamedSequenceOp entry, Random &random);
/// Adds a pattern to those that a step applies, or takes one away.
bool editPatterns(mlir::transform::NamedSequenceOp entry, Random &random);
/// Removes or changes the mapping of a tiling.
bool dropMapping(mlir::transform::NamedSequenceOp entry, Random &random);
/// Changes one number of a step.
bool changeNumber(mlir::transform::NamedSequenceOp entry, Random &random);
/// Removes an attribute that a step can do without.
bool dropAttribute(mlir::transform::NamedSequenceOp entry, Random &random);
/// Adds attributes that the steps do not read, or misspells one.
bool strayAttributes(mlir::transform::NamedSequenceOp entry, Random &random);

} // namespace formwork::testing

#endif // FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_OPERATIONS_ATTRIBUTEKINDS_H
