//===- Loops.cpp - Models of steps on loops ---------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Unrolling, peeling and changing the kind of a loop: the effects on the loop
// and on its contents. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#include "engine/AnyBelow.h"
#include "verifier/clauses/Clauses.h"
#include "verifier/models/EffectRules.h"
#include "verifier/models/Models.h"
#include "verifier/models/loops/Unrolling.h"
#include "verifier/models/memory/WorkgroupMemory.h"
#include "verifier/step/Step.h"

#include "mlir/Dialect/Affine/Analysis/LoopAnalysis.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/TransformOps/SCFTransformOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace formwork::engine;
using namespace formwork::verifier;

/// Ops below `loop` may exist more than once, at any place around it.
static void duplicateBelow(const Step &step, NodeId loop) {
  KindPatterns introduced = getKindsBelow(step, loop);
  step.payload.hideTags(loop);
  llvm::append_range(introduced, step.contract.payload->introduces);
  for (auto [id, place] : step.payload.getBelow(loop)) {
    step.payload.doubt(id);
    step.payload.edit(id).op = nullptr;
  }
  applyWriteOf(step, introduced);
}

/// Whether upstream copies the steps of `loop` side by side, `factor` at a
/// time: it has no results, its steps are known to divide, and no loop in it
/// depends on its steps.
static bool isJammable(scf::ForOp loop, uint64_t factor) {
  std::optional<int64_t> lower = getConstantIntValue(loop.getLowerBound()),
                         upper = getConstantIntValue(loop.getUpperBound()),
                         step = getConstantIntValue(loop.getStep());
  if (loop.getNumResults() != 0 || !lower || !upper || !step || *step <= 0 ||
      *upper <= *lower)
    return false;
  uint64_t trips = llvm::divideCeil(*upper - *lower, *step);
  if (factor < trips && trips % factor != 0)
    return false;
  return !anyBelow(loop, [&](Operation *inner) {
    bool depends = llvm::any_of(inner->getOperands(), [&](Value bound) {
      return !loop.isDefinedOutsideOfLoop(bound);
    });
    auto nested = dyn_cast<scf::ForOp>(inner);
    bool isSimple = inner->getNumRegions() == 0 || inner == loop ||
                    (nested && nested.getNumResults() == 0 && !depends);
    return !isSimple;
  });
}

/// The same of a loop that tiling made, on buffers: the bounds of its nest are
/// constants in front of it, and what is tiled in it is copied as it is.
static bool isJammableNest(const PayloadModel &payload, NodeId loop,
                           int64_t factor) {
  const Node &node = payload[loop];
  auto isOfNest = [&](const Node &one) {
    return isKind<scf::ForOp>(one) && one.loop && !one.loop->hasResults &&
           !one.loop->mayCarryVectors && one.origin == node.origin &&
           one.createdAt == node.createdAt;
  };
  bool isKnown = isa_and_nonnull<transform::TileUsingForOp>(node.origin) &&
                 isOfNest(node) && node.loop->range > 0 &&
                 node.loop->step > 0 && !payload.mayHaveMerged(node.createdAt);
  if (!isKnown)
    return false;
  int64_t trips = llvm::divideCeil(node.loop->range, node.loop->step);
  if (factor < trips && trips % factor != 0)
    return false;
  auto mayLoop = [](const Node &one) {
    return one.kind ? KindPattern("scf.*").matches(*one.kind)
                    : one.isUnlisted();
  };
  return llvm::all_of(payload.getBelow(loop, mayLoop),
                      [&](const auto &entry) {
                        return isOfNest(payload[entry.first]);
                      }) &&
         !payload.mayHide(loop, [](const KindSet &hidden) {
           return hidden.contains(scf::ForOp::getOperationName());
         });
}

/// Whether there may be a number of steps that is known although the bounds are
/// not: from a value to itself, say.
static bool mayCountOpenBounds(const PayloadModel &payload, NodeId loop) {
  const Node &node = payload[loop];
  if (node.kind && !isKind<scf::ForOp>(node))
    return false;
  bool isCounted = node.loop && node.loop->trips.size() == 1 &&
                   node.loop->trips.front().size;
  if (isCounted)
    return false;
  // A tiling makes loops that run from a constant, and in constant steps where
  // no handle gives it sizes; other steps take the bounds that there were.
  if (node.fresh) {
    bool isTiling =
        isa_and_nonnull<transform::ConvertToLoopsOp, transform::FuseOp,
                        transform::TileReductionUsingForOp,
                        transform::TileUsingForOp>(node.origin);
    return !isTiling || (node.origin->getNumOperands() != 1 &&
                         payload.mayHaveMerged(node.createdAt));
  }
  auto given = dyn_cast_or_null<scf::ForOp>(node.op ? node.op : node.body);
  if (!given)
    return true;
  SmallVector<Value, 3> bounds = {given.getLowerBound(), given.getUpperBound(),
                                  given.getStep()};
  auto isConstant = [](Value value) {
    return getConstantIntValue(value).has_value();
  };
  // Two values of ops may be one later.
  bool stay = llvm::all_of(bounds, [&](Value value) {
    return node.op || isa<BlockArgument>(value) || isConstant(value);
  });
  return !stay ||
         (given.getStaticTripCount() && !llvm::all_of(bounds, isConstant));
}

