//===- PayloadModel.cpp - The payload, as far as a schedule tells ---------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verifier/state/Places.h"
#include "verifier/state/Ways.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallSet.h"

using namespace mlir;
using namespace formwork::verifier;

PayloadModel::PayloadModel() {
  Node top;
  top.count = {0, Count::unbounded};
  nodes.push_back(std::move(top));
  found.emplace_back();
  Node unknown;
  unknown.ups.push_back({universe, UpKind::Inside});
  unknown.present = Certainty::No;
  add(std::move(unknown));
  // No step can meet these two.
  hasInexact = false;
  dialects = 0;
}

Node formwork::verifier::makeBeside(const Node &old, Operation *origin,
                                    const NodeKind &kind) {
  Node made;
  made.kind = kind ? kind : old.kind;
  made.origin = origin;
  made.ups = old.ups;
  made.count = old.count;
  made.exact = old.exact;
  made.fresh = true;
  made.live = old.live;
  made.mayYieldOthers = old.mayYieldOthers;
  made.mayMoveMemory = old.mayMoveMemory;
  made.present = old.present;
  made.position = old.position;
  made.features = old.features;
  return made;
}

NodeId PayloadModel::add(Node &&node) {
  NodeId id = nodes.size();
  node.createdAt = now;
  if (node.present == Certainty::Maybe && node.doubtedSince == 0)
    node.doubtedSince = now;
  hasTags |= (node.exact || node.fresh) && !node.tags.isEmpty();
  hasInexact |= !node.exact;
  noteKind(node);
  nodes.push_back(std::move(node));
  found.emplace_back();
  index.change(id);
  attach(id);
  // Matches find exact nodes by themselves; of others they have to be told.
  const Node &made = nodes[id];
  if (made.fresh && !made.exact) {
    for (const Up &up : SmallVector<Up, 1>(made.ups))
      touch(up.node, getPattern(made), {});
    hideTags(id);
  }
  ++changes;
  return id;
}

void PayloadModel::attach(NodeId node) {
  Node &here = nodes.write(node);
  for (const Up &up : here.ups) {
    if (!nodes[up.node].hasBelow)
      change(up.node).hasBelow = true;
    index.attach(node, up.node);
    // An op that is put into an erased op is erased.
    if (nodes[up.node].present == Certainty::No)
      found[up.node].thereAt = 0;
  }
  here.isolatedAbove = universe;
  if (here.ups.size() != 1)
    return;
  NodeId above = here.ups.front().node;
  here.isolatedAbove = isIsolated(above) ? above : nodes[above].isolatedAbove;
}

llvm::DenseSet<NodeId> PayloadModel::getHolders(NodeId start) const {
  llvm::DenseSet<NodeId> holders = {start};
  SmallVector<NodeId> work = {start};
  while (!work.empty())
    for (const Up &up : nodes[work.pop_back_val()].ups)
      if (holders.insert(up.node).second)
        work.push_back(up.node);
  return holders;
}

void PayloadModel::setUps(NodeId node, SmallVector<Up, 1> ups) {
  // No op holds itself: a place that says so is not known.
  for (Up &up : ups)
    if (getHolders(up.node).contains(node))
      up = {universe, UpKind::Inside};
  hasSecondWays |= ups.size() > 1;
  hasLooseWays |= llvm::any_of(ups, [](const Up &up) { return up.isLoose(); });
  hasMoved = true;
  ++ways;
  change(node).ups = std::move(ups);
  attach(node);
  // Results for the old way up, for this node and those below it, do not hold
  // for the new one.
  lastHolderConsumed = now;
}

SmallVector<NodeId> PayloadModel::getPresent() const {
  return select(NodeSet::Present, nullptr, std::nullopt);
}

SmallVector<NodeId> PayloadModel::getReaders() const {
  return select(NodeSet::Readers, nullptr, std::nullopt);
}

NodeList PayloadModel::getDirectlyBelow(NodeId node) const {
  NodeList below;
  index.forEachBelow(node, [&](NodeId id) {
    bool isBelow = llvm::any_of(nodes[id].ups,
                                [&](const Up &up) { return up.node == node; });
    if (isBelow && nodes[id].present != Certainty::No)
      below.push_back(id);
  });
  llvm::sort(below);
  below.erase(llvm::unique(below), below.end());
  return below;
}

SmallVector<std::pair<NodeId, Certainty>>
PayloadModel::getBelow(NodeId scope, NodeSet set,
                       llvm::function_ref<bool(const Node &)> concerns,
                       NodeIndex::KindTest kinds) const {
  Places places(*this, scope);
  SmallVector<std::pair<NodeId, Certainty>> below;
  // An exact node is below another only where a way up leads there.
  std::optional<NodeId> holder;
  if (nodes[scope].exact)
    holder = scope;
  for (NodeId id : select(set, kinds, holder)) {
    if (id == scope || (concerns && !concerns(nodes[id])))
      continue;
    Certainty certainty = places.get(id);
    if (certainty != Certainty::No)
      below.push_back({id, certainty});
  }
  return below;
}

NodeList PayloadModel::getBelow(NodeId scope, ArrayRef<Wanted> wanted) const {
  std::optional<NodeId> holder;
  if (nodes[scope].exact)
    holder = scope;
  NodeList below;
  for (const Wanted &one : wanted)
    for (NodeId id : select(one.set, one.kinds, holder))
      if (id != scope && (!one.concerns || one.concerns(nodes[id])))
        below.push_back(id);
  llvm::sort(below);
  below.erase(llvm::unique(below), below.end());
  // Each node is listed once.
  Places places(*this, scope);
  llvm::erase_if(below,
                 [&](NodeId id) { return places.get(id) == Certainty::No; });
  return below;
}

