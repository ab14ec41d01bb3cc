//===- Matchers.cpp - Models of what matchers accept ------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The ops that a walk over the payload meets, the answers of matchers, and
// `transform.collect_matching`. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#include "verifier/models/control/Matchers.h"
#include "verifier/clauses/Yields.h"
#include "verifier/models/Models.h"
#include "verifier/models/control/Control.h"
#include "verifier/models/control/Matcher.h"
#include "verifier/step/Step.h"

#include "mlir/Dialect/Linalg/TransformOps/LinalgMatchOps.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"

using namespace mlir;
using namespace formwork::engine;
using namespace formwork::verifier;

PayloadWalk
formwork::verifier::getWalk(Analysis &analysis, NodeId scope,
                            ArrayRef<transform::NamedSequenceOp> matchers) {
  const PayloadModel &payload = analysis.state.payload;
  std::optional<SmallVector<KindPattern>> accepted(std::in_place);
  for (transform::NamedSequenceOp matcher : matchers) {
    auto kinds = Matcher(matcher, analysis.contracts).getAcceptedKinds();
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
  PayloadWalk walk;
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

/// The value that `yielded` forwards. If a matcher of structured ops fails when
/// it does not match, it yields its operand, or a value found there.
static Value getForwarded(Value yielded) {
  while (auto structured =
             yielded.getDefiningOp<transform::MatchStructuredOp>()) {
    Block &body = structured.getBodyRegion().front();
    Value inner = body.getTerminator()->getOperand(
        cast<OpResult>(yielded).getResultNumber());
    if (inner != body.getArgument(0) ||
        structured.getFailurePropagationMode() ==
            transform::FailurePropagationMode::Suppress)
      return yielded;
    yielded = structured.getCurrent();
  }
  return yielded;
}

/// Whether a matcher yields the op that it was given as result `number`.
static bool yieldsItself(transform::NamedSequenceOp matcher, unsigned number) {
  Block &body = matcher.getBody().front();
  Value yielded = getForwarded(body.getTerminator()->getOperand(number));
  return yielded == body.getArgument(0);
}

Match formwork::verifier::matchNode(const Step &step,
                                    transform::NamedSequenceOp matcher,
                                    NodeId node,
                                    ArrayRef<HandleState> forwarded,
                                    bool isAsked) {
  Matcher decider(matcher, step.contracts);
  const Node &held = step.payload[node];
  Match match;
  // A detached clone has no parents.
  MatcherAnswer answer =
      decider.ask(held, /*isPristine=*/step.payload.isAsGiven() &&
                            step.state.detached.empty());
  match.certainty = answer.certainty;
  if (answer.failure) {
    step.report("fw-matcher-failed",
                "requires a matcher that accepts or rejects each op but @" +
                    matcher.getSymName() + " fails",
                isAsked && held.isSurelyThere() && answer.failsForSure,
                /*silenceable=*/false)
        .note(NoteKind::Established, matcher.getLoc(),
              "the matcher is defined here")
        .note(NoteKind::Evidence, step.op->getLoc(), *answer.failure);
    // Where it may come through, later matchers are not asked.
    match.certainty = answer.failsForSure ? Certainty::No : Certainty::Maybe;
  }
  if (match.certainty == Certainty::No)
    return match;

  // The values that it yields: its argument, a forwarded handle, or one that
  // the matcher found.
  Block &body = matcher.getBody().front();
  for (auto [i, yielded] :
       llvm::enumerate(body.getTerminator()->getOperands())) {
    HandleState handle;
    auto argument = dyn_cast<BlockArgument>(getForwarded(yielded));
    if (argument && argument.getArgNumber() == 0) {
      handle.nodes.push_back(node);
    } else if (argument && argument.getArgNumber() <= forwarded.size()) {
      handle = forwarded[argument.getArgNumber() - 1];
    } else if (answer.found.empty()) {
      handle.kind = kindOfHandle(yielded.getType());
      if (handle.kind != HandleState::Params)
        handle.nodes.push_back(step.payload.addSomewhere(
            step.root, UpKind::AtOrInside, std::nullopt, Count(), step.op));
      handle.ordered = false;
    } else {
      handle.kind = kindOfHandle(yielded.getType());
      for (Operation *found : answer.found[i].ops)
        handle.nodes.push_back(step.payload.lookup(found));
      for (Size param : answer.found[i].params)
        handle.params.push_back({param});
    }
    match.yields.push_back(std::move(handle));
  }
  return match;
}

static void propagateCollection(const Step &step) {
  auto collect = cast<transform::CollectMatchingOp>(step.op);
  transform::NamedSequenceOp matcher =
      lookupSequence(step, collect.getMatcher(), "matcher");
  if (!matcher)
    return summarize(step);
  unsigned numResults = step.op->getNumResults();
  Yields all(numResults);
  bool exact = true, ordered = true, matched = false;
  for (auto [i, all] : llvm::enumerate(all)) {
    all.kind = kindOfHandle(step.op->getResult(i).getType());
    all.since = step.payload.time();
  }
  for (NodeId scope : NodeList(step.lookup(collect.getRoot()).nodes)) {
    PayloadWalk walk = getWalk(step, scope, matcher);
    // One op stands for all that the model does not list.
    if (!walk.complete)
      walk.ops.push_back(
          {step.payload.addSomewhere(scope, UpKind::AtOrInside,
                                     Matcher(matcher, step.contracts).getKind(),
                                     Count::exactly(1), step.op),
           Certainty::Maybe});
    for (auto [node, place] : walk.ops) {
      Match match = matchNode(step, matcher, node, {},
                              /*isAsked=*/place == Certainty::Yes);
      match.certainty = std::min(match.certainty, place);
      if (match.certainty == Certainty::No)
        continue;
      exact &= match.certainty == Certainty::Yes;
      matched = true;
      for (auto [i, yielded] : llvm::enumerate(match.yields)) {
        bool isParam = yielded.kind == HandleState::Params;
        // A matcher gets one op at a time, however many the node stands for.
        Count count = yieldsItself(matcher, i)
                          ? Count::exactly(1)
                          : yielded.countEntries(step.payload);
        if (count.lo > 1 || count.hi < 1)
          step.report("fw-cardinality",
                      "requires one payload entry per result of @" +
                          matcher.getSymName() + " but result #" + Twine(i) +
                          " has " +
                          (count.isExact() ? Twine(count.lo) : Twine("more")),
                      match.certainty == Certainty::Yes);
        else if (!count.isExactly(1))
          step.unprove(
              "may collect none or several values for a result that takes one");
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
  if (!matched && !step.analysis.outcome.unproved.contains(step.op))
    step.warn("fw-empty-match", "requires a payload op to match but @" +
                                    matcher.getSymName() +
                                    " accepts none at this point, so the steps "
                                    "that use its result do nothing or fail")
        .note(NoteKind::Established, matcher.getLoc(),
              "the matcher is defined here");
  for (unsigned i = 0; i < numResults; ++i) {
    if (exact) {
      all[i].ordered = ordered;
      setYield(step, i, all[i]);
      continue;
    }
    if (all[i].kind == HandleState::Params) {
      step.setResult(i, {});
      continue;
    }
    std::optional<OperationName> kind =
        Matcher(matcher, step.contracts).getKindOf(i);
    step.setResult(i,
                   step.payload.addSomewhere(step.root, UpKind::AtOrInside,
                                             kind, Count(), step.op),
                   /*ordered=*/false);
  }
}

void formwork::verifier::registerMatchersModels(ModelRegistry &models) {
  models.add("collect-matching", propagateCollection,
             decides{"fw-cardinality", "fw-empty-match", "fw-matcher-failed",
                     "fw-unknown-sequence"});
}
