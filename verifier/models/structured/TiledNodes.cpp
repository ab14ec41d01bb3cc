//===- TiledNodes.cpp - Nodes that tiling makes -----------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The tiles, their loops, and the slices through which they read. Layer:
// verifier.
//
//===----------------------------------------------------------------------===//

#include "verifier/models/structured/TiledNodes.h"
#include "verifier/payload/StructuredFolding.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace formwork::verifier;

NodeId formwork::verifier::addTiled(PayloadModel &payload, NodeId target,
                                    NodeId parent,
                                    std::shared_ptr<const IterationSpace> space,
                                    Operation *op) {
  const Node &old = payload[target];
  Node made = makeBeside(old, op);
  made.ups = {{parent, UpKind::Inside}};
  made.space = std::move(space);
  made.producers = old.producers;
  made.body = old.body;
  made.bodySince = old.bodySince;
  made.tags = old.tags;
  made.tile.edit().partOf = target;
  NodeId tiled = payload.add(std::move(made));
  payload.inheritContents(target, tiled);
  return tiled;
}

NodeId formwork::verifier::addLoop(PayloadModel &payload, NodeId target,
                                   std::optional<NodeId> parent,
                                   const NodeKind &kind,
                                   std::shared_ptr<const LoopFacts> facts,
                                   Operation *op) {
  Node made = makeBeside(payload[target], op, kind);
  if (parent)
    made.ups = {{*parent, UpKind::Inside}};
  else if (!made.exact)
    for (Up &up : made.ups)
      up.kind = UpKind::AtOrInside;
  made.tags = DictionaryAttr::get(op->getContext());
  const Node &old = payload[target];
  if (facts && facts->doesWork && old.space && !old.space->onTensors &&
      old.kind && mayCopyToItself(*old.kind, old.body)) {
    auto idle = std::make_shared<LoopFacts>(*facts);
    idle->doesWork = false;
    facts = std::move(idle);
  }
  made.loop = std::move(facts);
  return payload.add(std::move(made));
}

std::shared_ptr<LoopFacts> formwork::verifier::getForFacts(const Extent &whole,
                                                           const Size &tile,
                                                           const Extent &trips,
                                                           bool hasResults) {
  auto facts = std::make_shared<LoopFacts>();
  facts->trips.push_back(trips);
  facts->hasResults = hasResults;
  if (whole.size && tile) {
    facts->range = *whole.size;
    facts->step = *tile;
  }
  facts->endsOpen = endsOpen(whole, tile);
  return facts;
}

void formwork::verifier::recordSlices(PayloadModel &payload, NodeId target,
                                      NodeId tile, const TileSpec &spec) {
  TileFacts &made = payload.edit(tile).tile.edit();
  const Node &old = payload[target];
  IndexedOperands indexed = readIndexed(*payload[tile].space);
  made.lastParts = 0;
  for (unsigned dim : spec.tiled)
    if (dim < indexed.byLoop.size() && !spec.mayLeaveOut(dim))
      made.lastParts |= indexed.byLoop[dim];
  made.parts = made.sliced = made.lastParts;
  // An operand that is not sliced again is read as before.
  bool isAsMade =
      isa_and_nonnull<transform::TileUsingForOp, transform::TileUsingForallOp>(
          old.origin);
  if (isAsMade && !payload.mayHaveFolded(old.createdAt, /*isViewOfPart=*/false))
    made.sliced |= old.tile->sliced;
  if (isAsMade && !payload.mayHaveFolded(old.createdAt, /*isViewOfPart=*/true))
    made.parts |= old.tile->parts;
  // A linalg op is tiled with a slice of each operand, the whole of it if no
  // tiled loop indexes it.
  if (spec.numSureLoops() != 0 && old.kind &&
      old.kind->hasInterface<linalg::LinalgOp>())
    made.sliced |= indexed.byAny;
  made.parts &= made.sliced;
}

std::optional<OperationName>
formwork::verifier::getMadeProducer(const PayloadModel &payload, NodeId id,
                                    int64_t number, MLIRContext *context) {
  const Node &node = payload[id];
  if (!node.fresh ||
      !isa_and_nonnull<transform::TileUsingForOp, transform::TileUsingForallOp>(
          node.origin))
    return std::nullopt;
  if (node.loop && !node.loop->isForall && number < 3 &&
      node.loop->trips.front().isStatic())
    return OperationName(arith::ConstantOp::getOperationName(), context);
  if (!node.space || number >= static_cast<int64_t>(node.space->maps.size()))
    return std::nullopt;
  uint64_t operand = number < 64 ? uint64_t(1) << number : 0;
  bool isPart = (node.tile->parts & operand) != 0;
  if ((node.tile->sliced & operand) == 0 ||
      payload.mayHaveFolded(node.createdAt, isPart && !node.space->onTensors))
    return std::nullopt;
  return OperationName(node.space->onTensors
                           ? tensor::ExtractSliceOp::getOperationName()
                           : memref::SubViewOp::getOperationName(),
                       context);
}
