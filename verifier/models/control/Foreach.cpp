//===- Foreach.cpp - Model of loops over payload ----------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How the body of `transform.foreach` runs over the payload of handles
// (DESIGN §5). Layer: verifier.
//
//===----------------------------------------------------------------------===//

#include "verifier/clauses/Yields.h"
#include "verifier/models/Models.h"
#include "verifier/state/CleanUp.h"
#include "verifier/step/Step.h"
#include "verifier/step/Walker.h"

#include "mlir/Dialect/Transform/IR/TransformOps.h"

using namespace mlir;
using namespace formwork::normalforms;
using namespace formwork::verifier;

/// Whether entry i of `handle` is node i, or value i.
static bool isListed(const HandleState &handle, const PayloadModel &payload) {
  if (handle.kind == HandleState::Params)
    return !handle.params.empty();
  return llvm::all_of(handle.nodes, [&](NodeId node) {
    return payload[node].count.isExactly(1) &&
           payload[node].present == Certainty::Yes;
  });
}

/// Whether a step of `body` does more than to mark payload and to look at it.
static bool changesPayload(const Step &step, Block &body) {
  StepEffects &effects = step.effects;
  return body
      .walk([&](Operation *op) {
        if (!isa<transform::TransformOpInterface>(op) ||
            step.contracts.has(op, SideEffect::WritesOnlyDiscardableAttributes))
          return WalkResult::advance();
        bool isHarmless = op->getNumRegions() == 0 &&
                          !isa<transform::IncludeOp>(op) &&
                          !effects.modifiesPayload(op) &&
                          llvm::none_of(op->getOperands(), [&](Value operand) {
                            return effects.consumes(op, operand);
                          });
        return isHarmless ? WalkResult::advance() : WalkResult::interrupt();
      })
      .wasInterrupted();
}

/// Whether no step of `body`, which does not change payload, tells what earlier
/// iterations marked: all of them find the same.
static bool looksAtNoMarks(const Step &step, Block &body) {
  return llvm::all_of(body, [&](Operation &op) {
    return step.contracts.has(&op, SideEffect::ReadsNoDiscardableAttribute);
  });
}

