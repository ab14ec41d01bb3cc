//===- LoneSteps.cpp - Steps that were tried on a copy ----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Asks what a step does to one payload op by itself. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#include "verifier/clauses/LoneSteps.h"
#include "engine/AnyBelow.h"
#include "engine/FileAccess.h"
#include "verifier/clauses/DetachedScopes.h"
#include "verifier/clauses/Envelope.h"
#include "verifier/trials/LoneTrial.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace formwork::normalforms;
using namespace formwork::verifier;

/// The types of the operands of an op that tiling made, if all are known.
static std::optional<SmallVector<Type>>
getTileTypes(const PayloadModel &payload, const Node &node) {
  // No clean-up says in other ways what an op without a body computes.
  if (node.tile->types && node.body && node.kind == node.body->getName() &&
      (node.body->getNumRegions() == 0 || payload.isLikeBody(node)))
    return *node.tile->types;
  auto structured = dyn_cast_or_null<linalg::LinalgOp>(node.body);
  if (!structured || !payload.isLikeBody(node) || !node.space ||
      !node.space->onTensors ||
      node.space->maps.size() != structured->getNumOperands())
    return std::nullopt;
  SmallVector<Type> types;
  for (auto [operand, map] :
       llvm::zip_equal(structured->getOpOperands(), node.space->maps)) {
    auto type = dyn_cast<RankedTensorType>(operand.get().getType());
    if (!type) {
      types.push_back(operand.get().getType());
      continue;
    }
    SmallVector<int64_t> shape;
    for (AffineExpr expr : map.getResults()) {
      auto dim = dyn_cast<AffineDimExpr>(expr);
      const Extent *loop =
          dim ? &node.space->loops[dim.getPosition()] : nullptr;
      // The type has no size that folding cannot make static.
      bool isDynamic = loop && loop->size.isUnknown() && !loop->isMixed &&
                       loop->reason.definite;
      if (!loop || !(loop->isStatic() || isDynamic))
        return std::nullopt;
      shape.push_back(isDynamic ? ShapedType::kDynamic : *loop->size);
    }
    types.push_back(type.clone(shape));
  }
  return types;
}

/// Whether `contract` has `node` refused for its kind.
static bool isRefused(const Contract &contract, unsigned index,
                      const Node &node) {
  return llvm::any_of(contract.operands, [&](const OperandClause &clause) {
    return clause.operand == index && clause.kind == OperandClause::Accepts &&
           !isSurelyOfKind(node, clause.kinds);
  });
}

