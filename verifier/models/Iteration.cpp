//===- Iteration.cpp - Models of loops over payload -------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How bodies and actions run over the payload of handles, and over what
// matchers accept (DESIGN §5). Layer: verifier.
//
//===----------------------------------------------------------------------===//

#include "verifier/Interpreter.h"
#include "verifier/models/Matcher.h"
#include "verifier/state/CleanUp.h"

#include "mlir/Dialect/Transform/DebugExtension/DebugExtensionOps.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::engine;
using namespace formwork::verifier;

//===----------------------------------------------------------------------===//
// foreach
//===----------------------------------------------------------------------===//

/// The entries of a handle or of a list of parameters.
static Count countEntries(const HandleState &handle,
                          const PayloadModel &payload) {
  if (handle.kind != HandleState::Params)
    return handle.count(payload);
  // Of parameters without a value, not even the number is known.
  return handle.params.empty() ? Count() : Count::exactly(handle.params.size());
}

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
static bool changesPayload(Block &body, StepEffects &effects) {
  return body
      .walk([&](Operation *op) {
        auto step = dyn_cast<transform::TransformOpInterface>(op);
        if (!step || isa<transform::AnnotateOp>(op))
          return WalkResult::advance();
        bool isHarmless = op->getNumRegions() == 0 &&
                          !isa<transform::IncludeOp>(op) &&
                          !effects.modifiesPayload(step) &&
                          llvm::none_of(op->getOperands(), [&](Value operand) {
                            return effects.consumes(step, operand);
                          });
        return isHarmless ? WalkResult::advance() : WalkResult::interrupt();
      })
      .wasInterrupted();
}

/// Whether no step of `body`, which does not change payload, tells what earlier
/// iterations marked: all of them find the same.
static bool looksAtNoMarks(Block &body) {
  return llvm::all_of(body, [](Operation &op) {
    return isa<transform::AnnotateOp, transform::CastOp,
               transform::EmitParamAsRemarkOp, transform::EmitRemarkAtOp,
               transform::GetConsumersOfResult, transform::GetDefiningOp,
               transform::GetOperandOp, transform::GetParentOp,
               transform::GetProducerOfOperand, transform::GetResultOp,
               transform::GetTypeOp, transform::MergeHandlesOp,
               transform::NumAssociationsOp, transform::ParamConstantOp,
               transform::PrintOp, transform::YieldOp>(op);
  });
}

