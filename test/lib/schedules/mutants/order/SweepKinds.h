//===- SweepKinds.h - Breakage all over a schedule --------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Mutations that reach all of a schedule: a word that is replaced wherever it
// stands, steps that come in any order that their handles allow. Test support.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_ORDER_SWEEPKINDS_H
#define FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_ORDER_SWEEPKINDS_H

#include "test/lib/generator/Random.h"

#include "mlir/Dialect/Transform/IR/TransformOps.h"

namespace formwork::testing {

/// Replaces a number or a name wherever it stands.
bool searchAndReplace(mlir::transform::NamedSequenceOp entry, Random &random);
/// Puts steps in any order in which each handle is made before it is read.
bool shuffleSteps(mlir::transform::NamedSequenceOp entry, Random &random);

} // namespace formwork::testing

#endif // FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_ORDER_SWEEPKINDS_H
