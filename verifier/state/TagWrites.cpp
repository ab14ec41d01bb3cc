//===- TagWrites.cpp - Discardable attributes that steps change -----------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which discardable attributes a later match may meet where no node has them.
// Layer: verifier.
//
//===----------------------------------------------------------------------===//

#include "verifier/state/PayloadModel.h"
#include "verifier/state/Places.h"

using namespace mlir;
using namespace formwork::verifier;

bool formwork::verifier::isOwnAttribute(OperationName kind, StringAttr name) {
  return kind.isRegistered() &&
         llvm::is_contained(kind.getAttributeNames(), name);
}

bool formwork::verifier::isDialectAttribute(StringAttr name) {
  auto [dialect, rest] = name.getValue().split('.');
  return !rest.empty() && !dialect.empty() &&
         name.getContext()->getDialectRegistry().getDialectAllocator(dialect);
}

bool formwork::verifier::isMeaningful(OperationName kind, StringAttr name,
                                      bool isOfDialect) {
  return isOfDialect || !kind.isRegistered() || isOwnAttribute(kind, name);
}

void PayloadModel::hideTagsOf(const Node &node) {
  // A node that is not fresh stands for ops that have nodes, or that are
  // hidden.
  if (!node.tags.isKnown())
    hidesAnyTag |= node.exact || node.fresh;
  node.tags.forEachName([&](StringAttr name) { hiddenTags.insert(name); });
}

void PayloadModel::hideTags(NodeId scope,
                            llvm::function_ref<bool(NodeId)> concerns) {
  if (!hasVisibleTags())
    return;
  if (concerns(scope))
    hideTagsOf(nodes[scope]);
  for (auto [id, place] : getBelow(scope, NodeSet::Tagged))
    if (concerns(id))
      hideTagsOf(nodes[id]);
}

void PayloadModel::hideTags(NodeId scope, const llvm::DenseSet<NodeId> &these,
                            bool doubted) {
  if (!hasVisibleTags())
    return;
  for (NodeId id : these)
    hideTagsOf(nodes[id]);
  if (!doubted)
    return;
  if (nodes[scope].present != Certainty::Yes)
    hideTagsOf(nodes[scope]);
  for (auto [id, place] : getBelow(scope, NodeSet::Doubted))
    hideTagsOf(nodes[id]);
}

void PayloadModel::forgetTags(NodeId scope) {
  hideTags();
  auto forgetOf = [&](NodeId id) {
    forget(id);
    change(id).tags = std::nullopt;
  };
  forgetOf(scope);
  for (auto [id, place] : getBelow(scope))
    forgetOf(id);
}

void PayloadModel::openTag(NodeId scope, StringAttr name,
                           llvm::function_ref<bool(const Node &)> concerns) {
  ++changes;
  hasTags = true;
  hiddenTags.insert(name);
  bool isOfDialect = isDialectAttribute(name);
  auto openOf = [&](NodeId id) {
    Node &node = change(id);
    node.tags.makeOpen(name);
    if (!node.kind || isMeaningful(*node.kind, name, isOfDialect))
      forget(id);
  };
  if (concerns(nodes[scope]))
    openOf(scope);
  for (auto [id, place] : getBelow(scope, concerns))
    openOf(id);
}
