//===- StepKinds.cpp - Breakage of single steps ---------------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/lib/schedules/mutants/steps/StepKinds.h"

#include "test/lib/schedules/mutants/edits/OrderEdit.h"

using namespace mlir;
using namespace formwork::testing;
using transform::NamedSequenceOp;

bool formwork::testing::swapSteps(NamedSequenceOp entry, Random &random) {
  Ops candidates;
  for (Operation *op : getSteps(entry)) {
    Operation *next = op->getNextNode();
    if (next->hasTrait<OpTrait::IsTerminator>() ||
        llvm::any_of(op->getUsers(),
                     [&](Operation *user) { return next->isAncestor(user); }))
      continue;
    candidates.push_back(op);
  }
  Operation *op = pickStep(candidates, random);
  if (op)
    op->moveAfter(op->getNextNode());
  return op;
}

bool formwork::testing::dropStep(NamedSequenceOp entry, Random &random) {
  Operation *op = pickStep(getSteps(entry), random);
  if (!op)
    return false;
  Values visible = getVisibleHandles(op);
  for (Value result : op->getResults()) {
    if (result.use_empty())
      continue;
    Values fitting;
    auto add = [&](ValueRange values) {
      for (Value value : values)
        if (value.getType() == result.getType())
          fitting.push_back(value);
    };
    add(op->getOperands());
    if (fitting.empty())
      add(visible);
    if (fitting.empty())
      return false;
    result.replaceAllUsesWith(random.oneOf(ArrayRef<Value>(fitting)));
  }
  op->erase();
  return true;
}

bool formwork::testing::duplicateStep(NamedSequenceOp entry, Random &random) {
  Operation *op = pickStep(getSteps(entry), random);
  if (op)
    OpBuilder(op->getNextNode()).clone(*op);
  return op;
}

bool formwork::testing::moveFar(NamedSequenceOp entry, Random &random) {
  Operation *op = pickStep(getSteps(entry), random);
  if (!op)
    return false;
  // As far as the first user lets it.
  Ops places;
  for (Operation *next = op->getNextNode(); next; next = next->getNextNode()) {
    if (next != op->getNextNode())
      places.push_back(next);
    if (llvm::any_of(op->getUsers(),
                     [&](Operation *user) { return next->isAncestor(user); }))
      break;
  }
  if (places.empty())
    return false;
  op->moveBefore(random.oneOf(ArrayRef<Operation *>(places)));
  return true;
}

bool formwork::testing::onceMore(NamedSequenceOp entry, Random &random) {
  Ops steps = getSteps(entry);
  llvm::erase_if(steps, [](Operation *step) {
    return step->getNumResults() == 0 || step->getNumOperands() == 0 ||
           isLookup(step) || !consumes(step, step->getOperand(0)) ||
           step->getResult(0).getType() != step->getOperand(0).getType();
  });
  Operation *step = pickStep(steps, random);
  if (!step)
    return false;
  Operation *again = OpBuilder(step->getNextNode()).clone(*step);
  again->setOperand(0, step->getResult(0));
  if (random.chance(0.8))
    rebindToResult(again, step->getResult(0));
  // The other results, such as loops, are those of the first step or of both.
  if (random.chance(0.4))
    for (unsigned i = 1, e = step->getNumResults(); i < e; ++i)
      rebindToResult(again, step->getResult(i), i);
  return true;
}