void Interpreter::foreachModel(Operation *op, const Contract &contract) {
  auto foreach = cast<transform::ForeachOp>(op);
  Block &body = foreach.getBody().front();
  // The lists are taken when the loop begins.
  Yields sources;
  for (Value target : foreach.getTargets())
    sources.push_back(lookup(target));
  Count trips = countEntries(sources.front(), state.payload);
  bool zips = foreach.getWithZipShortest();
  for (auto [i, source] : llvm::enumerate(sources)) {
    Count count = countEntries(source, state.payload);
    if (zips) {
      trips = {std::min(trips.lo, count.lo), std::min(trips.hi, count.hi)};
      continue;
    }
    if (count.lo > trips.hi || count.hi < trips.lo)
      report(op, "fw-cardinality",
             "requires handles with as many payload entries each but " +
                 nameOf(foreach.getTargets()[i]) + " has " +
                 (count.isExact() ? Twine(count.lo) : Twine("another number")) +
                 " where " + nameOf(foreach.getTargets().front()) + " has " +
                 (trips.isExact() ? Twine(trips.lo) : Twine("more or less")))
          .note(NoteKind::Established,
                source.origin ? source.origin->getLoc() : op->getLoc(),
                "handle " + nameOf(foreach.getTargets()[i]) + " is set here");
    else if (!(count.isExact() && trips.isExact()) &&
             source.nodes != sources.front().nodes)
      unprove(op, "zips handles whose numbers of payload entries are not known "
                  "to be the same");
    trips = {std::max(trips.lo, count.lo), std::min(trips.hi, count.hi)};
    trips.lo = std::min(trips.lo, trips.hi);
  }
  bool listed = trips.isExact() && trips.hi <= 64 &&
                llvm::all_of(sources, [&](const HandleState &source) {
                  return isListed(source, state.payload);
                });
  bool ordered = llvm::all_of(
      sources, [](const HandleState &source) { return source.ordered; });
  // Which op an iteration is about decides what it finds of the earlier ones.
  bool isMixed = !ordered && llvm::any_of(sources, [&](const auto &source) {
    return countEntries(source, state.payload).hi > 1;
  });
  listed &= !isMixed || !changesPayload(body, *effects);
  // Of several lists, that and their lengths decide which ops are met, and with
  // which others.
  bool isShuffled = listed && isMixed && sources.size() > 1;
  listed &= !isShuffled;
  consumeOperands(op);
  Time entered = state.payload.time();
  if (trips.hi == 0) {
    for (unsigned i = 0; i < op->getNumResults(); ++i)
      setResult(op, i, {});
    return;
  }
  if (isExhausted())
    return summarize(op);
  if (isShuffled)
    unprove(op, "zips handles whose order is not known");
  else if (!listed && !looksAtNoMarks(body))
    unprove(op, "iterates over a number of payload ops that is not known");

  // What replaces an op that is in the list, or erases it, does not change the
  // list.
  auto isStale = [&](Value target, const HandleState &source, int64_t round) {
    if (source.kind == HandleState::Params)
      return false;
    NodeId id = source.nodes[round];
    const Node &node = state.payload[id];
    const HandleState &now = lookup(target);
    bool isFollowed =
        !now.consumedBy &&
        (now.nodes.size() != source.nodes.size() || now.nodes[round] != id);
    if (state.payload.getInvalidation(id, entered + 1).certainty ==
        Certainty::Yes)
      return false;
    return isFollowed || node.present != Certainty::Yes ||
           state.payload.mayHaveReplacedByCopies(entered) ||
           (state.payload.mayHaveMerged(entered) && mayBeCast(node));
  };

  SmallVector<Yields> yields;
  auto visit = [&](int64_t round, bool standsForMore) {
    bool goesOn = listed && round > 0;
    if (goesOn && llvm::any_of(llvm::zip(foreach.getTargets(), sources),
                               [&](const auto &pair) {
                                 return isStale(std::get<0>(pair),
                                                std::get<1>(pair), round);
                               }))
      unprove(op, "goes on with an op that an iteration before may have "
                  "replaced or erased");
    state.payload.tick();
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
            state.payload[source.nodes.front()].kind;
        for (NodeId node : source.nodes)
          if (state.payload[node].kind != kind)
            kind = std::nullopt;
        entry.nodes.push_back(state.payload.addSomewhere(
            isOne ? source.nodes.front() : root,
            isOne ? UpKind::Element : UpKind::AtOrInside, kind,
            Count::exactly(1), op));
      }
      // The list was taken when the loop began: what an earlier iteration
      // consumed of it is dead here.
      HandleState &bound = bindFrom(argument, op, entry);
      bound.since = entered + 1;
      bound.unaskedUntil = state.payload.time() + 1;
    }
    // Without an order, no observer can tell one iteration from the other.
    if (listed && isMixed)
      visitBlock(body);
    else
      visitRegion(body, {op, /*region=*/0, round,
                         standsForMore ? RegionVisit::anyLater : round});
    yields.push_back(getYields());
  };

  if (listed) {
    // An exact list is walked entry by entry, as MLIR's interpreter does.
    for (int64_t round = 0; round < trips.hi; ++round)
      visit(round, /*standsForMore=*/false);
    for (unsigned i = 0; i < op->getNumResults(); ++i) {
      HandleState all = yields.front()[i];
      all.nodes.clear();
      all.params.clear();
      bool isListed = true;
      for (Yields &round : yields) {
        HandleState &one = round[i];
        // What a later iteration consumed is dead; what one consumed before
        // this entry was set is not.
        HandleInvalidation dead = state.getInvalidation(one);
        if (dead.certainty != Certainty::No && !all.consumedBy) {
          all.consumedBy = dead.by;
          all.consumedForSure = false;
        }
        llvm::append_range(all.nodes, one.nodes);
        llvm::append_range(all.params, one.params);
        all.ordered &= one.ordered;
        isListed &= !one.params.empty();
      }
      if (!isListed)
        all.params.clear();
      all.since = state.payload.time() + 1;
      all.ordered &= ordered;
      setYield(op, i, all);
    }
    return;
  }

  // Of any other, one entry stands for all, twice, so that what an iteration
  // leaves is seen by the next.
  auto later = [&] {
    NodeId first = state.payload.size();
    visit(1, /*standsForMore=*/true);
    state.payload.repeat(first);
  };
  auto all = [&] {
    visit(0, /*standsForMore=*/false);
    if (trips.lo >= 2)
      later();
    else if (trips.hi >= 2)
      visitOptional(op, later);
  };
  if (trips.lo >= 1)
    all();
  else
    visitOptional(op, all);
  for (unsigned i = 0; i < op->getNumResults(); ++i) {
    SmallVector<const HandleState *> rounds;
    for (const Yields &round : yields)
      rounds.push_back(&round[i]);
    HandleState joined = joinYields(op, rounds);
    std::optional<OperationName> kind;
    if (joined.nodes.size() == 1)
      kind = state.payload[joined.nodes.front()].kind;
    bool isOnce = trips.lo >= 1 && trips.hi == 1;
    if (isOnce || joined.kind == HandleState::Params) {
      joined.params.clear();
      setYield(op, i, joined);
      continue;
    }
    Count each = joined.count(state.payload);
    setResult(op, i,
              state.payload.addSomewhere(
                  root, UpKind::AtOrInside, kind,
                  {trips.lo >= 1 ? each.lo : 0, Count::unbounded}, op),
              /*ordered=*/false);
  }
}

