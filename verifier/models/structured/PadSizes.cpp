//===- PadSizes.cpp - Dynamic sizes of paddings -----------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Looks for paddings whose sizes may be numbers. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#include "verifier/models/structured/PadSizes.h"

#include "normalforms/PayloadFeatures.h"

#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::verifier;

/// Whether a dynamic size of the result of `pad` may fold to a number.
static bool isFoldable(tensor::PadOp pad) {
  return normalforms::getFeatures(pad).contains(
      normalforms::Feature::PadFoldable);
}

/// Whether the types of all operands have all sizes of `node`.
static bool hasStaticTypes(const Node &node) {
  return node.space && llvm::all_of(node.space->loops, [](const Extent &loop) {
           return loop.isStatic();
         });
}

bool formwork::verifier::mayFoldSizes(const Step &step, NodeId id) {
  const Node &node = step.payload[id];
  if (auto pad = dyn_cast_or_null<tensor::PadOp>(node.op)) {
    // A type with sizes keeps them.
    if (pad.getResultType().hasStaticShape())
      return false;
    return !step.payload.isAsGiven() || isFoldable(pad);
  }
  // The tiles of a padding have dynamic types, whatever their sizes.
  return !node.exact || !isa_and_nonnull<transform::PadOp>(node.origin) ||
         !hasStaticTypes(node);
}

bool formwork::verifier::mayWriteToFoldedPad(const Step &step, NodeId target) {
  const Node &node = step.payload[target];
  KindPattern isPad = KindPattern::of(tensor::PadOp::getOperationName());
  if (hasStaticTypes(node) ||
      !step.payload.mayHold(PayloadModel::universe, isPad))
    return false;
  if (auto op = dyn_cast_or_null<DestinationStyleOpInterface>(node.op);
      op && step.payload.isAsGiven())
    return llvm::any_of(op.getDpsInits(), [](Value init) {
      auto pad = init.getDefiningOp<tensor::PadOp>();
      return pad && isFoldable(pad);
    });
  size_t numInits = node.space ? node.space->numInits : 0;
  if (numInits == 0 || node.producers.size() < numInits)
    return true;
  return llvm::any_of(
      ArrayRef(node.producers).take_back(numInits), [&](NodeId producer) {
        const std::optional<OperationName> kind = step.payload[producer].kind;
        bool isKnown = producer != PayloadModel::universe &&
                       producer != PayloadModel::unknownProducer && kind;
        return !isKnown ||
               (isKind<tensor::PadOp>(kind) && mayFoldSizes(step, producer));
      });
}
