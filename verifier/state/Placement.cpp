//===- Placement.cpp - Nodes that move, and those that take a place -------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Effects of steps on the ways up from nodes, and on the nodes below one.
// Layer: verifier.
//
//===----------------------------------------------------------------------===//

#include "verifier/state/PayloadModel.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace formwork::verifier;

void PayloadModel::mayMoveWork(NodeId scope) {
  auto mayIdle = [](const Node &node) {
    return node.loop && node.loop->doesWork && node.loop->mayWorkMove;
  };
  for (auto [id, place] : getBelow(scope, NodeSet::Loops, mayIdle)) {
    auto facts = std::make_shared<LoopFacts>(*nodes[id].loop);
    facts->doesWork = false;
    edit(id).loop = std::move(facts);
    // Its bounds go with it.
    mayDropUses();
  }
}

void PayloadModel::loosen(NodeId scope) {
  mayMoveWork(scope);
  for (auto [id, place] : getBelow(scope, NodeSet::Movable)) {
    if (place != Certainty::Yes)
      continue;
    for (Up &up : change(id).ups) {
      if (up.isLoose() || up.node == universe || up.node == scope ||
          !mayBeLoop(nodes[up.node]))
        continue;
      ++changes;
      ++ways;
      hasLooseWays = true;
      up.looseSince = now;
      up.boundary = scope;
    }
  }
}

void PayloadModel::mayDissolve(NodeId node) {
  doubt(node);
  forget(node);
  ++changes;
  ArrayRef<Up> ups = nodes[node].ups;
  NodeId around =
      ups.size() == 1 && !ups.front().isLoose() ? ups.front().node : universe;
  hasLooseWays = true;
  ++ways;
  // Ops that could not leave the loop can leave it now.
  for (auto [id, place] : getBelow(node, NodeSet::Present))
    for (Up &up : change(id).ups)
      if (up.isLoose() && up.boundary == node)
        up.boundary = around;
  for (NodeId id : getDirectlyBelow(node))
    for (Up &up : change(id).ups)
      if (up.node == node && up.kind == UpKind::Inside && !up.isLoose()) {
        up.looseSince = std::max<Time>(now, 1);
        up.boundary = around;
      }
  lastHolderConsumed = now;
}

void PayloadModel::reparent(NodeId from, NodeId to) {
  ++changes;
  // The node that holds `to` stays where it is; it cannot also lie in it.
  llvm::DenseSet<NodeId> holders = getHolders(to);
  hasMoved = true;
  ++ways;
  for (NodeId id : getDirectlyBelow(from))
    for (Up &up : change(id).ups)
      if (up.node == from && up.kind == UpKind::Inside &&
          !holders.contains(id)) {
        up.node = to;
        index.attach(id, to);
        // Nodes that died with the op around them stay dead.
        for (Consumption event : nodes[from].consumed) {
          event.certain &= !event.partial;
          change(id).consumed.push_back(event);
        }
        llvm::stable_sort(change(id).consumed,
                          [](const Consumption &a, const Consumption &b) {
                            return a.time < b.time;
                          });
      }
  change(to).hasBelow = true;
  lastHolderConsumed = now;
  introduce(to, nodes[from].introducedHere);
  introduceBelow(to, nodes[from].introducedBelow);
}

void PayloadModel::inheritContents(NodeId from, NodeId to) {
  const Node &old = nodes[from];
  KindSet kinds = old.introducedBelow;
  bool isOfScalars = old.kind && holdsOnlyScalars(*old.kind);
  Operation *known = old.op || !isOfScalars ? old.op : old.body;
  if (old.hasBelow && known)
    for (Region &region : known->getRegions())
      region.walk(
          [&](Operation *op) { kinds.insert(KindPattern(op->getName())); });
  else if (mayHaveBelow(old) && isOfScalars)
    kinds.insert(getScalarKinds());
  else if (mayHaveBelow(old))
    kinds.insert(KindPattern("*"));
  if (kinds.empty())
    return;
  // Once any tag may be hidden, no more can be.
  auto hasMoreTags = [&](const Node &node) {
    bool hasMore = !node.tags.isKnown() && (node.exact || node.fresh);
    node.tags.forEachName(
        [&](StringAttr name) { hasMore |= !hiddenTags.contains(name); });
    return hasMore;
  };
  if (!hidesAnyTag)
    for (auto [id, place] : getBelow(from, NodeSet::Tagged, hasMoreTags))
      hideTagsOf(nodes[id]);
  introduce(to, kinds);
}

void PayloadModel::inheritIntroduced(NodeId from, NodeId to) {
  introduce(to, KindSet(nodes[from].introducedBelow));
}
