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
/// known. A node without a kind may be a loop; a known kind does not change on
/// one path.
static bool isMovable(ArrayRef<Node> nodes, const Node &node) {
  return !dependsOnLoops(node) && llvm::any_of(node.ups, [&](const Up &up) {
    return !up.isLoose() && mayBeLoop(nodes[up.node]);
  });
}

/// Whether clean-up may still change the op, or facts about it. For a loop that
/// may be erased, its contents may still change.
static bool isRestless(const Node &node, Folding folds) {
  if (node.op)
    return true;
  if (node.space || node.present == Certainty::Yes)
    return !survivesCleanUp(node, folds);
  return node.loop && (mayVanish(node, folds) || mayReshape(node, folds));
}

/// The node that certainly holds `node`, and is the only one to do so, if
/// `node` has a loop or a space.
static std::optional<NodeId> getRightAbove(const Node &node) {
  bool isConcerned = node.present != Certainty::No && (node.space || node.loop);
  if (!isConcerned || node.ups.size() != 1 || node.ups.front().isLoose())
    return std::nullopt;
  return node.ups.front().node;
}

bool NodeIndex::hasRightInside(ArrayRef<Node> nodes, NodeId id) const {
  if (isTracking)
    return entries[id].numRightInside != 0;
  return llvm::any_of(
      nodes, [&](const Node &node) { return getRightAbove(node) == id; });
}

template <typename FnT>
auto NodeIndex::withTest(ArrayRef<Node> nodes, NodeSet set, FnT fn) const {
  auto isSure = [](const Node &node) { return node.present == Certainty::Yes; };
  auto isUnsettled = [=](const Node &node) { return node.op || isSure(node); };
  switch (set) {
  case NodeSet::Present:
    return fn([](NodeId, const Node &) { return true; });
  case NodeSet::Exact:
    return fn([](NodeId, const Node &node) { return node.exact; });
  case NodeSet::Inexact:
    return fn([](NodeId, const Node &node) { return !node.exact; });
  case NodeSet::Readers:
    return fn([](NodeId, const Node &node) { return !node.producers.empty(); });
  case NodeSet::Doubted:
    return fn([=](NodeId, const Node &node) { return !isSure(node); });
  case NodeSet::Unsettled:
    return fn([=](NodeId, const Node &node) { return isUnsettled(node); });
  case NodeSet::Unneeded:
    return fn([=](NodeId, const Node &node) {
      return isUnsettled(node) && !node.live && !node.kind.isIsolated();
    });
  case NodeSet::Restless:
    return fn([](NodeId, const Node &node) {
      return isRestless(node, Folding::All);
    });
  case NodeSet::Fading:
    return fn([](NodeId, const Node &node) {
      return isRestless(node, Folding::None);
    });
  case NodeSet::Spaces:
    return fn([](NodeId, const Node &node) { return node.space != nullptr; });
  case NodeSet::Loops:
    return fn([](NodeId, const Node &node) { return node.loop != nullptr; });
  case NodeSet::Bottom:
    // A node that is not exact may be in a place where its contents are not.
    return fn([&](NodeId id, const Node &node) {
      return node.loop && !(node.exact && hasRightInside(nodes, id));
    });
  case NodeSet::Movable:
    return fn([&](NodeId, const Node &node) { return isMovable(nodes, node); });
  case NodeSet::Known:
    return fn([=](NodeId, const Node &node) {
      return node.exact && (node.op || node.space || node.loop || isSure(node));
    });
  case NodeSet::Exposed:
    return fn([=](NodeId, const Node &node) {
      return !node.exact && isSure(node) && !node.kind.isIsolated();
    });
  case NodeSet::Tagged:
    return fn([](NodeId, const Node &node) { return !node.tags.isEmpty(); });
  }
  llvm_unreachable("all sets are handled");
}

bool NodeIndex::isMember(ArrayRef<Node> nodes, NodeId id, NodeSet set) const {
  return nodes[id].present != Certainty::No &&
         withTest(nodes, set,
                  [&](auto belongs) { return belongs(id, nodes[id]); });
}

void NodeIndex::reserve(size_t numNodes) {
  firstLink.reserve(numNodes);
  links.reserve(numNodes);
  if (numNodes <= numFew)
    return;
  entries.reserve(numNodes);
  log.reserve(2 * numNodes);
  constexpr size_t usualKinds = 16;
  kinds.reserve(usualKinds);
}

void NodeIndex::track(ArrayRef<Node> nodes) {
  isTracking = true;
  // Changes were not recorded while there were few nodes.
  for (List &list : sets)
    list.nodes.clear();
  for (NodeId id = 0; id < nodes.size(); ++id)
    change(id);
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
  if (set == NodeSet::Bottom)
    for (NodeId id = 0; id < entries.size(); ++id)
      putRightInside(nodes, id);
  List &list = getList(set);
  list.nodes.clear();
  list.isKept = true;
  list.seen = log.size();
  see(list.seen);
  for (NodeId id = 0; id < entries.size(); ++id) {
    if (!entries[id].isThere || !isMember(nodes, id, set))
      continue;
    entries[id].sets |= getBit(set);
    list.nodes.push_back(id);
  }
}

void NodeIndex::catchUp(NodeSet set, ArrayRef<Node> nodes) {
  List &list = getList(set);
  // New changes are appended during the loop.
  while (list.seen < log.size()) {
    NodeId id = log[list.seen++];
    see(list.seen);
    if (set == NodeSet::Bottom)
      putRightInside(nodes, id);
    bool belongs = isMember(nodes, id, set);
    if (isIn(id, set) == belongs)
      continue;
    entries[id].sets ^= getBit(set);
    if (belongs)
      list.insert(id);
    else
      ++list.numLeft;
  }
}

