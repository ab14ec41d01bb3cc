//===- PremiseKinds.h - Breakage of a premise -------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Mutations that add steps which rest on a premise: that a recipe may fail, of
// which kind an op is, how large a dimension is, how many there are. Test
// support.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_STEPS_PREMISEKINDS_H
#define FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_STEPS_PREMISEKINDS_H

#include "test/lib/schedules/mutants/Mutation.h"

namespace formwork::testing {

/// Tries a recipe that may fail half-way, and goes on.
bool tryOptional(mlir::transform::NamedSequenceOp entry, Random &random);
/// Shares a helper, of which the parameter names a kind, between two ops.
bool typedHelper(mlir::transform::NamedSequenceOp entry, Random &random);
/// Chooses what to do with an op by the size of a dimension.
bool guardByShape(mlir::transform::NamedSequenceOp entry, Random &random);
/// Tiles by one parameter that holds all sizes.
bool packedSizes(mlir::transform::NamedSequenceOp entry, Random &random);

} // namespace formwork::testing

#endif // FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_STEPS_PREMISEKINDS_H
