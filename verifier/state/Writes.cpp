//===- Writes.cpp - What a step may change in the payload -------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Doubt, motion and new ops: what a write leaves of what was known, and what a
// later match can find. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#include "verifier/state/PayloadModel.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace formwork::verifier;

void PayloadModel::touch(NodeId scope, ArrayRef<std::string> introduces,
                         ArrayRef<std::string> rewrites) {
  ++changes;
  if (!introduces.empty()) {
    nodes[scope].introducedHere.insert(introduces);
    introduceBelow(scope, introduces);
  }
  if (rewrites.empty())
    return;
  mayMerge();
  auto canChange = [&](const Node &node) {
    bool isSettled = !node.op && node.present == Certainty::Maybe;
    return !isSettled && (!node.kind || matchesAnyKind(*node.kind, rewrites));
  };
  for (auto [id, place] : getBelow(scope, canChange)) {
    nodes[id].op = nullptr;
    doubt(id);
  }
}

void PayloadModel::introduceBelow(NodeId node, ArrayRef<std::string> kinds) {
  // What is below a node is below all that is around it, so that the first one
  // that knows ends a single way up.
  walkUp(node, [&](NodeId above) {
    return nodes[above].introducedBelow.insert(kinds) ||
           nodes[above].ups.size() > 1;
  });
}

void PayloadModel::doubt(NodeId node) {
  if (nodes[node].present != Certainty::Yes)
    return;
  nodes[node].present = Certainty::Maybe;
  nodes[node].doubtedSince = now;
}

void PayloadModel::blur(NodeId node) {
  for (NodeId id : NodeList(getPresent())) {
    // What is transformed stays, whatever becomes of what it holds.
    bool isRoot =
        nodes[id].ups.size() == 1 && nodes[id].ups.front().node == universe;
    if (id == node || isRoot || !nodes[id].exact ||
        isAtOrBelow(id, node) == Certainty::No)
      continue;
    nodes[id].op = nullptr;
    nodes[id].space = nullptr;
    nodes[id].loop = nullptr;
    doubt(id);
  }
}

/// Whether the op was made by tiling so that it reads the induction variables
/// of the loops around it, and no motion of invariants takes it out of them.
static bool dependsOnLoops(const Node &node) {
  if (!node.fresh)
    return false;
  return node.loop ||
         (node.space && llvm::is_contained(node.space->iterators,
                                           utils::IteratorType::reduction));
}

void PayloadModel::loosen(NodeId scope) {
  ++changes;
  for (auto [id, place] : getBelow(scope)) {
    if (place != Certainty::Yes || dependsOnLoops(nodes[id]))
      continue;
    for (Up &up : nodes[id].ups) {
      if (up.looseSince != 0 || up.node == universe || up.node == scope ||
          !nodes[up.node].kind || !matchesKind(*nodes[up.node].kind, "$loop"))
        continue;
      up.looseSince = now;
      up.boundary = scope;
    }
  }
}

void PayloadModel::reparent(NodeId from, NodeId to) {
  ++changes;
  // What holds `to` stays where it is; it cannot also lie in it.
  llvm::DenseSet<NodeId> holders = getHolders(to);
  for (NodeId id : getPresent())
    for (Up &up : nodes[id].ups)
      if (up.node == from && up.kind == UpKind::Inside && !holders.contains(id))
        up.node = to;
  nodes[to].hasBelow = true;
  lastHolderConsumed = now;
  introduceBelow(to, nodes[from].introducedBelow.getPatterns());
}

void PayloadModel::inheritContents(NodeId from, NodeId to) {
  const Node &old = nodes[from];
  SmallVector<std::string> kinds(old.introducedBelow.getPatterns());
  if (old.hasBelow && old.op)
    for (Region &region : old.op->getRegions())
      region.walk([&](Operation *op) {
        kinds.push_back(op->getName().getStringRef().str());
      });
  else if (old.hasBelow && old.kind && holdsOnlyScalars(*old.kind))
    kinds.append({"affine.*", "arith.*", "complex.*", "index.*", "linalg.index",
                  "linalg.yield", "math.*", "memref.*", "scf.*", "tensor.*"});
  else if (old.hasBelow)
    kinds.push_back("*");
  if (!kinds.empty())
    touch(to, kinds, {});
}

bool PayloadModel::isGone(NodeId node) const {
  bool gone = false;
  walkUp(node, [&](NodeId above) {
    gone |= above != node && nodes[above].present == Certainty::No;
    return !gone;
  });
  return gone;
}

SmallVector<std::pair<NodeId, Certainty>>
PayloadModel::find(NodeId scope,
                   llvm::function_ref<bool(const Node &)> matches) const {
  SmallVector<std::pair<NodeId, Certainty>> found;
  for (NodeId id : getPresent()) {
    const Node &node = nodes[id];
    if (!node.exact || !matches(node))
      continue;
    Certainty place = isAtOrBelow(id, scope);
    if (place != Certainty::No && !isGone(id))
      found.push_back({id, std::min(place, node.present)});
  }
  return found;
}

bool PayloadModel::mayHide(
    NodeId scope, llvm::function_ref<bool(const KindSet &)> matches) const {
  if (!nodes[scope].exact || matches(nodes[scope].introducedBelow))
    return true;
  bool hidden = false;
  walkUp(scope, [&](NodeId above) {
    hidden |= above != universe && matches(nodes[above].introducedHere);
    return !hidden;
  });
  return hidden;
}
