//===- QueryKinds.h - Breakage by queries -----------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Mutations that add queries, widen the scope of a query, or match all ops anew
// behind a cut. Test support.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_HANDLES_QUERYKINDS_H
#define FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_HANDLES_QUERYKINDS_H

#include "test/lib/generator/Random.h"

#include "mlir/Dialect/Transform/IR/TransformOps.h"

namespace formwork::testing {

/// Adds queries of which nothing reads the results.
bool idleQueries(mlir::transform::NamedSequenceOp entry, Random &random);
/// Matches in all loops, or in two scopes, where the author means one.
bool manyScopes(mlir::transform::NamedSequenceOp entry, Random &random);
/// Cuts the schedule in two, and hands ops over by marks.
bool cutByMarks(mlir::transform::NamedSequenceOp entry, Random &random);
/// Keeps handles to constants, fills, slices and the like across steps.
bool keepSmallOps(mlir::transform::NamedSequenceOp entry, Random &random);

} // namespace formwork::testing

#endif // FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_HANDLES_QUERYKINDS_H