const LoneRun *formwork::verifier::runAlone(const Step &step, unsigned index,
                                            NodeId id) {
  auto [it, isNew] = step.analysis.loneRuns.try_emplace(id);
  if (!isNew)
    return it->second ? &*it->second : nullptr;
  const PayloadModel &payload = step.payload;
  const Node &node = payload[id];
  bool isPristine = payload.isAsGiven();
  const Contract *contract =
      step.contracts.lookup(step.op->getName().getStringRef());
  bool isGiven = node.op && payload.isUntouched(id);
  // The callers of a function may not fit the function that a pass leaves.
  bool isPass = isa<transform::ApplyRegisteredPassOp>(step.op);
  bool looksAround =
      isPass || (isa<transform::ApplyConversionPatternsOp>(step.op) &&
                 !(node.op && !node.op->getParentOp()));
  const NodeList targets = step.lookup(step.op->getOperand(index)).nodes;
  // One trial is that of all of them, also one that tells nothing.
  if (looksAround)
    for (NodeId target : targets)
      step.analysis.loneRuns.try_emplace(target);
  auto isAsGiven = [&](NodeId target) {
    return payload[target].op && payload.isUntouched(target);
  };
  if (looksAround && (!isPristine || !llvm::all_of(targets, isAsGiven)))
    return nullptr;
  std::optional<SmallVector<Type>> types;
  if (!isGiven)
    types = getTileTypes(payload, node);
  // On what its contract was not tried on, a step may end the process.
  bool isOrdinary = !getWhyOutsideEnvelope(step.with(*contract));
  bool isKnown = isOrdinary && (isGiven || types);
  if (!isKnown || node.count.hi != 1 || isRefused(*contract, index, node))
    return nullptr;
  Operation *original = isGiven ? node.op : node.body;
  // One target of the step may be changed with another.
  for (NodeId other : targets)
    if (other != id && (payload.isAtOrBelow(id, other) != Certainty::No ||
                        payload.isAtOrBelow(other, id) != Certainty::No))
      return nullptr;
  // A step on buffers changes the types of their readers.
  auto isOnBuffers = [](Operation *inner) {
    return llvm::any_of(inner->getOperandTypes(),
                        llvm::IsaPred<BaseMemRefType>);
  };
  bool readsBuffers = engine::anyBelow(original, isOnBuffers);
  if (readsBuffers && !isPristine)
    return nullptr;
  SmallVector<Attribute> params(step.op->getNumOperands());
  for (OpOperand &operand : step.op->getOpOperands()) {
    if (operand.getOperandNumber() == index)
      continue;
    const HandleState &param = step.lookup(operand.get());
    Attribute value =
        param.kind == HandleState::Params && param.params.size() == 1
            ? param.params.front().getAttribute(step.op->getContext())
            : Attribute();
    if (!value)
      return nullptr;
    params[operand.getOperandNumber()] = value;
  }
  auto run = [&](CopiedOp copied) {
    return tryAlone(step.op, copied.get(), copied.getModule(), params,
                    step.options.deadline);
  };
  // None where MLIR does not survive the step, or where there is no time.
  std::optional<LoneRun> found;
  if (!looksAround) {
    found = run(isGiven ? CopiedOp(original, /*inFunction=*/true)
                        : CopiedOp(original, *types));
    if (!found)
      return nullptr;
  }
  // By itself it may lack what it reads there.
  if (!found || found->failure) {
    if (!isGiven || !isPristine)
      return nullptr;
    SmallVector<Operation *> originals = {original};
    if (looksAround)
      originals = llvm::map_to_vector(
          targets, [&](NodeId target) { return payload[target].op; });
    auto runIn = [&](Operation *top) -> std::optional<LoneRun> {
      if (!llvm::all_of(originals,
                        [&](Operation *op) { return top->isAncestor(op); }))
        return std::nullopt;
      IRMapping mapping;
      OwningOpRef<Operation *> copied(top->clone(mapping));
      return tryAlone(
          step.op,
          llvm::map_to_vector(
              originals, [&](Operation *op) { return mapping.lookup(op); }),
          *copied, params, step.options.deadline,
          /*keepsPayload=*/isPass);
    };
    Operation *top = getReachableTop(step, original);
    found = runIn(top);
    // What it leaves must be valid where the scope is put back.
    Operation *whole = top;
    while (whole->getParentOp())
      whole = whole->getParentOp();
    if (found && !found->failure && top != whole)
      if (std::optional<LoneRun> inPlace = runIn(whole);
          inPlace && inPlace->leavesInvalid)
        found = std::move(inPlace);
    if (!found)
      return nullptr;
  }
  if (found->isUnreadable)
    return nullptr;
  // The op that defines the operand may know more about an open size, so that
  // the step does less. This is not the case for operands that tiling has made.
  auto isOpen = [](Type type) {
    auto shaped = dyn_cast<ShapedType>(type);
    return shaped && !(shaped.hasRank() && shaped.hasStaticShape());
  };
  if (llvm::any_of(original->getOperandTypes(), isOpen))
    for (auto &result : found->results)
      for (LoneResult &one : result)
        one.space = nullptr;
  if (looksAround)
    for (NodeId target : targets)
      if (target != id)
        step.analysis.loneRuns[target] = *found;
  it = step.analysis.loneRuns.find(id);
  it->second = std::move(*found);
  return &*it->second;
}

/// Whether a copy of `op` is in the same surroundings, but for other symbols:
/// no op around it says something, such as a data layout.
static bool standsAlone(Operation *op) {
  auto uses = SymbolTable::getSymbolUses(op);
  if (!uses || !uses->empty())
    return false;
  for (Operation *up = op->getParentOp(); up; up = up->getParentOp())
    for (NamedAttribute attribute : up->getDiscardableAttrs())
      if (!isa_and_nonnull<transform::TransformDialect>(
              attribute.getNameDialect()))
        return false;
  return true;
}

const LoneRun *formwork::verifier::tryRewrite(const Step &step, NodeId id) {
  constexpr unsigned mostTrials = 12;
  auto known = step.analysis.loneRuns.find(id);
  if (known != step.analysis.loneRuns.end())
    return known->second ? &*known->second : nullptr;
  // A pass is tried in its place.
  bool isPass = isa<transform::ApplyRegisteredPassOp>(step.op);
  Operation *given = step.payload[id].op;
  if (!given || !step.payload.isUntouched(id) ||
      !given->hasTrait<OpTrait::IsIsolatedFromAbove>() ||
      step.analysis.numIdleTrials >= mostTrials ||
      !(isPass ? engine::isKnownHarmless(step.op) : standsAlone(given)))
    return nullptr;
  if (!isSmallEnoughToTry(given))
    return nullptr;
  ++step.analysis.numIdleTrials;
  return runAlone(step, 0, id);
}

