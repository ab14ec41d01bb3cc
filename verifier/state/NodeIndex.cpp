//===- NodeIndex.cpp - Which nodes a step has to look at ------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verifier/state/NodeIndex.h"

#include "verifier/state/CleanUp.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace formwork::verifier;

/// Whether a step may move the op out of a loop that holds it, as far as is
/// known.
static bool isMovable(ArrayRef<Node> nodes, const Node &node) {
  return !dependsOnLoops(node) && llvm::any_of(node.ups, [&](const Up &up) {
    const std::optional<OperationName> &kind = nodes[up.node].kind;
    return !up.isLoose() && kind && matchesKind(*kind, "$loop");
  });
}

/// Whether clean-up may still change the op, or what is known of it. Of a loop
/// that may be there no more, it may still change what that holds.
static bool isRestless(const Node &node, Folding folds) {
  if (node.op)
    return true;
  if (node.space || node.present == Certainty::Yes)
    return !survivesCleanUp(node, folds);
  return node.loop && (mayVanish(node, folds) || mayReshape(node, folds));
}

/// What holds `node` for sure, and nothing else does, if it has a loop or a
/// space.
static std::optional<NodeId> getRightAbove(const Node &node, NodeSets sets) {
  constexpr NodeSets concerned = 1 << static_cast<unsigned>(NodeSet::Spaces) |
                                 1 << static_cast<unsigned>(NodeSet::Loops);
  if ((sets & concerned) == 0 || node.ups.size() != 1 ||
      node.ups.front().isLoose())
    return std::nullopt;
  return node.ups.front().node;
}

/// The sets that `node` is in; of loops, nothing is right inside.
static NodeSets getSets(ArrayRef<Node> nodes, const Node &node) {
  if (node.present == Certainty::No)
    return 0;
  NodeSets sets = 0;
  auto put = [&](NodeSet set, bool isIn) {
    sets |= NodeSets(isIn) << static_cast<unsigned>(set);
  };
  bool isSure = node.present == Certainty::Yes;
  bool isUnsettled = node.op || isSure;
  put(NodeSet::Present, true);
  put(NodeSet::Exact, node.exact);
  put(NodeSet::Inexact, !node.exact);
  put(NodeSet::Readers, !node.producers.empty());
  put(NodeSet::Doubted, !isSure);
  put(NodeSet::Unsettled, isUnsettled);
  put(NodeSet::Unneeded, isUnsettled && !node.live && !node.kind.isIsolated());
  put(NodeSet::Restless, isRestless(node, Folding::All));
  put(NodeSet::Fading, isRestless(node, Folding::None));
  put(NodeSet::Spaces, node.space != nullptr);
  put(NodeSet::Loops, node.loop != nullptr);
  put(NodeSet::Bottom, node.loop != nullptr);
  put(NodeSet::Movable, isMovable(nodes, node));
  put(NodeSet::Known,
      node.exact && (node.op || node.space || node.loop || isSure));
  put(NodeSet::Exposed, !node.exact && isSure && !node.kind.isIsolated());
  put(NodeSet::Tagged, !node.tags.isEmpty());
  return sets;
}

void NodeIndex::List::insert(NodeId node) {
  if (nodes.empty() || nodes.back() < node) {
    nodes.push_back(node);
    return;
  }
  auto place = llvm::lower_bound(nodes, node);
  if (*place == node)
    --numLeft;
  else
    nodes.insert(place, node);
}

void NodeIndex::compact(List &list, bool now,
                        llvm::function_ref<bool(NodeId)> isMember) {
  // Each that has left is paid for once.
  bool isWorthwhile = now || list.numLeft > list.nodes.size() / 2;
  if (list.numLeft == 0 || !isWorthwhile)
    return;
  llvm::erase_if(list.nodes, [&](NodeId node) { return !isMember(node); });
  list.numLeft = 0;
}

void NodeIndex::attach(NodeId node, NodeId above) {
  if (above >= firstLink.size())
    firstLink.resize(above + 1);
  links.push_back({node, firstLink[above]});
  firstLink[above] = links.size();
}

unsigned NodeIndex::getKindNumber(const std::optional<OperationName> &kind) {
  const void *key = kind ? kind->getAsOpaquePointer() : nullptr;
  auto [it, isNew] = kindNumbers.try_emplace(key, kinds.size());
  if (isNew) {
    kinds.emplace_back();
    kindNames.push_back(kind);
  }
  return it->second;
}

void NodeIndex::putRightInside(NodeId node, NodeId above) {
  NodeId before = std::exchange(entries[node].rightInside, above);
  if (before == above)
    return;
  auto count = [&](NodeId id, unsigned difference) {
    if (id == noNode)
      return;
    if (id >= entries.size())
      entries.resize(id + 1);
    entries[id].numRightInside += difference;
    if (isIn(id, NodeSet::Loops))
      change(id);
  };
  count(before, -1);
  count(above, 1);
}

