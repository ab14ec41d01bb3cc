//===- TensorPredicates.cpp - Predicates on tensors and linalg --*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "normalforms/predicates/Predicates.h"

#include "normalforms/IR/NormalFormOps.h"
#include "normalforms/predicates/PerOp.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace formwork::normalforms;

/// static-shapes: required by vectorization without explicit vector sizes.
static void checkStaticShapes(Operation *op, ViolationSink &sink) {
  auto structured = dyn_cast<linalg::LinalgOp>(op);
  if (!structured)
    return;
  for (Value operand : op->getOperands()) {
    auto type = dyn_cast<ShapedType>(operand.getType());
    if (type && !type.hasStaticShape()) {
      sink.report(op, 1,
                  "requires operands of static shape but " + toText(op) +
                      " has one of type " + toText(type));
      return;
    }
  }
}

/// structured-on-tensors: required by tiling with fusion and by one-shot
/// bufferization of a whole function.
static void checkTensorSemantics(Operation *op, ViolationSink &sink) {
  auto structured = dyn_cast<linalg::LinalgOp>(op);
  if (structured && !structured.hasPureTensorSemantics())
    sink.report(op, 1,
                "requires structured ops on tensors but " + toText(op) +
                    " works on buffers");
}

void formwork::normalforms::registerTensorPredicates(
    NormalFormDialect &dialect) {
  dialect.registerPredicate(createPerOpPredicate(
      "static-shapes", {"no structured op with an operand of dynamic shape"},
      checkStaticShapes));
  dialect.registerPredicate(createPerOpPredicate(
      "structured-on-tensors", {"no structured op on buffers"},
      checkTensorSemantics));
}
