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

#include "verifier/models/handles/Navigation.h"
#include "verifier/models/Models.h"
#include "verifier/models/structured/TiledNodes.h"
#include "verifier/state/Liveness.h"
#include "verifier/step/Step.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"

using namespace mlir;
using namespace formwork;
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

/// Whether the op of `node` may be that of `above`, and not inside of it.
static bool mayBe(const PayloadModel &payload, NodeId node, NodeId above) {
  const Node &here = payload[node];
  bool differs = here.kind && here.kind != payload[above].kind;
  return !differs && here.ups.size() == 1 &&
         here.ups.front().kind != UpKind::Inside &&
         (here.ups.front().node == above ||
          mayBe(payload, here.ups.front().node, above));
}

static void propagateParent(const Step &step) {
  auto getParent = cast<transform::GetParentOp>(step.op);
  HandleState source = step.lookup(getParent.getTarget());
  normalforms::KindPatterns kinds = {"*"};
  if (getParent.getIsolatedFromAbove())
    kinds = {"$isolated"};
  if (std::optional<StringRef> name = getParent.getOpName()) {
    bool isIsolated = KindPattern("$isolated")
                          .matches(OperationName(*name, step.op->getContext()));
    kinds = {KindPattern::of(*name)};
    // There is no such op.
    if (!kinds.front().isName() ||
        (getParent.getIsolatedFromAbove() && !isIsolated))
      kinds.clear();
  }
  NodeList parents;
  // A scope that alternatives try something on has nothing around it.
  auto leavesScope = [&](NodeId node, NodeId parent) {
    return llvm::any_of(step.state.detached, [&](NodeId scope) {
      return step.payload.isAtOrBelow(node, scope) == Certainty::Yes &&
             step.payload.isAtOrBelow(parent, scope) != Certainty::Yes;
    });
  };
  // The first op without a parent ends the search, if it may have none.
  bool allowsNone = getParent.getAllowEmptyResults(), mayEnd = false,
       mayRepeat = false;
  for (NodeId node : source.nodes) {
    NodeId current = node;
    bool found = step.payload[node].exact, endsHere = false, mayBeGone = false;
    // Each step of the way up is known, and one that is asked for is not there.
    bool hasNone = false;
    for (int64_t i = 0;
         found && i < static_cast<int64_t>(getParent.getNthParent()); ++i) {
      // On the way up from an exact node every step is known, unless a step
      // moved the op.
      for (const Up &up : step.payload[current].ups)
        found &= !up.isLoose() || getParent.getIsolatedFromAbove();
      std::optional<NodeId> parent =
          step.payload.getAncestor(current, /*proper=*/true, kinds);
      // A loop that a step took away leaves its body where it stood.
      mayBeGone |= parent && step.payload[*parent].present != Certainty::Yes;
      hasNone |= found && !mayBeGone &&
                 (!parent || leavesScope(node, *parent)) &&
                 step.payload[current].present == Certainty::Yes &&
                 llvm::none_of(step.payload[current].ups,
                               [](const Up &up) { return up.isLoose(); });
      found &= parent.has_value() && !mayBeGone && !leavesScope(node, *parent);
      // An op of which the kind is not known may be it, too.
      step.payload.walkUp(current, [&](NodeId above) {
        found &=
            above == current || above == parent || step.payload[above].kind;
        return found && above != parent;
      });
      current = parent.value_or(current);
    }
    hasNone &= step.payload[node].present == Certainty::Yes &&
               step.payload[step.root].exact;
    if (hasNone && allowsNone)
      break;
    if (hasNone) {
      step.reportOf(
          getParent.getTarget(), "fw-no-parent",
          "requires a parent op of the wanted kind but the payload of " +
              step.nameOf(getParent.getTarget()) + " has none");
      step.setOpaque(0);
      return;
    }
    // Wherever an op is in one that is isolated, that is or holds its parent.
    std::optional<NodeId> around;
    if (!found && !getParent.getOpName() && getParent.getNthParent() == 1)
      around = step.payload.getAncestor(node, /*proper=*/true, {"$isolated"});
    if (around && *around != step.root && mayBe(step.payload, node, *around))
      around =
          step.payload.getAncestor(*around, /*proper=*/true, {"$isolated"});
    if (around && (step.payload[*around].present != Certainty::Yes ||
                   leavesScope(node, *around)))
      around = std::nullopt;
    bool isParent = around && getParent.getIsolatedFromAbove() &&
                    isOnlyOne(step.payload, *around, kinds);
    if (isParent && getParent.getDeduplicate() &&
        llvm::is_contained(parents, *around))
      continue;
    const Count number = step.payload[node].count;
    if (isParent && (getParent.getDeduplicate() || number.hi == 1)) {
      current = *around;
      found = true;
    }
    if (!found) {
      if (!around && !allowsNone)
        step.unprove("asks for a parent that may not exist");
      std::optional<OperationName> kind;
      if (isParent)
        kind = step.payload[*around].kind;
      if (getParent.getOpName())
        kind = OperationName(*getParent.getOpName(), step.op->getContext());
      Node parent;
      parent.kind = kind;
      parent.origin = step.op;
      parent.count = {
          allowsNone ? 0 : std::min<int64_t>(1, step.payload[node].count.lo),
          step.payload[node].count.hi};
      endsHere = allowsNone;
      // Two ops can have the same parent, and an erased op has none.
      if ((getParent.getDeduplicate() && !parents.empty()) || mayEnd ||
          step.payload[node].present != Certainty::Yes)
        parent.count.lo = 0;
      if (around)
        parent.ups.push_back(
            {*around, isParent ? UpKind::Element : UpKind::AtOrInside});
      else
        parent.ups.push_back({PayloadModel::universe, UpKind::Inside});
      current = step.payload.add(std::move(parent));
      // A parent that was only searched for need not exist: the search tells
      // nothing about the place of the op.
      if (!allowsNone && !step.state.suppressed) {
        SmallVector<Up, 1> ups = step.payload[node].ups;
        ups.push_back({current, UpKind::Inside});
        step.payload.setUps(node, std::move(ups));
      }
    }
    // An erased op has no parent. One that is left out has none either, because
    // an earlier op has the same.
    if ((step.payload[node].present != Certainty::Yes || number.lo == 0 ||
         mayEnd || mayRepeat) &&
        found)
      current = step.payload.addSomewhere(current, UpKind::Element,
                                          step.payload[current].kind, {0, 1},
                                          step.op);
    mayEnd |= endsHere;
    mayRepeat |= !found && getParent.getDeduplicate();
    if (!getParent.getDeduplicate() || !llvm::is_contained(parents, current))
      parents.push_back(current);
  }
  step.setResult(0, parents, source.ordered);
}

