//===- QueryKinds.cpp - Breakage by queries -------------------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/lib/schedules/mutants/handles/QueryKinds.h"

#include "test/lib/schedules/mutants/edits/RecipeEdit.h"

using namespace mlir;
using namespace formwork::testing;
using transform::NamedSequenceOp;

/// Queries of any handle, of a handle to structured ops, and of a scope. `#`
/// stands for the type of the handle.
static constexpr StringRef plainQueries[] = {
    "%q = transform.num_associations %h : (#) -> $",
    "%q = transform.num_associations %h : (#) -> $\n"
    "transform.debug.emit_param_as_remark %q, \"number\" : $",
    "%q = transform.get_parent_op %h {isolated_from_above} : (#) -> &",
    "%q = transform.get_parent_op %h {op_name = \"scf.for\"} : (#) -> &",
    "%q = transform.get_parent_op %h {allow_empty_results, "
    "op_name = \"scf.forall\"} : (#) -> &",
    "%q = transform.select \"linalg.generic\" in %h : (#) -> &"};
static constexpr StringRef opQueries[] = {
    "%q = transform.get_producer_of_operand %h[0] : (#) -> &",
    "%q = transform.get_producer_of_operand %h[1] : (#) -> &",
    "%q = transform.get_consumers_of_result %h[0] : (#) -> &",
    "%q = transform.get_consumers_of_result %h[0] : (#) -> &",
    "%v = transform.get_operand %h[0] : (#) -> !transform.any_value\n"
    "%q = transform.get_type %v : (!transform.any_value) -> "
    "!transform.any_param",
    "%q = transform.get_result %h[0] : (#) -> !transform.any_value",
    "%v = transform.get_result %h[0] : (#) -> !transform.any_value\n"
    "%q = transform.get_defining_op %v : (!transform.any_value) -> &",
    "%q = transform.get_parent_op %h {isolated_from_above} : (#) -> &",
    "%q = transform.num_associations %h : (#) -> $"};
static constexpr StringRef scopeQueries[] = {
    "%q = transform.structured.match ops{[\"scf.for\"]} in %h : (#) -> &",
    "%q = transform.structured.match ops{[\"tensor.empty\"]} in %h : (#) -> &",
    "%q = transform.structured.match interface{TilingInterface} in %h : (#) "
    "-> &",
    "%m = transform.structured.match interface{LinalgOp} in %h : (#) -> &\n"
    "%q = transform.num_associations %m : (&) -> $",
    "%q = transform.num_associations %h : (#) -> $"};

bool formwork::testing::idleQueries(NamedSequenceOp entry, Random &random) {
  bool asked = false;
  for (unsigned i = 0, e = random.between(1, 4); i < e; ++i) {
    std::optional<Spot> spot =
        pickSpotOf(entry, random, [](StringRef kind) { return !kind.empty(); });
    if (!spot)
      continue;
    StringRef kind = guessKind(spot->handle);
    ArrayRef<StringRef> fitting = plainQueries;
    if (isScopeKind(kind))
      fitting = scopeQueries;
    else if (isStructuredKind(kind) && random.chance(0.85))
      fitting = opQueries;
    Operation *query = insertText(
        spot->place, spot->handle,
        withTypes(fillIn(pickText(random, fitting), '#', spot->type)));
    if (!query)
      return false;
    asked = true;
    // A later step may read the result, when the payload has changed.
    if (query->getNumResults() != 0 && isOpHandle(query->getResult(0)) &&
        random.chance(0.2))
      insertUse(pickPlaceBehind(query, random), query->getResult(0));
  }
  return asked;
}

/// Looks for ops in the loops that are left at the end.
static bool lookInLoopsAtEnd(NamedSequenceOp entry, Random &random) {
  Operation *end = entry.getBody().front().getTerminator();
  Value root = getRootAtEnd(entry);
  if (!root || !isa<transform::AnyOpType>(root.getType()))
    return false;
  Value loops = insertMatch(
      end, root,
      pickText(random, {"ops{[\"scf.for\"]}", "ops{[\"scf.forall\"]}",
                        "interface{LoopLikeInterface}"}));
  if (loops && random.chance(0.35)) {
    Operation *split =
        insertSteps(end, loops, "%a = transform.split_handle %h : (@) -> @");
    loops = split ? Value(split->getResult(0)) : Value();
  }
  Value found =
      loops ? insertMatch(end, loops,
                          pickText(random, {"interface{LinalgOp}",
                                            "ops{[\"linalg.fill\"]}",
                                            "ops{[\"vector.contract\"]}"}))
            : Value();
  return found && insertOneOf(end, found, random, opSteps);
}

bool formwork::testing::manyScopes(NamedSequenceOp entry, Random &random) {
  auto match = pickStep<transform::MatchOp>(entry, random, [](auto step) {
    return !isScopeKind(guessKind(step.getResult())) &&
           isa<transform::AnyOpType>(step.getTarget().getType());
  });
  if (!match || random.chance(0.35))
    return lookInLoopsAtEnd(entry, random);
  Value target = match.getTarget();
  if (random.chance(0.4)) {
    // The functions, or all loops as well.
    Value functions = insertMatch(
        match, target,
        pickText(random, {"ops{[\"func.func\"]}", "ops{[\"func.func\"]}",
                          "ops{[\"func.func\", \"scf.for\"]}",
                          "ops{[\"func.func\", \"scf.forall\"]}"}));
    if (!functions)
      return false;
    match.getTargetMutable().set(functions);
    return true;
  }
  Value other = pickVisible(match, random, [](StringRef kind) {
    return isLoopKind(kind) || isScopeKind(kind);
  });
  if (!other || other.getType() != target.getType())
    return false;
  Operation *merge =
      insertSteps(match, {target, other},
                  pickText(random, {"%m = transform.merge_handles deduplicate "
                                    "%h, %h1 : @",
                                    "%m = transform.merge_handles %h, %h1 : "
                                    "@"}));
  if (!merge)
    return false;
  match.getTargetMutable().set(merge->getResult(0));
  return true;
}

