//===- Join.cpp - What holds on two paths -----------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The least that two payload models have in common, when each went on from the
// same one: of a node that differs, what differs is not known any more. Layer:
// verifier.
//
//===----------------------------------------------------------------------===//

#include "verifier/state/PayloadModel.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace formwork::verifier;

static bool isSame(const Up &a, const Up &b) {
  return a.node == b.node && a.kind == b.kind && a.looseSince == b.looseSince &&
         a.boundary == b.boundary;
}

static bool isSame(ArrayRef<Up> a, ArrayRef<Up> b) {
  return a.size() == b.size() && llvm::all_of(llvm::zip(a, b), [](auto pair) {
           return isSame(std::get<0>(pair), std::get<1>(pair));
         });
}

static bool isSame(const Consumption &a, const Consumption &b) {
  return a.time == b.time && a.node == b.node && a.by == b.by &&
         a.partial == b.partial;
}

/// The events of both; those of one side alone are not certain.
template <typename Events>
static Events unite(const Events &mine, const Events &theirs) {
  Events all;
  auto a = mine.begin();
  auto b = theirs.begin();
  while (a != mine.end() || b != theirs.end()) {
    if (a != mine.end() && b != theirs.end() && isSame(*a, *b)) {
      all.push_back(*a++);
      all.back().certain &= (b++)->certain;
      continue;
    }
    bool takesMine =
        b == theirs.end() || (a != mine.end() && a->time <= b->time);
    all.push_back(takesMine ? *a++ : *b++);
    all.back().certain = false;
  }
  return all;
}

NodeList PayloadModel::getSureAncestors(NodeId node) const {
  NodeList above;
  while (nodes[node].ups.size() == 1) {
    const Up &up = nodes[node].ups.front();
    node = up.getSure();
    above.push_back(node);
  }
  return above;
}

bool PayloadModel::joinPlace(NodeId node, const PayloadModel &before,
                             const PayloadModel &other) {
  Node &mine = nodes[node];
  const Node &theirs = other.nodes[node];
  if (isSame(mine.ups, theirs.ups))
    return true;
  hasMoved = hasLooseWays = true;
  // An op lies below all of its ways up, so that what both sides know holds.
  SmallVector<Up, 1> shared;
  for (const Up &up : mine.ups)
    if (llvm::any_of(theirs.ups,
                     [&](const Up &one) { return isSame(up, one); }))
      shared.push_back(up);
  if (!shared.empty()) {
    mine.ups = std::move(shared);
    return true;
  }
  NodeList aboveMine = getSureAncestors(node),
           aboveTheirs = other.getSureAncestors(node);
  const NodeId *common = llvm::find_if(aboveMine, [&](NodeId id) {
    return llvm::is_contained(aboveTheirs, id);
  });
  NodeId boundary = common == aboveMine.end() ? universe : *common;
  // One side put the op below something that is itself below the place of the
  // other side: it may have moved between the two.
  auto isDirect = [&](const Node &side) {
    return side.ups.size() == 1 && side.ups.front().node == boundary &&
           !side.ups.front().isLoose();
  };
  const Node *deeper = isDirect(mine)     ? &theirs
                       : isDirect(theirs) ? &mine
                                          : nullptr;
  if (deeper && deeper->ups.size() == 1 &&
      deeper->ups.front().kind == UpKind::Inside) {
    Up up = deeper->ups.front();
    if (up.node != boundary) {
      up.looseSince = up.isLoose() ? std::min(up.looseSince, before.now)
                                   : std::max<Time>(before.now, 1);
      up.boundary = boundary;
    }
    mine.ups.assign({up});
    return true;
  }
  mine.ups.assign({{boundary, UpKind::AtOrInside}});
  mine.exact = false;
  return false;
}

SmallVector<NodeId>
PayloadModel::getInside(const llvm::DenseSet<NodeId> &holders) const {
  std::vector<SmallVector<NodeId, 2>> below(nodes.size());
  for (NodeId id = 1; id < nodes.size(); ++id)
    for (const Up &up : nodes[id].ups)
      below[up.node].push_back(id);
  llvm::DenseSet<NodeId> seen = holders;
  SmallVector<NodeId> work(holders.begin(), holders.end()), inside;
  while (!work.empty())
    for (NodeId id : below[work.pop_back_val()])
      if (seen.insert(id).second) {
        inside.push_back(id);
        work.push_back(id);
      }
  return inside;
}

