//===- FunctionKinds.cpp - Ways to the functions --------------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/lib/schedules/mutants/handles/FunctionKinds.h"

#include "test/lib/schedules/mutants/edits/RecipeEdit.h"
#include "test/lib/schedules/mutants/edits/RegionEdit.h"

using namespace mlir;
using namespace formwork::testing;
using transform::NamedSequenceOp;

/// Whether `step` looks for functions, and may as well find others of them.
static bool findsFunctions(Operation *step) {
  if (auto match = dyn_cast<transform::MatchOp>(step))
    return isa<transform::AnyOpType>(match.getResult().getType()) &&
           guessKind(match.getResult()) == "func.func";
  auto parent = dyn_cast<transform::GetParentOp>(step);
  return parent && isa<transform::AnyOpType>(parent.getResult().getType()) &&
         (parent.getIsolatedFromAbove() || parent.getOpName() == "func.func");
}

/// Inserts a handle to all functions at the start, or null.
static Value insertFunctionsAtStart(NamedSequenceOp entry) {
  Operation *first = &entry.getBody().front().front();
  Value root = getRootBefore(first);
  return root && isa<transform::AnyOpType>(root.getType())
             ? insertMatch(first, root, "ops{[\"func.func\"]}")
             : Value();
}

/// The matches in the module, except for those of functions.
static SmallVector<transform::MatchOp> getMatchesInRoot(NamedSequenceOp entry) {
  SmallVector<transform::MatchOp> matches;
  for (Operation *step : getOuterSteps(entry))
    if (auto match = dyn_cast<transform::MatchOp>(step))
      if (isa<BlockArgument>(match.getTarget()) &&
          !isScopeKind(guessKind(match.getResult())))
        matches.push_back(match);
  return matches;
}

bool formwork::testing::functionsUpFront(NamedSequenceOp entry,
                                         Random &random) {
  Ops found = getSteps(entry);
  llvm::erase_if(found, [](Operation *step) { return !findsFunctions(step); });
  // Most see that a step makes another module, and look for its functions anew.
  Block &block = entry.getBody().front();
  if (random.chance(0.75))
    llvm::erase_if(found, [&](Operation *step) {
      Value root = getRootBefore(block.findAncestorOpInBlock(*step));
      return !root || !isa<BlockArgument>(root);
    });
  if (found.empty() || found.front() == &block.front())
    return false;
  Value functions = insertFunctionsAtStart(entry);
  if (!functions)
    return false;
  for (Operation *step : found) {
    step->getResult(0).replaceAllUsesWith(functions);
    step->erase();
  }
  return true;
}

bool formwork::testing::oneFunction(NamedSequenceOp entry, Random &random) {
  SmallVector<transform::MatchOp> matches = getMatchesInRoot(entry);
  Value functions = matches.empty() ? Value() : insertFunctionsAtStart(entry);
  if (!functions)
    return false;
  Operation *split = insertSteps(
      functions.getDefiningOp()->getNextNode(), functions,
      pickText(
          random,
          {"%a = transform.split_handle %h : (@) -> @",
           "%a, %b = transform.split_handle %h {overflow_result = 1} : (@) -> "
           "(@, @)",
           "%a, %b = transform.split_handle %h {fail_on_payload_too_small = "
           "false} : (@) -> (@, @)",
           "%a, %b = transform.split_handle %h : (@) -> (@, @)"}));
  if (!split)
    return false;
  bool last = random.chance(0.12);
  Value function = split->getResult(last ? split->getNumResults() - 1 : 0);
  // A match that is added later may still look in all of the module.
  if (matches.size() > 1 && random.chance(0.2))
    matches.pop_back();
  for (transform::MatchOp match : matches)
    match.getTargetMutable().set(function);
  return true;
}

bool formwork::testing::findPerFunction(NamedSequenceOp entry, Random &random) {
  SmallVector<transform::MatchOp> matches = getMatchesInRoot(entry);
  if (matches.empty())
    return false;
  // Neighbours share the loop.
  unsigned first = random.below(matches.size());
  Ops run{matches[first]};
  for (transform::MatchOp next : ArrayRef(matches).drop_front(first + 1)) {
    if (run.back()->getNextNode() != next || random.chance(0.25))
      break;
    run.push_back(next);
  }
  Value functions =
      insertMatch(run.front(), run.front()->getOperand(0),
                  pickText(random, {"ops{[\"func.func\"]}",
                                    "ops{[\"func.func\"]"
                                    "}",
                                    "ops{[\"func.func\"]}",
                                    "ops{[\"func.func\", \"scf.for\"]}",
                                    "ops{[\"func.func\", \"func.return\"]}"}));
  if (!functions)
    return false;
  for (Operation *match : run)
    match->setOperand(0, functions);
  transform::ForeachOp loop = moveIntoForeach(run, functions);
  // Two results in the wrong order.
  if (random.chance(0.2))
    swapYielded(loop.getBody().front().getTerminator());
  return true;
}
