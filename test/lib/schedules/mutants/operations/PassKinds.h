//===- PassKinds.h - Breakage by passes and widths --------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_OPERATIONS_PASSKINDS_H
#define FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_OPERATIONS_PASSKINDS_H

#include "test/lib/generator/Random.h"

#include "mlir/Dialect/Transform/IR/TransformOps.h"

namespace formwork::testing {

/// Runs a pass on tensors first, and matches what that makes.
bool passesFirst(mlir::transform::NamedSequenceOp entry, Random &random);
/// Runs passes on buffers, where there may be none.
bool bufferPasses(mlir::transform::NamedSequenceOp entry, Random &random);
/// Vectorizes a tile by the sizes that it was tiled by.
bool vectorizeByTile(mlir::transform::NamedSequenceOp entry, Random &random);
/// Pads tiles to the sizes that they were tiled by.
bool padByTile(mlir::transform::NamedSequenceOp entry, Random &random);

} // namespace formwork::testing

#endif // FORMWORK_TEST_LIB_SCHEDULES_MUTANTS_OPERATIONS_PASSKINDS_H