/// Whether `node` may be an affine.for of fewer steps than `factor`, which
/// upstream does not unroll.
static bool mayHaveFewerSteps(const Node &node, int64_t factor) {
  if (node.kind && !isKind<affine::AffineForOp>(node))
    return false;
  auto given = dyn_cast_or_null<affine::AffineForOp>(node.op);
  if (!given)
    return true;
  std::optional<uint64_t> trips = affine::getConstantTripCount(given);
  return trips && *trips < static_cast<uint64_t>(factor);
}

static void propagateUnroll(const Step &step) {
  auto jam = dyn_cast<transform::LoopUnrollAndJamOp>(step.op);
  NodeList loops(step.lookup(step.op->getOperand(0)).nodes);
  for (NodeId loop : loops) {
    auto given = dyn_cast_or_null<scf::ForOp>(step.payload[loop].op);
    bool mayRefuse =
        jam && !(given ? step.payload.isUntouched(loop) &&
                             isJammable(given, jam.getFactor())
                       : isJammableNest(step.payload, loop, jam.getFactor()));
    if (mayRefuse)
      step.unprove("unrolls and jams a loop that may not allow for it");
    if (!jam && mayCountOpenBounds(step.payload, loop))
      step.unprove("unrolls a loop whose trip count may be known although its "
                   "bounds are not constants, on which MLIR crashes");
    auto factor = static_cast<int64_t>(
        jam ? jam.getFactor()
            : cast<transform::LoopUnrollOp>(step.op).getFactor());
    if (!jam && mayHaveFewerSteps(step.payload[loop], factor))
      step.unprove("unrolls an affine.for by more than the steps that it has");
    const std::shared_ptr<const LoopFacts> &facts = step.payload[loop].loop;
    bool divides = facts && facts->trips.size() == 1 &&
                   facts->trips.front().size &&
                   *facts->trips.front().size % factor == 0;
    // The steps that are left are those of a loop of their own.
    bool isUnrolled = facts && facts->trips.size() == 1 &&
                      facts->trips.front().size &&
                      *facts->trips.front().size >= factor &&
                      isa<transform::LoopUnrollOp>(step.op);
    int64_t most = divides || factor == Count::unbounded ? factor : factor + 1;
    growWorkgroupMemory(
        step, {isUnrolled ? most : 1, most},
        "once for each copy of a loop's body",
        [&](const WorkgroupBuffer &buffer) {
          const PayloadModel &payload = step.payload;
          const Node &alloc = payload[buffer.node];
          bool isInside =
              buffer.node != PayloadModel::universe && alloc.exact &&
              alloc.present == Certainty::Yes && payload[loop].exact &&
              payload[loop].present == Certainty::Yes &&
              payload.isAtOrBelow(buffer.node, loop) == Certainty::Yes;
          return isInside                            ? Certainty::Yes
                 : isBufferBelow(step, buffer, loop) ? Certainty::Maybe
                                                     : Certainty::No;
        });
    if (!jam && unrollKnown(step, loop, factor))
      continue;
    duplicateBelow(step, loop);
    // The rest of the iterations is another loop.
    applyWriteOf(step, getPattern(step.payload[loop]));
    // A loop of which one step is left goes.
    step.payload.doubt(loop);
    step.payload.edit(loop).op = nullptr;
    step.payload.edit(loop).loop = nullptr;
  }
}

/// Whether nothing is known of `index` that an affine map would say.
static bool isOpaqueIndex(Value index) {
  return isa<BlockArgument>(index) ||
         isa<memref::DimOp, tensor::DimOp>(index.getDefiningOp());
}

