//===- PartKinds.h - Breakage by parts of a handle --------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_HANDLES_PARTKINDS_H
#define FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_HANDLES_PARTKINDS_H

#include "test/lib/generator/Random.h"

#include "mlir/Dialect/Transform/IR/TransformOps.h"

namespace formwork::testing {

/// Matches all structured ops, and selects the kind that is meant.
bool selectOfWide(mlir::transform::NamedSequenceOp entry, Random &random);
/// Splits a handle, and merges the parts in another order.
bool reverseParts(mlir::transform::NamedSequenceOp entry, Random &random);
/// Asks that an op is there no more, or still.
bool noneLeft(mlir::transform::NamedSequenceOp entry, Random &random);
/// Does all that comes of a match for each part of what it finds.
bool branchPerPart(mlir::transform::NamedSequenceOp entry, Random &random);

} // namespace formwork::testing

#endif // FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_HANDLES_PARTKINDS_H