static void propagateForeach(const Step &step, Walker &walk) {
  auto foreach = cast<transform::ForeachOp>(step.op);
  Block &body = foreach.getBody().front();
  // The lists are taken when the loop begins.
  Yields sources;
  for (Value target : foreach.getTargets())
    sources.push_back(step.lookup(target));
  Count trips = sources.front().countEntries(step.payload);
  bool zips = foreach.getWithZipShortest();
  for (auto [i, source] : llvm::enumerate(sources)) {
    Count count = source.countEntries(step.payload);
    if (zips) {
      trips = {std::min(trips.lo, count.lo), std::min(trips.hi, count.hi)};
      continue;
    }
    if (count.lo > trips.hi || count.hi < trips.lo)
      step.reportOf(
          foreach.getTargets()[i], "fw-cardinality",
          "requires handles with as many payload entries each but " +
              step.nameOf(foreach.getTargets()[i]) + " has " +
              (count.isExact() ? Twine(count.lo) : Twine("another number")) +
              " where " + step.nameOf(foreach.getTargets().front()) + " has " +
              (trips.isExact() ? Twine(trips.lo) : Twine("more or less")));
    else if (!(count.isExact() && trips.isExact()) &&
             source.nodes != sources.front().nodes)
      step.unprove(
          "zips handles whose numbers of payload entries are not known "
          "to be the same");
    trips = {std::max(trips.lo, count.lo), std::min(trips.hi, count.hi)};
    trips.lo = std::min(trips.lo, trips.hi);
  }
  bool listed = trips.isExact() && trips.hi <= 64 &&
                llvm::all_of(sources, [&](const HandleState &source) {
                  return isListed(source, step.payload);
                });
  bool ordered = llvm::all_of(
      sources, [](const HandleState &source) { return source.ordered; });
  // Which op an iteration is about decides what it finds of the earlier ones.
  bool isMixed = !ordered && llvm::any_of(sources, [&](const auto &source) {
    return source.countEntries(step.payload).hi > 1;
  });
  listed &= !isMixed || !changesPayload(step, body);
  // If there are several lists, their order and their lengths decide which ops
  // are visited, and in which combinations.
  bool isShuffled = listed && isMixed && sources.size() > 1;
  listed &= !isShuffled;
  consumeOperands(step);
  Time entered = step.payload.time();
  if (trips.hi == 0) {
    for (unsigned i = 0; i < step.op->getNumResults(); ++i)
      step.setResult(i, {});
    return;
  }
  if (walk.isExhausted())
    return summarize(step);
  if (isShuffled)
    step.unprove("zips handles whose order is not known");
  else if (!listed && !looksAtNoMarks(step, body))
    step.unprove("iterates over a number of payload ops that is not known");

  // Replacing or erasing an op of the list does not change the list.
  auto isStale = [&](Value target, const HandleState &source, int64_t round) {
    if (source.kind == HandleState::Params)
      return false;
    NodeId id = source.nodes[round];
    const Node &node = step.payload[id];
    const HandleState &now = step.lookup(target);
    bool isFollowed =
        !now.consumedBy &&
        (now.nodes.size() != source.nodes.size() || now.nodes[round] != id);
    if (step.payload.getInvalidation(id, entered + 1).certainty ==
        Certainty::Yes)
      return false;
    return isFollowed || node.present != Certainty::Yes ||
           step.payload.mayHaveReplacedByCopies(entered) ||
           (step.payload.mayHaveMerged(entered) && mayBeCast(node));
  };

  SmallVector<Yields> yields;
  auto visit = [&](int64_t round, bool standsForMore) {
    bool goesOn = listed && round > 0;
    if (goesOn && llvm::any_of(llvm::zip(foreach.getTargets(), sources),
                               [&](const auto &pair) {
                                 return isStale(std::get<0>(pair),
                                                std::get<1>(pair), round);
                               }))
      step.unprove("goes on with an op that an iteration before may have "
                   "replaced or erased");
    step.payload.tick();
    for (auto [argument, source] :
         llvm::zip_first(body.getArguments(), sources)) {
      HandleState entry = source;
      entry.nodes.clear();
      entry.params.clear();
      if (source.kind == HandleState::Params) {
        entry.params.push_back(listed ? source.params[round] : ParamValue());
      } else if (listed) {
        entry.nodes.push_back(source.nodes[round]);
      } else {
        bool isOne = source.nodes.size() == 1;
        std::optional<OperationName> kind =
            step.payload[source.nodes.front()].kind;
        for (NodeId node : source.nodes)
          if (step.payload[node].kind != kind)
            kind = std::nullopt;
        entry.nodes.push_back(step.payload.addSomewhere(
            isOne ? source.nodes.front() : step.root,
            isOne ? UpKind::Element : UpKind::AtOrInside, kind,
            Count::exactly(1), step.op));
      }
      // The list was taken when the loop began: what an earlier iteration
      // consumed of it is dead here.
      HandleState &bound = bindFrom(step, argument, step.op, entry);
      bound.since = entered + 1;
      bound.unaskedUntil = step.payload.time() + 1;
    }
    // Without an order, no observer can tell one iteration from the other.
    if (listed && isMixed)
      walk.visitBlock(body);
    else
      walk.visitRegion(body, {step.op, /*region=*/0, round,
                              standsForMore ? RegionVisit::anyLater : round});
    yields.push_back(walk.getYields());
  };

  if (listed) {
    // An exact list is walked entry by entry, as MLIR's interpreter does.
    for (int64_t round = 0; round < trips.hi; ++round)
      visit(round, /*standsForMore=*/false);
    for (unsigned i = 0; i < step.op->getNumResults(); ++i) {
      HandleState all = yields.front()[i];
      all.nodes.clear();
      all.params.clear();
      bool areKnown = true;
      for (Yields &round : yields) {
        HandleState &one = round[i];
        // An op that a later iteration consumed is dead; one that was consumed
        // before this entry was set is not.
        HandleInvalidation dead = step.state.getInvalidation(one);
        if (dead.certainty != Certainty::No && !all.consumedBy) {
          all.consumedBy = dead.by;
          all.consumedForSure = false;
        }
        llvm::append_range(all.nodes, one.nodes);
        llvm::append_range(all.params, one.params);
        all.ordered &= one.ordered;
        areKnown &= !one.params.empty();
      }
      if (!areKnown)
        all.params.clear();
      all.since = step.payload.time() + 1;
      all.ordered &= ordered;
      setYield(step, i, all);
    }
    return;
  }

  // For any other list, one entry stands for all. It is visited twice, so that
  // the second visit sees the state after an iteration.
  auto later = [&] {
    NodeId first = step.payload.size();
    visit(1, /*standsForMore=*/true);
    step.payload.repeat(first);
  };
  auto all = [&] {
    visit(0, /*standsForMore=*/false);
    if (trips.lo >= 2)
      later();
    else if (trips.hi >= 2)
      walk.visitOptional(step.op, later);
  };
  if (trips.lo >= 1)
    all();
  else
    walk.visitOptional(step.op, all);
  for (unsigned i = 0; i < step.op->getNumResults(); ++i) {
    SmallVector<const HandleState *> rounds;
    for (const Yields &round : yields)
      rounds.push_back(&round[i]);
    HandleState joined = joinYields(step, rounds);
    std::optional<OperationName> kind;
    if (joined.nodes.size() == 1)
      kind = step.payload[joined.nodes.front()].kind;
    bool isOnce = trips.lo >= 1 && trips.hi == 1;
    if (isOnce || joined.kind == HandleState::Params) {
      joined.params.clear();
      setYield(step, i, joined);
      continue;
    }
    Count each = joined.count(step.payload);
    step.setResult(i,
                   step.payload.addSomewhere(
                       step.root, UpKind::AtOrInside, kind,
                       {trips.lo >= 1 ? each.lo : 0, Count::unbounded},
                       step.op),
                   /*ordered=*/false);
  }
}

void formwork::verifier::registerForeachModels(ModelRegistry &models) {
  models.add("foreach", propagateForeach, decides{"fw-cardinality"});
}
