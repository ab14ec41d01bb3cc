//===- Navigation.cpp - Models of ops that look around ----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The parents and producers of payload. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#include "verifier/Interpreter.h"
#include "verifier/models/TiledNodes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::engine;
using namespace formwork::verifier;

/// Whether no op of `kinds` is below that of `node`.
static bool isOnlyOne(const PayloadModel &payload, NodeId node,
                      const normalforms::KindPatterns &kinds) {
  auto mayBeOne = [&](const Node &below) {
    return below.kind ? matchesAnyKind(*below.kind, kinds) : below.isUnlisted();
  };
  return payload[node].exact && payload.getBelow(node, mayBeOne).empty() &&
         !payload.mayHide(node, [&](const KindSet &hidden) {
           return llvm::any_of(kinds, [&](const KindPattern &kind) {
             return hidden.intersects(kind);
           });
         });
}

void Interpreter::getParentModel(Operation *op, const Contract &contract) {
  auto getParent = cast<transform::GetParentOp>(op);
  HandleState source = lookup(getParent.getTarget());
  normalforms::KindPatterns kinds = {"*"};
  if (getParent.getIsolatedFromAbove())
    kinds = {"$isolated"};
  if (std::optional<StringRef> name = getParent.getOpName()) {
    bool isIsolated =
        matchesKind(OperationName(*name, op->getContext()), "$isolated");
    kinds = {KindPattern::of(*name)};
    // There is no such op.
    if (getParent.getIsolatedFromAbove() && !isIsolated)
      kinds.clear();
  }
  NodeList parents;
  // A scope that alternatives try something on has nothing around it.
  auto leavesScope = [&](NodeId node, NodeId parent) {
    return llvm::any_of(state.detached, [&](NodeId scope) {
      return state.payload.isAtOrBelow(node, scope) == Certainty::Yes &&
             state.payload.isAtOrBelow(parent, scope) != Certainty::Yes;
    });
  };
  // The first op without a parent ends the search, if it may have none.
  bool allowsNone = getParent.getAllowEmptyResults(), mayEnd = false,
       mayRepeat = false;
  for (NodeId node : source.nodes) {
    NodeId current = node;
    bool found = state.payload[node].exact, endsHere = false, mayBeGone = false;
    for (int64_t i = 0;
         found && i < static_cast<int64_t>(getParent.getNthParent()); ++i) {
      // On the way up from an exact node every step is known, unless a step
      // moved the op.
      for (const Up &up : state.payload[current].ups)
        found &= !up.isLoose() || getParent.getIsolatedFromAbove();
      std::optional<NodeId> parent =
          state.payload.getAncestor(current, /*proper=*/true, kinds);
      // A loop that a step took away leaves its body where it stood.
      mayBeGone |= parent && state.payload[*parent].present != Certainty::Yes;
      found &= parent.has_value() && !mayBeGone && !leavesScope(node, *parent);
      // An op of which the kind is not known may be it, too.
      state.payload.walkUp(current, [&](NodeId above) {
        found &= above == current || above == parent ||
                 state.payload[above].kind.has_value();
        return found && above != parent;
      });
      current = parent.value_or(current);
    }
    if (!found && !mayBeGone && state.payload[node].exact && !allowsNone &&
        state.payload[node].present == Certainty::Yes &&
        getParent.getNthParent() == 1 && state.payload[root].exact &&
        !llvm::any_of(state.payload[node].ups,
                      [](const Up &up) { return up.isLoose(); })) {
      report(op, "fw-no-parent",
             "requires a parent op of the wanted kind but the payload of " +
                 nameOf(getParent.getTarget()) + " has none")
          .note(NoteKind::Established,
                source.origin ? source.origin->getLoc() : op->getLoc(),
                "handle " + nameOf(getParent.getTarget()) + " is set here");
      setOpaque(op, 0);
      return;
    }
    // Wherever an op is in one that is isolated, that is or holds its parent.
    std::optional<NodeId> around;
    if (!found && getParent.getIsolatedFromAbove() &&
        getParent.getNthParent() == 1)
      around = state.payload.getAncestor(node, /*proper=*/true, kinds);
    if (around && (state.payload[*around].present != Certainty::Yes ||
                   leavesScope(node, *around)))
      around = std::nullopt;
    bool isParent = around && isOnlyOne(state.payload, *around, kinds);
    if (isParent && getParent.getDeduplicate() &&
        llvm::is_contained(parents, *around))
      continue;
    const Count number = state.payload[node].count;
    if (isParent && (getParent.getDeduplicate() || number.hi == 1)) {
      current = *around;
      found = true;
    }
    if (!found) {
      if (!around)
        unprove(op, "asks for a parent that may not exist");
      std::optional<OperationName> kind;
      if (isParent)
        kind = state.payload[*around].kind;
      if (getParent.getOpName())
        kind = OperationName(*getParent.getOpName(), op->getContext());
      Node parent;
      parent.kind = kind;
      parent.origin = op;
      parent.count = {
          allowsNone ? 0 : std::min<int64_t>(1, state.payload[node].count.lo),
          state.payload[node].count.hi};
      endsHere = allowsNone;
      // What one op has, another can have, too; and what is not there has none.
      if ((getParent.getDeduplicate() && !parents.empty()) || mayEnd ||
          state.payload[node].present != Certainty::Yes)
        parent.count.lo = 0;
      if (around)
        parent.ups.push_back(
            {*around, isParent ? UpKind::Element : UpKind::AtOrInside});
      else
        parent.ups.push_back({PayloadModel::universe, UpKind::Inside});
      current = state.payload.add(std::move(parent));
      SmallVector<Up, 1> ups = state.payload[node].ups;
      ups.push_back({current, UpKind::Inside});
      state.payload.setUps(node, std::move(ups));
    }
    // What is not there has no parent.
    // Nor has one that is left out, because an earlier op has it.
    if ((state.payload[node].present != Certainty::Yes || number.lo == 0 ||
         mayEnd || mayRepeat) &&
        found)
      current = state.payload.addSomewhere(
          current, UpKind::Element, state.payload[current].kind, {0, 1}, op);
    mayEnd |= endsHere;
    mayRepeat |= !found && getParent.getDeduplicate();
    if (!getParent.getDeduplicate() || !llvm::is_contained(parents, current))
      parents.push_back(current);
  }
  setResult(op, 0, parents, source.ordered);
}