//===----------------------------------------------------------------------===//
// Matchers
//===----------------------------------------------------------------------===//

Interpreter::Walk
Interpreter::getWalk(NodeId scope,
                     ArrayRef<transform::NamedSequenceOp> matchers) {
  const PayloadModel &payload = state.payload;
  std::optional<SmallVector<KindPattern>> accepted(std::in_place);
  for (transform::NamedSequenceOp matcher : matchers) {
    auto kinds = Matcher(matcher).getAcceptedKinds();
    if (!kinds)
      accepted = std::nullopt;
    if (!accepted)
      break;
    llvm::append_range(*accepted, *kinds);
  }
  auto mayMatch = [&](const KindSet &hidden) {
    return accepted ? llvm::any_of(*accepted,
                                   [&](const KindPattern &kind) {
                                     return hidden.intersects(kind);
                                   })
                    : !hidden.empty();
  };
  // A node of unknown kind that no step made stands for an op that another node
  // stands for, too, or that is hidden.
  auto concerns = [&](const Node &node) {
    if (!accepted)
      return true;
    return node.kind ? matchesAnyKind(*node.kind, *accepted)
                     : node.isUnlisted();
  };
  Walk walk;
  walk.complete = payload[scope].exact && !payload.mayHide(scope, mayMatch);
  auto acceptsKind = [&](const std::optional<OperationName> &kind) {
    return !accepted || !kind || matchesAnyKind(*kind, *accepted);
  };
  walk.ops = payload.find(scope, concerns, acceptsKind);
  walk.ordered = llvm::all_of(
      walk.ops, [&](auto entry) { return payload[entry.first].op != nullptr; });
  llvm::stable_sort(walk.ops, [&](auto a, auto b) {
    return payload[a.first].position < payload[b.first].position;
  });
  return walk;
}

Interpreter::Match Interpreter::matchNode(Operation *op,
                                          transform::NamedSequenceOp matcher,
                                          NodeId node,
                                          ArrayRef<HandleState> forwarded) {
  Matcher decider(matcher);
  const Node &held = state.payload[node];
  Match match;
  MatcherAnswer answer =
      decider.ask(held.kind, held.op,
                  /*isPristine=*/state.payload.version() == pristine);
  match.certainty = answer.certainty;
  if (answer.failure) {
    report(op, "fw-matcher-failed",
           "requires a matcher that decides but @" + matcher.getSymName() +
               " fails",
           held.present == Certainty::Yes && held.count.lo > 0 &&
               answer.failsForSure,
           /*silenceable=*/false)
        .note(NoteKind::Established, matcher.getLoc(),
              "the matcher is defined here")
        .note(NoteKind::Evidence, op->getLoc(), *answer.failure);
    match.certainty = Certainty::No;
  }
  if (match.certainty == Certainty::No)
    return match;

  // What it yields: itself, what was forwarded, or what the matcher found.
  Block &body = matcher.getBody().front();
  for (auto [i, yielded] :
       llvm::enumerate(body.getTerminator()->getOperands())) {
    HandleState handle;
    auto argument = dyn_cast<BlockArgument>(yielded);
    if (argument && argument.getArgNumber() == 0) {
      handle.nodes.push_back(node);
    } else if (argument && argument.getArgNumber() <= forwarded.size()) {
      handle = forwarded[argument.getArgNumber() - 1];
    } else if (answer.found.empty()) {
      handle.kind = kindOfHandle(yielded.getType());
      if (handle.kind != HandleState::Params)
        handle.nodes.push_back(state.payload.addSomewhere(
            root, UpKind::AtOrInside, std::nullopt, Count(), op));
      handle.ordered = false;
    } else {
      handle.kind = kindOfHandle(yielded.getType());
      for (Operation *found : answer.found[i].ops)
        handle.nodes.push_back(state.payload.lookup(found));
      for (Size param : answer.found[i].params)
        handle.params.push_back({param});
    }
    match.yields.push_back(std::move(handle));
  }
  return match;
}

