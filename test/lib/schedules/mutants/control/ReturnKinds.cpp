//===- ReturnKinds.cpp - Breakage by what helpers return ------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/lib/schedules/mutants/control/ReturnKinds.h"

#include "test/lib/schedules/mutants/edits/OrderEdit.h"
#include "test/lib/schedules/mutants/edits/RecipeEdit.h"
#include "test/lib/schedules/mutants/edits/RegionEdit.h"

using namespace mlir;
using namespace formwork::testing;
using transform::NamedSequenceOp;

/// Lets the sequence that `include` runs yield `values`. The new include; what
/// reads the results of the old one is for the caller to say.
static Operation *yieldInstead(transform::IncludeOp include, Values values) {
  NamedSequenceOp callee = getCallee(include);
  callee.getBody().front().getTerminator()->setOperands(values);
  callee.setFunctionTypeAttr(TypeAttr::get(
      FunctionType::get(include.getContext(), callee.getArgumentTypes(),
                        ValueRange(values).getTypes())));
  return insertInclude(
      include, include.getTarget().getLeafReference().getValue(),
      include.getOperands(), ValueRange(values).getTypes(), /*suppress=*/false);
}

bool formwork::testing::finderHelper(NamedSequenceOp entry, Random &random) {
  Ops run;
  for (Operation *step : getOuterSteps(entry)) {
    if (!isLookup(step))
      break;
    run.push_back(step);
  }
  if (run.empty())
    return false;
  transform::IncludeOp include =
      moveIntoSequence(entry, run, "mutant_find", /*suppress=*/false);
  unsigned number = include.getNumResults();
  if (number == 0)
    return false;
  // The helper names two handles in the wrong order.
  if (number > 1 && random.chance(0.4))
    swapYielded(getCallee(include).getBody().front().getTerminator(),
                random.below(number - 1));
  if (!random.chance(0.4))
    return true;
  // All handles are found anew, some steps later.
  Operation *place = pickPlaceBehind(include, random);
  Operation *again = OpBuilder(place).clone(*include);
  Value root = getRootBefore(place);
  if (root && again->getNumOperands() == 1 && random.chance(0.8))
    again->setOperand(0, root);
  for (auto [old, made] :
       llvm::zip_equal(include.getResults(), again->getResults()))
    rebindBehind(again, old, made);
  return true;
}

bool formwork::testing::returnArguments(NamedSequenceOp entry, Random &random) {
  Ops run = pickRun(entry, random, 4);
  if (run.empty())
    return false;
  transform::IncludeOp include =
      moveIntoSequence(entry, run, "mutant_hands_back", /*suppress=*/false);
  NamedSequenceOp callee = getCallee(include);
  Values yielded(callee.getBody().front().getTerminator()->getOperands());
  unsigned made = yielded.size();
  // The steps consume some, which are gone.
  SmallVector<unsigned> handed;
  for (BlockArgument argument : callee.getBody().getArguments())
    if (unsigned number = argument.getArgNumber(); !callee.getArgAttr(
            number, transform::TransformDialect::kArgConsumedAttrName)) {
      yielded.push_back(argument);
      handed.push_back(number);
    }
  if (handed.empty())
    return false;
  Operation *call = yieldInstead(include, yielded);
  for (auto [number, result] : llvm::enumerate(include.getResults()))
    result.replaceAllUsesWith(call->getResult(number));
  // From some step on, the handle has the new name.
  double share = random.chance(0.6) ? 1.0 : 0.5;
  bool changed = made != 0;
  for (auto [i, number] : llvm::enumerate(handed)) {
    Value handle = include.getOperand(number);
    Operation *from =
        random.chance(share) ? call : pickPlaceBehind(call, random);
    changed |= rebindBehind(from, handle, call->getResult(made + i));
  }
  include->erase();
  return changed;
}

bool formwork::testing::voidHelper(NamedSequenceOp entry, Random &random) {
  Ops run = pickRun(entry, random, 5);
  if (run.empty() || run.front()->getBlock() != &entry.getBody().front())
    return false;
  Values used = getResultsUsedElsewhere(run);
  if (used.empty() || !llvm::all_of(used, isOpHandle))
    return false;
  SmallVector<std::string> kinds;
  for (Value value : used)
    kinds.push_back(guessKind(value).str());
  transform::IncludeOp include =
      moveIntoSequence(entry, run, "mutant_returns_nothing",
                       /*suppress=*/false);
  yieldInstead(include, {});
  Value root = getRootBefore(include);
  if (!root)
    return false;
  for (auto [result, kind] : llvm::zip_equal(include.getResults(), kinds)) {
    if (kind == "builtin.module")
      return false;
    // All ops of the kind, or the first.
    std::string type = getTypeText(result);
    std::string text =
        "%m = transform.structured.match " +
        (kind.empty() ? "interface{LinalgOp}" : "ops{[\"" + kind + "\"]}") +
        " in %h : (" + getTypeText(root) + ") -> " + type;
    if (random.chance(0.35))
      text += "\n%a, %b = transform.split_handle %m {overflow_result = 1} : (" +
              type + ") -> (" + type + ", " + type + ")";
    Operation *found = insertText(include, root, text);
    if (!found)
      return false;
    result.replaceAllUsesWith(found->getResult(0));
  }
  include->erase();
  return true;
}
