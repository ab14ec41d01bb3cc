//===- OtherTiles.cpp - Tiles of ops that are not structured ----*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verifier/models/structured/OtherTiles.h"
#include "verifier/clauses/LoneSteps.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;
using namespace formwork::verifier;

/// The space of loops of `sizes`, of `kinds`.
static std::shared_ptr<IterationSpace>
makeSpace(ArrayRef<int64_t> sizes, ArrayRef<utils::IteratorType> kinds) {
  auto space = std::make_shared<IterationSpace>();
  for (int64_t size : sizes) {
    space->loops.emplace_back();
    if (!ShapedType::isDynamic(size))
      space->loops.back().size = size;
  }
  space->iterators.assign(kinds.begin(), kinds.end());
  return space;
}

/// The loops of an op that is as `body`, but with operands of `types`.
static std::shared_ptr<IterationSpace> readLoops(Operation *body,
                                                 ArrayRef<Type> types) {
  if (auto softmax = dyn_cast<linalg::SoftmaxOp>(body))
    if (auto type = dyn_cast<RankedTensorType>(types.front())) {
      std::shared_ptr<IterationSpace> space =
          makeSpace(type.getShape(), softmax.getLoopIteratorTypes());
      space->maps.assign(types.size(),
                         AffineMap::getMultiDimIdentityMap(
                             type.getRank(), softmax->getContext()));
      space->elementTypes.assign(types.size(), type.getElementType());
      return space;
    }
  if (auto pack = dyn_cast<linalg::PackOp>(body)) {
    unsigned number = pack.getDestMutable().getOperandNumber();
    if (auto type = dyn_cast<RankedTensorType>(types[number]))
      return makeSpace(
          type.getShape().take_front(pack.getSourceRank()),
          SmallVector<utils::IteratorType>(pack.getSourceRank(),
                                           utils::IteratorType::parallel));
  }
  return nullptr;
}

std::shared_ptr<IterationSpace>
formwork::verifier::readOtherLoops(const Step &step, NodeId target) {
  const LoneRun *run = runAlone(step, /*index=*/0, target);
  if (!run || run->failure) {
    step.unprove("tiles an op whose loops are not known");
    return nullptr;
  }
  const Node &node = step.payload[target];
  if (node.op)
    return readLoops(node.op, llvm::to_vector(node.op->getOperandTypes()));
  return node.tile->types ? readLoops(node.body, *node.tile->types) : nullptr;
}

void formwork::verifier::describeOtherTile(const Step &step, NodeId target,
                                           NodeId tile) {
  const LoneRun *run = runAlone(step, /*index=*/0, target);
  if (!run || run->failure)
    return;
  Node &made = step.payload.edit(tile);
  const auto &found = run->results.front();
  if (found.size() != 1 || found.front().kind != made.kind) {
    made.kind = std::nullopt;
    made.body = nullptr;
    return;
  }
  const LoneResult &one = found.front();
  auto isStatic = [](Type type) {
    auto shaped = dyn_cast<ShapedType>(type);
    return !shaped || (shaped.hasRank() && shaped.hasStaticShape());
  };
  // Folding may still find more out.
  if (made.body && one.attributes == made.body->getAttrDictionary() &&
      isa<DestinationStyleOpInterface>(made.body) &&
      llvm::all_of(one.types, isStatic))
    made.tile.edit().types =
        std::make_shared<const SmallVector<Type>>(one.types);
}
