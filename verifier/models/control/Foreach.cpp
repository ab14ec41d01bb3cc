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
static bool hasExactEntries(const HandleState &handle,
                            const PayloadModel &payload) {
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

namespace {
/// One `transform.foreach`: its lists, and what its iterations yield.
class ForeachModel {
public:
  ForeachModel(const Step &step, Walker &walk)
      : step(step), walk(walk), foreach (cast<transform::ForeachOp>(step.op)),
        body(foreach.getBody().front()) {}

  void propagate();

private:
  /// Sets how often the body runs. Errors: fw-cardinality.
  void countTrips();
  /// Sets how the iterations are to be visited.
  void classify();
  /// Visits the body as iteration `round`, or as each one from there on.
  void visit(int64_t round, bool standsForMore);
  /// Whether an earlier iteration may have replaced or erased what iteration
  /// `round` has of the list of `target`.
  bool isStale(Value target, const HandleState &source, int64_t round) const;
  /// The entry of list `number` in iteration `round`, of which the entries of
  /// the lists before are `entries`.
  HandleState getEntry(unsigned number, int64_t round,
                       ArrayRef<HandleState> entries);
  /// Visits the entries one by one, as MLIR's interpreter does, and sets the
  /// results.
  void visitList();
  /// Visits one entry in place of all, and sets the results.
  void visitAny();
  /// The yields of all visits for result `index`, one behind the other.
  HandleState concatenate(unsigned index);
  void setAnyResult(unsigned index);

  const Step &step;
  Walker &walk;
  transform::ForeachOp foreach;
  Block &body;
  /// The contents of each target when the loop began.
  Yields sources;
  Count trips = Count::exactly(0);
  /// Whether the entries are visited one by one.
  bool isListed = false;
  /// Whether all lists have a known order.
  bool isOrdered = false;
  /// Whether an iteration may be about any of several entries.
  bool isMixed = false;
  Time entered = 0;
  /// Of each visit.
  SmallVector<Yields> yields;
};
} // namespace

void ForeachModel::countTrips() {
  trips = sources.front().countEntries(step.payload);
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
          "requires handles with the same number of payload entries but " +
              step.nameOf(foreach.getTargets()[i]) + " has " +
              (count.isExact() ? Twine(count.lo) : Twine("another number")) +
              " and " + step.nameOf(foreach.getTargets().front()) + " has " +
              (trips.isExact() ? Twine(trips.lo) : Twine("more or fewer")));
    else if (!(count.isExact() && trips.isExact()) &&
             source.nodes != sources.front().nodes)
      step.unprove(
          "zips handles whose numbers of payload entries are not known "
          "to be the same");
    trips = {std::max(trips.lo, count.lo), std::min(trips.hi, count.hi)};
    trips.lo = std::min(trips.lo, trips.hi);
  }
}

void ForeachModel::classify() {
  isOrdered = llvm::all_of(
      sources, [](const HandleState &source) { return source.ordered; });
  // Which op an iteration is about decides what it finds of the earlier ones.
  isMixed = !isOrdered && llvm::any_of(sources, [&](const auto &source) {
    return source.countEntries(step.payload).hi > 1;
  });
  isListed = trips.isExact() && trips.hi <= 64 &&
             llvm::all_of(sources,
                          [&](const HandleState &source) {
                            return hasExactEntries(source, step.payload);
                          }) &&
             (!isMixed || !changesPayload(step, body));
}

bool ForeachModel::isStale(Value target, const HandleState &source,
                           int64_t round) const {
  // Replacing or erasing an op of the list does not change the list.
  if (source.kind == HandleState::Params)
    return false;
  NodeId id = source.nodes[round];
  const Node &node = step.payload[id];
  const HandleState &now = step.lookup(target);
  bool isFollowed =
      !now.consumedBy &&
      (now.nodes.size() != source.nodes.size() || now.nodes[round] != id);
  if (step.payload.getInvalidation(id, entered + 1).certainty == Certainty::Yes)
    return false;
  return isFollowed || node.present != Certainty::Yes ||
         step.payload.mayHaveReplacedByCopies(entered) ||
         (step.payload.mayHaveMerged(entered) && mayBeCast(node));
}