NodeId Interpreter::getAround(NodeId node) const {
  return state.payload.getAncestor(node, /*proper=*/true, {"$isolated"})
      .value_or(root);
}

/// What produces operand `number` of a tile: a scalar is read as it was before.
static NodeId getScalarProducer(const PayloadModel &payload, const Node &node,
                                unsigned number) {
  bool isTile =
      node.fresh &&
      isa_and_nonnull<transform::TileUsingForOp, transform::TileUsingForallOp>(
          node.origin) &&
      !payload.mayHaveResliced(node.createdAt);
  if (!isTile || !node.space || number >= node.producers.size() ||
      number + node.space->numInits >= node.space->maps.size() ||
      node.space->maps[number].getNumResults() != 0)
    return PayloadModel::universe;
  NodeId producer = node.producers[number];
  bool isThere = producer != PayloadModel::universe &&
                 payload[producer].exact &&
                 payload[producer].present == Certainty::Yes;
  return isThere ? producer : PayloadModel::universe;
}

void Interpreter::getProducerModel(Operation *op, const Contract &contract) {
  auto getProducer = cast<transform::GetProducerOfOperand>(op);
  HandleState source = lookup(getProducer.getTarget());
  NodeList producers;
  for (NodeId node : source.nodes) {
    Operation *payload = state.payload[node].op;
    int64_t number = getProducer.getOperandNumber();
    if (number < 0) {
      // Upstream crashes.
      report(op, "fw-no-producer",
             "requires the number of an operand but has " + Twine(number),
             state.payload[node].present == Certainty::Yes &&
                 state.payload[node].count.lo > 0,
             /*silenceable=*/false);
      return setOpaque(op, 0);
    }
    NodeId scalar = getScalarProducer(state.payload, state.payload[node],
                                      static_cast<unsigned>(number));
    if (!payload && scalar != PayloadModel::universe) {
      producers.push_back(scalar);
      continue;
    }
    if (!payload) {
      Count count = state.payload[node].count;
      if (state.payload[node].present != Certainty::Yes)
        count.lo = 0;
      std::optional<OperationName> kind =
          getMadeProducer(state.payload, node, number, op->getContext());
      if (!kind)
        unprove(op, "asks for the producer of an operand that may have none");
      producers.push_back(state.payload.addSomewhere(
          getAround(node), UpKind::Inside, kind, count, op));
      if (kind && state.payload[node].space)
        state.payload.edit(producers.back()).onlyReader = node;
      continue;
    }
    Operation *def = number < static_cast<int64_t>(payload->getNumOperands())
                         ? payload->getOperand(number).getDefiningOp()
                         : nullptr;
    if (def) {
      NodeId producer = state.payload.lookup(def);
      // What a step put in its place, where that is followed.
      ArrayRef<NodeId> followed = state.payload[node].producers;
      if (!state.payload[producer].op)
        producer = number < static_cast<int64_t>(followed.size())
                       ? followed[number]
                       : PayloadModel::universe;
      if (producer == PayloadModel::universe)
        producer =
            state.payload.addSomewhere(getAround(node), UpKind::Inside,
                                       std::nullopt, Count::exactly(1), op);
      producers.push_back(producer);
      continue;
    }
    report(op, "fw-no-producer",
           "requires operand #" + Twine(number) + " of the payload of " +
               nameOf(getProducer.getTarget()) +
               " to be an op's result but it is not",
           state.payload[node].present == Certainty::Yes &&
               state.payload[node].count.lo > 0);
    setOpaque(op, 0);
    return;
  }
  setResult(op, 0, producers, source.ordered);
}