NodeId PayloadModel::addSomewhere(NodeId scope, UpKind relation,
                                  std::optional<OperationName> kind,
                                  Count count, Operation *origin) {
  Node node;
  node.kind = kind;
  node.origin = origin;
  node.ups.push_back({scope, relation});
  node.count = count;
  if (relation == UpKind::Element && !kind)
    node.among = nodes[scope].among;
  return add(std::move(node));
}

NodeId PayloadModel::addElement(NodeId set, Count count, Operation *origin,
                                Time drawnAt) {
  NodeId element =
      addSomewhere(set, UpKind::Element, nodes[set].kind, count, origin);
  nodes.write(element).ups.front().drawnAt = drawnAt;
  return element;
}

NodeId PayloadModel::addFresh(NodeId parent, OperationName kind,
                              Operation *origin) {
  Node node;
  node.kind = kind;
  node.origin = origin;
  node.ups.push_back({parent, UpKind::Inside});
  node.count = Count::exactly(1);
  node.exact = nodes[parent].exact;
  node.fresh = true;
  return add(std::move(node));
}

Certainty PayloadModel::isAtOrBelow(NodeId node, NodeId scope) const {
  if (node == scope || scope == universe)
    return Certainty::Yes;
  Certainty best = Certainty::No;
  llvm::SmallSet<NodeId, 16> seen;
  NodeId start = node;
  // Where nothing else is on the way, it is cut short.
  if (hasPlainWays() && isIsolated(scope))
    while (start != scope && nodes[start].isolatedAbove != universe)
      start = nodes[start].isolatedAbove;
  // As long as there is one sure way up, it needs no book-keeping.
  while (nodes[start].ups.size() == 1 && start != scope &&
         !nodes[start].ups.front().isLoose())
    start = nodes[start].ups.front().node;
  SmallVector<std::pair<NodeId, std::optional<NodeId>>> work;
  if (start != universe)
    work.push_back({start, std::nullopt});
  // Pairs of a node and the boundary below which the way to it is unsure (none
  // when it is sure).
  while (!work.empty()) {
    auto [id, boundary] = work.pop_back_val();
    if (id == scope) {
      if (!boundary)
        return Certainty::Yes;
      best = Certainty::Maybe;
    }
    if (!seen.insert(id).second)
      continue;
    for (const Up &up : nodes[id].ups) {
      std::optional<NodeId> next = up.isLoose() ? up.boundary : boundary;
      if (next == up.node)
        next = std::nullopt;
      work.push_back({up.node, next});
    }
  }
  if (best == Certainty::No && !(nodes[node].exact && nodes[scope].exact))
    return mayAffect(scope, node) ? Certainty::Maybe : Certainty::No;
  return best;
}

void PayloadModel::walkUp(NodeId node,
                          llvm::function_ref<bool(NodeId)> fn) const {
  walkSureWays(nodes, node, fn);
}

void PayloadModel::walkEveryWay(NodeId node,
                                llvm::function_ref<bool(NodeId)> fn) const {
  walkWays(nodes, node, fn, [](const Up &up) { return up.node; });
}

/// Whether an op of `node`, which is at or inside that of `above`, may be that
/// op. Example: a match in a module may find the module itself.
static bool mayBeAt(const PayloadModel &payload, NodeId node, NodeId above) {
  if (payload[node].exact || !mayBeOfKindOf(payload[node], payload[above]))
    return false;
  bool isInside = false;
  payload.walkUp(node, [&](NodeId id) {
    isInside = llvm::any_of(payload[id].ups, [&](const Up &up) {
      return up.kind == UpKind::Inside && !up.isLoose() &&
             payload.isAtOrBelow(up.node, above) == Certainty::Yes;
    });
    return !isInside;
  });
  return !isInside;
}

std::optional<NodeId>
PayloadModel::getAncestor(NodeId node, bool proper,
                          ArrayRef<KindPattern> kinds) const {
  // Loops nest deeply, what is isolated does not.
  if (!hasSecondWays && kinds.size() == 1 && kinds.front() == "$isolated") {
    if (!proper && isIsolated(node))
      return node;
    NodeId isolated = nodes[node].isolatedAbove;
    if (isolated != universe && !(proper && mayBeAt(*this, node, isolated)))
      return isolated;
  }
  std::optional<NodeId> found;
  walkUp(node, [&](NodeId id) {
    if ((proper && id == node) || !nodes[id].kind ||
        !matchesAnyKind(*nodes[id].kind, kinds) ||
        (proper && mayBeAt(*this, node, id)))
      return true;
    found = id;
    return false;
  });
  return found;
}

std::optional<NodeList> PayloadModel::getFunctions(NodeId node) const {
  if (!nodes[node].exact || !nodes[node].kind || !isModule(*nodes[node].kind) ||
      mayHide(node, [](const KindSet &kinds) {
        return kinds.contains(functionKind);
      }))
    return std::nullopt;
  NodeList functions;
  for (NodeId id : getDirectlyBelow(node))
    if (isIsolated(id))
      functions.push_back(id);
  return functions;
}

bool PayloadModel::isCoveredBy(NodeId node, ArrayRef<NodeId> anchors) const {
  auto covers = [&](NodeId inner) {
    return llvm::any_of(anchors, [&](NodeId anchor) {
      return isAtOrBelow(inner, anchor) == Certainty::Yes;
    });
  };
  if (covers(node))
    return true;
  std::optional<NodeList> functions = getFunctions(node);
  return functions && !functions->empty() && llvm::all_of(*functions, covers);
}