NodeId formwork::verifier::getAround(const Analysis &analysis, NodeId node) {
  return analysis.state.payload
      .getAncestor(node, /*proper=*/true, {"$isolated"})
      .value_or(analysis.root);
}

/// The producer of operand `number` of a tile: a scalar is read as before.
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

/// The tensor.pad that padding put before operand `number`: what else may come
/// there takes its place, so that it may not be there any more.
static NodeId getPad(const PayloadModel &payload, const Node &node,
                     int64_t number) {
  if (!isa_and_nonnull<transform::PadOp>(node.origin) || !node.exact ||
      number >= static_cast<int64_t>(node.producers.size()))
    return PayloadModel::universe;
  NodeId producer = node.producers[number];
  const Node &pad = payload[producer];
  bool isThere = isKind<tensor::PadOp>(pad) && pad.origin == node.origin &&
                 pad.exact && pad.present == Certainty::Yes &&
                 !payload.mayHaveMerged(pad.createdAt);
  return isThere ? producer : PayloadModel::universe;
}

/// The product of matrices that a convolution became, of what reshapes it.
static NodeId getUnfoldedProduct(const PayloadModel &payload, const Node &node,
                                 int64_t number) {
  if (!isa_and_nonnull<transform::ConvertConv2DToImg2ColOp>(node.origin) ||
      !isKind<tensor::ExpandShapeOp>(node) || !node.exact || number != 0 ||
      node.producers.empty())
    return PayloadModel::universe;
  NodeId producer = node.producers.front();
  const Node &product = payload[producer];
  bool isThere = product.origin == node.origin && product.exact &&
                 product.present == Certainty::Yes &&
                 !payload.mayHaveMerged(product.createdAt);
  return isThere ? producer : PayloadModel::universe;
}

