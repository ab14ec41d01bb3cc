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
#include "verifier/state/Ways.h"

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

namespace {
/// The nodes as they are on a branch.
struct NodesOf {
  const BranchingVector<Node> &nodes;
  const BranchingVector<Node>::Branch &branch;
  const Node &operator[](NodeId id) const { return nodes.get(branch, id); }
};

/// The nodes as they were at the last fork.
struct NodesBefore {
  const BranchingVector<Node> &nodes;
  const Node &operator[](NodeId id) const { return nodes.getBefore(id); }
};
} // namespace

/// Whether the op of `node` is there; what was in an op that is gone is gone,
/// too, whatever its node says.
template <typename NodesT>
static Certainty getPresence(const NodesT &nodes, NodeId node) {
  bool isGone = false;
  walkSureWays(nodes, node, [&](NodeId above) {
    isGone |= above != node && nodes[above].present == Certainty::No;
    return !isGone;
  });
  return isGone ? Certainty::No : nodes[node].present;
}

/// The nodes above `node` of which each holds all of it, by a single way.
template <typename NodesT>
static NodeList getSureAncestors(const NodesT &nodes, NodeId node) {
  NodeList above;
  while (nodes[node].ups.size() == 1) {
    const Up &up = nodes[node].ups.front();
    node = up.getSure();
    above.push_back(node);
  }
  return above;
}

bool PayloadModel::joinPlace(NodeId node, const Branch &other) {
  Node &mine = nodes.write(node);
  const Node &theirs = nodes.get(other.nodes, node);
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
  NodeList aboveMine = getSureAncestors(nodes, node),
           aboveTheirs = getSureAncestors(NodesOf{nodes, other.nodes}, node);
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
      Time forked = forks.back().time;
      up.looseSince = up.isLoose() ? std::min(up.looseSince, forked)
                                   : std::max<Time>(forked, 1);
      up.boundary = boundary;
    }
    mine.ups.assign({up});
    return true;
  }
  mine.ups.assign({{boundary, UpKind::AtOrInside}});
  index.attach(node, boundary);
  mine.exact = false;
  return false;
}

SmallVector<NodeId>
PayloadModel::getInside(const llvm::DenseSet<NodeId> &holders) const {
  llvm::DenseSet<NodeId> seen = holders;
  SmallVector<NodeId> work(holders.begin(), holders.end()), inside;
  while (!work.empty()) {
    NodeId above = work.pop_back_val();
    index.forEachBelow(above, [&](NodeId id) {
      bool isBelow = llvm::any_of(
          nodes[id].ups, [&](const Up &up) { return up.node == above; });
      if (isBelow && seen.insert(id).second) {
        inside.push_back(id);
        work.push_back(id);
      }
    });
  }
  return inside;
}

SmallVector<NodeId> PayloadModel::getDiffering(const Branch &other) const {
  SmallVector<NodeId> differing(nodes.getChanged(other.nodes));
  // If an op was erased or moved on some path, so were its contents.
  auto isHeldAlike = [](const Node &a, const Node &b) {
    return (a.present == Certainty::No) == (b.present == Certainty::No) &&
           isSame(a.ups, b.ups);
  };
  SmallVector<NodeId> holders;
  for (NodeId id : differing)
    if (nodes[id].hasBelow &&
        !(isHeldAlike(nodes[id], nodes.getBefore(id)) &&
          isHeldAlike(nodes[id], nodes.get(other.nodes, id))))
      holders.push_back(id);
  if (holders.empty())
    return differing;
  SmallVector<NodeId> held = *index.getReached(holders, nodes.size());
  for (NodeId id : held)
    if (id < nodes.getSizeBefore())
      differing.push_back(id);
  llvm::sort(differing);
  differing.erase(llvm::unique(differing), differing.end());
  return differing;
}

void TileFacts::join(const TileFacts &other) {
  if (partOf != other.partOf)
    partOf = topNode;
  sliced &= other.sliced;
  parts &= other.parts;
  lastParts &= other.lastParts;
  if (types != other.types)
    types = nullptr;
}

void ReaderFacts::join(const ReaderFacts &other) {
  if (only != other.only || operand != other.operand)
    *this = ReaderFacts();
}

