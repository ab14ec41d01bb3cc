//===- Consumption.cpp - Which handles a consumption reaches ----*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whether payload that a step consumed is, or holds, the payload of a handle
// that was set before. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#include "verifier/state/Places.h"

#include "verifier/payload/Kinds.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallSet.h"

using namespace mlir;
using namespace formwork::verifier;

void PayloadModel::consume(NodeId node, Operation *by, bool certain) {
  ++consumptions;
  Consumption event{now, node, by, /*partial=*/false, certain};
  nodes.write(node).consumed.push_back(event);
  // A set of which an element dies has a dead element.
  Consumption partial = event;
  partial.partial = true;
  SmallVector<NodeId> sets{node};
  while (!sets.empty())
    for (const Up &up : nodes[sets.pop_back_val()].ups)
      if (up.kind == UpKind::Element) {
        nodes.write(up.node).consumed.push_back(partial);
        sets.push_back(up.node);
      }
  (nodes[node].exact ? exactEvents : fuzzyEvents).push_back(event);
  if (nodes[node].hasBelow)
    lastHolderConsumed = now;
  if (nodes[node].kind && nodes[node].space)
    return;
  mayReslice();
  // Consuming a loop does not change the slices in it.
  bool isLoop = nodes[node].kind && isControlFlow(*nodes[node].kind);
  if (!isLoop)
    mayFoldSlices(/*ofViews=*/true);
}

NodeId PayloadModel::getExactAncestor(NodeId node) const {
  NodeId found = universe;
  walkUp(node, [&](NodeId above) {
    if (nodes[above].exact)
      found = above;
    return !nodes[above].exact;
  });
  return found;
}

bool PayloadModel::isStrictlyInside(NodeId node, NodeId scope) const {
  bool inside = false;
  // Only a single sure way up counts: on others the answer is "not known".
  while (node != scope) {
    if (nodes[node].ups.size() != 1)
      return false;
    const Up &up = nodes[node].ups.front();
    if (up.isLoose() && up.boundary != scope)
      return false;
    inside |= up.kind == UpKind::Inside;
    node = up.getSure();
  }
  return inside;
}

bool PayloadModel::mayAffect(NodeId consumed, NodeId other) const {
  // First, because the cost of it does not grow with the depth of either.
  if (!mayBeOneWhereverTheyAre(*this, consumed, other))
    return false;
  // Ops below disjoint ones are disjoint, wherever they are.
  NodeId aroundA = getExactAncestor(consumed),
         aroundB = getExactAncestor(other);
  if (aroundA != universe && aroundB != universe &&
      isAtOrBelow(aroundA, aroundB) == Certainty::No &&
      isAtOrBelow(aroundB, aroundA) == Certainty::No)
    return false;
  // An op cannot be at or below one that is inside it.
  return nodes[other].count.hi != 1 || !isStrictlyInside(consumed, other);
}

/// The kinds of which the ops of `node` are; empty if they may be of any.
static SmallVector<OperationName> getKinds(const Node &node) {
  if (node.kind)
    return {*node.kind};
  return {node.among->kinds.begin(), node.among->kinds.end()};
}

bool formwork::verifier::mayBeOneWhereverTheyAre(const PayloadModel &payload,
                                                 NodeId consumed,
                                                 NodeId other) {
  const Node &a = payload[consumed], &b = payload[other];
  // An op that a step made later is not an earlier op, and does not hold one.
  if (a.fresh && a.createdAt > b.createdAt && !b.fresh)
    return false;
  // Two entries of one set are two ops, if the set is known to be one.
  for (const Up &mine : a.ups)
    for (const Up &theirs : b.ups)
      if (mine.drawnAt != 0 && mine.drawnAt == theirs.drawnAt &&
          mine.node == theirs.node && payload.isApart(mine.node) &&
          a.count.hi == 1 && b.count.hi == 1)
        return false;
  if (a.kind && b.kind)
    return mayBeOrHold(*a.kind, *b.kind, payload.getBodies());
  SmallVector<OperationName> held = getKinds(b), holders = getKinds(a);
  if (held.empty())
    return b.among->cls.empty() || holders.empty() ||
           llvm::any_of(holders, [&](OperationName holder) {
             return mayBeOrHold(holder, b.among->cls, payload.getBodies());
           });
  // A tileable op holds no more than a structured one.
  bool isTileable = !a.kind && isSurelyOfKind(a, KindPattern("$tileable"));
  return llvm::any_of(held, [&](OperationName kind) {
    if (holders.empty())
      return !isTileable || mayBeInTileable(kind, payload.getBodies());
    return llvm::any_of(holders, [&](OperationName holder) {
      return mayBeOrHold(holder, kind, payload.getBodies());
    });
  });
}

