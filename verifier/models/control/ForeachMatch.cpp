//===- ForeachMatch.cpp - Model of actions on matches -----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How `transform.foreach_match` runs actions in the middle of a walk, and what
// these may change there. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#include "verifier/models/control/ForeachMatch.h"
#include "verifier/clauses/Clauses.h"
#include "verifier/clauses/Yields.h"
#include "verifier/models/Models.h"
#include "verifier/models/control/Control.h"
#include "verifier/models/control/Matcher.h"
#include "verifier/models/control/Matchers.h"
#include "verifier/step/Step.h"
#include "verifier/step/Walker.h"

#include "mlir/Dialect/Transform/IR/TransformOps.h"

using namespace mlir;
using namespace formwork::engine;
using namespace formwork::normalforms;
using namespace formwork::verifier;

bool Analysis::mayRewrite(NodeId node, bool viaIsolatedParent) const {
  if (walked.empty())
    return true;
  std::optional<NodeId> anchor = node;
  if (viaIsolatedParent)
    anchor = state.payload.getAncestor(node, /*proper=*/true, {"$isolated"});
  return anchor && llvm::all_of(walked, [&](const Analysis::Walked &walk) {
           return state.payload.isAtOrBelow(*anchor, walk.matched) ==
                  Certainty::Yes;
         });
}

/// Whether `a` stands in front of `b` in one block for sure.
static bool precedes(const Node &a, const Node &b) {
  auto stays = [](const Node &node) {
    return node.op && node.exact &&
           llvm::none_of(node.ups, [](const Up &up) { return up.isLoose(); });
  };
  return stays(a) && stays(b) && a.op->getBlock() == b.op->getBlock() &&
         a.op->isBeforeInBlock(b.op);
}

void formwork::verifier::checkWalked(const Step &step) {
  if (step.analysis.walked.empty())
    return;
  // Others replace what they are given, and look no further.
  auto rewritesAll = [](const PayloadClause &clause) {
    auto isAny = [](const KindPattern &kind) { return kind == "*"; };
    return clause.extent == WriteExtent::Anchor
               ? llvm::any_of(clause.rewrites, isAny)
               : !clause.rewrites.empty() || !clause.introduces.empty() ||
                     !clause.removes.empty();
  };
  auto isWalked = [&](NodeId scope) {
    return llvm::any_of(
        step.analysis.walked, [&](const Analysis::Walked &walk) {
          const Node &node = step.payload[scope];
          return step.payload.isAtOrBelow(scope, walk.matched) !=
                     Certainty::Yes &&
                 !(node.fresh && node.createdAt > walk.since);
        });
  };
  // Ops that the walk has passed may be erased.
  auto isPassed = [&](NodeId id) {
    return llvm::all_of(
        step.analysis.walked, [&](const Analysis::Walked &walk) {
          return precedes(step.payload[id], step.payload[walk.matched]);
        });
  };
  auto isTaken = [&](Value operand) {
    return step.effects.consumes(step.op, operand) &&
           llvm::any_of(step.lookup(operand).nodes, [&](NodeId id) {
             return isWalked(id) && !isPassed(id);
           });
  };
  bool rewrites =
      llvm::any_of(step.contract.writes, [&](const PayloadClause &one) {
        return rewritesAll(one) && llvm::any_of(getScopes(step, one), isWalked);
      });
  if (rewrites || llvm::any_of(step.op->getOperands(), isTaken))
    step.unprove(
        "may erase an op that 'transform.foreach_match' has not visited yet");
}

namespace {
/// One `transform.foreach_match`: its pairs, and what its actions yield.
class ForeachMatchModel {
public:
  ForeachMatchModel(const Step &step, Walker &walk)
      : step(step), walk(walk),
        foreach (cast<transform::ForeachMatchOp>(step.op)) {}

  void propagate();

private:
  struct Pair {
    transform::NamedSequenceOp matcher, action;
  };

