//===- DetourKinds.cpp - Breakage of how handles get about ----------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/lib/schedules/mutants/handles/DetourKinds.h"

#include "test/lib/schedules/mutants/edits/ScheduleEdit.h"

#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"

using namespace mlir;
using namespace formwork::testing;
using transform::NamedSequenceOp;

bool formwork::testing::thereAndBack(NamedSequenceOp entry, Random &random) {
  Uses uses = getUsesOfMatched(entry);
  if (uses.empty())
    return false;
  OpOperand *use = uses[random.below(uses.size())];
  Value handle = use->get();
  std::string type = getTypeText(handle), any = anyOp.str();
  StringRef number = pickText(random, {"0", "0", "1", "2", "2"});
  std::string text;
  if (random.chance(0.35)) {
    text = "%a = transform.get_consumers_of_result %h[0] : (" + type + ") -> " +
           any + "\n%b = transform.get_producer_of_operand %a[" + number.str() +
           "] : (" + any + ") -> " + type;
  } else if (random.chance(0.4)) {
    text = "%a = transform.get_producer_of_operand %h[" + number.str() +
           "] : (" + type + ") -> " + any +
           "\n%b = transform.get_consumers_of_result %a[0] : (" + any +
           ") -> " + type;
  } else {
    StringRef parent =
        pickText(random, {"{isolated_from_above, deduplicate}",
                          "{isolated_from_above}", "{op_name = \"scf.for\"}",
                          "{op_name = \"func.func\", deduplicate}"});
    text = "%a = transform.get_parent_op %h " + parent.str() + " : (" + type +
           ") -> " + any + "\n%b = transform.structured.match ops{[\"" +
           guessKind(handle).str() + "\"]} in %a : (" + any + ") -> " + type;
  }
  Operation *made = insertText(use->getOwner(), handle, text);
  if (!made)
    return false;
  use->set(made->getResult(0));
  return goOnWith(made, handle, 0.5, random);
}

bool formwork::testing::mergeAndSplit(NamedSequenceOp entry, Random &random) {
  auto fits = [](StringRef kind) {
    return isStructuredKind(kind) || isLoopKind(kind);
  };
  std::optional<Spot> spot = pickSpotOf(entry, random, fits);
  if (!spot)
    return false;
  Value other = pickVisible(spot->place, random, fits);
  if (!other || other == spot->handle ||
      other.getType() != spot->handle.getType())
    return false;
  std::string type = spot->type;
  StringRef merge = pickText(random, {"%h, %h1", "%h, %h1", "%h1, %h",
                                      "deduplicate %h, %h1", "%h, %h1, %h"});
  StringRef split = pickText(random, {"", "", "{overflow_result = 1}",
                                      "{overflow_result = 0}",
                                      "{fail_on_payload_too_small = false}"});
  Operation *made =
      insertText(spot->place, {spot->handle, other},
                 "%m = transform.merge_handles " + merge + " : " + type +
                     "\n%a, %b = transform.split_handle %m " + split + " : (" +
                     type + ") -> (" + type + ", " + type + ")");
  if (!made)
    return false;
  rebindToResult(made, spot->handle, 0);
  if (random.chance(0.75))
    rebindToResult(made, other, 1);
  return true;
}

bool formwork::testing::replicateHandle(NamedSequenceOp entry, Random &random) {
  Uses uses = getHandleUses(entry);
  if (uses.empty())
    return false;
  OpOperand *use = uses[random.below(uses.size())];
  Operation *place = use->getOwner();
  Value handle = use->get();
  Value counted = pickVisible(place, random, [](StringRef) { return true; });
  if (!counted)
    return false;
  if (random.chance(0.4)) {
    // Once for each op there is.
    Value functions = insertFunctions(place, counted);
    Operation *match = functions ? insertText(place, functions,
                                              "%m = transform.structured.match "
                                              "interface{LinalgOp} in %h : (" +
                                                  getTypeText(functions) +
                                                  ") -> !transform.any_op")
                                 : nullptr;
    if (!match)
      return false;
    counted = match->getResult(0);
  }
  std::string type = getTypeText(handle);
  // Those who know merge it, so that each op is there once.
  StringRef after = random.chance(0.35)
                        ? "\n%m = transform.merge_handles deduplicate %r : @"
                        : "";
  Operation *made = insertText(
      place, {handle, counted},
      "%r = transform.replicate num(%h1) %h : " + getTypeText(counted) + ", " +
          type + fillIn(after, '@', type));
  if (!made)
    return false;
  Value replicated = made->getResult(0);
  use->set(replicated);
  if (random.chance(0.6))
    rebindToResult(made, handle);
  // A consuming step meets the same op again.
  if (!isScopeKind(guessKind(handle)) && random.chance(0.5))
    if (Operation *consumer = insertConsumer(place, handle, random)) {
      consumer->replaceUsesOfWith(handle, replicated);
      goOnWith(consumer, replicated, 0.8, random);
    }
  return true;
}

