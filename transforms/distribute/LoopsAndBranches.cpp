//===- LoopsAndBranches.cpp - Control flow around vectors of a block ------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/distribute/Distributor.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace formwork::transforms;
using namespace formwork::transforms::distribute;

/// Appends the pieces of `value` if it is a vector, and else the value itself.
static void appendPieces(SmallVectorImpl<Value> &to, Value value,
                         function_ref<const Pieces &(Value)> lookup) {
  if (isVector(value))
    llvm::append_range(to, lookup(value).values);
  else
    to.push_back(value);
}

void Distributor::bind(Value old, ValueRange &values) {
  if (!isVector(old)) {
    rewriter.replaceAllUsesWith(old, values.front());
    values = values.drop_front();
    return;
  }
  Pieces own = makePieces(getAxes(old));
  llvm::append_range(own.values, values.take_front(own.getCount()));
  values = values.drop_front(own.getCount());
  set(old, std::move(own));
}

void Distributor::visitLoop(scf::ForOp loop) {
  auto look = [&](Value value) -> const Pieces & { return lookup(value); };
  hoistFragments(loop);
  if (!llvm::any_of(loop.getInitArgs(), isVector)) {
    barriers.enterLoop();
    visitBlock(*loop.getBody());
    rewriter.setInsertionPoint(loop.getBody()->getTerminator());
    barriers.leaveLoop(loop);
    return;
  }
  SmallVector<Value> inits;
  for (Value init : loop.getInitArgs())
    appendPieces(inits, init, look);
  auto built = scf::ForOp::create(rewriter, loop.getLoc(), loop.getLowerBound(),
                                  loop.getUpperBound(), loop.getStep(), inits);
  Block *body = loop.getBody(), *newBody = built.getBody();
  rewriter.replaceAllUsesWith(loop.getInductionVar(), built.getInductionVar());
  ValueRange arguments = built.getRegionIterArgs();
  for (Value argument : loop.getRegionIterArgs())
    bind(argument, arguments);
  newBody->getOperations().splice(newBody->end(), body->getOperations());

  barriers.enterLoop();
  visitBlock(*newBody);
  Operation *yield = &newBody->back();
  rewriter.setInsertionPoint(yield);
  barriers.leaveLoop(built);
  SmallVector<Value> yielded;
  for (Value value : yield->getOperands())
    appendPieces(yielded, value, look);
  scf::YieldOp::create(rewriter, yield->getLoc(), yielded);
  dead.push_back(yield);

  ValueRange results = built.getResults();
  for (Value result : loop.getResults())
    bind(result, results);
}

void Distributor::visitBranch(scf::IfOp branch) {
  auto look = [&](Value value) -> const Pieces & { return lookup(value); };
  bool hasVectors = llvm::any_of(branch.getResults(), isVector);
  barriers.enterBranch();
  for (auto [index, region] : llvm::enumerate(branch->getRegions())) {
    if (index != 0)
      barriers.nextBranch();
    if (!region.empty())
      visitBlock(region.front());
  }
  barriers.leaveBranch();
  if (!hasVectors)
    return;
  SmallVector<Type> types;
  for (Value result : branch.getResults()) {
    if (!isVector(result)) {
      types.push_back(result.getType());
      continue;
    }
    Pieces own = makePieces(getAxes(result));
    types.append(own.getCount(), getPieceType(result, own));
  }
  rewriter.setInsertionPoint(branch);
  auto built = scf::IfOp::create(rewriter, branch.getLoc(), types,
                                 branch.getCondition(), true, true);
  for (auto [from, to] :
       llvm::zip_equal(branch->getRegions(), built->getRegions())) {
    to.front().getOperations().clear();
    to.front().getOperations().splice(to.front().end(),
                                      from.front().getOperations());
    Operation *yield = &to.front().back();
    rewriter.setInsertionPoint(yield);
    SmallVector<Value> yielded;
    for (Value value : yield->getOperands())
      appendPieces(yielded, value, look);
    scf::YieldOp::create(rewriter, yield->getLoc(), yielded);
    dead.push_back(yield);
  }
  ValueRange results = built.getResults();
  for (Value result : branch.getResults())
    bind(result, results);
}
