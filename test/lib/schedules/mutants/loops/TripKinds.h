//===- TripKinds.h - Breakage by levels and trips ---------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_LOOPS_TRIPKINDS_H
#define FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_LOOPS_TRIPKINDS_H

#include "test/lib/generator/Random.h"

#include "mlir/Dialect/Transform/IR/TransformOps.h"

namespace formwork::testing {

/// Tiles each dimension in a step of its own, in some order.
bool oneByOne(mlir::transform::NamedSequenceOp entry, Random &random);
/// Makes a loop of one trip, and works on what it was.
bool oneTrip(mlir::transform::NamedSequenceOp entry, Random &random);
/// Adds a level of warps between blocks and threads.
bool warpLevel(mlir::transform::NamedSequenceOp entry, Random &random);
/// Does several steps on one loop, one behind the other.
bool loopStepsInRow(mlir::transform::NamedSequenceOp entry, Random &random);

} // namespace formwork::testing

#endif // FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_LOOPS_TRIPKINDS_H
