//===- ComputedTensors.cpp - Tensors made element by element ----*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/strategies/ComputedTensors.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace formwork::transforms;

/// The operation that makes a tensor like `empty`, over all its elements.
static linalg::GenericOp
createParallel(OpBuilder &builder, Location loc, ValueRange inputs, Value empty,
               function_ref<Value(OpBuilder &, Location, ValueRange)> body) {
  int64_t rank = cast<RankedTensorType>(empty.getType()).getRank();
  SmallVector<AffineMap> maps(inputs.size() + 1,
                              builder.getMultiDimIdentityMap(rank));
  SmallVector<utils::IteratorType> iterators(rank,
                                             utils::IteratorType::parallel);
  return linalg::GenericOp::create(
      builder, loc, empty.getType(), inputs, empty, maps, iterators,
      [&](OpBuilder &inner, Location at, ValueRange arguments) {
        linalg::YieldOp::create(inner, at, body(inner, at, arguments));
      });
}

linalg::GenericOp formwork::transforms::computeTensor(
    OpBuilder &builder, Location loc, RankedTensorType type,
    function_ref<Value(OpBuilder &, Location)> body) {
  Value empty = tensor::EmptyOp::create(builder, loc, type.getShape(),
                                        type.getElementType());
  return createParallel(builder, loc, {}, empty,
                        [&](OpBuilder &inner, Location at, ValueRange) {
                          return body(inner, at);
                        });
}

Value formwork::transforms::mapElements(
    OpBuilder &builder, Location loc, Value value, Type type,
    function_ref<Value(OpBuilder &, Location, Value)> body) {
  Value empty = tensor::EmptyOp::create(
      builder, loc, tensor::getMixedSizes(builder, loc, value), type);
  return createParallel(
             builder, loc, value, empty,
             [&](OpBuilder &inner, Location at, ValueRange arguments) {
               return body(inner, at, arguments[0]);
             })
      .getResult(0);
}
