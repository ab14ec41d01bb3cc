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

/// Whether ops are known to be in the op, which is one, in a known place.
static bool holdsOthers(const Node &node) {
  return node.exact && node.hasBelow;
}

/// Whether clean-up may still change the op, or facts about it. Where an op
/// that holds others may be erased, its contents may still change.
static bool isRestless(const Node &node, Folding folds) {
  if (node.op)
    return true;
  if (node.space || node.present == Certainty::Yes)
    return !survivesCleanUp(node, folds);
  return (node.loop || holdsOthers(node)) &&
         (mayVanish(node, folds) || mayReshape(node, folds));
}

/// The node that certainly holds `node`, and is the only one to do so, if
/// `node` has a loop or a space.
static std::optional<NodeId> getRightAbove(const Node &node) {
  bool isConcerned = node.present != Certainty::No && (node.space || node.loop);
  if (!isConcerned || node.ups.size() != 1 || node.ups.front().isLoose())
    return std::nullopt;
  return node.ups.front().node;
}

bool NodeIndex::isMember(ArrayRef<Node> nodes, NodeId id, NodeSet set) const {
  const Node &node = nodes[id];
  bool isSure = node.present == Certainty::Yes;
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
    return node.op || isSure || (holdsOthers(node) && !node.loop);
  case NodeSet::Unneeded:
    return (node.op || isSure) && !node.live && !node.kind.isIsolated();
  case NodeSet::Restless:
    return isRestless(node, Folding::All);
  case NodeSet::Fading:
    return isRestless(node, Folding::None);
  case NodeSet::Spaces:
    return node.space != nullptr;
  case NodeSet::Loops:
    return node.loop != nullptr;
  case NodeSet::Bottom:
    // A node that is not exact may be in a place where its contents are not.
    return node.loop && !(node.exact && numRightInside[id] != 0);
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

void NodeIndex::attach(NodeId node, NodeId above) {
  if (above >= firstLink.size())
    firstLink.resize(above + 1);
  links.push_back({node, firstLink[above]});
  firstLink[above] = links.size();
}

void NodeIndex::putRightInside(ArrayRef<Node> nodes, NodeId node) {
  NodeId above = getRightAbove(nodes[node]).value_or(noNode);
  NodeId before = std::exchange(rightAbove[node], above);
  if (before == above)
    return;
  for (auto [id, difference] : {std::pair(before, -1), std::pair(above, 1)}) {
    if (id == noNode)
      continue;
    numRightInside[id] += difference;
    change(id);
  }
}

const llvm::BitVector &NodeIndex::get(ArrayRef<Node> nodes, NodeSet set) {
  auto &[members, seen] = sets[static_cast<size_t>(set)];
  if (members.size() < nodes.size())
    members.resize(nodes.size());
  if (set == NodeSet::Bottom) {
    rightAbove.resize(nodes.size(), noNode);
    numRightInside.resize(nodes.size());
  }
  // New changes are appended during the loop.
  while (seen < log.size()) {
    NodeId id = log[seen++];
    if (set == NodeSet::Bottom)
      putRightInside(nodes, id);
    members[id] =
        nodes[id].present != Certainty::No && isMember(nodes, id, set);
  }
  numRead = log.size();
  return members;
}

void NodeIndex::refresh(ArrayRef<Node> nodes) {
  for (auto [number, set] : llvm::enumerate(sets))
    if (set.seen != 0)
      (void)get(nodes, static_cast<NodeSet>(number));
  readKinds(nodes);
}

void NodeIndex::readKinds(ArrayRef<Node> nodes) {
  kindOf.resize(nodes.size(), noKind);
  for (; seenKinds < log.size(); ++seenKinds) {
    NodeId id = log[seenKinds];
    const Node &node = nodes[id];
    for (NodeId producer : node.producers) {
      if (producer >= read.size())
        read.resize(nodes.size());
      read.set(producer);
    }
    unsigned kind = noKind;
    const std::optional<OperationName> &name = node.kind;
    if (node.present != Certainty::No)
      kind = llvm::find_if(kinds,
                           [&](const Kind &one) { return one.name == name; }) -
             kinds.begin();
    if (kind == kinds.size())
      kinds.push_back({name, {}});
    unsigned before = std::exchange(kindOf[id], kind);
    if (before == kind)
      continue;
    if (before != noKind)
      kinds[before].nodes.reset(id);
    if (kind == noKind) {
      numHoldersGone += node.hasBelow;
      continue;
    }
    if (kinds[kind].nodes.size() <= id)
      kinds[kind].nodes.resize(nodes.size());
    kinds[kind].nodes.set(id);
  }
  numRead = log.size();
}

bool NodeIndex::isRead(ArrayRef<Node> nodes, NodeId node) {
  readKinds(nodes);
  return node < read.size() && read[node];
}

unsigned NodeIndex::getNumHoldersGone(ArrayRef<Node> nodes) {
  readKinds(nodes);
  return numHoldersGone;
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

bool NodeIndex::anyOfKind(ArrayRef<Node> nodes, OperationName kind,
                          llvm::function_ref<bool(NodeId)> test) {
  readKinds(nodes);
  for (const Kind &one : kinds)
    if (one.name == kind)
      for (int id = one.nodes.find_last(); id != -1;
           id = one.nodes.find_prev(id))
        if (test(id))
          return true;
  return false;
}

SmallVector<NodeId> NodeIndex::select(ArrayRef<Node> nodes, NodeSet set,
                                      KindTest test,
                                      std::optional<NodeId> scope) {
  llvm::BitVector selected = get(nodes, set);
  if (test) {
    readKinds(nodes);
    llvm::BitVector accepted(nodes.size());
    for (const Kind &kind : kinds)
      if (test(kind.name))
        accepted |= kind.nodes;
    selected &= accepted;
  }
  // A walk over all that is below pays where that is less.
  if (std::optional<SmallVector<NodeId>> reached =
          scope ? getReached(*scope, selected.count()) : std::nullopt) {
    llvm::BitVector near = get(nodes, NodeSet::Inexact);
    for (NodeId id : *reached)
      near.set(id);
    selected &= near;
  }
  return SmallVector<NodeId>(selected.set_bits());
}
