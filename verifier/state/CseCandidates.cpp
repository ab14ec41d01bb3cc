//===- CseCandidates.cpp - Ops that CSE may merge ---------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verifier/state/CseCandidates.h"

#include "verifier/state/Places.h"

#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace formwork::verifier;

/// The shape of the op, as text: its sizes, and the mapping of a loop. None
/// when a size is not known.
static std::optional<std::string> getShape(const Node &node) {
  if (!node.space && !node.loop)
    return std::nullopt;
  std::string shape;
  llvm::raw_string_ostream os(shape);
  for (const Extent &extent :
       node.space ? ArrayRef(node.space->loops) : ArrayRef(node.loop->trips))
    if (extent.isStatic())
      os << *extent.size << "x";
    else
      return std::nullopt;
  if (node.loop)
    llvm::interleave(node.loop->mapping, os, ",");
  return shape;
}

/// The shape of a loop together with the type of its result; none where that
/// is not known.
static std::optional<std::string> getResult(const Node &node, StringRef shape) {
  if (!node.loop || !node.loop->resultElement)
    return std::nullopt;
  std::string result;
  llvm::raw_string_ostream(result)
      << shape << " of rank " << node.loop->resultRank << " "
      << node.loop->resultElement;
  return result;
}

CseCandidates::Kind CseCandidates::read(OperationName kind) const {
  Kind others;
  others.mayHide = payload.mayHide(
      scope, [&](const KindSet &kinds) { return kinds.contains(kind); });
  auto mayBeOne = [&](const Node &node) {
    return node.kind ? *node.kind == kind : node.isUnlisted();
  };
  auto isAmong = [&](const std::optional<OperationName> &other) {
    return !other || *other == kind;
  };
  for (auto [id, place] :
       payload.getBelow(scope, NodeSet::Present, mayBeOne, isAmong)) {
    std::optional<std::string> shape = getShape(payload[id]);
    ++others.number;
    others.numberUnknown += !shape;
    if (!shape)
      continue;
    others.ofShape[*shape].ids.push_back(id);
    if (std::optional<std::string> result = getResult(payload[id], *shape))
      others.ofResult[*result].ids.push_back(id);
    else
      others.ofOpenResult.insert(*shape);
  }
  return others;
}

void CseCandidates::keep(NodeId id) {
  if (payload[id].kind && !mayRepeat(id))
    kept.insert(id);
}

bool CseCandidates::isUnique(NodeId id) {
  if (kept.contains(id))
    return true;
  if (!payload[id].hasBelow)
    return false;
  if (!holders) {
    holders.emplace();
    for (NodeId one : kept)
      payload.walkUp(one, [&](NodeId above) {
        return above != scope &&
               (holders->insert(above).second || above == one);
      });
  }
  return holders->contains(id);
}

void CseCandidates::forEach(ArrayRef<NodeId> start,
                            llvm::function_ref<void(NodeId)> fn) {
  Places places(payload, scope);
  llvm::SetVector<NodeId> asked;
  for (NodeId id : start)
    if (payload[id].space || payload[id].loop)
      asked.insert(id);
  size_t numGiven = asked.size();
  for (size_t i = 0; i < asked.size(); ++i) {
    NodeId id = asked[i];
    if (id == scope || isUnique(id))
      continue;
    const Node &node = payload[id];
    bool isPure = node.space  ? node.space->onTensors
                  : node.loop ? node.loop->hasResults
                              : false;
    bool isBelow = i < numGiven || places.get(id) != Certainty::No;
    if (node.kind && isPure && isBelow && mayRepeat(id))
      fn(id);
    for (const Up &up : node.ups)
      asked.insert(up.getSure());
  }
}

bool CseCandidates::mayRepeat(NodeId id) {
  const Node &node = payload[id];
  auto found = kinds.find(*node.kind);
  if (found == kinds.end())
    found = kinds.try_emplace(*node.kind, read(*node.kind)).first;
  Kind &others = found->second;
  if (others.mayHide || node.count.hi != 1)
    return true;
  std::optional<std::string> shape = getShape(node);
  if (!shape)
    return others.number > 1;
  std::optional<std::string> result = getResult(node, *shape);
  bool areResultsKnown = result && !others.ofOpenResult.contains(*shape);
  Group &group =
      areResultsKnown ? others.ofResult[*result] : others.ofShape[*shape];
  return others.numberUnknown > 0 || !areNested(group);
}

bool CseCandidates::areNested(Group &group) const {
  if (!group.areNested) {
    llvm::DenseSet<NodeId> ids(group.ids.begin(), group.ids.end());
    payload.walkUp(group.ids.back(), [&](NodeId id) {
      ids.erase(id);
      return id != scope && !ids.empty();
    });
    group.areNested = ids.empty();
  }
  return *group.areNested;
}
