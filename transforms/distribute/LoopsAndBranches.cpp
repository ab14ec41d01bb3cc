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

SmallVector<Value> Distributor::getPieces(ValueRange values) {
  SmallVector<Value> all;
  for (Value value : values)
    if (isVector(value))
      llvm::append_range(all, lookup(value).values);
    else
      all.push_back(value);
  return all;
}

void Distributor::replaceYield(Operation *yield) {
  rewriter.setInsertionPoint(yield);
  scf::YieldOp::create(rewriter, yield->getLoc(),
                       getPieces(yield->getOperands()));
  dead.push_back(yield);
}

void Distributor::bind(ValueRange old, ValueRange values) {
  for (Value value : old) {
    if (!isVector(value)) {
      rewriter.replaceAllUsesWith(value, values.front());
      values = values.drop_front();
      continue;
    }
    Pieces own = makePieces(getAxes(value));
    llvm::append_range(own.values, values.take_front(own.getCount()));
    values = values.drop_front(own.getCount());
    set(value, std::move(own));
  }
}

void Distributor::visitLoop(scf::ForOp loop) {
  hoistFragments(loop);
  if (!llvm::any_of(loop.getInitArgs(), isVector)) {
    barriers.enterLoop();
    visitBlock(*loop.getBody());
    rewriter.setInsertionPoint(loop.getBody()->getTerminator());
    barriers.leaveLoop(loop);
    return;
  }
  auto built = scf::ForOp::create(rewriter, loop.getLoc(), loop.getLowerBound(),
                                  loop.getUpperBound(), loop.getStep(),
                                  getPieces(loop.getInitArgs()));
  Block *body = loop.getBody(), *newBody = built.getBody();
  rewriter.replaceAllUsesWith(loop.getInductionVar(), built.getInductionVar());
  bind(loop.getRegionIterArgs(), built.getRegionIterArgs());
  newBody->getOperations().splice(newBody->end(), body->getOperations());

  barriers.enterLoop();
  visitBlock(*newBody);
  Operation *yield = &newBody->back();
  rewriter.setInsertionPoint(yield);
  barriers.leaveLoop(built);
  replaceYield(yield);
  bind(loop.getResults(), built.getResults());
}

void Distributor::visitBranch(scf::IfOp branch) {
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
    replaceYield(&to.front().back());
  }
  bind(branch.getResults(), built.getResults());
}
