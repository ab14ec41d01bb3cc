//===- Matchers.cpp - Models of what matchers accept ------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a walk over the payload meets, what matchers say of it, and
// `transform.collect_matching`. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#include "verifier/Interpreter.h"
#include "verifier/models/Matcher.h"

#include "mlir/Dialect/Transform/IR/TransformOps.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::engine;
using namespace formwork::verifier;

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
  MatcherAnswer answer = decider.ask(held.kind, held.op,
                                     /*isPristine=*/state.payload.isAsGiven());
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
  transform::NamedSequenceOp matcher =
      lookupSequence(op, collect.getMatcher(), "matcher");
  if (!matcher)
    return summarize(op);
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
        Count count = yielded.countEntries(state.payload);
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
