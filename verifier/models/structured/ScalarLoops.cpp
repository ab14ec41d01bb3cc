//===- ScalarLoops.cpp - Structured ops that become loops -------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `transform.structured.convert_to_loops` of an op: one scf.for for each of its
// loops, and in the innermost the ops of its body. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#include "verifier/clauses/Clauses.h"
#include "verifier/models/EffectRules.h"
#include "verifier/models/Models.h"
#include "verifier/models/structured/TiledNodes.h"
#include "verifier/payload/Allocations.h"
#include "verifier/step/Step.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::verifier;

/// From 0 on, in steps of 1.
static std::shared_ptr<const LoopFacts> getScalarLoop(const Extent &extent) {
  auto facts = std::make_shared<LoopFacts>();
  facts->trips.push_back(extent);
  if (extent.isStatic()) {
    facts->range = *extent.size;
    facts->step = 1;
  }
  return facts;
}

/// Whether the loops that `node` becomes may store to a buffer that nothing
/// reads: unlike the structured op, they may be erased together with it.
static bool mayStoreUnread(const Node &node) {
  auto op = dyn_cast_or_null<linalg::LinalgOp>(node.op ? node.op : node.body);
  return !op || llvm::any_of(op.getDpsInits(), getAllocation);
}

static void propagateLoops(const Step &step) {
  PayloadModel &payload = step.payload;
  const HandleState source = step.lookup(step.op->getOperand(0));
  bool areKnown = llvm::all_of(source.nodes, [&](NodeId target) {
    return payload[target].space && !payload[target].space->loops.empty();
  });
  if (!areKnown)
    return applyClauses(step);

  normalforms::KindPatterns introduces = step.contract.payload->introduces;
  llvm::erase(introduces, KindPattern::of(scf::ForOp::getOperationName()));
  NodeList loops;
  bool isOrdered = source.ordered;
  for (NodeId target : source.nodes) {
    // The body is copied into the innermost loop, but for what ends it.
    llvm::append_range(introduces, getKindsBelow(step, target));
    const std::shared_ptr<const IterationSpace> space = payload[target].space;
    isOrdered &= payload[target].count.hi <= 1;
    bool mayGo = mayStoreUnread(payload[target]);
    std::optional<NodeId> parent;
    for (const Extent &extent : space->loops) {
      parent = addLoop(payload, target, parent,
                       getLoopKind<scf::ForOp>(step.op->getContext()),
                       getScalarLoop(extent), step.op);
      if (mayGo)
        payload.edit(*parent).live = false;
      loops.push_back(*parent);
    }
    // With the attributes of what it computes with; its own go with it.
    bool isOne = payload[target].exact;
    payload.hideTags(target, [&](NodeId id) { return id != target || !isOne; });
    Node &gone = payload.edit(target);
    gone.present = Certainty::No;
    gone.op = nullptr;
  }
  llvm::erase(introduces, KindPattern::of(linalg::YieldOp::getOperationName()));
  applyWriteOf(step, introduces);
  step.setResult(0, loops, isOrdered);
}

/// Scalarization tiles dynamic sizes alone.
static std::optional<std::string> explainStaticSizes(Operation *target) {
  auto op = dyn_cast<linalg::LinalgOp>(target);
  if (!op || op.hasDynamicShape())
    return std::nullopt;
  return ("no size of '" + target->getName().getStringRef() +
          "' is dynamic, and only dynamic ones are tiled")
      .str();
}

void formwork::verifier::addScalarLoopsEffects(EffectRegistry &effects) {
  effects.add<transform::ScalarizeOp>({.explainIdle = explainStaticSizes});
}

void formwork::verifier::registerScalarLoopsModels(ModelRegistry &models) {
  models.add("convert-to-loops", propagateLoops);
}