void formwork::verifier::stayAsGiven(const Step &step) {
  step.payload.keepsGivenOrder();
  step.analysis.isReadAgain = true;
}

bool formwork::verifier::stayAsGivenIfIdle(const Step &step) {
  bool isAsGiven = step.payload.isAsGiven();
  const NodeList targets(step.lookup(step.op->getOperand(0)).nodes);
  bool isIdle = !targets.empty() && llvm::all_of(targets, [&](NodeId target) {
    const LoneRun *run = tryRewrite(step, target);
    return run && !run->failure && run->changesNothing;
  });
  if (isIdle && isAsGiven)
    stayAsGiven(step);
  return isIdle;
}

formwork::engine::Finding &formwork::verifier::reportTrial(const Step &step,
                                                           const LoneRun &run,
                                                           bool mayBeMended) {
  bool spoils = run.spoils && step.state.suppressed;
  bool isOurs = !run.id.empty();
  formwork::engine::Finding &finding = step.report(
      isOurs ? StringRef(run.id) : "fw-step-fails",
      (isOurs ? "" : "fails here: ") + *run.failure,
      /*definite=*/!spoils && !mayBeMended, run.silenceable && !spoils);
  for (auto &[loc, text] : run.notes)
    finding.note(formwork::engine::NoteKind::Evidence, loc, text);
  return finding;
}

bool formwork::verifier::setLoneResult(const Step &step, unsigned index) {
  if (step.analysis.loneRuns.empty() || step.op->getNumOperands() == 0)
    return false;
  const HandleState targets = step.lookup(step.op->getOperand(0));
  bool areKnown = llvm::all_of(targets.nodes, [&](NodeId target) {
    auto run = step.analysis.loneRuns.find(target);
    return run != step.analysis.loneRuns.end() && run->second &&
           !run->second->failure;
  });
  if (!areKnown)
    return false;
  auto hasRelation = [&](ResultRelation relation) {
    return llvm::any_of(step.contract.results, [&](const ResultClause &clause) {
      return clause.isAbout(index) && clause.relation == relation;
    });
  };
  if (hasRelation(ResultRelation::Same))
    return false;
  // The copy for a trial is in a module, so that there is room beside it.
  auto isBesideAll = [&](NodeId target) {
    auto isBeside = [](const LoneResult &one) { return one.isBeside; };
    return target == step.root &&
           llvm::any_of(step.analysis.loneRuns[target]->results[index],
                        isBeside);
  };
  if (llvm::any_of(targets.nodes, isBesideAll))
    return false;
  bool isReplaced = hasRelation(ResultRelation::Replaces);
  NodeList nodes;
  for (NodeId target : targets.nodes) {
    const auto &found = step.analysis.loneRuns[target]->results[index];
    doubtYields(step.payload, target);
    const Node old = step.payload[target];
    if (isReplaced)
      step.payload.edit(target).present = Certainty::No;
    Count count = old.count;
    if (!step.analysis.sureTargets.contains(target))
      count.lo = 0;
    for (const LoneResult &one : found) {
      if (!one.isBeside && isReplaced && old.exact) {
        // Below what the step has put in the place of the op.
        Node made = makeBeside(old, step.op, one.kind);
        made.space = one.space;
        made.count = count;
        made.present = Certainty::Yes;
        made.exact = false;
        nodes.push_back(step.payload.add(std::move(made)));
        step.payload.inheritContents(target, nodes.back());
        continue;
      }
      if (!one.isBeside) {
        if (isReplaced) {
          step.payload.hideTags();
          // Of an op that is not known, neither is what it holds.
          step.payload.touch(step.root, KindPattern("*"), {});
        }
        nodes.push_back(step.payload.addSomewhere(step.root, UpKind::AtOrInside,
                                                  one.kind, count, step.op));
        step.payload.edit(nodes.back()).space = one.space;
        continue;
      }
      bool takesPlace = isReplaced && found.size() == 1;
      Node made = makeBeside(old, step.op, one.kind);
      made.space = one.space;
      made.count = count;
      made.present = Certainty::Yes;
      made.exact = takesPlace && old.exact;
      nodes.push_back(step.payload.add(std::move(made)));
      if (takesPlace)
        step.payload.inheritContents(target, nodes.back());
    }
  }
  step.setResult(index, nodes, targets.ordered);
  return true;
}
