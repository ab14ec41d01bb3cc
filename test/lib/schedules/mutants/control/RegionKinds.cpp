//===- RegionKinds.cpp - Breakage of where steps stand --------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/lib/schedules/mutants/control/RegionKinds.h"

#include "test/lib/schedules/mutants/edits/RegionEdit.h"
#include "test/lib/schedules/mutants/edits/ScheduleEdit.h"

#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"

using namespace mlir;
using namespace formwork::testing;
using transform::NamedSequenceOp;

/// Inserts a step into `body` that fails silenceably: it asks for a parent that
/// no payload has.
static void insertFailure(Block &body, Random &random) {
  Ops places;
  for (Operation &op : body)
    places.push_back(&op);
  std::string type = getTypeText(body.getArgument(0));
  insertText(random.oneOf(ArrayRef<Operation *>(places)), body.getArgument(0),
             "%n = transform.get_parent_op %h {op_name = \"mutant.none\"} : (" +
                 type + ") -> " + type);
}

bool formwork::testing::wrapInForeach(NamedSequenceOp entry, Random &random) {
  Ops run = pickRun(entry, random, 2);
  if (run.empty() || run.front()->getNumOperands() == 0 ||
      !isOpHandle(run.front()->getOperand(0)))
    return false;
  Value handle = run.front()->getOperand(0), over = handle;
  if (random.chance(0.35)) {
    // For more than is meant.
    Value functions = insertFunctions(run.front(), handle);
    Operation *match = functions ? insertText(run.front(), functions,
                                              "%m = transform.structured.match "
                                              "interface{LinalgOp} in %h : (" +
                                                  getTypeText(functions) +
                                                  ") -> " + getTypeText(handle))
                                 : nullptr;
    if (!match)
      return false;
    over = match->getResult(0);
    run.front()->setOperand(0, over);
  }
  transform::ForeachOp loop = moveIntoForeach(run, over);
  // Some bodies forget the argument.
  if (random.chance(0.25))
    loop.getBody().front().getArgument(0).replaceAllUsesWith(over);
  if (random.chance(0.25))
    insertUse(pickPlaceBehind(loop, random), handle);
  return true;
}

bool formwork::testing::wrapInSequence(NamedSequenceOp entry, Random &random) {
  Ops run = pickRun(entry, random, 4);
  Values visible = run.empty() ? Values() : getVisibleHandles(run.front());
  if (visible.empty())
    return false;
  Value first =
      run.front()->getNumOperands() != 0 ? run.front()->getOperand(0) : Value();
  Value root = first && isOpHandle(first) && random.chance(0.7)
                   ? first
                   : random.oneOf(ArrayRef<Value>(visible));
  transform::SequenceOp sequence =
      moveIntoInnerSequence(run, root, root, /*suppress=*/random.chance(0.5));
  if (random.chance(0.4))
    insertFailure(sequence.getBody().front(), random);
  if (random.chance(0.3))
    insertUse(pickPlaceBehind(sequence, random), root);
  return true;
}

bool formwork::testing::wrapInAlternatives(NamedSequenceOp entry,
                                           Random &random) {
  Ops found;
  for (Operation *op : getSteps(entry))
    // The regions see nothing but their argument.
    if (op->getNumOperands() == 1 && isOpHandle(op->getOperand(0)) &&
        llvm::is_contained({"func.func", "builtin.module"},
                           guessKind(op->getOperand(0))))
      found.push_back(op);
  Operation *op = pickStep(found, random);
  Value scope = op ? insertFunctions(op, op->getOperand(0)) : Value();
  if (!scope)
    return false;
  op->setOperand(0, scope);
  OpBuilder builder(op->getNextNode());
  OperationState state(op->getLoc(),
                       transform::AlternativesOp::getOperationName());
  state.addOperands(scope);
  Values used = moveIntoRegion(op, scope, state);
  state.addTypes(ValueRange(used).getTypes());
  bool fallBack = random.chance(0.5) && llvm::all_of(used, [&](Value value) {
                    return value.getType() == scope.getType();
                  });
  if (fallBack) {
    // It hands on what it is given.
    auto *body = new Block();
    state.addRegion()->push_back(body);
    Value argument = body->addArgument(scope.getType(), op->getLoc());
    OpBuilder inside(op->getContext());
    inside.setInsertionPointToEnd(body);
    transform::YieldOp::create(inside, op->getLoc(),
                               Values(used.size(), argument));
  }
  Operation *alternatives = builder.create(state);
  Block &first = alternatives->getRegion(0).front();
  readResults(used, alternatives, first);
  if (random.chance(0.3))
    insertFailure(first, random);
  if (random.chance(0.3))
    insertUse(pickPlaceBehind(alternatives, random), scope);
  return true;
}

