//===- Results.cpp - What handles hold --------------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The handles that steps return and use. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#include "verifier/Interpreter.h"

#include "mlir/Dialect/Transform/IR/TransformTypes.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::engine;
using namespace formwork::normalforms;
using namespace formwork::verifier;

HandleState &Interpreter::bind(Value value, Operation *origin,
                               ArrayRef<NodeId> nodes) {
  HandleState handle;
  handle.kind = kindOfHandle(value.getType());
  if (handle.kind != HandleState::Params)
    handle.nodes.assign(nodes.begin(), nodes.end());
  // The consumptions of this very step are older than what it returns.
  handle.since = state.payload.time() + 1;
  handle.origin = origin;
  return state.setHandle(value, std::move(handle));
}

HandleState &Interpreter::lookup(Value value) {
  auto it = state.handles.find(value);
  if (it != state.handles.end())
    return it->second;
  // A value from a region that is not modelled.
  NodeId any = state.payload.addSomewhere(root, UpKind::AtOrInside,
                                          std::nullopt, Count(), nullptr);
  return bind(value, nullptr, any);
}

HandleState &Interpreter::setResult(Operation *op, unsigned index,
                                    ArrayRef<NodeId> nodes, bool ordered) {
  Value value = op->getResult(index);
  HandleState &handle = bind(value, op, nodes);
  handle.ordered = ordered;
  auto type = dyn_cast<transform::OperationType>(value.getType());
  if (!type)
    return handle;
  for (NodeId id : nodes) {
    const Node &node = state.payload[id];
    if (node.kind && node.kind->getStringRef() == type.getOperationName())
      continue;
    bool definite =
        node.kind && node.count.lo > 0 && node.present == Certainty::Yes;
    Finding &finding =
        report(op, "fw-kind-mismatch",
               "requires payload of kind '" + type.getOperationName() +
                   "' for result #" + Twine(index) + " but " +
                   (definite ? "has '" : "may have '") +
                   (node.kind ? node.kind->getStringRef() : "any op") + "'",
               definite);
    if (definite)
      suggestKind(finding, value, *node.kind);
    break;
  }
  return state.handles[value];
}

void Interpreter::setOpaque(Operation *op, unsigned index) {
  NodeId any = state.payload.addSomewhere(root, UpKind::AtOrInside,
                                          std::nullopt, Count(), op);
  setResult(op, index, any, /*ordered=*/false);
}

void Interpreter::setEmpty(Operation *op) {
  for (unsigned i = 0; i < op->getNumResults(); ++i)
    setResult(op, i, {});
}

bool Interpreter::isUsable(Value value) const {
  auto it = state.handles.find(value);
  if (it == state.handles.end() || it->second.consumedBy ||
      it->second.kind != HandleState::Ops || it->second.nodes.empty())
    return false;
  return llvm::all_of(it->second.nodes, [&](NodeId node) {
    return state.payload.getInvalidation(node, it->second.since).certainty ==
           Certainty::No;
  });
}

bool Interpreter::mayRewrite(NodeId node, bool viaIsolatedParent) const {
  if (walked.empty())
    return true;
  std::optional<NodeId> anchor = node;
  if (viaIsolatedParent)
    anchor = state.payload.getAncestor(node, /*proper=*/true, {"$isolated"});
  return anchor && llvm::all_of(walked, [&](const Walked &walk) {
           return state.payload.isAtOrBelow(*anchor, walk.matched) ==
                  Certainty::Yes;
         });
}

/// Whether `a` stands in front of `b` in one block for sure.
static bool precedes(const Node &a, const Node &b) {
  auto stays = [](const Node &node) {
    return node.op && node.exact &&
           llvm::none_of(node.ups, [](const Up &up) { return up.isLoose(); });
  };
  return stays(a) && stays(b) && a.op->getBlock() == b.op->getBlock() &&
         a.op->isBeforeInBlock(b.op);
}

void Interpreter::checkWalked(Operation *op, const Contract &contract) {
  if (walked.empty())
    return;
  // Others replace what they are given, and look no further.
  auto rewritesAll = [](const PayloadClause &clause) {
    auto isAny = [](const KindPattern &kind) { return kind == "*"; };
    return clause.extent == WriteExtent::Anchor
               ? llvm::any_of(clause.rewrites, isAny)
               : !clause.rewrites.empty() || !clause.introduces.empty() ||
                     !clause.removes.empty();
  };
  auto isWalked = [&](NodeId scope) {
    return llvm::any_of(walked, [&](const Walked &walk) {
      const Node &node = state.payload[scope];
      return state.payload.isAtOrBelow(scope, walk.matched) != Certainty::Yes &&
             !(node.fresh && node.createdAt > walk.since);
    });
  };
  // What was passed by already may go.
  auto isPassed = [&](NodeId id) {
    return llvm::all_of(walked, [&](const Walked &walk) {
      return precedes(state.payload[id], state.payload[walk.matched]);
    });
  };
  auto isTaken = [&](Value operand) {
    return effects->consumes(op, operand) &&
           llvm::any_of(lookup(operand).nodes, [&](NodeId id) {
             return isWalked(id) && !isPassed(id);
           });
  };
  bool rewrites = llvm::any_of(contract.writes, [&](const PayloadClause &one) {
    return rewritesAll(one) && llvm::any_of(getScopes(op, one), isWalked);
  });
  if (rewrites || llvm::any_of(op->getOperands(), isTaken))
    unprove(op, "may erase an op that 'transform.foreach_match' is yet to "
                "walk");
}

NodeList Interpreter::getAnchors(Value value, AtomId form) const {
  NodeList anchors;
  auto it = state.handles.find(value);
  if (it == state.handles.end())
    return anchors;
  bool isSmall = forms.getForm(form).anchor == AnchorKind::LoopNest;
  for (NodeId node : it->second.nodes) {
    NodeId anchor = node;
    if (!isSmall)
      anchor = state.payload.getAncestor(node, /*proper=*/false, {"$isolated"})
                   .value_or(node);
    if (!llvm::is_contained(anchors, anchor))
      anchors.push_back(anchor);
  }
  return anchors;
}