/// The node of what defines operand `number` of a structured op of which steps
/// may have changed the operands, though not which op defines them; `universe`
/// if some op does for sure. None if it may be no op.
static std::optional<NodeId> getGivenProducer(const PayloadModel &payload,
                                              NodeId id, int64_t number) {
  const Node &node = payload[id];
  auto body = dyn_cast_or_null<linalg::LinalgOp>(node.body);
  if (!body || !node.space || number >= body->getNumOperands() ||
      node.kind != body->getName())
    return std::nullopt;
  Value given = body->getOperand(number);
  Operation *def = given.getDefiningOp();
  if (!def)
    return std::nullopt;
  // No part is taken of a scalar, and a constant stays one.
  NodeId producer = payload.lookup(def);
  if (!isa<ShapedType>(given.getType())) {
    bool isConstant =
        def->hasTrait<OpTrait::ConstantLike>() &&
        payload.getAncestor(id, /*proper=*/true, {"$isolated"}) ==
            payload.getAncestor(producer, /*proper=*/true, {"$isolated"});
    if (!isConstant)
      return std::nullopt;
    return payload[producer].op ? producer : PayloadModel::universe;
  }
  // The operands of an op that no step has made are the given ones, or their
  // replacements by steps; ops that compute tensors are not folded.
  if (node.fresh || !node.exact || node.present != Certainty::Yes ||
      !node.space->onTensors ||
      number >= static_cast<int64_t>(node.producers.size()))
    return std::nullopt;
  NodeId found = node.producers[number];
  const Node &last = payload[found];
  if (found == producer && last.op && last.present == Certainty::Yes)
    return found;
  bool isThere = found != PayloadModel::universe && last.exact &&
                 last.present == Certainty::Yes &&
                 (last.space ? last.space->onTensors
                             : last.loop && last.loop->hasResults &&
                                   !last.loop->mayCarryVectors);
  // Shapes that are not static may be cast.
  auto isStatic = [](Value value) {
    return cast<ShapedType>(value.getType()).hasStaticShape();
  };
  if (!isThere || !llvm::all_of(body->getResults(), isStatic) ||
      !isStatic(given))
    return std::nullopt;
  NodeId at = found;
  while (at != producer && payload[at].replaces != PayloadModel::universe)
    at = payload[at].replaces;
  return at == producer ? std::optional(found) : std::nullopt;
}

/// As above, of an scf.forall of static bounds that tiling made: its operands
/// are what was written by the op that was tiled.
static std::optional<NodeId> getSharedProducer(const PayloadModel &payload,
                                               NodeId id, int64_t number) {
  const Node &loop = payload[id];
  NodeId whole = loop.replaces;
  bool isStatic = loop.loop && loop.loop->isForall && loop.loop->hasResults &&
                  llvm::all_of(loop.loop->trips, [](const Extent &trip) {
                    return trip.isStatic();
                  });
  auto body = dyn_cast_or_null<linalg::LinalgOp>(payload[whole].body);
  if (!isStatic || !loop.exact || loop.present != Certainty::Yes || !body ||
      payload[whole].fresh || payload[whole].kind != body->getName() ||
      payload.mayHaveMerged(loop.createdAt) ||
      payload.mayHaveRetaken(loop.createdAt) || number >= body.getNumDpsInits())
    return std::nullopt;
  Operation *def = body.getDpsInits()[number].getDefiningOp();
  if (!def)
    return std::nullopt;
  NodeId producer = payload.lookup(def);
  if (payload[producer].op)
    return producer;
  // An op that computes a tensor is replaced only by an op.
  bool computes = isa<linalg::LinalgOp>(def) && isMoreThanACopy(def->getName());
  return computes ? std::optional(PayloadModel::universe) : std::nullopt;
}

/// The kind of what operand `number` of a slice is a slice of, where that is
/// one that tiling took, too.
static std::optional<OperationName> getSliceOfSlice(const PayloadModel &payload,
                                                    NodeId id, int64_t number,
                                                    MLIRContext *context) {
  const Node &slice = payload[id];
  NodeId reader = slice.reader->only;
  // On tensors it may be the value that the loop carries. A slice that is the
  // whole tensor may be folded into it.
  if (number != 0 || reader == PayloadModel::universe ||
      !isKind<memref::SubViewOp>(slice) || slice.reader->operand >= 64 ||
      (payload[reader].tile->lastParts &
       (uint64_t(1) << slice.reader->operand)) == 0 ||
      payload.mayHaveFolded(payload[reader].createdAt,
                            /*isViewOfPart=*/true) ||
      payload.mayHaveRetaken(payload[reader].createdAt))
    return std::nullopt;
  NodeId whole = payload[reader].tile->partOf;
  return whole == PayloadModel::universe || payload[whole].loop
             ? std::nullopt
             : getMadeProducer(payload, whole, slice.reader->operand, context);
}

