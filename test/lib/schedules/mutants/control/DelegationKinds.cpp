//===- DelegationKinds.cpp - Breakage by delegation -----------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/lib/schedules/mutants/control/DelegationKinds.h"

#include "test/lib/schedules/mutants/edits/RecipeEdit.h"
#include "test/lib/schedules/mutants/edits/RegionEdit.h"

using namespace mlir;
using namespace formwork::testing;
using transform::NamedSequenceOp;

using transform::IncludeOp;

/// A part of `steps`, not all of them.
static Ops pickPart(ArrayRef<Operation *> steps, Random &random) {
  unsigned size = random.between(1, steps.size() - 1);
  unsigned start = random.below(steps.size() - size + 1);
  return Ops(steps.slice(start, size));
}

/// Calls the sequence of `inner`, which stands in the one of `outer`, behind
/// `outer` with what that got, if that is all it needs.
static void callInner(IncludeOp outer, IncludeOp inner, Random &random) {
  Values passed;
  for (Value value : inner->getOperands()) {
    auto argument = dyn_cast<BlockArgument>(value);
    if (!argument)
      return;
    passed.push_back(outer->getOperand(argument.getArgNumber()));
  }
  insertInclude(pickPlaceBehind(outer, random), "mutant_inner", passed,
                inner->getResultTypes(), /*suppress=*/false);
}

bool formwork::testing::layeredHelpers(NamedSequenceOp entry, Random &random) {
  Ops run = pickRun(entry, random, 6);
  if (run.size() < 2)
    return false;
  bool suppress = random.chance(0.1);
  IncludeOp outer = moveIntoSequence(entry, run, "mutant_outer", suppress);
  NamedSequenceOp callee = getCallee(outer);
  Ops part = pickPart(run, random);
  bool suppressInner = random.chance(0.1);
  IncludeOp inner =
      moveIntoSequence(callee, part, "mutant_inner", suppressInner);
  // The argument of the inner one may be read after it, or by the caller; or
  // the inner one is of use elsewhere.
  unsigned mistake = random.below(100);
  if (mistake < 20) {
    Values given(inner->getOperands());
    llvm::erase_if(given, [](Value value) { return !isOpHandle(value); });
    if (!given.empty())
      insertUse(inner->getNextNode(), random.oneOf(ArrayRef<Value>(given)));
  } else if (mistake < 35) {
    Values given(outer->getOperands());
    llvm::erase_if(given, [](Value value) { return !isOpHandle(value); });
    if (!given.empty())
      insertUse(pickPlaceBehind(outer, random),
                random.oneOf(ArrayRef<Value>(given)));
  } else if (mistake < 55) {
    callInner(outer, inner, random);
  }
  return true;
}

bool formwork::testing::helperFindsIt(NamedSequenceOp entry, Random &random) {
  Ops found;
  for (Operation *step : getSteps(entry))
    if (step->getNumOperands() != 0 && !isa<transform::MatchOp>(step) &&
        step->getOperand(0).getDefiningOp<transform::MatchOp>())
      found.push_back(step);
  Operation *step = pickStep(found, random);
  if (!step)
    return false;
  auto match = step->getOperand(0).getDefiningOp<transform::MatchOp>();
  auto anew = cast<transform::MatchOp>(OpBuilder(step).clone(*match));
  // It may be handed the function only.
  if (random.chance(0.3) && !isScopeKind(guessKind(match.getResult())))
    if (Value functions = insertFunctions(anew, match.getTarget()))
      anew.getTargetMutable().set(functions);
  step->setOperand(0, anew.getResult());
  Ops run = {anew, step};
  Operation *next = step->getNextNode();
  bool takesNext = random.chance(0.3);
  if (takesNext && !next->hasTrait<OpTrait::IsTerminator>() &&
      llvm::is_contained(step->getUsers(), next))
    run.push_back(next);
  bool suppress = random.chance(0.1);
  IncludeOp include = moveIntoSequence(entry, run, "mutant_finds_it", suppress);
  // The caller may know the op too, or have the helper look again.
  if (random.chance(0.35))
    insertUse(pickPlaceBehind(include, random), match.getResult());
  else if (match->use_empty())
    match->erase();
  if (random.chance(0.15))
    OpBuilder(pickPlaceBehind(include, random)).clone(*include);
  return true;
}
