//===- OrderEdit.cpp - Order of steps -------------------------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/lib/schedules/mutants/edits/OrderEdit.h"

#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"

using namespace mlir;
using namespace formwork::testing;
using transform::NamedSequenceOp;

bool formwork::testing::isLookup(Operation *step) {
  return isa<transform::MatchOp, transform::GetParentOp,
             transform::GetProducerOfOperand, transform::GetConsumersOfResult>(
      step);
}

llvm::SmallSetVector<Operation *, 4>
formwork::testing::getNeeded(Operation *op) {
  llvm::SmallSetVector<Operation *, 4> needed;
  op->walk([&](Operation *inner) {
    for (Value value : inner->getOperands())
      if (Operation *made = value.getDefiningOp();
          made && made->getBlock() == op->getBlock())
        needed.insert(made);
  });
  return needed;
}

bool formwork::testing::reorder(
    NamedSequenceOp entry, const llvm::DenseMap<Operation *, unsigned> &ranks) {
  Ops steps = getOuterSteps(entry), order;
  llvm::DenseSet<Operation *> placed;
  Ops left = steps;
  while (!left.empty()) {
    Operation *next = nullptr;
    for (Operation *op : left)
      if ((!next || ranks.lookup(op) < ranks.lookup(next)) &&
          llvm::all_of(getNeeded(op),
                       [&](Operation *made) { return placed.contains(made); }))
        next = op;
    order.push_back(next);
    placed.insert(next);
    llvm::erase(left, next);
  }
  for (Operation *op : order)
    op->moveBefore(entry.getBody().front().getTerminator());
  return order != steps;
}