void Interpreter::collectMatchingModel(Operation *op,
                                       const Contract &contract) {
  auto collect = cast<transform::CollectMatchingOp>(op);
  auto matcher =
      SymbolTable::lookupNearestSymbolFrom<transform::NamedSequenceOp>(
          op, collect.getMatcher());
  if (!matcher || matcher.isExternal()) {
    report(op, "fw-unknown-sequence",
           "requires a matcher with a body but has " +
               Twine(matcher ? "a declaration" : "no such symbol"),
           /*definite=*/true, /*silenceable=*/false);
    return summarize(op);
  }
  unsigned numResults = op->getNumResults();
  Yields all(numResults);
  bool exact = true, ordered = true, matched = false;
  for (auto [i, all] : llvm::enumerate(all)) {
    all.kind = kindOfHandle(op->getResult(i).getType());
    all.since = state.payload.time();
  }
  for (NodeId scope : NodeList(lookup(collect.getRoot()).nodes)) {
    Walk walk = getWalk(scope, matcher);
    for (auto [node, place] : walk.ops) {
      Match match = matchNode(op, matcher, node, {});
      match.certainty = std::min(match.certainty, place);
      if (match.certainty == Certainty::No)
        continue;
      exact &= match.certainty == Certainty::Yes;
      matched = true;
      for (auto [i, yielded] : llvm::enumerate(match.yields)) {
        bool isParam = yielded.kind == HandleState::Params;
        Count count = countEntries(yielded, state.payload);
        if (count.lo > 1 || count.hi < 1)
          report(op, "fw-cardinality",
                 "requires one payload entry per result of @" +
                     matcher.getSymName() + " but result #" + Twine(i) +
                     " has " +
                     (count.isExact() ? Twine(count.lo) : Twine("more")),
                 match.certainty == Certainty::Yes);
        else if (!count.isExactly(1))
          unprove(op, "may collect another number of entries than one");
        if (isParam)
          llvm::append_range(all[i].params, yielded.params);
        else
          llvm::append_range(all[i].nodes, yielded.nodes);
      }
    }
    exact &= walk.complete;
    ordered &= walk.ordered;
    matched |= !walk.complete;
  }
  if (!matched && !unproved.contains(op))
    warn(op, "fw-empty-match",
         "requires a payload op to match but @" + matcher.getSymName() +
             " accepts none at this point, so that all that depends on it does "
             "nothing or fails")
        .note(NoteKind::Established, matcher.getLoc(),
              "the matcher is defined here");
  for (unsigned i = 0; i < numResults; ++i) {
    if (exact) {
      all[i].ordered = ordered;
      setYield(op, i, all[i]);
      continue;
    }
    if (all[i].kind == HandleState::Params) {
      setResult(op, i, {});
      continue;
    }
    std::optional<OperationName> kind = Matcher(matcher).getKindOf(i);
    setResult(
        op, i,
        state.payload.addSomewhere(root, UpKind::AtOrInside, kind, Count(), op),
        /*ordered=*/false);
  }
}

