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
/// known. What is of no known kind may be a loop; no kind that is known becomes
/// another one on one path.
static bool isMovable(ArrayRef<Node> nodes, const Node &node) {
  return !dependsOnLoops(node) && llvm::any_of(node.ups, [&](const Up &up) {
    return !up.isLoose() && mayBeLoop(nodes[up.node]);
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
static std::optional<NodeId> getRightAbove(const Node &node) {
  bool isConcerned = node.present != Certainty::No && (node.space || node.loop);
  if (!isConcerned || node.ups.size() != 1 || node.ups.front().isLoose())
    return std::nullopt;
  return node.ups.front().node;
}

bool NodeIndex::isMember(ArrayRef<Node> nodes, NodeId id, NodeSet set) const {
  const Node &node = nodes[id];
  if (node.present == Certainty::No)
    return false;
  bool isSure = node.present == Certainty::Yes;
  bool isUnsettled = node.op || isSure;
  switch (set) {
  case NodeSet::Present:
    return true;
  case NodeSet::Exact:
    return node.exact;
  case NodeSet::Inexact:
    return !node.exact;
  case NodeSet::Readers:
    return !node.producers.empty();
  case NodeSet::Doubted:
    return !isSure;
  case NodeSet::Unsettled:
    return isUnsettled;
  case NodeSet::Unneeded:
    return isUnsettled && !node.live && !node.kind.isIsolated();
  case NodeSet::Restless:
    return isRestless(node, Folding::All);
  case NodeSet::Fading:
    return isRestless(node, Folding::None);
  case NodeSet::Spaces:
    return node.space != nullptr;
  case NodeSet::Loops:
    return node.loop != nullptr;
  case NodeSet::Bottom:
    // What is not exact may be where what it holds is not.
    return node.loop && !(node.exact && entries[id].numRightInside != 0);
  case NodeSet::Movable:
    return isMovable(nodes, node);
  case NodeSet::Known:
    return node.exact && (node.op || node.space || node.loop || isSure);
  case NodeSet::Exposed:
    return !node.exact && isSure && !node.kind.isIsolated();
  case NodeSet::Tagged:
    return !node.tags.isEmpty();
  }
  llvm_unreachable("all sets are handled");
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
                        llvm::function_ref<bool(NodeId)> isListed) {
  // Each that has left is paid for once.
  bool isWorthwhile = now || list.numLeft > list.nodes.size() / 2;
  if (list.numLeft == 0 || !isWorthwhile)
    return;
  llvm::erase_if(list.nodes, [&](NodeId node) { return !isListed(node); });
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
  if (isNew)
    kinds.emplace_back().name = kind;
  return it->second;
}

void NodeIndex::putRightInside(ArrayRef<Node> nodes, NodeId node) {
  NodeId above = getRightAbove(nodes[node]).value_or(noNode);
  NodeId before = std::exchange(entries[node].rightInside, above);
  if (before == above)
    return;
  auto count = [&](NodeId id, unsigned difference) {
    if (id == noNode)
      return;
    if (id >= entries.size())
      entries.resize(id + 1);
    entries[id].numRightInside += difference;
    if (nodes[id].loop)
      change(id);
  };
  count(before, -1);
  count(above, 1);
}

void NodeIndex::keep(NodeSet set, ArrayRef<Node> nodes) {
  kept |= getBit(set);
  if (set == NodeSet::Bottom) {
    for (NodeId id = 0; id < entries.size(); ++id)
      putRightInside(nodes, id);
    // Which says what all loops need to know.
    lookAtChanged(nodes);
  }
  List &list = sets[static_cast<size_t>(set)];
  list = List();
  for (NodeId id = 0; id < entries.size(); ++id) {
    if (!isIn(id, NodeSet::Present) || !isMember(nodes, id, set))
      continue;
    entries[id].sets |= getBit(set);
    list.nodes.push_back(id);
  }
}

bool NodeIndex::isRead(ArrayRef<Node> nodes, NodeId node) {
  refreshIfMany(nodes);
  return (node < entries.size() && entries[node].isRead) ||
         llvm::any_of(changed, [&](NodeId id) {
           return llvm::is_contained(nodes[id].producers, node);
         });
}

bool NodeIndex::areAllExact(ArrayRef<Node> nodes) {
  refreshIfMany(nodes);
  return sets[static_cast<size_t>(NodeSet::Inexact)].size() == 0 &&
         llvm::none_of(changed, [&](NodeId id) {
           return !nodes[id].exact && nodes[id].present != Certainty::No;
         });
}

void NodeIndex::keepKinds() {
  if (std::exchange(keepsKinds, true))
    return;
  for (NodeId id = 0; id < entries.size(); ++id)
    if (isIn(id, NodeSet::Present))
      kinds[entries[id].kind].list.nodes.push_back(id);
}

void NodeIndex::lookAtChanged(ArrayRef<Node> nodes) {
  // What changes on the way is behind the last one.
  for (size_t i = 0; i < changed.size(); ++i) {
    NodeId id = changed[i];
    const Node &node = nodes[id];
    if (isKept(NodeSet::Bottom))
      putRightInside(nodes, id);
    for (NodeId producer : node.producers) {
      if (producer >= entries.size())
        entries.resize(producer + 1);
      entries[producer].isRead = true;
    }
    Entry &entry = entries[id];
    entry.isPending = false;
    NodeSets before = entry.sets, after = 0;
    for (unsigned left = kept | getBit(NodeSet::Present); left != 0;
         left &= left - 1) {
      unsigned set = llvm::countr_zero(left);
      after |= NodeSets(isMember(nodes, id, static_cast<NodeSet>(set))) << set;
    }
    entry.sets = after;
    numHoldersGone += before != 0 && after == 0 && node.hasBelow;
    for (unsigned differ = (before ^ after) & kept; differ != 0;
         differ &= differ - 1) {
      unsigned set = llvm::countr_zero(differ);
      if (after >> set & 1)
        sets[set].insert(id);
      else
        ++sets[set].numLeft;
    }
    unsigned kind = entry.kind;
    const std::optional<OperationName> &name = node.kind;
    if (kind == noKind || kinds[kind].name != name)
      kind = getKindNumber(name);
    if (after != 0 && !std::exchange(kinds[kind].wasThere, true))
      dialects |= getPattern(node).getDialectBits();
    if (keepsKinds && before != 0 && (after == 0 || entry.kind != kind))
      ++kinds[entry.kind].list.numLeft;
    if (keepsKinds && after != 0 && (before == 0 || entry.kind != kind))
      kinds[kind].list.insert(id);
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
      answers[kind] = test(kinds[kind].name) ? Accepted : Refused;
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
    keepKinds();
    size_t total = 0;
    for (auto [number, kind] : llvm::enumerate(kinds))
      if (accepts(number)) {
        compact(kind.list, /*now=*/false, [&, number = number](NodeId id) {
          return entries[id].sets != 0 && entries[id].kind == number;
        });
        total += kind.list.size();
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
  for (auto [number, kind] : llvm::enumerate(kinds))
    if (accepts(number))
      for (NodeId id : kind.list.nodes)
        if (entries[id].kind == number && isThere(id))
          selected.push_back(id);
  llvm::sort(selected);
  return selected;
}
