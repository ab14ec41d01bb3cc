//===- RefactoringKinds.cpp - Breakage by refactoring ---------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/lib/schedules/mutants/control/RefactoringKinds.h"

#include "test/lib/schedules/mutants/edits/RegionEdit.h"

#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace formwork::testing;
using transform::IncludeOp;
using transform::NamedSequenceOp;

bool formwork::testing::halfExtracted(NamedSequenceOp entry, Random &random) {
  Ops run = pickRun(entry, random, 5);
  if (run.size() < 2)
    return false;
  Operation *next = run.back()->getNextNode();
  bool suppress = random.chance(0.1);
  if (random.chance(0.6)) {
    // One step was only copied. What is behind may follow the copy.
    Operation *step = pickStep(run, random);
    bool stays = step == run.front() && random.chance(0.5);
    Operation *copy = OpBuilder(stays ? step : next).clone(*step);
    bool follows = random.chance(0.6);
    IncludeOp include =
        moveIntoSequence(entry, run, "mutant_extracted", suppress);
    for (auto [old, made] :
         llvm::zip_equal(step->getResults(), copy->getResults()))
      for (auto [number, yielded] : llvm::enumerate(
               getCallee(include).getBody().front().back().getOperands()))
        if (follows && yielded == old)
          rebindBehind(stays ? include.getOperation() : copy,
                       include->getResult(number), made);
    return true;
  }
  // One result stays inside, and its readers read what stood for it before.
  Values used = getResultsUsedElsewhere(run);
  llvm::erase_if(used, [](Value value) { return !isOpHandle(value); });
  if (used.empty())
    return false;
  Value forgotten = random.oneOf(ArrayRef<Value>(used));
  Values visible = getVisibleHandles(run.front());
  llvm::erase_if(visible, [&](Value value) {
    return value.getType() != forgotten.getType();
  });
  Operation *made = forgotten.getDefiningOp();
  Value old = made->getNumOperands() != 0 ? made->getOperand(0) : Value();
  if (!llvm::is_contained(visible, old) || random.chance(0.5)) {
    StringRef kind = guessKind(forgotten);
    llvm::erase_if(visible,
                   [&](Value value) { return guessKind(value) != kind; });
    if (visible.empty())
      return false;
    old = random.oneOf(ArrayRef<Value>(visible));
  }
  forgotten.replaceUsesWithIf(old, [&](OpOperand &use) {
    return llvm::none_of(
        run, [&](Operation *step) { return step->isAncestor(use.getOwner()); });
  });
  moveIntoSequence(entry, run, "mutant_extracted", suppress);
  return true;
}

/// All includes of `callee`.
static SmallVector<IncludeOp> getCalls(NamedSequenceOp callee) {
  SmallVector<IncludeOp> calls;
  callee->getParentOp()->walk([&](IncludeOp include) {
    if (getCallee(include) == callee)
      calls.push_back(include);
  });
  return calls;
}

/// Says of an argument of `callee` that it is consumed.
static void markConsumed(NamedSequenceOp callee, unsigned number) {
  callee.removeArgAttr(number,
                       transform::TransformDialect::kArgReadOnlyAttrName);
  callee.setArgAttr(number, transform::TransformDialect::kArgConsumedAttrName,
                    UnitAttr::get(callee.getContext()));
}