static void propagatePeel(const Step &step) {
  auto peel = cast<transform::LoopPeelOp>(step.op);
  PayloadModel &payload = step.payload;
  HandleState source = step.lookup(peel.getTarget());
  NodeList remainders;
  for (NodeId loop : source.nodes) {
    growWorkgroupMemory(step, {1, 2}, "once for each part of a loop",
                        [&](const WorkgroupBuffer &buffer) {
                          return isBufferBelow(step, buffer, loop)
                                     ? Certainty::Maybe
                                     : Certainty::No;
                        });
    duplicateBelow(step, loop);
    const Node old = payload[loop];
    // Only constant bounds tell whether the last step is a partial one.
    int64_t range = old.loop ? old.loop->range : 0,
            stride = old.loop ? old.loop->step : 0;
    bool endsOpen = old.loop && old.loop->endsOpen;
    if (auto given = dyn_cast_or_null<scf::ForOp>(old.op)) {
      std::optional<int64_t> lower = getConstantIntValue(given.getLowerBound()),
                             upper = getConstantIntValue(given.getUpperBound()),
                             by = getConstantIntValue(given.getStep());
      range = lower && upper ? *upper - *lower : 0;
      stride = by.value_or(0);
      endsOpen =
          lower && !upper && stride > 1 && isOpaqueIndex(given.getUpperBound());
    }
    bool isKnown = range > 0 && stride > 0;
    bool divides = isKnown && range % stride == 0;
    bool isOpen = !isKnown && endsOpen && !peel.getPeelFront();
    if (isOpen)
      isKnown = true;
    else if (!isKnown)
      step.unprove("peels a loop that may have no partial iteration");
    else if (peel.getPeelFront() ? range <= stride : divides)
      step.reportOf(peel.getTarget(), "fw-nothing-to-peel",
                    (peel.getPeelFront()
                         ? Twine("requires a loop of more than one iteration "
                                 "but its step ")
                         : Twine("requires a loop with a partial last "
                                 "iteration but its step ")) +
                        Twine(stride) +
                        (peel.getPeelFront() ? " covers its range "
                                             : " divides its range ") +
                        Twine(range),
                    old.isSurelyThere())
          .note(NoteKind::Evidence, step.op->getLoc(),
                peel.getPeelFront() ? "failed to peel the first iteration"
                                    : "failed to peel the last iteration");
    Node remainder = makeBeside(old, step.op);
    remainder.exact &= isKnown;
    if (!isKnown)
      remainder.count.lo = 0;
    NodeId made = payload.add(std::move(remainder));
    static const KindPatterns any = {"*"};
    payload.touch(made, any, {});
    remainders.push_back(made);
    payload.edit(loop).op = nullptr;
    payload.edit(loop).loop = nullptr;
  }
  step.setResult(0, source.nodes, source.ordered);
  step.setResult(1, remainders, source.ordered);
}

static void propagateConvertedForall(const Step &step) {
  PayloadModel &payload = step.payload;
  HandleState source = step.lookup(step.op->getOperand(0));
  bool toFor = isa<transform::ForallToForOp>(step.op);
  SmallVector<NodeList> results(step.op->getNumResults());
  for (NodeId forall : source.nodes) {
    const Node old = payload[forall];
    if (!old.loop) {
      step.unprove("converts a loop that is not known");
    } else if (old.loop->hasResults) {
      step.report("fw-not-bufferized",
                  "requires a bufferized scf.forall but it yields tensors",
                  old.isSurelyThere())
          .note(NoteKind::Established, step.locOf(old),
                "the scf.forall is made here")
          .note(NoteKind::Evidence, step.op->getLoc(),
                "unsupported shared outputs (didn't bufferize?)")
          .note(NoteKind::FixIt, step.op->getLoc(),
                "bufferize before this op: "
                "transform.bufferization.one_shot_bufferize");
    }
    size_t wanted = toFor ? (old.loop ? old.loop->trips.size() : 0) : 1;
    if ((old.loop || !toFor) && step.op->getNumResults() != wanted)
      step.report("fw-cardinality",
                  "requires " + Twine(wanted) +
                      (wanted == 1 ? " result" : " results") +
                      (toFor ? ", one per loop of the scf.forall," : "") +
                      " but has " + Twine(step.op->getNumResults()),
                  old.isSurelyThere())
          .note(NoteKind::Evidence, step.op->getLoc(),
                toFor ? "op expects as many results as payload has induction "
                        "variables"
                      : "op expects one result");
    NodeId outermost = PayloadModel::universe;
    for (unsigned i = 0; i < step.op->getNumResults(); ++i) {
      Node loop = makeBeside(old, step.op,
                             OperationName(toFor ? "scf.for" : "scf.parallel",
                                           step.op->getContext()));
      if (i > 0)
        loop.ups = {{results[i - 1].back(), UpKind::Inside}};
      loop.exact &= old.loop != nullptr;
      loop.live = true;
      // To an scf.parallel, the mapping goes along.
      if (toFor)
        loop.tags = DictionaryAttr::get(step.op->getContext());
      if (toFor && old.loop && i < old.loop->trips.size()) {
        auto facts = std::make_shared<LoopFacts>();
        // A forall of which the trip count is not read off may still have one.
        Extent trips = old.loop->trips[i];
        trips.reason.definite = false;
        facts->trips.push_back(trips);
        loop.loop = std::move(facts);
      }
      results[i].push_back(payload.add(std::move(loop)));
      outermost = results[i].back();
    }
    // The terminator of a forall is not the one of another op.
    for (auto [id, place] : payload.getBelow(forall)) {
      const Node &end = payload[id];
      if (!end.kind ||
          end.kind->getStringRef() != scf::InParallelOp::getOperationName())
        continue;
      bool isOwn = end.ups.size() == 1 && end.ups.front().node == forall;
      payload.doubt(id);
      payload.edit(id).op = nullptr;
      if (isOwn)
        payload.edit(id).present = Certainty::No;
    }
    if (outermost != PayloadModel::universe)
      payload.reparent(forall, outermost);
    payload.edit(forall).present = Certainty::No;
    payload.edit(forall).op = nullptr;
  }
  applyWriteOf(step, step.contract.payload->introduces);
  for (auto [i, nodes] : llvm::enumerate(results))
    step.setResult(i, nodes, source.ordered);
}