HandleState ForeachModel::getEntry(unsigned number, int64_t round,
                                   ArrayRef<HandleState> entries) {
  ValueRange targets = foreach.getTargets();
  const HandleState &source = sources[number];
  // One list that is given twice has the same entry twice.
  for (unsigned before = 0; before < number; ++before)
    if (targets[before] == targets[number])
      return entries[before];
  HandleState entry = source;
  entry.nodes.clear();
  entry.params.clear();
  if (source.kind == HandleState::Params) {
    entry.params.push_back(isListed ? source.params[round] : ParamValue());
    return entry;
  }
  if (isListed) {
    entry.nodes.push_back(source.nodes[round]);
    return entry;
  }
  if (source.nodes.size() == 1) {
    // Another handle to the same ops may have them in another order.
    bool isFirst = llvm::none_of(
        ArrayRef(sources).take_front(number),
        [&](const HandleState &other) { return other.nodes == source.nodes; });
    entry.nodes.push_back(step.payload.addElement(source.nodes.front(),
                                                  Count::exactly(1), step.op,
                                                  isFirst ? entered : 0));
    return entry;
  }
  std::optional<OperationName> kind = step.payload[source.nodes.front()].kind;
  for (NodeId node : source.nodes)
    if (step.payload[node].kind != kind)
      kind = std::nullopt;
  entry.nodes.push_back(step.payload.addSomewhere(
      step.root, UpKind::AtOrInside, kind, Count::exactly(1), step.op));
  return entry;
}

void ForeachModel::visit(int64_t round, bool standsForMore) {
  if (isListed && round > 0 &&
      llvm::any_of(
          llvm::zip(foreach.getTargets(), sources), [&](const auto &pair) {
            return isStale(std::get<0>(pair), std::get<1>(pair), round);
          }))
    step.unprove("may use an op that an earlier iteration replaced or erased");
  step.payload.tick();
  SmallVector<HandleState, 2> entries;
  for (auto [number, argument] :
       llvm::enumerate(body.getArguments().take_front(sources.size()))) {
    entries.push_back(getEntry(number, round, entries));
    // The list was taken when the loop began: what an earlier iteration
    // consumed of it is dead here.
    HandleState &bound = bindFrom(step, argument, step.op, entries.back());
    bound.since = entered + 1;
    bound.unaskedUntil = step.payload.time() + 1;
  }
  // Without an order, no observer can tell one iteration from the other.
  if (isListed && isMixed)
    walk.visitBlock(body);
  else
    walk.visitRegion(body, {step.op, /*region=*/0, round,
                            standsForMore ? RegionVisit::anyLater : round});
  yields.push_back(walk.getYields());
}

HandleState ForeachModel::concatenate(unsigned index) {
  HandleState all = yields.front()[index];
  all.nodes.clear();
  all.params.clear();
  bool areKnown = true;
  for (Yields &round : yields) {
    HandleState &one = round[index];
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
  all.ordered &= isOrdered;
  return all;
}

void ForeachModel::visitList() {
  for (int64_t round = 0; round < trips.hi; ++round)
    visit(round, /*standsForMore=*/false);
  for (unsigned i = 0; i < step.op->getNumResults(); ++i)
    setYield(step, i, concatenate(i));
}

void ForeachModel::visitAny() {
  // The entry is visited twice, so that the second visit sees the state after
  // an iteration.
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
  for (unsigned i = 0; i < step.op->getNumResults(); ++i)
    setAnyResult(i);
}

void ForeachModel::setAnyResult(unsigned index) {
  SmallVector<const HandleState *> rounds;
  for (const Yields &round : yields)
    rounds.push_back(&round[index]);
  HandleState joined = joinYields(step, rounds);
  bool isOnce = trips.lo >= 1 && trips.hi == 1;
  if (isOnce || joined.kind == HandleState::Params) {
    joined.params.clear();
    setYield(step, index, joined);
    return;
  }
  std::optional<OperationName> kind;
  if (joined.nodes.size() == 1)
    kind = step.payload[joined.nodes.front()].kind;
  Count each = joined.count(step.payload);
  step.setResult(index,
                 step.payload.addSomewhere(
                     step.root, UpKind::AtOrInside, kind,
                     {trips.lo >= 1 ? each.lo : 0, Count::unbounded}, step.op),
                 /*ordered=*/false);
}

void ForeachModel::propagate() {
  for (Value target : foreach.getTargets())
    sources.push_back(step.lookup(target));
  countTrips();
  classify();
  // If there are several lists, their order and their lengths decide which ops
  // are visited, and in which combinations.
  bool isShuffled = isListed && isMixed && sources.size() > 1;
  isListed &= !isShuffled;
  consumeOperands(step);
  entered = step.payload.time();
  if (trips.hi == 0)
    return step.setEmpty();
  if (walk.isExhausted())
    return summarize(step);
  if (isShuffled)
    step.unprove("zips handles whose order is not known");
  else if (!isListed && !looksAtNoMarks(step, body))
    step.unprove("iterates over a number of payload ops that is not known");
  if (isListed)
    visitList();
  else
    visitAny();
}

static void propagateForeach(const Step &step, Walker &walk) {
  ForeachModel(step, walk).propagate();
}

void formwork::verifier::registerForeachModels(ModelRegistry &models) {
  models.add("foreach", propagateForeach, decides{"fw-cardinality"});
}