void NodeIndex::refreshAll(ArrayRef<Node> nodes) {
  for (size_t set = 0; set < numSets; ++set)
    if (sets[set].isKept)
      catchUp(static_cast<NodeSet>(set), nodes);
  refresh(nodes);
}

/// More than these nobody wants to look at one by one.
static constexpr size_t many = 16;

bool NodeIndex::isRead(ArrayRef<Node> nodes, NodeId node) {
  if (!isTracking || log.size() - seen > many)
    refresh(nodes);
  if (!isTracking)
    return llvm::any_of(nodes, [&](const Node &one) {
      return llvm::is_contained(one.producers, node);
    });
  return (node < entries.size() && entries[node].isRead) ||
         llvm::any_of(ArrayRef(log).drop_front(seen), [&](NodeId id) {
           return llvm::is_contained(nodes[id].producers, node);
         });
}

bool NodeIndex::areAllExact(ArrayRef<Node> nodes) {
  if (!isTracking)
    return selectOfFew(nodes, NodeSet::Inexact, nullptr, std::nullopt).empty();
  List &inexact = getList(NodeSet::Inexact);
  if (log.size() - inexact.seen > many)
    catchUp(NodeSet::Inexact, nodes);
  return inexact.size() == 0 &&
         llvm::none_of(ArrayRef(log).drop_front(inexact.seen), [&](NodeId id) {
           return !nodes[id].exact && nodes[id].present != Certainty::No;
         });
}

void NodeIndex::keepKinds() {
  if (std::exchange(keepsKinds, true))
    return;
  for (NodeId id = 0; id < entries.size(); ++id)
    if (entries[id].isThere)
      kinds[entries[id].kind].list.nodes.push_back(id);
}

void NodeIndex::lookAtChanged(ArrayRef<Node> nodes) {
  for (; seen < log.size(); ++seen) {
    NodeId id = log[seen];
    const Node &node = nodes[id];
    for (NodeId producer : node.producers) {
      if (producer >= entries.size())
        entries.resize(producer + 1);
      entries[producer].isRead = true;
    }
    Entry &entry = entries[id];
    bool isThere = node.present != Certainty::No;
    bool wasThere = std::exchange(entry.isThere, isThere);
    numHoldersGone += wasThere && !isThere && node.hasBelow;
    unsigned kind = entry.kind;
    const std::optional<OperationName> &name = node.kind;
    if (kind == noKind || kinds[kind].name != name)
      kind = getKindNumber(name);
    bool isOther = entry.kind != kind;
    if (keepsKinds && wasThere && (!isThere || isOther))
      ++kinds[entry.kind].list.numLeft;
    if (keepsKinds && isThere && (!wasThere || isOther))
      kinds[kind].list.insert(id);
    entry.kind = kind;
  }
  see(seen);
}

ArrayRef<NodeId> NodeIndex::get(ArrayRef<Node> nodes, NodeSet set) {
  List &list = getList(set);
  if (!isTracking) {
    list.nodes.assign(selectOfFew(nodes, set, nullptr, std::nullopt));
    return list.nodes;
  }
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

SmallVector<NodeId> NodeIndex::selectOfFew(ArrayRef<Node> nodes, NodeSet set,
                                           KindTest test,
                                           std::optional<NodeId> scope) const {
  bool isAnyExact = !scope || hasBelow(*scope);
  // Consecutive nodes often have the same kind.
  const std::optional<OperationName> *lastKind = nullptr;
  bool isLastAccepted = true;
  auto accepts = [&](const std::optional<OperationName> &kind) {
    if (test && (!lastKind || kind != *lastKind)) {
      lastKind = &kind;
      isLastAccepted = test(kind);
    }
    return isLastAccepted;
  };
  SmallVector<NodeId> selected;
  withTest(nodes, set, [&](auto belongs) {
    // No set has the node above everything.
    for (NodeId id = topNode + 1; id < nodes.size(); ++id) {
      const Node &node = nodes[id];
      if (node.present != Certainty::No && (isAnyExact || !node.exact) &&
          belongs(id, node) && accepts(node.kind))
        selected.push_back(id);
    }
  });
  return selected;
}

bool NodeIndex::anyOfKind(ArrayRef<Node> nodes, OperationName kind,
                          llvm::function_ref<bool(NodeId)> test) {
  if (!isTracking) {
    for (NodeId id = nodes.size(); id-- > topNode + 1;)
      if (nodes[id].present != Certainty::No && nodes[id].kind == kind &&
          test(id))
        return true;
    return false;
  }
  keepKinds();
  unsigned number = getKindNumber(kind);
  auto isListed = [&](NodeId id) {
    return entries[id].isThere && entries[id].kind == number;
  };
  List &list = kinds[number].list;
  compact(list, /*now=*/false, isListed);
  return llvm::any_of(llvm::reverse(list.nodes),
                      [&](NodeId id) { return isListed(id) && test(id); });
}

SmallVector<NodeId> NodeIndex::select(ArrayRef<Node> nodes, NodeSet set,
                                      KindTest test,
                                      std::optional<NodeId> scope) {
  if (!isTracking)
    return selectOfFew(nodes, set, test, scope);
  auto isThere = [&](NodeId id) { return isIn(id, set); };
  List &all = getList(set);
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
  auto take = [&](ArrayRef<NodeId> ids) {
    for (NodeId id : ids)
      if (isWanted(id))
        selected.push_back(id);
  };

  List &inexact = getList(NodeSet::Inexact);
  if (scope)
    catchUp(NodeSet::Inexact, nodes);
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
          return entries[id].isThere && entries[id].kind == number;
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
