//===- ReadPayload.cpp - The payload before the first step ------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Turns a payload into nodes: kinds, places, iteration spaces, loops, and who
// produces what. Layer: verifier; the only place of the state that looks at
// payload IR as a whole.
//
//===----------------------------------------------------------------------===//

#include "verifier/state/PayloadModel.h"

#include "engine/AnyBelow.h"
#include "verifier/payload/Kinds.h"
#include "verifier/payload/Liveness.h"
#include "verifier/payload/ReadOp.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace formwork::normalforms;
using namespace formwork::verifier;

NodeId PayloadModel::addGiven(Operation *op, NodeId above, unsigned &position,
                              const llvm::SmallPtrSetImpl<Operation *> &live) {
  Node node;
  node.kind = op->getName();
  node.op = op;
  node.body = op;
  node.tags = op->getDiscardableAttrDictionary();
  node.ups.push_back({above, UpKind::Inside});
  node.count = Count::exactly(1);
  node.exact = true;
  node.live = live.contains(op);
  node.space = readSpace(op);
  node.loop = readLoop(op);
  if (writesMasked(op))
    maskWrites(/*isOpen=*/true);
  NodeId id = add(std::move(node));
  byOp[op] = id;
  for (Region &region : op->getRegions())
    for (Operation &inner : region.getOps())
      addGiven(&inner, id, position, live);
  nodes.write(id).position = position++;
  return id;
}

void PayloadModel::readFeatures(NodeId first) {
  NodeId endOfGiven = nodes.size();
  SmallVector<FeatureSet> own;
  for (NodeId id = first; id < endOfGiven; ++id) {
    own.push_back(normalforms::getFeatures(nodes[id].op));
    allFeatures |= own.back();
  }
  if (allFeatures.empty())
    return;
  // The ops around an op come before it.
  FeatureSet ofHolders;
  for (Feature feature : {Feature::LoopNotIndex, Feature::LoopUnsigned,
                          Feature::BlocksSeveral, Feature::DialectUnknown})
    ofHolders.insert(feature);
  auto getAbove = [&](NodeId id) { return nodes[id].ups.front().node; };
  SmallVector<FeatureSet> around(own.size()), inside(own);
  for (NodeId id = first + 1; id < endOfGiven; ++id) {
    size_t above = getAbove(id) - first;
    around[id - first] = around[above];
    around[id - first] |= own[above] & ofHolders;
  }
  for (NodeId id = endOfGiven; --id > first;)
    inside[getAbove(id) - first] |= inside[id - first];
  for (NodeId id = first; id < endOfGiven; ++id) {
    inside[id - first] |= around[id - first];
    nodes.write(id).features = inside[id - first];
  }
}

FeatureSet PayloadModel::getFeatures(NodeId node) const {
  if (allFeatures.empty())
    return {};
  std::optional<FeatureSet> found;
  walkEveryWay(node, [&](NodeId above) {
    if (!found)
      found = nodes[above].features;
    return !found;
  });
  return found.value_or(allFeatures);
}

static Bodies readBodies(Operation *root) {
  return formwork::engine::anyBelow(root, holdsOther) ? Bodies::Any
                                                      : Bodies::Scalars;
}

NodeId PayloadModel::addPayload(Operation *root) {
  unsigned position = 0;
  NodeId first =
      addGiven(root, universe, position, findLive(root, UseKind::Lasting));
  // A second pass, because a producer may stand behind its user.
  for (NodeId id = first; id < nodes.size(); ++id)
    if (nodes[id].space)
      for (Value operand : nodes[id].op->getOperands())
        change(id).producers.push_back(byOp.lookup(operand.getDefiningOp()));
  readFeatures(first);
  bodies = readBodies(root);
  return first;
}

/// Pairs the ops of two payloads that differ below `targets`, ops of `old`, at
/// most; false where they do not.
static bool
pairOps(Operation *old, Operation *made,
        const llvm::DenseSet<Operation *> &targets,
        SmallVectorImpl<std::pair<Operation *, Operation *>> &pairs) {
  if (old->getName() != made->getName())
    return false;
  pairs.push_back({old, made});
  if (targets.contains(old))
    return true;
  if (old->getNumRegions() != made->getNumRegions())
    return false;
  for (auto [from, to] : llvm::zip(old->getRegions(), made->getRegions())) {
    if (from.getBlocks().size() != to.getBlocks().size())
      return false;
    for (auto [block, other] : llvm::zip(from, to)) {
      if (block.getOperations().size() != other.getOperations().size())
        return false;
      for (auto [inner, same] : llvm::zip(block, other))
        if (!pairOps(&inner, &same, targets, pairs))
          return false;
    }
  }
  return true;
}

bool PayloadModel::replaceGiven(std::shared_ptr<OwningOpRef<Operation *>> read,
                                ArrayRef<NodeId> targets) {
  llvm::DenseSet<Operation *> ops;
  for (NodeId target : targets)
    ops.insert(nodes[target].op);
  Operation *old = nodes[targets.front()].op, *top = read->get();
  if (!old || !allFeatures.empty() || !forks.empty())
    return false;
  while (old->getParentOp())
    old = old->getParentOp();
  SmallVector<std::pair<Operation *, Operation *>> pairs;
  if (!pairOps(old, top, ops, pairs) || !llvm::all_of(pairs, [&](auto pair) {
        NodeId id = byOp.lookup(pair.first);
        return id != universe && nodes[id].op == pair.first;
      }))
    return false;
  bool isUnusual = top->walk([&](Operation *op) {
                        return normalforms::getFeatures(op).empty()
                                   ? WalkResult::advance()
                                   : WalkResult::interrupt();
                      })
                       .wasInterrupted();
  if (isUnusual)
    return false;

  for (NodeId target : targets)
    for (auto [id, place] : getBelow(target)) {
      Node &node = change(id);
      node.op = nullptr;
      if (node.present == Certainty::Yes)
        node.doubtedSince = now;
      node.present = Certainty::No;
    }
  forgetWays();
  replaced.push_back(std::move(read));
  bodies = std::max(bodies, readBodies(top));
  auto live = findLive(top, UseKind::Lasting);
  NodeId first = nodes.size();
  unsigned position = 0;
  for (auto [was, is] : pairs) {
    NodeId id = byOp.lookup(was);
    byOp[is] = id;
    Node &node = change(id);
    node.op = is;
    node.body = is;
    node.bodySince = now;
    node.tags = is->getDiscardableAttrDictionary();
    node.live = live.contains(is);
    if (!ops.contains(was))
      continue;
    for (Region &region : is->getRegions())
      for (Operation &inner : region.getOps())
        addGiven(&inner, id, position, live);
  }
  position = 0;
  top->walk([&](Operation *op) {
    nodes.write(byOp.lookup(op)).position = position++;
  });
  for (NodeId id = first; id < nodes.size(); ++id) {
    change(id).bodySince = now;
    if (nodes[id].space)
      for (Value operand : nodes[id].op->getOperands())
        change(id).producers.push_back(byOp.lookup(operand.getDefiningOp()));
  }
  isReordered = false;
  ++changes;
  setGiven();
  return true;
}

PayloadModel PayloadModel::copyAlone() const {
  PayloadModel copy = *this;
  copy.rephrasings = std::make_shared<Rephrasings>();
  return copy;
}
