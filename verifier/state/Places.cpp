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

/// Ways up that are no longer than that are not worth remembering.
static constexpr unsigned shortWay = 16;

std::optional<Places::Answer> Places::followShortWay(NodeId node) const {
  // Where nothing else is on the way, it is cut short.
  if (payload.hasPlainWays() && payload.isIsolated(scope))
    while (node != scope &&
           payload[node].isolatedAbove != PayloadModel::universe)
      node = payload[node].isolatedAbove;
  for (unsigned i = 0; i < shortWay; ++i) {
    if (node == scope)
      return Meets;
    if (node == PayloadModel::universe)
      return Misses;
    ArrayRef<Up> ups = payload[node].ups;
    if (ups.size() != 1 || ups.front().isLoose())
      return Unsure;
    node = ups.front().node;
  }
  return std::nullopt;
}

Places::Answer Places::followSureWay(NodeId node) {
  if (answers.empty()) {
    if (std::optional<Answer> found = followShortWay(node))
      return *found;
    answers.assign(payload.size(), Unknown);
    answers[PayloadModel::universe] =
        scope == PayloadModel::universe ? Meets : Misses;
    answers[scope] = Meets;
  }
  NodeId at = node;
  while (answers[at] == Unknown && payload[at].ups.size() == 1 &&
         !payload[at].ups.front().isLoose())
    at = payload[at].ups.front().node;
  Answer found = answers[at] == Unknown ? Unsure : answers[at];
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
  if (exact.empty()) {
    NodeId at = node;
    for (unsigned i = 0; i < shortWay; ++i) {
      if (payload[at].exact || at == PayloadModel::universe)
        return at;
      if (payload[at].ups.size() != 1)
        break;
      at = payload[at].ups.front().getSure();
    }
    exact.assign(payload.size(), 0);
  }
  // The nodes of a single way share their answer.
  NodeId at = node;
  while (exact[at] == 0 && !payload[at].exact && payload[at].ups.size() == 1)
    at = payload[at].ups.front().getSure();
  NodeId found = exact[at] != 0 ? exact[at] - 1 : payload.getExactAncestor(at);
  for (exact[at] = found + 1; node != at;
       node = payload[node].ups.front().getSure())
    exact[node] = found + 1;
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
