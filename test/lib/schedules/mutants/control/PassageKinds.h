//===- PassageKinds.h - Breakage on the way through regions -----*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_CONTROL_PASSAGEKINDS_H
#define FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_CONTROL_PASSAGEKINDS_H

#include "test/lib/generator/Random.h"

#include "mlir/Dialect/Transform/IR/TransformOps.h"

namespace formwork::testing {

/// Hands a handle through a loop that changes nothing.
bool identityTurn(mlir::transform::NamedSequenceOp entry, Random &random);
/// Moves a helper into a library inside of the schedule.
bool nestedLibrary(mlir::transform::NamedSequenceOp entry, Random &random);
/// Hands a size on to what is done where a matcher agrees.
bool forwardedSize(mlir::transform::NamedSequenceOp entry, Random &random);

} // namespace formwork::testing

#endif // FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_CONTROL_PASSAGEKINDS_H
