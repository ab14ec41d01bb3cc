//===- Loops.cpp - Models of steps on loops ---------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What unrolling, peeling and changing the kind of a loop leave of it and of
// what is in it. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#include "verifier/Interpreter.h"

#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/TransformOps/SCFTransformOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::engine;
using namespace formwork::normalforms;
using namespace formwork::verifier;

KindPatterns Interpreter::getKindsBelow(NodeId scope) const {
  const PayloadModel &payload = state.payload;
  if (!payload[scope].exact)
    return {"*"};
  KindSet kinds;
  for (auto [id, place] : payload.getBelow(scope)) {
    const Node &node = payload[id];
    bool isStatic =
        node.space && llvm::all_of(node.space->loops, [](const Extent &loop) {
          return loop.isStatic();
        });
    if (std::optional<OperationName> kind = node.kind; kind && isStatic)
      kinds.insert(KindPattern(StringAttr::get(
          kind->getContext(), kind->getStringRef() + "?static")));
    else if (kind || node.isUnlisted())
      kinds.insert(getPattern(node));
  }
  // What else has no kind stands for ops that others stand for, or that are
  // among these.
  (void)payload.mayHide(scope, [&](const KindSet &hidden) {
    kinds.insert(hidden.getPatterns());
    return false;
  });
  return KindPatterns(kinds.getPatterns());
}

void Interpreter::duplicateBelow(Operation *op, NodeId loop,
                                 const Contract &contract) {
  KindPatterns introduced = getKindsBelow(loop);
  state.payload.hideTags(loop);
  llvm::append_range(introduced, contract.payload->introduces);
  for (auto [id, place] : state.payload.getBelow(loop)) {
    state.payload.doubt(id);
    state.payload.edit(id).op = nullptr;
  }
  applyWriteOf(op, contract, introduced);
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
  return !loop.walk([&](Operation *inner) {
                bool depends =
                    llvm::any_of(inner->getOperands(), [&](Value bound) {
                      return !loop.isDefinedOutsideOfLoop(bound);
                    });
                auto nested = dyn_cast<scf::ForOp>(inner);
                bool isSimple =
                    inner->getNumRegions() == 0 || inner == loop ||
                    (nested && nested.getNumResults() == 0 && !depends);
                return isSimple ? WalkResult::advance()
                                : WalkResult::interrupt();
              })
              .wasInterrupted();
}