bool PayloadModel::joinNode(NodeId node, Certainty here,
                            const PayloadModel &before,
                            const PayloadModel &other, bool inPart) {
  Node &mine = nodes[node];
  const Node &theirs = other.nodes[node];
  // What was in an op that is gone is gone, too, whatever its node says.
  Certainty there = other.isGone(node) ? Certainty::No : theirs.present;
  Certainty earlier =
      before.isGone(node) ? Certainty::No : before.nodes[node].present;
  bool wasChanged = here != earlier || there != earlier;
  if (here != there || (inPart && wasChanged)) {
    if (mine.present == Certainty::Yes || mine.doubtedSince == 0)
      mine.doubtedSince = now;
    mine.present = Certainty::Maybe;
    mine.op = nullptr;
  }
  if (theirs.doubtedSince != 0)
    mine.doubtedSince = mine.doubtedSince == 0
                            ? theirs.doubtedSince
                            : std::min(mine.doubtedSince, theirs.doubtedSince);
  if (mine.op != theirs.op)
    mine.op = nullptr;
  mine.count = {std::min(mine.count.lo, theirs.count.lo),
                std::max(mine.count.hi, theirs.count.hi)};
  mine.live &= theirs.live;
  mine.mayYieldOthers |= theirs.mayYieldOthers;
  mine.mayMoveMemory |= theirs.mayMoveMemory;
  mine.sliced &= theirs.sliced;
  if (mine.onlyReader != theirs.onlyReader)
    mine.onlyReader = PayloadModel::universe;
  if (mine.replaces != theirs.replaces)
    mine.replaces = universe;
  if (mine.partOf != theirs.partOf)
    mine.partOf = universe;
  mine.hasBelow |= theirs.hasBelow;
  mine.fresh &= theirs.fresh;
  mine.exact &= theirs.exact;
  mine.apart &= theirs.apart;
  mine.consumed = unite(mine.consumed, theirs.consumed);
  mine.introducedHere.insert(theirs.introducedHere);
  mine.introducedBelow.insert(theirs.introducedBelow);
  if (mine.kind != theirs.kind || mine.producers != theirs.producers)
    mine.exact = false;
  if (mine.kind != theirs.kind)
    mine.kind = std::nullopt;
  mine.isRecorded &= theirs.isRecorded;
  if (mine.among != theirs.among || mine.cls != theirs.cls) {
    mine.among.clear();
    mine.cls = "";
  }
  if (mine.space != theirs.space || mine.isCopy != theirs.isCopy) {
    mine.space = nullptr;
    mine.isCopy = false;
  }
  if (mine.loop != theirs.loop)
    mine.loop = nullptr;
  mine.tags.join(theirs.tags);
  if (mine.body != theirs.body)
    mine.body = nullptr;
  mine.bodySince = std::min(mine.bodySince, theirs.bodySince);
  // Whoever asks whether a producer is read has to find it.
  for (NodeId producer : theirs.producers)
    if (!llvm::is_contained(mine.producers, producer))
      mine.producers.push_back(producer);
  return joinPlace(node, before, other);
}

void PayloadModel::makeVague(NodeId node) {
  // Matches look for exact nodes, and then whether there may be others. A join
  // may have found before that the node is not exact.
  change(node).exact = true;
  hideTagsOf(nodes[node]);
  change(node).exact = false;
  for (const Up &up : nodes[node].ups)
    introduce(up.node, KindSet(getPattern(nodes[node])));
}

void PayloadModel::repeat(NodeId first) {
  for (NodeId id = first; id < nodes.size(); ++id) {
    if (nodes[id].exact)
      makeVague(id);
    change(id).count.hi = Count::unbounded;
  }
  changes += first < nodes.size();
}

void PayloadModel::skipNodesOf(const PayloadModel &other) {
  Node gone;
  gone.ups.push_back({universe, UpKind::Inside});
  gone.present = Certainty::No;
  gone.count = Count::exactly(0);
  for (NodeId id = nodes.size(); id < other.nodes.size(); ++id) {
    nodes.push_back(gone);
    found.emplace_back();
    index.change(id);
  }
  now = std::max(now, other.now);
  changes = std::max(changes, other.changes) + 1;
  consumptions = std::max(consumptions, other.consumptions);
}

void PayloadModel::join(const PayloadModel &before, const PayloadModel &other,
                        bool inPart) {
  now = std::max(now, other.now);
  changes = std::max(changes, other.changes) + 1;
  consumptions = std::max(consumptions, other.consumptions);
  NodeId numBefore = before.nodes.size(), numOther = other.nodes.size();
  SmallVector<NodeId> vague;
  llvm::DenseSet<NodeId> displaced;
  // Before anything is joined: a place that is not known any more tells
  // nothing.
  std::vector<Certainty> here;
  for (NodeId id = 0; id < numBefore; ++id)
    here.push_back(isGone(id) ? Certainty::No : nodes[id].present);
  for (NodeId id = 1; id < nodes.size(); ++id) {
    if (id < numBefore) {
      bool wasExact = nodes[id].exact;
      if (!joinNode(id, here[id], before, other, inPart))
        displaced.insert(id);
      if (wasExact && !nodes[id].exact)
        vague.push_back(id);
      continue;
    }
    // What one side alone made may be there.
    if (id < numOther)
      nodes[id] = other.nodes[id];
    Node &mine = nodes[id];
    for (Consumption &event : mine.consumed)
      event.certain = false;
    if (mine.present == Certainty::Yes ||
        (inPart && mine.present == Certainty::No)) {
      mine.present = Certainty::Maybe;
      mine.doubtedSince = now;
    }
  }
  // Of what is in an op, no more is known than where that op is.
  if (!displaced.empty())
    for (NodeId id : getInside(displaced))
      if (nodes[id].exact)
        vague.push_back(id);
  for (NodeId id : vague)
    makeVague(id);
  exactEvents = unite(exactEvents, other.exactEvents);
  fuzzyEvents = unite(fuzzyEvents, other.fuzzyEvents);
  hasSecondWays |= other.hasSecondWays || !vague.empty();
  lastMerge = std::max(lastMerge, other.lastMerge);
  lastCopy = std::max(lastCopy, other.lastCopy);
  dropsUses |= other.dropsUses;
  isReordered |= other.isReordered;
  lastReslice = std::max(lastReslice, other.lastReslice);
  lastFold = std::max(lastFold, other.lastFold);
  lastViewFold = std::max(lastViewFold, other.lastViewFold);
  hidesAnyTag |= other.hidesAnyTag;
  hasTags |= other.hasTags;
  dialects.insert_range(other.dialects);
  hiddenTags.insert_range(other.hiddenTags);
  hasMoved |= other.hasMoved;
  hasLooseWays |= other.hasLooseWays;
  lastHolderConsumed = now;
  ways = std::max(ways, other.ways) + 1;
  index.clear();
  found.assign(nodes.size(), Found());
  for (NodeId id = 1; id < nodes.size(); ++id) {
    index.change(id);
    for (const Up &up : nodes[id].ups)
      index.attach(id, up.node);
  }
}
