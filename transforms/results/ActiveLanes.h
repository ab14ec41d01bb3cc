//===- ActiveLanes.h - The lanes that a mask selects ------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Computes, in code of the payload, which lanes of a vector a mask selects.
// Layer: transforms.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_RESULTS_ACTIVELANES_H
#define FORMWORK_TRANSFORMS_RESULTS_ACTIVELANES_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpDefinition.h"

#include <optional>

namespace formwork::transforms {

/// The lanes that a mask selects in one dimension lie among the `extent` lanes
/// from `first` on, both ends included. No lane is selected if `extent` is 0.
struct ActiveLanes {
  mlir::OpFoldResult first, extent;
};

/// The lanes that `mask` selects in each of its dimensions, computed by ops at
/// the insertion point. None if the vector is scalable, or if it has several
/// dimensions and is made neither by vector.create_mask nor by
/// vector.constant_mask.
std::optional<llvm::SmallVector<ActiveLanes>>
findActiveLanes(mlir::OpBuilder &builder, mlir::Value mask);

/// The number of lanes that `mask`, of one dimension, selects.
mlir::Value countActiveLanes(mlir::OpBuilder &builder, mlir::Value mask);

} // namespace formwork::transforms

#endif // FORMWORK_TRANSFORMS_RESULTS_ACTIVELANES_H
