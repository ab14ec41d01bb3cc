//===- Twins.cpp - Ops that may be alike ------------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verifier/state/Twins.h"

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
    payload.walkUp(id, [&](NodeId above) {
      return above != scope && (unlike.insert(above).second || above == id);
    });
}

bool Twins::mayExist(NodeId id) {
  const Node &node = payload[id];
  bool isPure = node.space  ? node.space->onTensors
                : node.loop ? node.loop->hasResults
                            : false;
  return node.kind && isPure && !unlike.contains(id) && mayRepeat(id);
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
