//===- Producers.cpp - Model of the search for a producer -------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which op defines an operand of a handle's payload. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#include "verifier/models/handles/Producers.h"
#include "verifier/models/Models.h"
#include "verifier/models/structured/TiledNodes.h"
#include "verifier/payload/Kinds.h"
#include "verifier/step/Step.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"
using namespace mlir;
using namespace formwork::verifier;

bool formwork::verifier::staysDefined(Operation *op) {
  return isa<linalg::LinalgOp>(op) && isMoreThanACopy(op->getName());
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
  return staysDefined(def) ? std::optional(PayloadModel::universe)
                           : std::nullopt;
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

/// The op that defines operand `number` of `id` where a step put it, and what
/// reads it; `universe` where that is not known.
static NodeId findMade(const PayloadModel &payload, NodeId id, int64_t number) {
  const Node &node = payload[id];
  for (NodeId found :
       {getScalarProducer(payload, node, number), getPad(payload, node, number),
        getUnfoldedProduct(payload, node, number),
        getPackOf(payload, id, number)})
    if (found != PayloadModel::universe)
      return found;
  return PayloadModel::universe;
}

/// The producer of operand `number` of `node`, for ops that steps made or may
/// have changed: one that is known, or some op around it.
static NodeId getProducerOfChanged(const Step &step, NodeId node,
                                   int64_t number) {
  PayloadModel &payload = step.payload;
  MLIRContext *context = step.op->getContext();
  NodeId made = findMade(payload, node, number);
  if (made != PayloadModel::universe)
    return made;
  std::optional<OperationName> kind =
      getMadeProducer(payload, node, number, context);
  std::optional<NodeId> given;
  if (!kind)
    given = payload[node].loop ? getSharedProducer(payload, node, number)
                               : getGivenProducer(payload, node, number);
  if (given && *given != PayloadModel::universe)
    return *given;
  if (!kind && !given)
    kind = getSliceOfSlice(payload, node, number, context);
  if (!kind && !given)
    step.unprove("asks for the producer of an operand that may have none");
  Count count = payload[node].count;
  if (payload[node].present != Certainty::Yes)
    count.lo = 0;
  NodeId producer = payload.addSomewhere(getAround(step, node), UpKind::Inside,
                                         kind, count, step.op);
  if (kind && payload[node].space)
    payload.edit(producer).reader.edit() = {node,
                                            static_cast<unsigned>(number)};
  return producer;
}

/// The same of `node`, whose op no step has changed; none if no op defines the
/// operand.
static std::optional<NodeId> getProducerOfGiven(const Step &step, NodeId node,
                                                int64_t number) {
  PayloadModel &payload = step.payload;
  Operation *op = payload[node].op;
  Operation *def = number < static_cast<int64_t>(op->getNumOperands())
                       ? op->getOperand(number).getDefiningOp()
                       : nullptr;
  if (!def)
    return std::nullopt;
  NodeId producer = payload.lookup(def);
  // The replacement by a step, if it is followed.
  ArrayRef<NodeId> followed = payload[node].producers;
  if (!payload[producer].op)
    producer = number < static_cast<int64_t>(followed.size())
                   ? followed[number]
                   : PayloadModel::universe;
  // What may be gone, may have another op in its place.
  if (producer != PayloadModel::universe &&
      payload[producer].present == Certainty::Yes)
    return producer;
  bool isDefined = staysDefined(def);
  if (!isDefined)
    step.unprove("asks for the producer of an operand that may have none");
  return payload.addSomewhere(getAround(step, node), UpKind::Inside,
                              std::nullopt,
                              isDefined ? Count::exactly(1) : Count(), step.op);
}

static void propagateProducer(const Step &step) {
  auto getProducer = cast<transform::GetProducerOfOperand>(step.op);
  int64_t number = getProducer.getOperandNumber();
  HandleState source = step.lookup(getProducer.getTarget());
  NodeList producers;
  for (NodeId id : source.nodes) {
    const Node &node = step.payload[id];
    bool isThere = node.isSurelyThere();
    if (number < 0) {
      // Upstream goes by the lower half of it, and reads behind the operands:
      // memory next to them may pass for one, memory far away is not mapped.
      bool crashes = node.op && static_cast<uint32_t>(number) >=
                                    node.op->getNumOperands() + (1u << 30);
      step.report("fw-no-producer",
                  "requires the number of an operand of the op but has " +
                      Twine(number),
                  crashes && isThere, /*silenceable=*/false);
      return step.setOpaque(0);
    }
    std::optional<NodeId> producer =
        node.op ? getProducerOfGiven(step, id, number)
                : getProducerOfChanged(step, id, number);
    if (!producer) {
      step.report("fw-no-producer",
                  "requires operand #" + Twine(number) + " of the payload of " +
                      step.nameOf(getProducer.getTarget()) +
                      " to be an op's result but it is not",
                  isThere);
      return step.setOpaque(0);
    }
    // An op that may not be there may have no producer either.
    if (!isThere && step.payload[*producer].isSurelyThere())
      producer = step.payload.addElement(
          *producer, {0, step.payload[*producer].count.hi}, step.op);
    producers.push_back(*producer);
  }
  step.setResult(0, producers, source.ordered);
}

void formwork::verifier::registerProducersModels(ModelRegistry &models) {
  models.add("get-producer", propagateProducer, decides{"fw-no-producer"});
}
