//===- ComputedTensors.h - Tensors made element by element ------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Structured operations that make a new tensor. Layer: transforms.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_STRATEGIES_COMPUTEDTENSORS_H
#define FORMWORK_TRANSFORMS_STRATEGIES_COMPUTEDTENSORS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace formwork::transforms {

/// Computes each element of a new tensor of `type`, of static shape, by `body`.
mlir::linalg::GenericOp computeTensor(
    mlir::OpBuilder &builder, mlir::Location loc, mlir::RankedTensorType type,
    llvm::function_ref<mlir::Value(mlir::OpBuilder &, mlir::Location)> body);

/// Computes each element of a new tensor of elements of `type` by `body`, which
/// is given the element of `value` in its place.
mlir::Value
mapElements(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value,
            mlir::Type type,
            llvm::function_ref<mlir::Value(mlir::OpBuilder &, mlir::Location,
                                           mlir::Value)>
                body);

} // namespace formwork::transforms

#endif // FORMWORK_TRANSFORMS_STRATEGIES_COMPUTEDTENSORS_H
