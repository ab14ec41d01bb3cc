//===- PartialKinds.h - Breakage of partial results -------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Mutations that work on what a tiling of a reduction leaves: the initial
// values, the partial results and what combines them. Test support.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_STEPS_PARTIALKINDS_H
#define FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_STEPS_PARTIALKINDS_H

#include "test/lib/generator/Random.h"

#include "mlir/Dialect/Transform/IR/TransformOps.h"

namespace formwork::testing {

/// Tiles a reduction to partial results, and works on several parts of that.
bool partialSums(mlir::transform::NamedSequenceOp entry, Random &random);
/// Tiles the reduction of a contraction apart, to partial results.
bool reductionApart(mlir::transform::NamedSequenceOp entry, Random &random);

} // namespace formwork::testing

#endif // FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_STEPS_PARTIALKINDS_H