/// Whether `step` calls a sequence, which may be the one that it would move to.
static bool hasInclude(Operation *step) {
  return step->walk([](IncludeOp) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

/// Moves the step before `include` into the sequence, for an argument that it
/// made. It also stays where it is when something else reads it.
static bool moveToStart(IncludeOp include) {
  Operation *step = include->getPrevNode();
  NamedSequenceOp callee = getCallee(include);
  if (!step || step->getNumOperands() != 1 || step->getNumResults() == 0 ||
      hasInclude(step))
    return false;
  Value made = step->getResult(0), read = step->getOperand(0);
  auto passed = llvm::find(include->getOperands(), made);
  if (passed == include->operand_end() || made.getType() != read.getType())
    return false;
  unsigned number = passed.getIndex();
  BlockArgument argument = callee.getBody().getArgument(number);
  OpBuilder builder(&callee.getBody().front().front());
  Operation *moved = builder.clone(*step);
  argument.replaceAllUsesWith(moved->getResult(0));
  moved->setOperand(0, argument);
  if (consumes(step, read))
    markConsumed(callee, number);
  include->setOperand(number, read);
  if (step->use_empty())
    step->erase();
  return true;
}

/// Moves the step behind `include` to the end of the sequence, and hands out
/// what it makes.
static bool moveToEnd(IncludeOp include, Random &random) {
  Operation *step = include->getNextNode();
  NamedSequenceOp callee = getCallee(include);
  Operation *end = callee.getBody().front().getTerminator();
  if (step->hasTrait<OpTrait::IsTerminator>() || step->getNumOperands() == 0 ||
      hasInclude(step))
    return false;
  IRMapping mapping;
  for (auto [passed, argument] :
       llvm::zip_equal(include->getOperands(), callee.getBody().getArguments()))
    mapping.map(passed, argument);
  for (auto [result, yielded] :
       llvm::zip_equal(include->getResults(), end->getOperands()))
    mapping.map(result, yielded);
  if (!llvm::all_of(step->getOperands(),
                    [&](Value value) { return mapping.contains(value); }))
    return false;
  for (auto [number, passed] : llvm::enumerate(include->getOperands()))
    if (consumes(step, passed))
      markConsumed(callee, number);
  Operation *moved = OpBuilder(end).clone(*step, mapping);
  // A consumed handle is not to be handed out any more.
  if (moved->getNumResults() != 0 && random.chance(0.85))
    for (OpOperand &operand : end->getOpOperands())
      if (consumes(moved, operand.get()) &&
          operand.get().getType() == moved->getResult(0).getType())
        operand.set(moved->getResult(0));
  end->insertOperands(end->getNumOperands(), moved->getResults());
  SmallVector<Type> types(end->getOperandTypes());
  callee.setFunctionTypeAttr(TypeAttr::get(FunctionType::get(
      callee.getContext(), callee.getArgumentTypes(), types)));
  for (IncludeOp call : getCalls(callee)) {
    OperationState state(call.getLoc(), IncludeOp::getOperationName());
    state.addOperands(call->getOperands());
    state.addTypes(types);
    state.addAttributes(call->getAttrs());
    Operation *anew = OpBuilder(call).create(state);
    for (auto [old, result] : llvm::zip(call->getResults(), anew->getResults()))
      old.replaceAllUsesWith(result);
    if (call == include)
      step->replaceAllUsesWith(
          anew->getResults().take_back(step->getNumResults()));
    call.erase();
  }
  step->erase();
  return true;
}

bool formwork::testing::intoHelper(NamedSequenceOp entry, Random &random) {
  IncludeOp include = pickInclude(entry, random);
  if (!include || random.chance(0.5)) {
    Ops run = pickRun(entry, random, 3);
    if (run.empty())
      return false;
    include = moveIntoSequence(entry, run, "mutant_helper",
                               /*suppress=*/random.chance(0.1));
    // Another call, which the edit is not meant for.
    if (random.chance(0.3))
      OpBuilder(pickPlaceBehind(include, random)).clone(*include);
  }
  bool first = random.chance(0.4);
  return first ? moveToStart(include) || moveToEnd(include, random)
               : moveToEnd(include, random) || moveToStart(include);
}

/// Where the same step, done for the operands of both at once, may stand: at
/// the place of either, of the first only when it does not pass by what makes
/// the operand of the second, and the reverse.
static Ops getPlacesForBoth(Operation *first, Operation *second) {
  Ops places;
  Operation *made = second->getOperand(0).getDefiningOp();
  if (!made || made->getBlock() != first->getBlock() ||
      made->isBeforeInBlock(first))
    places.push_back(first);
  if (llvm::all_of(first->getUsers(), [&](Operation *user) {
        Operation *step = first->getBlock()->findAncestorOpInBlock(*user);
        return step && second->isBeforeInBlock(step);
      }))
    places.push_back(second);
  return places;
}

/// The pairs of steps, one behind the other, that do the same, each for its
/// operand; or `much` the same, with other attributes.
static SmallVector<std::pair<Operation *, Operation *>>
getLikePairs(NamedSequenceOp entry, bool much) {
  SmallVector<std::pair<Operation *, Operation *>> pairs;
  Ops steps = getSteps(entry);
  llvm::erase_if(steps, [](Operation *step) {
    return step->getNumOperands() != 1 || step->getNumRegions() != 0 ||
           isa<transform::MatchOp, transform::SplitHandleOp>(step) ||
           !isOpHandle(step->getOperand(0)) ||
           !llvm::all_of(step->getResults(), isOpHandle);
  });
  for (auto [number, second] : llvm::enumerate(steps))
    for (Operation *first : ArrayRef(steps).take_front(number))
      if (first->getName() == second->getName() &&
          first->getBlock() == second->getBlock() &&
          first->getOperandTypes() == second->getOperandTypes() &&
          first->getResultTypes() == second->getResultTypes() &&
          (much || first->getAttrs() == second->getAttrs()) &&
          first->getOperand(0) != second->getOperand(0) &&
          !getPlacesForBoth(first, second).empty())
        pairs.push_back({first, second});
  return pairs;
}

bool formwork::testing::stepForBoth(NamedSequenceOp entry, Random &random) {
  auto pairs = getLikePairs(entry, /*much=*/random.chance(0.4));
  // Marks are the least of it.
  auto isMark = [](auto pair) { return pair.first->getNumResults() == 0; };
  if (random.chance(0.75) && !llvm::all_of(pairs, isMark))
    llvm::erase_if(pairs, isMark);
  if (pairs.empty())
    return false;
  auto [first, second] = pairs[random.below(pairs.size())];
  Operation *place = pickStep(getPlacesForBoth(first, second), random);
  Value one = first->getOperand(0), two = second->getOperand(0);
  Operation *merge =
      insertText(place, {one, two},
                 "%m = transform.merge_handles %h, %h1 : " + getTypeText(one));
  if (!merge)
    return false;
  IRMapping mapping;
  mapping.map(one, merge->getResult(0));
  Operation *both = OpBuilder(place).clone(*first, mapping);
  for (auto [number, result] : llvm::enumerate(both->getResults())) {
    Value old = first->getResult(number), other = second->getResult(number);
    if (old.use_empty() && other.use_empty())
      continue;
    std::string type = getTypeText(result);
    Operation *split =
        insertText(place, result,
                   "%a, %b = transform.split_handle %h : (" + type + ") -> (" +
                       type + ", " + type + ")");
    if (!split)
      return false;
    old.replaceAllUsesWith(split->getResult(0));
    other.replaceAllUsesWith(split->getResult(1));
  }
  first->erase();
  second->erase();
  return true;
}

bool formwork::testing::runForBoth(NamedSequenceOp entry, Random &random) {
  SmallVector<std::pair<Value, Operation *>> found;
  for (Operation *step : getOuterSteps(entry))
    if (!isa<transform::MatchOp>(step))
      for (Value handle : step->getOperands())
        if (auto match = handle.getDefiningOp<transform::MatchOp>();
            match && isStructuredKind(guessKind(handle)) &&
            isa<transform::AnyOpType>(handle.getType()))
          found.push_back({handle, step});
  if (found.empty())
    return false;
  auto [handle, first] = found[random.below(found.size())];
  Values others = getVisibleHandles(first);
  llvm::erase_if(others, [&](Value other) {
    return other == handle || other.getType() != handle.getType() ||
           !isStructuredKind(guessKind(other)) ||
           !other.getDefiningOp<transform::MatchOp>();
  });
  Value other;
  if (!others.empty()) {
    other = random.oneOf(ArrayRef<Value>(others));
  } else if (Value root = getRootBefore(first)) {
    // The schedule knows no other op yet.
    Operation *match =
        insertText(first, root,
                   "%m = transform.structured.match ops{[\"" +
                       pickText(random, {"linalg.fill", "linalg.generic",
                                         "linalg.matmul"}) +
                       "\"]} in %h : (" + getTypeText(root) + ") -> " + anyOp);
    other = match ? Value(match->getResult(0)) : Value();
  }
  if (!other)
    return false;
  Ops run;
  Operation *step = first;
  for (unsigned i = 0, e = random.between(1, 4);
       i < e && isa<transform::TransformOpInterface>(step) &&
       !step->hasTrait<OpTrait::IsTerminator>();
       ++i, step = step->getNextNode())
    run.push_back(step);
  Operation *merge = insertText(
      first, {handle, other},
      "%m = transform.merge_handles " +
          pickText(random, {"%h, %h1", "%h, %h1", "%h1, %h"}) + " : " + anyOp);
  if (!merge)
    return false;
  Value both = merge->getResult(0);
  for (Operation *each : run)
    each->replaceUsesOfWith(handle, both);
  moveIntoForeach(run, both);
  return true;
}
