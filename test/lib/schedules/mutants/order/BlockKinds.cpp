//===- BlockKinds.cpp - Breakage of blocks of steps -----------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/lib/schedules/mutants/order/BlockKinds.h"

#include "test/lib/schedules/mutants/edits/RegionEdit.h"

#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"

using namespace mlir;
using namespace formwork::testing;
using transform::NamedSequenceOp;

bool formwork::testing::cutTail(NamedSequenceOp entry, Random &random) {
  Ops steps = getOuterSteps(entry);
  if (steps.size() < 3 ||
      entry.getBody().front().getTerminator()->getNumOperands() != 0)
    return false;
  unsigned kept = random.between(1, steps.size() - 1);
  // Clean-up at the end may stay.
  bool keepsCleanUps = random.chance(0.4), anyGone = false;
  for (Operation *op : llvm::reverse(llvm::drop_begin(steps, kept))) {
    bool cleans =
        isa<transform::ApplyPatternsOp, transform::ApplyRegisteredPassOp,
            transform::ApplyCommonSubexpressionEliminationOp>(op);
    if (!op->use_empty() || (keepsCleanUps && cleans))
      continue;
    op->erase();
    anyGone = true;
  }
  // How far it got is to be seen from some handle.
  Operation *end = entry.getBody().front().getTerminator();
  Values visible = getVisibleHandles(end);
  if (anyGone && !visible.empty() && random.chance(0.6))
    insertUse(end, random.oneOf(ArrayRef<Value>(visible)));
  return anyGone;
}

bool formwork::testing::dropBranch(NamedSequenceOp entry, Random &random) {
  Ops steps = getSteps(entry);
  // The first ones have all others behind them.
  llvm::erase_if(steps, [](Operation *op) { return op->use_empty(); });
  Operation *op = pickStep(steps, random);
  if (!op)
    return false;
  llvm::SetVector<Operation *> gone;
  gone.insert(op);
  for (unsigned i = 0; i < gone.size(); ++i)
    for (Operation *user : gone[i]->getUsers()) {
      if (user->hasTrait<OpTrait::IsTerminator>())
        return false;
      gone.insert(user);
    }
  if (gone.size() >= getSteps(entry).size())
    return false;
  for (Operation *each : gone)
    each->dropAllUses();
  // A step inside another one goes with it.
  Ops roots;
  for (Operation *each : gone)
    if (llvm::none_of(gone, [&](Operation *other) {
          return other->isProperAncestor(each);
        }))
      roots.push_back(each);
  for (Operation *each : roots)
    each->erase();
  return true;
}

bool formwork::testing::swapBlocks(NamedSequenceOp entry, Random &random) {
  Ops steps = getOuterSteps(entry);
  if (steps.size() < 4)
    return false;
  // Not all blocks can go before one another; some are tried.
  for (unsigned attempt = 0; attempt < 12; ++attempt) {
    unsigned first = random.between(1, 5), second = random.between(2, 5);
    if (first + second > steps.size())
      continue;
    unsigned start = random.below(steps.size() - first - second + 1);
    ArrayRef<Operation *> front = ArrayRef(steps).slice(start, first);
    ArrayRef<Operation *> back = ArrayRef(steps).slice(start + first, second);
    bool depends = llvm::any_of(front, [&](Operation *op) {
      return llvm::any_of(op->getUsers(), [&](Operation *user) {
        return llvm::any_of(
            back, [&](Operation *each) { return each->isAncestor(user); });
      });
    });
    if (depends)
      continue;
    for (Operation *op : back)
      op->moveBefore(front.front());
    return true;
  }
  return false;
}

bool formwork::testing::recipeForOther(NamedSequenceOp entry, Random &random) {
  return !copyForOther(entry, random).copies.empty();
}

bool formwork::testing::editHelper(NamedSequenceOp entry, Random &random) {
  transform::IncludeOp include = pickInclude(entry, random);
  if (!include)
    return false;
  Block &body = getCallee(include).getBody().front();
  unsigned edit = random.below(5);
  Ops steps;
  for (Operation &op : body.without_terminator())
    if (edit != 0 || op.use_empty())
      steps.push_back(&op);
  Operation *step = pickStep(steps, random);
  if (edit == 0) {
    if (step)
      step->erase();
    return step;
  }
  if (edit == 1) {
    if (step)
      OpBuilder(step->getNextNode()).clone(*step);
    return step;
  }
  if (body.getNumArguments() == 0 || !isOpHandle(body.getArgument(0)))
    return false;
  Value argument = body.getArgument(0);
  std::string type = getTypeText(argument);
  Operation *place = random.chance(0.6) || !step ? body.getTerminator() : step;
  StringRef text = pickText(
      random,
      {"%p = transform.get_parent_op %h {isolated_from_above} : (@) -> "
       "!transform.any_op\n"
       "transform.apply_patterns to %p {\n"
       "transform.apply_patterns.canonicalization\n"
       "transform.apply_patterns.linalg.fold_unit_extent_dims_via_slices\n"
       "} : !transform.any_op",
       "transform.annotate %h \"mutant.seen\" : @",
       "%p = transform.get_parent_op %h {op_name = \"scf.for\"} : (@) -> "
       "!transform.any_op\n"
       "transform.loop.unroll %p {factor = 2} : !transform.any_op",
       "%g = transform.structured.generalize %h : (@) -> @"});
  Operation *made = insertText(place, argument, fillIn(text, '@', type));
  if (made && made->getNumResults() != 0 && random.chance(0.8))
    rebindToResult(made, argument);
  return made;
}

bool formwork::testing::overstateConsume(NamedSequenceOp entry,
                                         Random &random) {
  std::optional<Spot> spot = pickSpot(entry, random);
  if (!spot)
    return false;
  Operation *place = spot->place;
  Value handle = spot->handle;
  if (random.chance(0.7))
    handle = pickVisible(place, random, [](StringRef) { return true; });
  if (!handle)
    return false;
  std::string type = getTypeText(handle);
  StringRef work = pickText(
      random, {"transform.annotate %a \"mutant.seen\" : @\n",
               "%f = transform.get_parent_op %a {isolated_from_above, "
               "allow_empty_results} : (@) -> !transform.any_op\n"
               "transform.apply_cse to %f : !transform.any_op\n",
               "%m = transform.structured.match interface{LinalgOp} in %a : "
               "(@) -> !transform.any_op\n"
               "transform.annotate %m \"mutant.seen\" : !transform.any_op\n",
               "transform.print %a {name = \"mutant\"} : @\n"});
  std::string body = fillIn(work, '@', type);
  bool handsBack = random.chance(0.6), says = random.chance(0.8);
  std::string to = handsBack ? " -> " + type : "";
  if (!insertSequences(
          entry, "transform.named_sequence @mutant_reads(%a: " + type +
                     " {transform." + (says ? "consumed" : "readonly") + "})" +
                     to + " {\n" + body + "transform.yield" +
                     (handsBack ? " %a : " + type : std::string()) + "\n}"))
    return false;
  bool suppress = random.chance(0.2);
  Operation *made = insertInclude(
      place, "mutant_reads", handle,
      handsBack ? TypeRange(handle.getType()) : TypeRange(), suppress);
  return !handsBack || goOnWith(made, handle, 0.75, random);
}