void AmongFacts::join(const AmongFacts &other) {
  if (kinds != other.kinds || cls != other.cls)
    *this = AmongFacts();
}

bool PayloadModel::joinNode(NodeId node, Certainty here, const Branch &other,
                            bool inPart) {
  Node &mine = nodes.write(node);
  const Node &theirs = nodes.get(other.nodes, node);
  Certainty there = getPresence(NodesOf{nodes, other.nodes}, node);
  Certainty earlier = getPresence(NodesBefore{nodes}, node);
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
  mine.live = mine.live && theirs.live;
  mine.mayYieldOthers |= theirs.mayYieldOthers;
  mine.mayMoveMemory |= theirs.mayMoveMemory;
  mine.tile.join(theirs.tile);
  mine.reader.join(theirs.reader);
  mine.among.join(theirs.among);
  if (mine.replaces != theirs.replaces)
    mine.replaces = universe;
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
  noteKind(mine);
  mine.isRecorded &= theirs.isRecorded;
  if (mine.space != theirs.space || mine.isCopy != theirs.isCopy) {
    mine.space = nullptr;
    mine.isCopy = false;
  }
  if (mine.loop != theirs.loop)
    mine.loop = nullptr;
  if (mine.pack != theirs.pack)
    mine.pack = nullptr;
  mine.tags.join(theirs.tags);
  if (mine.body != theirs.body)
    mine.body = nullptr;
  mine.bodySince = std::min(mine.bodySince, theirs.bodySince);
  // Whoever asks whether a producer is read has to find it.
  for (NodeId producer : theirs.producers)
    if (!llvm::is_contained(mine.producers, producer))
      mine.producers.push_back(producer);
  bool isPlaced = joinPlace(node, other);
  hasInexact |= node != universe && !nodes[node].exact;
  return isPlaced;
}