bool PayloadModel::isSurelyClean(NodeId node, Time since) const {
  NodeId at = node;
  while (at != universe) {
    const Node &here = nodes[at];
    const Found &last = found[at];
    if (!here.consumed.empty() && here.consumed.back().time >= since)
      return false;
    // Only what others are below matters to them, so that the last answer holds
    // until such a node is consumed.
    bool isKnown = at != node && last.cleanAt > lastHolderConsumed &&
                   last.cleanSince <= since;
    if (isKnown)
      break;
    if (here.ups.size() != 1 || here.ups.front().isLoose())
      return false;
    at = here.ups.front().node;
  }
  for (; node != at; node = nodes[node].ups.front().node) {
    found[node].cleanSince = since;
    found[node].cleanAt = now;
  }
  return true;
}

Invalidation PayloadModel::getInvalidation(NodeId node, Time since) const {
  Invalidation result;
  auto isBefore = [&](const std::vector<Consumption> &events) {
    return events.empty() || events.back().time < since;
  };
  if (isBefore(exactEvents) && isBefore(fuzzyEvents))
    return result;
  auto consider = [&](const Consumption &event, Certainty certainty) {
    if (event.time < since || certainty == Certainty::No)
      return;
    bool better =
        certainty > result.certainty ||
        (certainty == result.certainty && event.time < result.event.time);
    if (better)
      result = {certainty, event};
  };

  // Ancestors: whatever holds the op dies with it.
  llvm::SmallSet<NodeId, 16> seen;
  struct Step {
    NodeId id;
    NodeId boundary; // `universe`: the way here is sure
    Time looseSince;
  };
  SmallVector<Step> work;
  if (!isSurelyClean(node, since))
    work.push_back({node, universe, 0});
  while (!work.empty()) {
    Step step = work.pop_back_val();
    // Only where ways part can they meet again.
    if (nodes[step.id].ups.size() > 1 && !seen.insert(step.id).second)
      continue;
    for (const Consumption &event : nodes[step.id].consumed) {
      bool loose = step.boundary != universe && event.time > step.looseSince;
      // One op of a set was consumed: not its contents, nor each other op of
      // the set.
      bool isAnother = event.partial && step.id != node;
      bool sure = event.certain && !loose && !isAnother;
      consider(event, sure ? Certainty::Yes : Certainty::Maybe);
    }
    for (const Up &up : nodes[step.id].ups) {
      Step next{up.node, step.boundary, step.looseSince};
      if (up.isLoose() && step.boundary == universe) {
        next.boundary = up.boundary;
        next.looseSince = up.looseSince;
      }
      if (next.boundary == up.node)
        next.boundary = universe;
      // An element shares the fate of its set, not the other way round.
      work.push_back(next);
    }
  }
  if (result.certainty == Certainty::Yes)
    return result;

  // Ops of unknown place that may be this one, or hold it.
  auto scan = [&](const std::vector<Consumption> &events) {
    for (const Consumption &event : llvm::reverse(events)) {
      if (event.time < since)
        return;
      if (event.node != node && mayAffect(event.node, node))
        consider(event, Certainty::Maybe);
    }
  };
  scan(fuzzyEvents);
  if (!nodes[node].exact)
    scan(exactEvents);
  return result;
}
