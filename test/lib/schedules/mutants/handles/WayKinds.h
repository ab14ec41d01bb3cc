//===- WayKinds.h - Breakage by other ways to an op -------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Mutations that reach an op by another way than its match or the step that
// made it. Test support.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_HANDLES_WAYKINDS_H
#define FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_HANDLES_WAYKINDS_H

#include "test/lib/generator/Random.h"

#include "mlir/Dialect/Transform/IR/TransformOps.h"

namespace formwork::testing {

/// Finds an op from the return of its function, or from an insertion in its
/// loop.
bool backFromTheEnd(mlir::transform::NamedSequenceOp entry, Random &random);
/// Lets a matcher find an op together with its producer.
bool pairsByMatcher(mlir::transform::NamedSequenceOp entry, Random &random);
/// Finds a loop by its kind, instead of by its handle.
bool loopsByKind(mlir::transform::NamedSequenceOp entry, Random &random);
/// Finds the loops of a tiling by their places among all loops.
bool loopsByCount(mlir::transform::NamedSequenceOp entry, Random &random);

} // namespace formwork::testing

#endif // FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_HANDLES_WAYKINDS_H