static void propagateProducer(const Step &step) {
  auto getProducer = cast<transform::GetProducerOfOperand>(step.op);
  HandleState source = step.lookup(getProducer.getTarget());
  NodeList producers;
  for (NodeId node : source.nodes) {
    Operation *payload = step.payload[node].op;
    int64_t number = getProducer.getOperandNumber();
    if (number < 0) {
      // Upstream goes by the lower half of it, and reads behind the operands:
      // what is next to them may pass for one, what is far away is not mapped.
      bool crashes = payload && static_cast<uint32_t>(number) >=
                                    payload->getNumOperands() + (1u << 30);
      step.report("fw-no-producer",
                  "requires the number of an operand of the op but has " +
                      Twine(number),
                  crashes && step.payload[node].isSurelyThere(),
                  /*silenceable=*/false);
      return step.setOpaque(0);
    }
    NodeId scalar = getScalarProducer(step.payload, step.payload[node],
                                      static_cast<unsigned>(number));
    if (!payload && scalar != PayloadModel::universe) {
      producers.push_back(scalar);
      continue;
    }
    NodeId pad = getPad(step.payload, step.payload[node], number);
    if (!payload && pad != PayloadModel::universe) {
      producers.push_back(pad);
      continue;
    }
    NodeId product =
        getUnfoldedProduct(step.payload, step.payload[node], number);
    if (!payload && product != PayloadModel::universe) {
      producers.push_back(product);
      continue;
    }
    NodeId pack = getPackOf(step.payload, node, static_cast<unsigned>(number));
    if (!payload && pack != PayloadModel::universe) {
      producers.push_back(pack);
      continue;
    }
    if (!payload) {
      Count count = step.payload[node].count;
      if (step.payload[node].present != Certainty::Yes)
        count.lo = 0;
      std::optional<OperationName> kind =
          getMadeProducer(step.payload, node, number, step.op->getContext());
      std::optional<NodeId> given;
      if (!kind)
        given = step.payload[node].loop
                    ? getSharedProducer(step.payload, node, number)
                    : getGivenProducer(step.payload, node, number);
      if (given && *given != PayloadModel::universe) {
        producers.push_back(*given);
        continue;
      }
      std::optional<OperationName> sliced;
      if (!kind && !given)
        kind = sliced =
            getSliceOfSlice(step.payload, node, number, step.op->getContext());
      if (!kind && !given)
        step.unprove("asks for the producer of an operand that may have none");
      producers.push_back(step.payload.addSomewhere(
          getAround(step, node), UpKind::Inside, kind, count, step.op));
      if (kind && step.payload[node].space)
        step.payload.edit(producers.back()).reader.edit() = {
            node, static_cast<unsigned>(number)};

      continue;
    }
    Operation *def = number < static_cast<int64_t>(payload->getNumOperands())
                         ? payload->getOperand(number).getDefiningOp()
                         : nullptr;
    if (def) {
      NodeId producer = step.payload.lookup(def);
      // The replacement by a step, if it is followed.
      ArrayRef<NodeId> followed = step.payload[node].producers;
      if (!step.payload[producer].op)
        producer = number < static_cast<int64_t>(followed.size())
                       ? followed[number]
                       : PayloadModel::universe;
      if (producer == PayloadModel::universe)
        producer =
            step.payload.addSomewhere(getAround(step, node), UpKind::Inside,
                                      std::nullopt, Count::exactly(1), step.op);
      producers.push_back(producer);
      continue;
    }
    step.report("fw-no-producer",
                "requires operand #" + Twine(number) + " of the payload of " +
                    step.nameOf(getProducer.getTarget()) +
                    " to be an op's result but it is not",
                step.payload[node].isSurelyThere());
    step.setOpaque(0);
    return;
  }
  step.setResult(0, producers, source.ordered);
}

void formwork::verifier::registerNavigationModels(ModelRegistry &models) {
  models.add("get-parent", propagateParent, decides{"fw-no-parent"});
  models.add("get-producer", propagateProducer, decides{"fw-no-producer"});
}
