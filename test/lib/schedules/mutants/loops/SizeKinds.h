//===- SizeKinds.h - Breakage of how sizes are written ----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Mutations that write the sizes of tilings in another way: in one place, in
// full length, or for two sorts of loops. Test support.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_LOOPS_SIZEKINDS_H
#define FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_LOOPS_SIZEKINDS_H

#include "test/lib/generator/Random.h"

#include "mlir/Dialect/Transform/IR/TransformOps.h"

namespace formwork::testing {

/// Takes the sizes of all tilings from parameters at the start.
bool sizesUpFront(mlir::transform::NamedSequenceOp entry, Random &random);
/// Adds or drops the zeros behind the last size of tilings.
bool trailingZeros(mlir::transform::NamedSequenceOp entry, Random &random);
/// Tiles some dimensions to a parallel loop, and the others inside.
bool halfParallel(mlir::transform::NamedSequenceOp entry, Random &random);

} // namespace formwork::testing

#endif // FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_LOOPS_SIZEKINDS_H
