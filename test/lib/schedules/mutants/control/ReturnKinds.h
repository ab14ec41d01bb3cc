//===- ReturnKinds.h - Breakage by what helpers return ----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Mutations that move steps into a helper, and change which handles the helper
// hands back. Test support.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_CONTROL_RETURNKINDS_H
#define FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_CONTROL_RETURNKINDS_H

#include "test/lib/generator/Random.h"

#include "mlir/Dialect/Transform/IR/TransformOps.h"

namespace formwork::testing {

/// Makes a helper of the leading matches, and maybe calls it again.
bool finderHelper(mlir::transform::NamedSequenceOp entry, Random &random);
/// Lets a helper hand back what it was handed.
bool returnArguments(mlir::transform::NamedSequenceOp entry, Random &random);
/// Lets a helper return nothing, and matches what it made.
bool voidHelper(mlir::transform::NamedSequenceOp entry, Random &random);

} // namespace formwork::testing

#endif // FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_CONTROL_RETURNKINDS_H
