//===- TurnKinds.h - Breakage in the turns of a loop ------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Mutations that do a step in the turns of a transform.foreach: for each loop
// of a nest, for each size of a list, for each op with a clean-up behind it.
// Test support.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_CONTROL_TURNKINDS_H
#define FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_CONTROL_TURNKINDS_H

#include "test/lib/schedules/mutants/Mutation.h"

namespace formwork::testing {

/// Does a step for each loop of a new nest, and finds one by its level.
bool loopsOfNest(mlir::transform::NamedSequenceOp entry, Random &random);
/// Tiles in a loop over sizes.
bool sizePerTurn(mlir::transform::NamedSequenceOp entry, Random &random);
/// Cleans up around each op of a handle, while it loops over them.
bool cleanPerOp(mlir::transform::NamedSequenceOp entry, Random &random);

} // namespace formwork::testing

#endif // FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_CONTROL_TURNKINDS_H
