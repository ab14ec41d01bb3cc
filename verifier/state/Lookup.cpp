//===- Lookup.cpp - Nodes that are there ----------------------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds nodes below a scope, and says whether others may be there. Layer:
// verifier.
//
//===----------------------------------------------------------------------===//

#include "verifier/state/PayloadModel.h"
#include "verifier/state/Places.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace formwork::verifier;

bool PayloadModel::isUntouched(NodeId node) const {
  Operation *op = nodes[node].op;
  if (!op || !nodes[node].exact ||
      mayHide(node, [](const KindSet &kinds) { return !kinds.empty(); }))
    return false;
  size_t given = 0;
  op->walk([&](Operation *) { ++given; });
  auto below = getBelow(node);
  auto isLoose = [](const Up &up) { return up.isLoose(); };
  return below.size() + 1 == given && llvm::all_of(below, [&](const auto &one) {
           const Node &inner = nodes[one.first];
           return one.second == Certainty::Yes && inner.op &&
                  inner.present == Certainty::Yes &&
                  llvm::none_of(inner.ups, isLoose);
         });
}

bool PayloadModel::mayHold(NodeId scope, const KindPattern &pattern) const {
  // A node of unknown kind that no step made stands for an op that another node
  // stands for, too, or that is hidden.
  auto concerns = [&](const Node &node) {
    return node.kind ? mayBeOfKind(node, pattern) : node.isUnlisted();
  };
  // Recorded kinds are looked up first; the nodes are walked only if that does
  // not decide.
  if (mayHide(scope,
              [&](const KindSet &kinds) { return kinds.intersects(pattern); }))
    return true;
  if (!hadNode(pattern))
    return false;
  auto isAmong = [&](const std::optional<OperationName> &kind) {
    return mayBeAmong(kind, pattern);
  };
  return concerns(nodes[scope]) ||
         !getBelow(scope, NodeSet::Present, concerns, isAmong).empty();
}

bool PayloadModel::isGone(NodeId node) const {
  // The ops around an existing op exist.
  unsigned numGone = ways + index.getNumHoldersGone(nodes);
  NodeId at = node;
  while (at != universe && nodes[at].ups.size() == 1) {
    bool isThere = nodes[at].present != Certainty::No;
    if (at != node && !isThere)
      return true;
    if (isThere && found[at].thereAt == numGone)
      break;
    at = nodes[at].ups.front().getSure();
  }
  bool hasOneWay = at == universe || nodes[at].ups.size() == 1;
  if (hasOneWay) {
    for (; node != at; node = nodes[node].ups.front().getSure())
      if (nodes[node].present != Certainty::No)
        found[node].thereAt = numGone;
    return false;
  }
  bool gone = false;
  walkUp(node, [&](NodeId above) {
    gone |= above != node && nodes[above].present == Certainty::No;
    return !gone;
  });
  return gone;
}

SmallVector<std::pair<NodeId, Certainty>>
PayloadModel::find(NodeId scope, llvm::function_ref<bool(const Node &)> matches,
                   NodeIndex::KindTest kinds) const {
  Places places(*this, scope);
  std::optional<NodeId> holder;
  if (nodes[scope].exact)
    holder = scope;
  SmallVector<NodeId> exact = select(NodeSet::Exact, kinds, holder);
  if (holder && !llvm::is_contained(exact, scope) &&
      nodes[scope].present != Certainty::No &&
      (!kinds || kinds(nodes[scope].kind)))
    exact.insert(llvm::lower_bound(exact, scope), scope);
  SmallVector<std::pair<NodeId, Certainty>> all;
  for (NodeId id : exact) {
    const Node &node = nodes[id];
    if (!matches(node))
      continue;
    Certainty place = places.get(id);
    if (place != Certainty::No && !isGone(id))
      all.push_back({id, std::min(place, node.present)});
  }
  return all;
}

bool PayloadModel::has(NodeId scope, OperationName kind) const {
  Places places(*this, scope);
  return index.anyOfKind(nodes, kind, [&](NodeId id) {
    return nodes[id].exact && places.get(id) != Certainty::No && !isGone(id);
  });
}

bool PayloadModel::mayHide(
    NodeId scope, llvm::function_ref<bool(const KindSet &)> matches) const {
  if (!nodes[scope].exact || matches(nodes[scope].introducedBelow))
    return true;
  // Ops around others mostly have the same.
  const KindSet *last = &nodes[scope].introducedBelow;
  bool hidden = false;
  walkUp(scope, [&](NodeId above) {
    const KindSet &here = nodes[above].introducedHere;
    hidden |= !here.isShared(*last) && matches(here);
    last = &here;
    return !hidden;
  });
  return hidden;
}
