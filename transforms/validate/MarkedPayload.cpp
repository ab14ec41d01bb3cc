//===- MarkedPayload.cpp - Payload in front of a step -----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/validate/MarkedPayload.h"

#include "transforms/validate/HandleProbe.h"
#include "verifier/payload/Liveness.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::transforms;

bool MarkedPayload::anyAbove(Operation *op,
                             llvm::function_ref<bool(Operation *)> fn) const {
  for (auto it = ops.find(op); it != ops.end() && it->second.parent;
       it = ops.find(it->second.parent))
    if (fn(it->second.parent))
      return true;
  return false;
}

Operation *MarkedPayload::getAnchor(Operation *op) const {
  Operation *anchor = nullptr;
  anyAbove(op, [&](Operation *above) {
    auto it = ops.find(above);
    bool isIsolated =
        it != ops.end() &&
        it->second.kind.mightHaveTrait<OpTrait::IsIsolatedFromAbove>();
    if (isIsolated)
      anchor = above;
    return isIsolated;
  });
  return anchor;
}

static constexpr llvm::StringLiteral kMark = "formwork.op.";

static bool isMarked(Location loc) {
  auto named = dyn_cast<NameLoc>(loc);
  return named && named.getName().getValue().starts_with(kMark);
}

Location formwork::transforms::removeMark(Location loc) {
  return isMarked(loc) ? cast<NameLoc>(loc).getChildLoc() : loc;
}

static OperandPayload getPayload(Value operand,
                                 transform::TransformState &state) {
  OperandPayload targets;
  bool isParam = isa<transform::TransformParamTypeInterface>(operand.getType());
  bool isOfValues =
      isa<transform::TransformValueHandleTypeInterface>(operand.getType());
  if (isParam || (isOfValues && !holdsValues(operand, state)) ||
      !canBeUsed(operand, state))
    return targets;
  targets.isKnown = true;
  if (!isOfValues) {
    targets.ops.assign(state.getPayloadOps(operand).begin(),
                       state.getPayloadOps(operand).end());
    return targets;
  }
  for (Value value : state.getPayloadValues(operand)) {
    Operation *owner = value.getDefiningOp();
    targets.ops.push_back(
        owner ? owner : cast<BlockArgument>(value).getOwner()->getParentOp());
  }
  return targets;
}

/// Whether `op` is of a kind that may fold to other values or to none at all.
static bool mayFoldAway(Operation *op) {
  bool isPlain = op->getNumRegions() == 0 ||
                 isa<linalg::TransposeOp, tensor::PadOp, vector::MaskOp>(op);
  return isPlain && isMemoryEffectFree(op);
}

MarkedPayload
formwork::transforms::markPayload(transform::TransformState &state,
                                  ValueRange operands, uint64_t &numMarks) {
  Operation *top = state.getTopLevel();
  MarkedPayload payload;
  llvm::DenseSet<Location> marks;
  llvm::SmallPtrSet<Operation *, 32> live =
      verifier::findLive(top, verifier::UseKind::Now);
  unsigned number = 0;
  top->walk<WalkOrder::PreOrder>([&](Operation *op) {
    Location loc = op->getLoc();
    // A copy has the mark of the op that it was copied from.
    if (!isMarked(loc) || !marks.insert(loc).second) {
      loc = NameLoc::get(
          StringAttr::get(op->getContext(), kMark + Twine(numMarks++)),
          removeMark(loc));
      op->setLoc(loc);
      marks.insert(loc);
    }
    payload.kinds.insert(op->getName());
    payload.ops.try_emplace(
        op,
        MarkedOp{loc, op->getName(), op == top ? nullptr : op->getParentOp(),
                 op->getAttrDictionary(),
                 llvm::to_vector_of<Type, 1>(op->getResultTypes()), number++,
                 !live.contains(op) || mayFoldAway(op)});
  });
  for (Value operand : operands)
    payload.operands.push_back(getPayload(operand, state));
  return payload;
}