bool formwork::testing::outlineSteps(NamedSequenceOp entry, Random &random) {
  Ops run = pickRun(entry, random, 3);
  if (run.empty())
    return false;
  transform::IncludeOp first =
      moveIntoSequence(entry, run, "mutant_outlined",
                       /*suppress=*/random.chance(0.3));
  if (random.chance(0.6)) {
    // Once more, now that it is so easy.
    Operation *place = pickPlaceBehind(first, random);
    Operation *second = OpBuilder(place).clone(*first);
    if (random.chance(0.5) && first->getNumOperands() != 0 &&
        first->getNumResults() != 0 &&
        first->getOperand(0).getType() == first->getResult(0).getType())
      second->setOperand(0, first->getResult(0));
  }
  return true;
}

/// Whether nothing but matches stands before `op` in its block.
static bool isAmongMatches(Operation *op) {
  while ((op = op->getPrevNode()))
    if (!isa<transform::MatchOp>(op))
      return false;
  return true;
}

bool formwork::testing::hoistStep(NamedSequenceOp entry, Random &random) {
  Operation *op = pickStep(getSteps(entry), random);
  if (!op)
    return false;
  Block &body = entry.getBody().front();
  if (isa<transform::MatchOp>(op) && op->getBlock() == &body &&
      body.getNumArguments() != 0 && !isAmongMatches(op)) {
    op->setOperand(0, body.getArgument(0));
    op->moveBefore(&body.front());
    return true;
  }
  Ops places;
  for (Operation *before = op->getPrevNode(); before;
       before = before->getPrevNode()) {
    bool isRead = false;
    op->walk([&](Operation *inner) {
      isRead |= llvm::any_of(inner->getOperands(), [&](Value value) {
        return value.getDefiningOp() == before;
      });
    });
    if (isRead)
      break;
    // To pass by matches changes nothing.
    if (!isa<transform::MatchOp>(before))
      places.push_back(before);
  }
  if (places.empty())
    return false;
  op->moveBefore(random.oneOf(ArrayRef<Operation *>(places)));
  return true;
}

bool formwork::testing::copySteps(NamedSequenceOp entry, Random &random) {
  Ops run = pickRun(entry, random, 6);
  if (run.size() < 2)
    return false;
  bool interleaves = random.chance(0.5), rebinds = random.chance(0.5);
  Operation *place = run.back()->getNextNode();
  IRMapping copies;
  for (Operation *step : run) {
    for (unsigned skip = interleaves ? random.below(3) : 0;
         skip != 0 && !place->hasTrait<OpTrait::IsTerminator>(); --skip)
      place = place->getNextNode();
    OpBuilder(place).clone(*step, copies);
  }
  if (rebinds)
    for (Operation *step : run)
      for (Value result : step->getResults()) {
        Value copy = copies.lookup(result);
        rebindBehind(copy.getDefiningOp(), result, copy);
      }
  return true;
}

bool formwork::testing::flipFailures(NamedSequenceOp entry, Random &random) {
  Ops found;
  for (Operation *op : getSteps(entry))
    if (op->hasAttr("failure_propagation_mode"))
      found.push_back(op);
  Operation *op = pickStep(found, random);
  if (!op)
    return false;
  bool suppresses =
      cast<transform::FailurePropagationModeAttr>(
          op->getAttr("failure_propagation_mode"))
          .getValue() == transform::FailurePropagationMode::Suppress;
  NamedAttribute mode = getFailureMode(entry.getContext(), !suppresses);
  op->setAttr(mode.getName(), mode.getValue());
  return true;
}