/// The same of a loop that tiling made, on buffers: the bounds of its nest are
/// constants in front of it, and what is tiled in it is copied as it is.
static bool isJammableNest(const PayloadModel &payload, NodeId loop,
                           int64_t factor) {
  const Node &node = payload[loop];
  auto isOfNest = [&](const Node &one) {
    return isKind<scf::ForOp>(one) && one.loop && !one.loop->hasResults &&
           one.origin == node.origin && one.createdAt == node.createdAt;
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
    return one.kind ? matchesKind(*one.kind, "scf.*") : one.isUnlisted();
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

void Interpreter::unrollModel(Operation *op, const Contract &contract) {
  auto jam = dyn_cast<transform::LoopUnrollAndJamOp>(op);
  NodeList loops(lookup(op->getOperand(0)).nodes);
  for (NodeId loop : loops) {
    auto given = dyn_cast_or_null<scf::ForOp>(state.payload[loop].op);
    bool mayRefuse =
        jam && !(given ? state.payload.isUntouched(loop) &&
                             isJammable(given, jam.getFactor())
                       : isJammableNest(state.payload, loop, jam.getFactor()));
    if (mayRefuse)
      unprove(op, "unrolls and jams a loop that may not allow for it");
    if (!jam && mayCountOpenBounds(state.payload, loop))
      unprove(op,
              "unrolls a loop of which the steps may be counted though its "
              "bounds are no constants, on which upstream ends the process");
    auto factor = static_cast<int64_t>(
        jam ? jam.getFactor() : cast<transform::LoopUnrollOp>(op).getFactor());
    const std::shared_ptr<const LoopFacts> &facts = state.payload[loop].loop;
    bool divides = facts && facts->trips.size() == 1 &&
                   facts->trips.front().size &&
                   *facts->trips.front().size % factor == 0;
    // The steps that are left are those of a loop of their own.
    bool isUnrolled = facts && facts->trips.size() == 1 &&
                      facts->trips.front().size &&
                      *facts->trips.front().size >= factor &&
                      isa<transform::LoopUnrollOp>(op);
    int64_t most = divides ? factor : factor + 1;
    growWorkgroupMemory(
        op, {isUnrolled ? most : 1, most},
        "once for each copy of a loop's body",
        [&](const WorkgroupBuffer &buffer) {
          const PayloadModel &payload = state.payload;
          const Node &alloc = payload[buffer.node];
          bool isInside =
              buffer.node != PayloadModel::universe && alloc.exact &&
              alloc.present == Certainty::Yes && payload[loop].exact &&
              payload[loop].present == Certainty::Yes &&
              payload.isAtOrBelow(buffer.node, loop) == Certainty::Yes;
          return isInside                      ? Certainty::Yes
                 : isBufferBelow(buffer, loop) ? Certainty::Maybe
                                               : Certainty::No;
        });
    if (!jam && unrollKnown(op, loop, factor, contract))
      continue;
    duplicateBelow(op, loop, contract);
    // What is left of the steps is another loop.
    applyWriteOf(op, contract, getPattern(state.payload[loop]));
    // A loop of which one step is left goes.
    state.payload.doubt(loop);
    state.payload.edit(loop).op = nullptr;
    state.payload.edit(loop).loop = nullptr;
  }
}

/// Whether nothing is known of `index` that an affine map would say.
static bool isOpaqueIndex(Value index) {
  return isa<BlockArgument>(index) ||
         isa<memref::DimOp, tensor::DimOp>(index.getDefiningOp());
}

void Interpreter::peelModel(Operation *op, const Contract &contract) {
  auto peel = cast<transform::LoopPeelOp>(op);
  PayloadModel &payload = state.payload;
  HandleState source = lookup(peel.getTarget());
  NodeList remainders;
  for (NodeId loop : source.nodes) {
    growWorkgroupMemory(op, {1, 2}, "once for each part of a loop",
                        [&](const WorkgroupBuffer &buffer) {
                          return isBufferBelow(buffer, loop) ? Certainty::Maybe
                                                             : Certainty::No;
                        });
    duplicateBelow(op, loop, contract);
    const Node old = payload[loop];
    // Only constant bounds tell whether the last step is a partial one.
    int64_t range = old.loop ? old.loop->range : 0,
            step = old.loop ? old.loop->step : 0;
    bool endsOpen = old.loop && old.loop->endsOpen;
    if (auto given = dyn_cast_or_null<scf::ForOp>(old.op)) {
      std::optional<int64_t> lower = getConstantIntValue(given.getLowerBound()),
                             upper = getConstantIntValue(given.getUpperBound()),
                             by = getConstantIntValue(given.getStep());
      range = lower && upper ? *upper - *lower : 0;
      step = by.value_or(0);
      endsOpen =
          lower && !upper && step > 1 && isOpaqueIndex(given.getUpperBound());
    }
    bool isKnown = range > 0 && step > 0;
    bool divides = isKnown && range % step == 0;
    bool isOpen = !isKnown && endsOpen && !peel.getPeelFront();
    if (isOpen)
      isKnown = true;
    else if (!isKnown)
      unprove(op, "peels a loop of which it is not known whether it has a "
                  "partial step");
    else if (peel.getPeelFront() ? range <= step : divides)
      report(op, "fw-nothing-to-peel",
             (peel.getPeelFront()
                  ? Twine("requires a loop of more than one step but its step ")
                  : Twine("requires a loop with a partial last step but its "
                          "step ")) +
                 Twine(step) +
                 (peel.getPeelFront() ? " covers its range "
                                      : " divides its range ") +
                 Twine(range),
             old.present == Certainty::Yes && old.count.lo > 0)
          .note(NoteKind::Established,
                source.origin ? source.origin->getLoc() : op->getLoc(),
                "handle " + nameOf(peel.getTarget()) + " is set here")
          .note(NoteKind::Evidence, op->getLoc(),
                peel.getPeelFront() ? "failed to peel the first iteration"
                                    : "failed to peel the last iteration");
    Node remainder = makeBeside(old, op);
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
  setResult(op, 0, source.nodes, source.ordered);
  setResult(op, 1, remainders, source.ordered);
}

void Interpreter::convertForallModel(Operation *op, const Contract &contract) {
  PayloadModel &payload = state.payload;
  HandleState source = lookup(op->getOperand(0));
  bool toFor = isa<transform::ForallToForOp>(op);
  SmallVector<NodeList> results(op->getNumResults());
  for (NodeId forall : source.nodes) {
    const Node old = payload[forall];
    if (!old.loop) {
      unprove(op, "converts a loop of which nothing is known");
    } else if (old.loop->hasResults) {
      report(op, "fw-not-bufferized",
             "requires a bufferized scf.forall but it yields tensors",
             old.present == Certainty::Yes && old.count.lo > 0)
          .note(NoteKind::Established,
                old.origin ? old.origin->getLoc() : op->getLoc(),
                "the scf.forall is made here")
          .note(NoteKind::Evidence, op->getLoc(),
                "unsupported shared outputs (didn't bufferize?)")
          .note(NoteKind::FixIt, op->getLoc(),
                "bufferize before this op: "
                "transform.bufferization.one_shot_bufferize");
    }
    size_t wanted = toFor ? (old.loop ? old.loop->trips.size() : 0) : 1;
    if ((old.loop || !toFor) && op->getNumResults() != wanted)
      report(op, "fw-cardinality",
             "requires " + Twine(wanted) +
                 (wanted == 1 ? " result" : " results") +
                 (toFor ? ", one per loop of the scf.forall," : "") +
                 " but has " + Twine(op->getNumResults()),
             old.present == Certainty::Yes && old.count.lo > 0,
             /*silenceable=*/false)
          .note(NoteKind::Evidence, op->getLoc(),
                toFor ? "op expects as many results as payload has induction "
                        "variables"
                      : "op expects one result");
    NodeId outermost = PayloadModel::universe;
    for (unsigned i = 0; i < op->getNumResults(); ++i) {
      Node loop = makeBeside(
          old, op,
          OperationName(toFor ? "scf.for" : "scf.parallel", op->getContext()));
      if (i > 0)
        loop.ups = {{results[i - 1].back(), UpKind::Inside}};
      loop.exact &= old.loop != nullptr;
      loop.live = true;
      // To an scf.parallel, the mapping goes along.
      if (toFor)
        loop.tags = DictionaryAttr::get(op->getContext());
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
    // What ends the body of a forall ends no other.
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
  applyWriteOf(op, contract, contract.payload->introduces);
  for (auto [i, nodes] : llvm::enumerate(results))
    setResult(op, i, nodes, source.ordered);
}

/// Whether more than one function of `payload` may be outlined from.
static bool hasSeveralFunctions(Operation *payload) {
  unsigned numFunctions = 0;
  payload->walk([&](FunctionOpInterface function) {
    numFunctions += !function.isExternal();
  });
  return numFunctions > 1;
}

void Interpreter::outlineModel(Operation *op, const Contract &contract) {
  auto outline = cast<transform::LoopOutlineOp>(op);
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
            op->getParentOp() != running.front()->getParentOp());
  };
  bool isTaken = !payloadRoot || payloadRoot
                                     ->walk([&](Operation *other) {
                                       return hasName(other)
                                                  ? WalkResult::interrupt()
                                                  : WalkResult::advance();
                                     })
                                     .wasInterrupted();
  bool isTakenLater = payloadRoot && hasSeveralFunctions(payloadRoot) &&
                      schedule.getModule()
                          ->walk([&](transform::LoopOutlineOp other) {
                            return mayRunAlso(other) ? WalkResult::interrupt()
                                                     : WalkResult::advance();
                          })
                          .wasInterrupted();
  if (isTaken || isTakenLater)
    unprove(op, "outlines to a name that another symbol may have, of which "
                "upstream does not always take notice");
  applyClauses(op, contract);
}