/// The uses of `handle` at or behind `place`, in its block.
static Uses getUsesFrom(Operation *place, Value handle) {
  Uses uses;
  for (OpOperand &use : handle.getUses()) {
    Operation *user = place->getBlock()->findAncestorOpInBlock(*use.getOwner());
    if (user && !user->isBeforeInBlock(place))
      uses.push_back(&use);
  }
  return uses;
}

bool formwork::testing::cutByMarks(NamedSequenceOp entry, Random &random) {
  Ops steps = getOuterSteps(entry);
  if (steps.size() < 3)
    return false;
  Operation *place = steps[random.between(1, steps.size() - 1)];
  Value root = getRootBefore(place);
  if (!root)
    return false;
  Values handed;
  for (Value handle : getVisibleHandles(place))
    if (handle != root && handle.getDefiningOp() &&
        !getUsesFrom(place, handle).empty())
      handed.push_back(handle);
  if (handed.empty())
    return false;
  // Each handle has a mark of its own. Seldom, two share one, or one is
  // missing.
  bool sharesMark = random.chance(0.12), forgetsOne = random.chance(0.12);
  SmallVector<std::pair<Uses, std::string>> matches;
  for (auto [number, handle] : llvm::enumerate(handed)) {
    std::string mark =
        "mutant.cut_" + std::to_string(sharesMark ? number / 2 : number);
    bool isForgotten = forgetsOne && number == 0;
    matches.push_back({getUsesFrom(place, handle), mark});
    if (!isForgotten && !insertText(place, handle,
                                    "transform.annotate %h \"" + Twine(mark) +
                                        "\" : " + getTypeText(handle)))
      return false;
  }
  // Mostly a clean-up runs in between, which invalidates no mark.
  Value functions = random.chance(0.6)
                        ? insertMatch(place, root, "ops{[\"func.func\"]}")
                        : Value();
  if (functions &&
      !insertText(place, functions,
                  fillIn(pickText(random, {"transform.apply_cse to %h : @",
                                           "transform.apply_patterns to "
                                           "%h {\ntransform.apply_patterns"
                                           ".canonicalization\n} : @"}),
                         '@', getTypeText(functions))))
    return false;
  for (auto &[uses, mark] : matches) {
    Operation *match =
        insertText(place, root,
                   "%m = transform.structured.match attributes{" + Twine(mark) +
                       "} in %h : (" + getTypeText(root) + ") -> " +
                       getTypeText(uses.front()->get()));
    if (!match)
      return false;
    for (OpOperand *use : uses)
      use->set(match->getResult(0));
  }
  return true;
}

/// Small ops that later steps move, merge or fold away.
static constexpr StringRef smallOps[] = {
    "ops{[\"arith.constant\"]}",
    "ops{[\"arith.constant\"]} filter_result_type = f32",
    "ops{[\"arith.constant\"]} filter_result_type = index",
    "ops{[\"tensor.empty\"]}",
    "ops{[\"linalg.fill\"]}",
    "ops{[\"tensor.extract_slice\"]}",
    "ops{[\"affine.min\", \"affine.apply\"]}",
    "ops{[\"func.return\"]}"};
static constexpr StringRef laterSteps[] = {
    "transform.annotate %h \"mutant.small\" : @",
    "transform.annotate %h \"mutant.small\" : @",
    "%f = transform.get_parent_op %h {isolated_from_above, deduplicate} : (@) "
    "-> @\ntransform.apply_cse to %f : @",
    "%c = transform.get_consumers_of_result %h[0] : (@) -> @",
    "transform.foreach %h : @ {\n^bb0(%x: @):\n"
    "%c = transform.get_consumers_of_result %x[0] : (@) -> @\n"
    "transform.annotate %c \"mutant.reads\" : @\n}",
    "%a, %b = transform.split_handle %h {fail_on_payload_too_small = "
    "false} : (@) -> (@, @)\n"
    "transform.annotate %a \"mutant.small\" : @"};

bool formwork::testing::keepSmallOps(NamedSequenceOp entry, Random &random) {
  bool kept = false;
  for (unsigned i = 0, e = random.between(1, 3); i < e; ++i) {
    std::optional<Spot> spot = pickSpotOf(entry, random, isScopeKind);
    Value small = spot ? insertMatch(spot->place, spot->handle,
                                     pickText(random, smallOps))
                       : Value();
    if (!small)
      continue;
    Operation *place = random.chance(0.5)
                           ? small.getParentBlock()->getTerminator()
                           : pickPlaceBehind(small.getDefiningOp(), random);
    if (!insertOneOf(place, small, random, laterSteps))
      return false;
    kept = true;
  }
  return kept;
}
