//===- Twins.cpp - Ops that may be alike ------------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verifier/state/Twins.h"

#include "verifier/state/Places.h"

#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace formwork::verifier;

/// What distinguishes ops of one kind: their sizes, and what a loop is mapped
/// to. None when that is not known.
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

Twins::Alike Twins::findAlike(OperationName kind) const {
  Alike alike;
  alike.mayHide = payload.mayHide(
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
    ++alike.number;
    alike.numberUnknown += !shape;
    if (shape)
      alike.ofShape[*shape].ids.push_back(id);
  }
  return alike;
}

void Twins::keep(NodeId id) {
  if (payload[id].kind && !mayRepeat(id))
    kept.insert(id);
}

bool Twins::isUnlike(NodeId id) {
  if (kept.contains(id))
    return true;
  if (!payload[id].hasBelow)
    return false;
  if (!unlike) {
    unlike.emplace();
    for (NodeId one : kept)
      payload.walkUp(one, [&](NodeId above) {
        return above != scope && (unlike->insert(above).second || above == one);
      });
  }
  return unlike->contains(id);
}

void Twins::forEach(ArrayRef<NodeId> start,
                    llvm::function_ref<void(NodeId)> fn) {
  Places places(payload, scope);
  llvm::SetVector<NodeId> asked;
  for (NodeId id : start)
    if (payload[id].space || payload[id].loop)
      asked.insert(id);
  size_t numGiven = asked.size();
  for (size_t i = 0; i < asked.size(); ++i) {
    NodeId id = asked[i];
    if (id == scope || isUnlike(id))
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

bool Twins::mayRepeat(NodeId id) {
  const Node &node = payload[id];
  auto found = all.find(*node.kind);
  if (found == all.end())
    found = all.try_emplace(*node.kind, findAlike(*node.kind)).first;
  Alike &alike = found->second;
  if (alike.mayHide || node.count.hi != 1)
    return true;
  std::optional<std::string> shape = getShape(node);
  if (!shape)
    return alike.number > 1;
  return alike.numberUnknown > 0 || !areNested(alike.ofShape[*shape]);
}

bool Twins::areNested(Group &group) const {
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
