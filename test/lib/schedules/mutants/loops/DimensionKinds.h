//===- DimensionKinds.h - Breakage of what is tiled -------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Mutations of the dimensions that are tiled, and of the handles to their
// loops. Test support.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_LOOPS_DIMENSIONKINDS_H
#define FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_LOOPS_DIMENSIONKINDS_H

#include "test/lib/schedules/mutants/Mutation.h"

namespace formwork::testing {

/// Tiles one dimension less: its loop is another one then, or another dimension
/// is tiled twice.
bool dropDimension(mlir::transform::NamedSequenceOp entry, Random &random);
/// Tiles one dimension more; the handles may move or not.
bool addDimension(mlir::transform::NamedSequenceOp entry, Random &random);
/// Takes a size from another step.
bool borrowSize(mlir::transform::NamedSequenceOp entry, Random &random);
/// Tiles to several levels, and works on the loops.
bool tileDeep(mlir::transform::NamedSequenceOp entry, Random &random);
/// Tiles one more dimension: of a matmul, the reduction.
bool tileReduction(mlir::transform::NamedSequenceOp entry, Random &random);
/// Tiles by a parameter that has two values.
bool twoParameters(mlir::transform::NamedSequenceOp entry, Random &random);
/// Gives a tiling an interchange.
bool badInterchange(mlir::transform::NamedSequenceOp entry, Random &random);

} // namespace formwork::testing

#endif // FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_LOOPS_DIMENSIONKINDS_H