void PayloadModel::makeVague(NodeId node) {
  // Matches look for exact nodes, and then whether there may be others. A join
  // may have found before that the node is not exact.
  change(node).exact = true;
  hideTagsOf(nodes[node]);
  change(node).exact = false;
  hasInexact = true;
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

void PayloadModel::fork() {
  // The ops around a node depend on those above it, which may change back, too.
  index.refresh(nodes);
  nodes.fork();
  forks.push_back(
      {*this, now, exactEvents.size(), fuzzyEvents.size(), version(), stamp()});
}

/// Takes off what is behind the first `size`.
static std::vector<Consumption> cut(std::vector<Consumption> &events,
                                    size_t size) {
  std::vector<Consumption> rest(events.begin() + size, events.end());
  events.resize(size, {0, 0, nullptr});
  return rest;
}

PayloadModel::Branch PayloadModel::leave() {
  Node gone;
  gone.ups.push_back({universe, UpKind::Inside});
  gone.present = Certainty::No;
  gone.count = Count::exactly(0);
  Fork &last = forks.back();
  PayloadFacts &facts = *this;
  Branch branch;
  branch.isChanged = stamp() != last.stamp;
  branch.nodes = nodes.leave(gone);
  if (changesWays(branch))
    forgetWays();
  branch.facts = std::exchange(facts, last.facts);
  branch.exactEvents = cut(exactEvents, last.numExactEvents);
  branch.fuzzyEvents = cut(fuzzyEvents, last.numFuzzyEvents);
  changeAll(branch);
  if (!branch.isChanged)
    return branch;
  // Each version has one state. If the state in the branch was as given, it was
  // so where the branch began.
  bool wasGiven = last.version <= givenVersion;
  ++changes;
  ++consumptions;
  if (wasGiven)
    setGiven();
  last.version = version();
  last.stamp = stamp();
  return branch;
}

void PayloadModel::take(Branch &&branch) {
  if (changesWays(branch))
    forgetWays();
  // Results that were found while these nodes did not exist do not hold.
  for (NodeId id = branch.nodes.size; id < branch.nodes.getEnd(); ++id)
    found[id] = Found();
  changeAll(branch);
  nodes.take(std::move(branch.nodes));
  static_cast<PayloadFacts &>(*this) = std::move(branch.facts);
  llvm::append_range(exactEvents, branch.exactEvents);
  llvm::append_range(fuzzyEvents, branch.fuzzyEvents);
  changes += branch.isChanged;
  consumptions += branch.isChanged;
}

bool PayloadModel::changesWays(const Branch &branch) const {
  auto isSameTo = [](const Node &a, const Node &b) {
    return (a.present == Certainty::No) == (b.present == Certainty::No) &&
           llvm::equal(a.consumed, b.consumed,
                       [](const Consumption &mine, const Consumption &theirs) {
                         return isSame(mine, theirs);
                       });
  };
  // Changes of an op without contents are on no other op's way up.
  return llvm::any_of(branch.nodes.changed, [&](const auto &one) {
    const Node &here = nodes[one.first], &there = one.second;
    return !isSame(here.ups, there.ups) ||
           ((here.hasBelow || there.hasBelow) && !isSameTo(here, there));
  });
}

void PayloadModel::changeAll(const Branch &branch) {
  for (const auto &[id, node] : branch.nodes.changed)
    index.change(id);
  for (NodeId id = branch.nodes.size; id < branch.nodes.getEnd(); ++id)
    index.change(id);
}

void PayloadModel::endFork() {
  nodes.endFork();
  forks.pop_back();
}

void PayloadFacts::join(const PayloadFacts &other) {
  hasSecondWays |= other.hasSecondWays;
  lastMerge = std::max(lastMerge, other.lastMerge);
  lastCopy = std::max(lastCopy, other.lastCopy);
  dropsUses |= other.dropsUses;
  isReordered |= other.isReordered;
  lastReslice = std::max(lastReslice, other.lastReslice);
  lastFold = std::max(lastFold, other.lastFold);
  lastViewFold = std::max(lastViewFold, other.lastViewFold);
  // The earlier of the two, if there are two.
  maskedAt = maskedAt == 0 || other.maskedAt == 0
                 ? std::max(maskedAt, other.maskedAt)
                 : std::min(maskedAt, other.maskedAt);
  masksOpenly |= other.masksOpenly;
  hidesAnyTag |= other.hidesAnyTag;
  hasTags |= other.hasTags;
  hiddenTags.insert_range(other.hiddenTags);
  hasMoved |= other.hasMoved;
  hasLooseWays |= other.hasLooseWays;
}

void PayloadModel::join(Branch &&other, bool inPart) {
  ++changes;
  const Fork &last = forks.back();
  // Before anything is joined: a place that is not known any more tells
  // nothing.
  SmallVector<NodeId> differing = getDiffering(other);
  SmallVector<Certainty> here = llvm::map_to_vector(
      differing, [&](NodeId id) { return getPresence(nodes, id); });
  SmallVector<NodeId> vague;
  llvm::DenseSet<NodeId> displaced;
  for (auto [id, isHere] : llvm::zip_equal(differing, here)) {
    index.change(id);
    bool wasExact = nodes[id].exact;
    if (!joinNode(id, isHere, other, inPart))
      displaced.insert(id);
    if (wasExact && !nodes[id].exact)
      vague.push_back(id);
  }
  // An op that only one side made may exist.
  for (NodeId id = other.nodes.size; id < nodes.size(); ++id) {
    Node &mine = change(id);
    if (id < other.nodes.getEnd())
      mine = std::move(other.nodes.added[id - other.nodes.size]);
    for (Consumption &event : mine.consumed)
      event.certain = false;
    if (mine.present == Certainty::Yes ||
        (inPart && mine.present == Certainty::No)) {
      mine.present = Certainty::Maybe;
      mine.doubtedSince = now;
    }
  }
  // For the contents of an op, only the place of that op is known.
  if (!displaced.empty())
    for (NodeId id : getInside(displaced))
      if (nodes[id].exact)
        vague.push_back(id);
  for (NodeId id : vague)
    makeVague(id);
  auto join = [](std::vector<Consumption> &mine, size_t size,
                 const std::vector<Consumption> &theirs) {
    llvm::append_range(mine, unite(cut(mine, size), theirs));
  };
  join(exactEvents, last.numExactEvents, other.exactEvents);
  join(fuzzyEvents, last.numFuzzyEvents, other.fuzzyEvents);
  PayloadFacts::join(other.facts);
  hasSecondWays |= !vague.empty();
  forgetWays();
}