bool formwork::testing::useUnused(NamedSequenceOp entry, Random &random) {
  Values unused;
  for (Operation &op : entry.getBody().front().without_terminator())
    for (Value result : op.getResults())
      if (isOpHandle(result) && result.use_empty())
        unused.push_back(result);
  if (unused.empty())
    return false;
  Operation *end = entry.getBody().front().getTerminator();
  bool atEnd = random.chance(0.6), changed = false;
  for (unsigned i = 0,
                e = random.between(1, std::min<size_t>(3, unused.size()));
       i < e; ++i) {
    Value handle = random.oneOf(ArrayRef<Value>(unused));
    StringRef kind = guessKind(handle);
    SmallVector<StringRef> steps = {
        "transform.annotate %h \"mutant.late\" : @",
        "%p = transform.get_parent_op %h {isolated_from_above, deduplicate} : "
        "(@) -> !transform.any_op\n"
        "transform.apply_cse to %p : !transform.any_op"};
    if (isLoopKind(kind)) {
      steps.append({"transform.apply_licm to %h : @",
                    "transform.loop.promote_if_one_iteration %h : @",
                    "%m = transform.structured.match interface{LinalgOp} in %h "
                    ": (@) -> !transform.any_op\n"
                    "transform.annotate %m \"mutant.late\" : "
                    "!transform.any_op"});
      if (kind == "scf.for")
        steps.push_back("transform.loop.unroll %h {factor = 2} : @");
    } else if (isStructuredKind(kind)) {
      steps.append({"%g = transform.structured.generalize %h : (@) -> @",
                    "transform.structured.vectorize %h : @"});
    }
    Operation *place =
        atEnd ? end : pickPlaceBehind(handle.getDefiningOp(), random);
    changed |= insertText(place, handle,
                          fillIn(random.oneOf(ArrayRef<StringRef>(steps)), '@',
                                 getTypeText(handle))) != nullptr;
  }
  return changed;
}

bool formwork::testing::halfRebind(NamedSequenceOp entry, Random &random) {
  Uses uses = getGuessedUses(entry);
  // The argument is for the caller to give away.
  llvm::erase_if(uses,
                 [](OpOperand *use) { return isa<BlockArgument>(use->get()); });
  if (uses.empty())
    return false;
  OpOperand *use = uses[random.below(uses.size())];
  Operation *place = use->getOwner();
  Value handle = use->get();
  Operation *made = insertConsumer(place, handle, random);
  if (!made || made->getResult(0).getType() != handle.getType())
    return made;
  bool all = random.chance(0.5);
  Uses behind;
  for (OpOperand &each : handle.getUses()) {
    Operation *user =
        place->getBlock()->findAncestorOpInBlock(*each.getOwner());
    if (user && made->isBeforeInBlock(user) && (all || random.chance(0.5)))
      behind.push_back(&each);
  }
  for (OpOperand *each : behind)
    each->set(made->getResult(0));
  return true;
}

bool formwork::testing::preciseTypes(NamedSequenceOp entry, Random &random) {
  double share = random.chance(0.5) ? 1.0 : 0.5;
  bool guesses = random.chance(0.15);
  bool changed = false;
  for (Operation *op : getSteps(entry)) {
    auto match = dyn_cast<transform::MatchOp>(op);
    // A match by anything else may find any kind.
    if (match && !guesses && (!match.getOps() || match.getOps()->size() != 1))
      continue;
    for (Value result : op->getResults()) {
      StringRef kind = guessKind(result);
      // Those want the type of something else.
      bool isBound = llvm::any_of(result.getUsers(), [](Operation *user) {
        return isa<transform::ForeachOp, transform::IncludeOp,
                   transform::MergeHandlesOp, transform::SequenceOp,
                   transform::AlternativesOp, transform::ForeachMatchOp>(
                   user) ||
               user->hasTrait<OpTrait::IsTerminator>();
      });
      if (kind.empty() || isBound ||
          !isa<transform::AnyOpType>(result.getType()) || !random.chance(share))
        continue;
      result.setType(transform::OperationType::get(entry.getContext(), kind));
      changed = true;
    }
  }
  return changed;
}

bool formwork::testing::eachParent(NamedSequenceOp entry, Random &random) {
  std::optional<Spot> spot =
      pickSpotToAppend(entry, random, [](StringRef kind) {
        return isStructuredKind(kind) || isLoopKind(kind);
      });
  if (!spot)
    return false;
  std::string any = anyOp.str();
  std::string which = "%h", type = spot->type, text;
  if (random.chance(0.5)) {
    // Matches all there are in the function.
    text = "%f = transform.get_parent_op %h {isolated_from_above, deduplicate} "
           ": (" +
           type + ") -> " + any +
           "\n%a = transform.structured.match interface{LinalgOp} in %f : (" +
           any + ") -> " + any + "\n";
    which = "%a";
    type = any;
  }
  text += "%p = transform.get_parent_op " + which +
          " {isolated_from_above} : (" + type + ") -> " + any + "\n";
  StringRef work = pickText(
      random,
      {"transform.apply_cse to %p : @",
       "transform.apply_patterns to %p {\n"
       "transform.apply_patterns.canonicalization\n"
       "} : @",
       "%q = transform.apply_registered_pass \"canonicalize\" to %p : (@) -> @",
       "transform.foreach %p : @ {\n^bb0(%x: @):\n"
       "transform.apply_dce to %x : @\n}",
       "%m = transform.structured.match interface{LinalgOp} in %p : (@) -> @\n"
       "transform.annotate %m \"mutant.seen\" : @",
       "%m = transform.structured.match interface{LinalgOp} in %p : (@) -> @\n"
       "%g = transform.structured.generalize %m : (@) -> @"});
  Operation *made =
      insertText(spot->place, spot->handle, text + fillIn(work, '@', any));
  if (made && random.chance(0.3))
    insertUse(made->getNextNode(), spot->handle);
  return made;
}