  /// Finds the sequences of all pairs; false if one has no body. Errors:
  /// fw-unknown-sequence.
  bool findPairs();
  /// Walks the payload of one root.
  void visitRoot(NodeId root);
  /// Visits, twice, one op of each kind that matchers ask for, in place of all
  /// below `root` that the model does not list.
  void visitUnlisted(NodeId root);
  /// Tries all pairs on one op: those that may match, then the one that does.
  void visit(NodeId node, Certainty place);
  /// Runs the action of `pair` on `node`, which its matcher accepted.
  void act(const Pair &pair, NodeId node, const Yields &arguments);
  /// Adds what `action` yielded for result `index`. Errors: fw-cardinality.
  void addYield(transform::NamedSequenceOp action, unsigned index,
                const HandleState &yielded);

  const Step &step;
  Walker &walk;
  transform::ForeachMatchOp foreach;
  SmallVector<Pair> pairs;
  Yields forwarded;
  /// The yields of all actions, for each result behind the first.
  Yields outputs;
  /// Whether `outputs` holds what the results hold.
  bool isExact = true;
  /// Whether the order of the walk is known.
  bool isOrdered = true;
  bool mayMatch = false;
};
} // namespace

bool ForeachMatchModel::findPairs() {
  auto find = [&](Attribute name) {
    return step.analysis.symbols
        ->lookupNearestSymbolFrom<transform::NamedSequenceOp>(
            step.op, cast<SymbolRefAttr>(name));
  };
  auto hasBody = [](transform::NamedSequenceOp sequence) {
    return sequence && !sequence.isExternal();
  };
  for (auto [matcher, action] :
       llvm::zip_equal(foreach.getMatchers(), foreach.getActions())) {
    pairs.push_back({find(matcher), find(action)});
    if (hasBody(pairs.back().matcher) && hasBody(pairs.back().action))
      continue;
    step.report(
        "fw-unknown-sequence",
        "requires matchers and actions that have a body but one has none",
        /*definite=*/true, /*silenceable=*/false);
    return false;
  }
  return true;
}

void ForeachMatchModel::addYield(transform::NamedSequenceOp action,
                                 unsigned index, const HandleState &yielded) {
  Count count = yielded.countEntries(step.payload);
  bool isFitting = foreach.getFlattenResults() || count.isExactly(1);
  if (!isFitting && (count.lo > 1 || count.hi < 1))
    step.report("fw-cardinality",
                "requires one payload entry per result of @" +
                    action.getSymName() + " but result #" + Twine(index) +
                    " has " +
                    (count.isExact() ? Twine(count.lo) : Twine("more")),
                /*definite=*/true, /*silenceable=*/false)
        .note(NoteKind::FixIt, step.op->getLoc(), "add 'flatten_results'");
  else if (!isFitting)
    step.unprove(
        "may yield none or several values for a result that takes one");
  HandleState &all = outputs[index];
  llvm::append_range(all.nodes, yielded.nodes);
  llvm::append_range(all.params, yielded.params);
  all.since = std::min(all.since, yielded.since);
  if (yielded.consumedBy) {
    all.consumedBy = yielded.consumedBy;
    all.consumedForSure = yielded.consumedForSure;
  }
  isExact &= yielded.ordered &&
             (yielded.kind != HandleState::Params || !yielded.params.empty());
}

void ForeachMatchModel::act(const Pair &pair, NodeId node,
                            const Yields &arguments) {
  transform::NamedSequenceOp action = pair.action;
  Block &body = action.getBody().front();
  for (auto [argument, passed] :
       llvm::zip_first(body.getArguments(), arguments))
    bindFrom(step, argument, step.op, passed);
  walk.callStack.push_back(action);
  step.analysis.walked.push_back({node, step.payload.time()});
  // Which executions of the action this is, no observer can tell.
  walk.visitBlock(body);
  step.analysis.walked.pop_back();
  walk.callStack.pop_back();
  Yields yields = walk.getYields();
  for (auto [i, yielded] : llvm::enumerate(yields))
    addYield(action, i, yielded);
}