void NodeIndex::refresh(ArrayRef<Node> nodes) {
  if (changed.empty())
    return;
  // What changes on the way is behind the last one.
  for (size_t i = 0; i < changed.size(); ++i) {
    NodeId id = changed[i];
    const Node &node = nodes[id];
    NodeSets after = getSets(nodes, node);
    putRightInside(id, getRightAbove(node, after).value_or(noNode));
    Entry &entry = entries[id];
    entry.isPending = false;
    // What is not exact may be where what it holds is not.
    if (node.exact && entry.numRightInside != 0)
      after &= ~(1 << static_cast<unsigned>(NodeSet::Bottom));
    NodeSets before = entry.sets;
    entry.sets = after;
    numHoldersGone += before != 0 && after == 0 && node.hasBelow;
    for (unsigned differ = before ^ after; differ != 0; differ &= differ - 1) {
      unsigned set = llvm::countr_zero(differ);
      if (after >> set & 1)
        sets[set].insert(id);
      else
        ++sets[set].numLeft;
    }
    unsigned kind = entry.kind;
    const std::optional<OperationName> &name = node.kind;
    if (kind == noKind || kindNames[kind] != name)
      kind = getKindNumber(name);
    if (before != 0 && (after == 0 || entry.kind != kind))
      ++kinds[entry.kind].numLeft;
    if (after != 0 && (before == 0 || entry.kind != kind)) {
      if (kinds[kind].nodes.empty())
        dialects |= getPattern(node).getDialectBits();
      kinds[kind].insert(id);
    }
    entry.kind = kind;
  }
  changed.clear();
}

ArrayRef<NodeId> NodeIndex::get(NodeSet set) {
  List &list = sets[static_cast<size_t>(set)];
  compact(list, /*now=*/true, [&](NodeId id) { return isIn(id, set); });
  return list.nodes;
}

void NodeIndex::forEachBelow(NodeId node,
                             llvm::function_ref<void(NodeId)> fn) const {
  unsigned link = node < firstLink.size() ? firstLink[node] : 0;
  for (; link != 0; link = links[link - 1].next)
    fn(links[link - 1].node);
}

std::optional<SmallVector<NodeId>> NodeIndex::getReached(ArrayRef<NodeId> start,
                                                         size_t limit) const {
  llvm::DenseSet<NodeId> seen(start.begin(), start.end());
  SmallVector<NodeId> reached(start);
  for (size_t i = 0; i < reached.size(); ++i) {
    forEachBelow(reached[i], [&](NodeId id) {
      if (seen.insert(id).second)
        reached.push_back(id);
    });
    if (reached.size() > limit)
      return std::nullopt;
  }
  reached.erase(reached.begin(), reached.begin() + start.size());
  return reached;
}

SmallVector<NodeId> NodeIndex::select(NodeSet set, KindTest test,
                                      std::optional<NodeId> scope) {
  auto isThere = [&](NodeId id) { return isIn(id, set); };
  List &all = sets[static_cast<size_t>(set)];
  compact(all, /*now=*/false, isThere);
  // Kinds are few, and are asked for at most once each.
  enum Answer : char { Unknown, Accepted, Refused };
  SmallVector<Answer, 32> answers(kinds.size(), test ? Unknown : Accepted);
  auto accepts = [&](unsigned kind) {
    if (answers[kind] == Unknown)
      answers[kind] = test(kindNames[kind]) ? Accepted : Refused;
    return answers[kind] == Accepted;
  };
  auto isWanted = [&](NodeId id) {
    return isThere(id) && accepts(entries[id].kind);
  };
  size_t least = all.size();
  SmallVector<NodeId> selected;
  auto take = [&](ArrayRef<NodeId> nodes) {
    for (NodeId id : nodes)
      if (isWanted(id))
        selected.push_back(id);
  };

  List &inexact = sets[static_cast<size_t>(NodeSet::Inexact)];
  auto isInexact = [&](NodeId id) { return isIn(id, NodeSet::Inexact); };
  if (scope && !hasBelow(*scope)) {
    compact(inexact, /*now=*/true, isInexact);
    take(inexact.nodes);
    return selected;
  }

  // It does not pay to look for a smaller set than a small one.
  constexpr size_t few = 48;
  bool byKind = false;
  if (test && least > few) {
    size_t total = 0;
    for (auto [number, list] : llvm::enumerate(kinds))
      if (accepts(number)) {
        compact(list, /*now=*/false, [&, number = number](NodeId id) {
          return entries[id].sets != 0 && entries[id].kind == number;
        });
        total += list.size();
      }
    byKind = total < least;
    least = std::min(least, total);
  }
  if (scope && least > few) {
    compact(inexact, /*now=*/false, isInexact);
    size_t others = inexact.size();
    std::optional<SmallVector<NodeId>> reached;
    if (others < least)
      reached = getReached(*scope, least - others);
    if (reached) {
      llvm::erase_if(*reached, isInexact);
      take(*reached);
      for (NodeId id : inexact.nodes)
        if (isInexact(id) && isWanted(id))
          selected.push_back(id);
      llvm::sort(selected);
      return selected;
    }
  }
  if (!byKind) {
    take(all.nodes);
    return selected;
  }
  for (auto [number, list] : llvm::enumerate(kinds))
    if (accepts(number))
      for (NodeId id : list.nodes)
        if (entries[id].kind == number && isThere(id))
          selected.push_back(id);
  llvm::sort(selected);
  return selected;
}