/// Whether more than one function of `payload` may be outlined from.
static bool hasSeveralFunctions(Operation *payload) {
  unsigned numFunctions = 0;
  payload->walk([&](FunctionOpInterface function) {
    numFunctions += !function.isExternal();
  });
  return numFunctions > 1;
}

static void propagateOutline(const Step &step) {
  auto outline = cast<transform::LoopOutlineOp>(step.op);
  // Upstream puts the function in front of that of the loop, and gives it
  // another name where one in front of it has that name already, but not where
  // one behind it has.
  auto hasName = [&](Operation *other) {
    auto symbol = dyn_cast<SymbolOpInterface>(other);
    return symbol && symbol.getNameAttr() == outline.getFuncNameAttr();
  };
  auto mayRunAlso = [&](transform::LoopOutlineOp other) {
    return other.getFuncNameAttr() == outline.getFuncNameAttr() &&
           (other != outline ||
            step.op->getParentOp() !=
                step.analysis.running.front()->getParentOp());
  };
  bool isTaken = !step.analysis.payloadRoot ||
                 anyBelow(step.analysis.payloadRoot, hasName);
  // A loop in a function that a step made may stand behind the next one.
  auto isInGiven = [&](NodeId loop) {
    std::optional<NodeId> around = step.payload.getAncestor(
        loop, /*proper=*/true, {"func.func", "gpu.func"});
    return around && step.payload[*around].op;
  };
  bool areInOne =
      step.analysis.payloadRoot &&
      !hasSeveralFunctions(step.analysis.payloadRoot) &&
      llvm::all_of(step.lookup(outline.getTarget()).nodes, isInGiven);
  bool isTakenLater =
      !areInOne && step.analysis.schedule.anyReached(mayRunAlso);
  if (isTaken || isTakenLater)
    step.unprove("outlines to a name that another symbol may have, which MLIR "
                 "does not always notice");
  applyClauses(step);
}

/// A loop whose body is its terminator alone is not unrolled.
static std::optional<std::string> explainEmptyLoop(Operation *target) {
  bool isEmpty = isa<LoopLikeOpInterface>(target) &&
                 target->getNumRegions() == 1 &&
                 target->getRegion(0).hasOneBlock() &&
                 llvm::hasSingleElement(target->getRegion(0).front());
  return isEmpty ? std::optional<std::string>("the loop is empty")
                 : std::nullopt;
}

/// Only a loop of one iteration is replaced by its body, by unrolling by 1 as
/// by promotion.
static bool hasIterations(Operation *step, const Node &target) {
  auto unroll = dyn_cast<transform::LoopUnrollOp>(step);
  return (!unroll || unroll.getFactor() == 1) && target.loop &&
         llvm::any_of(target.loop->trips, [](const Extent &trip) {
           return trip.size && *trip.size > 1;
         });
}

void formwork::verifier::addLoopsEffects(EffectRegistry &effects) {
  effects.add<transform::LoopUnrollOp>(
      {.explainIdle = explainEmptyLoop, .isSkipped = hasIterations});
  effects.add<transform::LoopPromoteIfOneIterationOp>(
      {.isSkipped = hasIterations});
}

void formwork::verifier::registerLoopsModels(ModelRegistry &models) {
  models.add("unroll", propagateUnroll, decides{"fw-workgroup-memory"});
  models.add("unroll-and-jam", propagateUnroll, decides{"fw-workgroup-memory"},
             leavesOpen{"unrolls and jams a loop that may not allow for it"});
  models.add("peel", propagatePeel,
             decides{"fw-nothing-to-peel", "fw-workgroup-memory"});
  models.add("convert-forall", propagateConvertedForall,
             decides{"fw-cardinality", "fw-not-bufferized"});
  models.add("outline", propagateOutline);
}