void ForeachMatchModel::visit(NodeId node, Certainty place) {
  SmallVector<std::pair<const Pair *, Yields>> taken;
  bool isSure = false;
  for (const Pair &pair : pairs) {
    // An op that an earlier one may match does not come to this one.
    Match match =
        matchNode(step, pair.matcher, node, forwarded,
                  /*isAsked=*/place == Certainty::Yes && taken.empty());
    if (match.certainty == Certainty::No)
      continue;
    taken.push_back({&pair, match.yields});
    isSure = match.certainty == Certainty::Yes;
    if (isSure)
      break;
  }
  if (taken.empty())
    return;
  mayMatch = true;
  isSure &= place == Certainty::Yes;
  if (isSure && taken.size() == 1)
    return act(*taken.front().first, node, taken.front().second);
  isExact = false;
  SmallVector<std::function<void()>> paths;
  if (!isSure)
    paths.push_back([] {});
  for (const auto &entry : taken)
    paths.push_back(
        [this, &entry, node] { act(*entry.first, node, entry.second); });
  walk.visitPaths(step.op, paths);
}

void ForeachMatchModel::visitUnlisted(NodeId root) {
  SmallVector<std::optional<OperationName>> kinds;
  for (const Pair &pair : pairs)
    if (std::optional<OperationName> kind =
            Matcher(pair.matcher, step.contracts).getKind();
        !llvm::is_contained(kinds, kind))
      kinds.push_back(kind);
  isExact = false;
  // Attributes that an action writes are in the way of no other action. A
  // matcher with an argument of one kind fails at any other.
  bool isHarmless = llvm::all_of(pairs, [&](Pair pair) {
    Value matched = pair.matcher.getBody().getArgument(0);
    return isa<transform::AnyOpType>(matched.getType()) &&
           changesOnlyAttributes(pair.action, step.contracts);
  });
  if (!isHarmless)
    step.unprove("walks payload of which some ops are not known");
  walk.visitOptional(step.op, [&] {
    for (unsigned round = 0; round < 2; ++round) {
      NodeId first = step.payload.size();
      for (std::optional<OperationName> kind : kinds)
        visit(step.payload.addSomewhere(root, UpKind::AtOrInside, kind,
                                        Count::exactly(1), step.op),
              Certainty::Maybe);
      if (round == 1)
        step.payload.repeat(first);
    }
  });
}

void ForeachMatchModel::visitRoot(NodeId root) {
  SmallVector<transform::NamedSequenceOp> matchers =
      llvm::map_to_vector(pairs, [](const Pair &pair) { return pair.matcher; });
  PayloadWalk met = getWalk(step, root, matchers);
  isOrdered &= met.ordered;
  for (auto [node, place] : met.ops) {
    // Unless the root is restricted, it is left out.
    if (node == root && !foreach.getRestrictRoot())
      continue;
    // An action may have erased it.
    place = std::min(place, step.payload[node].present);
    if (place != Certainty::No)
      visit(node, place);
  }
  if (!met.complete)
    visitUnlisted(root);
}

void ForeachMatchModel::propagate() {
  if (!findPairs())
    return summarize(step);
  for (const Pair &pair : pairs)
    if (!enterCallee(step, walk, pair.action))
      return;
  if (walk.isExhausted())
    return summarize(step);

  for (Value input : foreach.getForwardedInputs())
    forwarded.push_back(step.lookup(input));
  outputs.resize(step.op->getNumResults() - 1);
  for (auto [i, output] : llvm::enumerate(outputs)) {
    output.kind = kindOfHandle(step.op->getResult(i + 1).getType());
    output.since = std::numeric_limits<Time>::max();
  }
  NodeList roots(step.lookup(foreach.getRoot()).nodes);
  for (NodeId root : roots)
    visitRoot(root);
  if (!mayMatch && !step.analysis.outcome.unproved.contains(step.op))
    step.warn("fw-empty-match",
              "requires a payload op to match but the matchers accept none at "
              "this point, so nothing is done");
  step.setResult(0, roots);
  for (auto [i, output] : llvm::enumerate(outputs)) {
    if (isExact) {
      output.ordered = isOrdered;
      setYield(step, i + 1, output);
      continue;
    }
    step.setOpaque(i + 1);
  }
}

static void propagateForeachMatch(const Step &step, Walker &walk) {
  ForeachMatchModel(step, walk).propagate();
}

void formwork::verifier::registerForeachMatchModels(ModelRegistry &models) {
  models.add("foreach-match", propagateForeachMatch,
             decides{"fw-cardinality", "fw-empty-match", "fw-matcher-failed",
                     "fw-recursive-sequence", "fw-unknown-sequence"});
}
