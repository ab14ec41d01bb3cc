//===- Places.cpp - How all nodes lie to one scope ------------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verifier/state/Places.h"

using namespace mlir;
using namespace formwork::verifier;

Places::Answer Places::followSureWay(NodeId node) {
  // Where nothing else is on the way, it is cut short.
  if (payload.hasPlainWays() && payload.isIsolated(scope))
    while (node != scope &&
           payload[node].isolatedAbove != PayloadModel::universe)
      node = payload[node].isolatedAbove;
  Answer found = Unsure;
  NodeId at = node;
  for (;; at = payload[at].ups.front().node) {
    auto known = answers.find(at);
    if (known != answers.end())
      found = known->second;
    else if (at == scope)
      found = Meets;
    else if (at == PayloadModel::universe)
      found = Misses;
    else if (payload[at].ups.size() == 1 && !payload[at].ups.front().isLoose())
      continue;
    break;
  }
  for (; node != at; node = payload[node].ups.front().node)
    answers[node] = found;
  return answers[at] = found;
}

Certainty Places::get(NodeId node) {
  if (node == scope)
    return Certainty::Yes;
  switch (followSureWay(node)) {
  case Meets:
    return Certainty::Yes;
  case Misses:
    if (payload[node].exact && payload[scope].exact)
      return Certainty::No;
    return mayAffect(node) ? Certainty::Maybe : Certainty::No;
  default:
    return payload.isAtOrBelow(node, scope);
  }
}

NodeId Places::getExactAncestor(NodeId node) {
  // The nodes of a single way share their answer.
  NodeId at = node;
  while (!exact.contains(at) && !payload[at].exact &&
         payload[at].ups.size() == 1)
    at = payload[at].ups.front().getSure();
  auto known = exact.find(at);
  NodeId found =
      known != exact.end() ? known->second : payload.getExactAncestor(at);
  for (exact[at] = found; node != at;
       node = payload[node].ups.front().getSure())
    exact[node] = found;
  return found;
}

bool Places::isDisjoint(NodeId other) {
  auto [it, isNew] = disjoint.try_emplace(other, false);
  if (isNew) {
    NodeId mine = payload.getExactAncestor(scope);
    it->second = mine != PayloadModel::universe &&
                 other != PayloadModel::universe &&
                 payload.isAtOrBelow(mine, other) == Certainty::No &&
                 payload.isAtOrBelow(other, mine) == Certainty::No;
  }
  return it->second;
}

bool Places::isScopeInside(NodeId node) {
  if (around.empty()) {
    bool inside = false;
    around.insert({scope, false});
    for (NodeId at = scope; payload[at].ups.size() == 1;) {
      const Up &up = payload[at].ups.front();
      inside |= up.kind == UpKind::Inside;
      at = up.getSure();
      around.insert({at, inside});
      // Beyond a motion, only the end of the way up is known.
      if (up.isLoose())
        break;
    }
  }
  return around.lookup(node);
}

bool Places::mayAffect(NodeId node) {
  if (isDisjoint(getExactAncestor(node)))
    return false;
  if (payload[node].count.hi == 1 && isScopeInside(node))
    return false;
  return mayBeOneWhereverTheyAre(payload, scope, node);
}