void Interpreter::foreachMatchModel(Operation *op, const Contract &contract) {
  auto foreach = cast<transform::ForeachMatchOp>(op);
  SmallVector<std::pair<transform::NamedSequenceOp, transform::NamedSequenceOp>>
      pairs;
  for (auto [matcher, action] :
       llvm::zip_equal(foreach.getMatchers(), foreach.getActions())) {
    auto find = [&](Attribute name) {
      return SymbolTable::lookupNearestSymbolFrom<transform::NamedSequenceOp>(
          op, cast<SymbolRefAttr>(name));
    };
    pairs.push_back({find(matcher), find(action)});
    if (pairs.back().first && !pairs.back().first.isExternal() &&
        pairs.back().second && !pairs.back().second.isExternal())
      continue;
    report(op, "fw-unknown-sequence",
           "requires matchers and actions with a body but one has none",
           /*definite=*/true, /*silenceable=*/false);
    return summarize(op);
  }
  for (auto [matcher, action] : pairs)
    if (!enterCallee(op, action))
      return;
  if (isExhausted())
    return summarize(op);

  SmallVector<transform::NamedSequenceOp> matchers =
      llvm::map_to_vector(pairs, [](const auto &pair) { return pair.first; });
  Yields forwarded;
  for (Value input : foreach.getForwardedInputs())
    forwarded.push_back(lookup(input));
  NodeList roots(lookup(foreach.getRoot()).nodes);
  unsigned numOutputs = op->getNumResults() - 1;
  Yields all(numOutputs);
  for (auto [i, all] : llvm::enumerate(all)) {
    all.kind = kindOfHandle(op->getResult(i + 1).getType());
    all.since = std::numeric_limits<Time>::max();
  }
  bool exact = true, ordered = true, mayMatch = false;

  auto act = [&](unsigned pair, NodeId node, const Yields &arguments) {
    transform::NamedSequenceOp action = pairs[pair].second;
    Block &body = action.getBody().front();
    for (auto [argument, passed] :
         llvm::zip_first(body.getArguments(), arguments))
      bindFrom(argument, op, passed);
    callStack.push_back(action);
    walked.push_back({node, state.payload.time()});
    // Which executions of the action this is, no observer can tell.
    visitBlock(body);
    walked.pop_back();
    callStack.pop_back();
    Yields yields = getYields();
    for (auto [i, yielded] : llvm::enumerate(yields)) {
      Count count = countEntries(yielded, state.payload);
      if (foreach.getFlattenResults() || count.isExactly(1)) {
        // As it should be.
      } else if (count.lo > 1 || count.hi < 1) {
        report(op, "fw-cardinality",
               "requires one payload entry per result of @" +
                   action.getSymName() + " but result #" + Twine(i) + " has " +
                   (count.isExact() ? Twine(count.lo) : Twine("more")),
               /*definite=*/true, /*silenceable=*/false)
            .note(NoteKind::FixIt, op->getLoc(), "add 'flatten_results'");
      } else {
        unprove(op, "may yield another number of entries than one");
      }
      llvm::append_range(all[i].nodes, yielded.nodes);
      llvm::append_range(all[i].params, yielded.params);
      all[i].since = std::min(all[i].since, yielded.since);
      if (yielded.consumedBy) {
        all[i].consumedBy = yielded.consumedBy;
        all[i].consumedForSure = yielded.consumedForSure;
      }
      exact &= yielded.ordered &&
               (yielded.kind != HandleState::Params || !yielded.params.empty());
    }
  };
  // Tries all pairs on one op: those that may match, then the one that does.
  auto visit = [&](NodeId node, Certainty place) {
    SmallVector<std::pair<unsigned, Yields>> taken;
    bool isSure = false;
    for (auto [i, pair] : llvm::enumerate(pairs)) {
      Match match = matchNode(op, pair.first, node, forwarded);
      if (match.certainty == Certainty::No)
        continue;
      taken.push_back({i, match.yields});
      isSure = match.certainty == Certainty::Yes;
      if (isSure)
        break;
    }
    if (taken.empty())
      return;
    mayMatch = true;
    isSure &= place == Certainty::Yes;
    if (isSure && taken.size() == 1)
      return act(taken.front().first, node, taken.front().second);
    exact = false;
    SmallVector<std::function<void()>> paths;
    if (!isSure)
      paths.push_back([] {});
    for (const auto &entry : taken)
      paths.push_back(
          [&act, &entry, node] { act(entry.first, node, entry.second); });
    visitPaths(op, paths);
  };

  for (NodeId scope : roots) {
    Walk walk = getWalk(scope, matchers);
    ordered &= walk.ordered;
    for (auto [node, place] : walk.ops) {
      // Unless the root is restricted, it is left out.
      if (node == scope && !foreach.getRestrictRoot())
        continue;
      // An action may have erased it.
      place = std::min(place, state.payload[node].present);
      if (place != Certainty::No)
        visit(node, place);
    }
    if (walk.complete)
      continue;
    // One op of each kind that is asked for stands for all that the model does
    // not list, twice.
    SmallVector<std::optional<OperationName>> kinds;
    for (auto [matcher, action] : pairs)
      if (std::optional<OperationName> kind = Matcher(matcher).getKind();
          !llvm::is_contained(kinds, kind))
        kinds.push_back(kind);
    exact = false;
    unprove(op, "walks payload that is not known op by op");
    visitOptional(op, [&] {
      for (unsigned round = 0; round < 2; ++round) {
        NodeId first = state.payload.size();
        for (std::optional<OperationName> kind : kinds)
          visit(state.payload.addSomewhere(scope, UpKind::AtOrInside, kind,
                                           Count::exactly(1), op),
                Certainty::Maybe);
        if (round == 1)
          state.payload.repeat(first);
      }
    });
  }
  if (!mayMatch && !unproved.contains(op))
    warn(op, "fw-empty-match",
         "requires a payload op to match but the matchers accept none at this "
         "point, so that nothing is done");
  setResult(op, 0, roots);
  for (unsigned i = 0; i < numOutputs; ++i) {
    if (exact) {
      all[i].ordered = ordered;
      setYield(op, i + 1, all[i]);
      continue;
    }
    setOpaque(op, i + 1);
  }
}
