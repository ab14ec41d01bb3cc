//===- ShrinkEdits.cpp - Edits that make a module smaller -----------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/lib/generator/ShrinkEdits.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;

namespace formwork::testing {

bool isFiller(Operation *op) {
  return isa<arith::ConstantOp, tensor::EmptyOp, memref::AllocOp>(op);
}

//===----------------------------------------------------------------------===//
// Removal
//===----------------------------------------------------------------------===//

/// The entry block of the nearest region around `op` that sees nothing outside.
static Block *getIsolatedEntry(Operation *op) {
  Region *region = op->getParentRegion();
  while (!region->getParentOp()->hasTrait<OpTrait::IsIsolatedFromAbove>())
    region = region->getParentRegion();
  return &region->front();
}

/// A value of `type` at the start of `entry`, made or found there, other than a
/// result of `removed`; null when the type has no filler. A filler is never
/// replaced by a new filler, lest the search go in circles.
static Value getFiller(Type type, Block *entry, Operation *removed) {
  OpBuilder b = OpBuilder::atBlockBegin(entry);
  Location loc = removed->getLoc();
  TypedAttr zero;
  auto shaped = dyn_cast<ShapedType>(type);
  if (!shaped || shaped.hasStaticShape())
    zero = b.getZeroAttr(type);
  for (Operation &op : *entry) {
    if (!isFiller(&op))
      break;
    if (&op == removed || op.getResult(0).getType() != type)
      continue;
    auto constant = dyn_cast<arith::ConstantOp>(op);
    if (!constant || constant.getValue() == zero)
      return op.getResult(0);
  }
  if (isFiller(removed))
    return {};
  if (zero)
    return arith::ConstantOp::create(b, loc, zero);
  SmallVector<Value> sizes;
  auto addSizes = [&] {
    for (size_t i = 0, e = shaped.getNumDynamicDims(); i < e; ++i)
      sizes.push_back(arith::ConstantIndexOp::create(b, loc, 1));
  };
  if (isa<RankedTensorType>(type)) {
    addSizes();
    return tensor::EmptyOp::create(b, loc, type, sizes);
  }
  auto buffer = dyn_cast<MemRefType>(type);
  if (!buffer || !buffer.getLayout().isIdentity())
    return {};
  addSizes();
  return memref::AllocOp::create(b, loc, buffer, sizes);
}

static Value getSubstitute(OpResult result, Substitute substitute) {
  Operation *op = result.getOwner();
  Type type = result.getType();
  if (substitute == Substitute::Operand)
    for (Value operand : op->getOperands())
      if (operand.getType() == type)
        return operand;
  if (substitute != Substitute::Filler) {
    for (Block *block = op->getBlock(); block;) {
      for (Value argument : block->getArguments())
        if (argument.getType() == type)
          return argument;
      Operation *parent = block->getParentOp();
      if (parent->hasTrait<OpTrait::IsIsolatedFromAbove>())
        break;
      block = parent->getBlock();
    }
  }
  return getFiller(type, getIsolatedEntry(op), op);
}

bool removeOps(ArrayRef<Operation *> ops, Substitute substitute) {
  // Bottom up, so that users of a removed op go first and need no substitute.
  for (Operation *op : llvm::reverse(ops)) {
    for (OpResult result : op->getResults()) {
      if (result.use_empty())
        continue;
      Value value = getSubstitute(result, substitute);
      if (!value)
        return false;
      result.replaceAllUsesWith(value);
    }
    op->dropAllUses();
    op->erase();
  }
  return true;
}

bool removeFunction(func::FuncOp function) {
  SmallVector<Operation *> calls;
  auto module = function->getParentOfType<ModuleOp>();
  module.walk<WalkOrder::PreOrder>([&](func::CallOp call) {
    if (call.getCallee() == function.getName() && !function->isAncestor(call))
      calls.push_back(call);
  });
  if (!removeOps(calls, Substitute::Operand))
    return false;
  function.erase();
  return true;
}

//===----------------------------------------------------------------------===//
// Regions
//===----------------------------------------------------------------------===//

/// Moves the ops of `body`, but for the terminator, before `op`.
static void inlineBefore(Block *body, Operation *op) {
  Block::iterator end = std::prev(body->end());
  op->getBlock()->getOperations().splice(
      op->getIterator(), body->getOperations(), body->begin(), end);
}

static bool unwrapLoop(LoopLikeOpInterface loop) {
  std::optional<SmallVector<Value>> inductions = loop.getLoopInductionVars();
  std::optional<SmallVector<OpFoldResult>> lower = loop.getLoopLowerBounds();
  SmallVector<Region *> regions = loop.getLoopRegions();
  if (!inductions || !lower || regions.size() != 1)
    return false;
  OpBuilder b(loop);
  for (auto [induction, bound] : llvm::zip_equal(*inductions, *lower)) {
    Value value = dyn_cast<Value>(bound);
    if (!value) {
      auto literal = cast<IntegerAttr>(cast<Attribute>(bound));
      value =
          arith::ConstantIndexOp::create(b, loop.getLoc(), literal.getInt());
    }
    induction.replaceAllUsesWith(value);
  }
  SmallVector<Value> inits(loop.getInits());
  if (auto parallel = dyn_cast<scf::ParallelOp>(loop.getOperation()))
    inits.assign(parallel.getInitVals().begin(), parallel.getInitVals().end());
  SmallVector<Value> results(loop.getYieldedValues());
  // Parallel loops yield nothing, they combine.
  if (results.size() != loop->getNumResults())
    results = inits;
  for (auto [argument, init] :
       llvm::zip(loop.getRegionIterArgs(), loop.getInits()))
    argument.replaceAllUsesWith(init);
  for (auto [result, init] : llvm::zip(results, inits))
    if (auto argument = dyn_cast<BlockArgument>(result);
        argument && argument.getOwner()->getParentOp() == loop)
      result = init;
  inlineBefore(&regions.front()->front(), loop);
  if (results.size() != loop->getNumResults())
    return false;
  loop->replaceAllUsesWith(results);
  loop->erase();
  return true;
}

bool unwrap(Operation *op, unsigned region) {
  if (auto branch = dyn_cast<scf::IfOp>(op)) {
    Region &chosen = branch->getRegion(region);
    if (chosen.empty())
      return false;
    SmallVector<Value> results(chosen.front().getTerminator()->getOperands());
    inlineBefore(&chosen.front(), op);
    op->replaceAllUsesWith(results);
    op->erase();
    return true;
  }
  auto loop = dyn_cast<LoopLikeOpInterface>(op);
  return loop && region == 0 && unwrapLoop(loop);
}

//===----------------------------------------------------------------------===//
// Trip counts
//===----------------------------------------------------------------------===//

uint64_t countTrips(Operation *op) {
  constexpr uint64_t unknown = 1u << 20;
  auto loop = dyn_cast<LoopLikeOpInterface>(op);
  if (!loop)
    return 0;
  auto lower = loop.getLoopLowerBounds(), upper = loop.getLoopUpperBounds(),
       step = loop.getLoopSteps();
  if (!lower || !upper || !step)
    return unknown;
  uint64_t trips = 1;
  for (auto [from, to, by] : llvm::zip_equal(*lower, *upper, *step)) {
    std::optional<int64_t> low = getConstantIntValue(from),
                           high = getConstantIntValue(to),
                           stride = getConstantIntValue(by);
    if (!low || !high || !stride || *stride <= 0)
      return unknown;
    uint64_t extent = *high > *low ? *high - *low : 0;
    trips *= llvm::divideCeil(extent, *stride);
  }
  return std::min(trips, unknown);
}

bool runOnce(Operation *op) {
  if (countTrips(op) <= 1)
    return false;
  if (auto loop = dyn_cast<affine::AffineForOp>(op)) {
    if (!loop.hasConstantLowerBound())
      return false;
    loop.setConstantUpperBound(loop.getConstantLowerBound() + 1);
    return true;
  }
  if (auto loop = dyn_cast<scf::ForallOp>(op)) {
    if (!loop.getDynamicLowerBound().empty() ||
        !loop.getDynamicUpperBound().empty())
      return false;
    SmallVector<int64_t> upper(loop.getStaticLowerBound());
    for (int64_t &bound : upper)
      ++bound;
    loop.setStaticUpperBound(upper);
    return true;
  }
  auto loop = dyn_cast<scf::ForOp>(op);
  if (!loop || !loop.getInductionVar().getType().isIndex())
    return false;
  OpBuilder b(op);
  std::optional<int64_t> low = getConstantIntValue(loop.getLowerBound());
  if (!low) {
    low = 0;
    loop.setLowerBound(arith::ConstantIndexOp::create(b, op->getLoc(), 0));
  }
  loop.setUpperBound(arith::ConstantIndexOp::create(b, op->getLoc(), *low + 1));
  std::optional<int64_t> step = getConstantIntValue(loop.getStep());
  if (!step || *step <= 0)
    loop.setStep(arith::ConstantIndexOp::create(b, op->getLoc(), 1));
  return true;
}

//===----------------------------------------------------------------------===//
// Carried values
//===----------------------------------------------------------------------===//

unsigned countCarried(Operation *op) {
  if (auto function = dyn_cast<func::FuncOp>(op))
    return function.getNumArguments() + function.getNumResults();
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return loop.getInitArgs().size();
  return 0;
}

static bool dropOfFunction(func::FuncOp function, unsigned index) {
  if (function.isDeclaration() || !function.getBody().hasOneBlock())
    return false;
  auto uses = SymbolTable::getSymbolUses(function,
                                         function->getParentOfType<ModuleOp>());
  if (!uses || !uses->empty())
    return false;
  if (index < function.getNumArguments())
    return function.getArgument(index).use_empty() &&
           succeeded(function.eraseArgument(index));
  index -= function.getNumArguments();
  function.getBody().front().getTerminator()->eraseOperand(index);
  return succeeded(function.eraseResult(index));
}

/// A loop without one of the values that it carries: users see the first one.
static bool dropOfLoop(scf::ForOp loop, unsigned index) {
  Value init = loop.getInitArgs()[index];
  loop.getResult(index).replaceAllUsesWith(init);
  loop.getRegionIterArg(index).replaceAllUsesWith(init);
  SmallVector<Value> inits(loop.getInitArgs());
  inits.erase(inits.begin() + index);
  OpBuilder b(loop);
  auto smaller =
      scf::ForOp::create(b, loop.getLoc(), loop.getLowerBound(),
                         loop.getUpperBound(), loop.getStep(), inits);
  // Takes the whole region, and with it the terminator.
  smaller.getRegion().takeBody(loop.getRegion());
  smaller.getBody()->eraseArgument(1 + index);
  smaller.getBody()->getTerminator()->eraseOperand(index);
  SmallVector<Value> results(smaller.getResults());
  results.insert(results.begin() + index, init);
  loop->replaceAllUsesWith(results);
  loop.erase();
  return true;
}

bool dropCarried(Operation *op, unsigned index) {
  if (auto function = dyn_cast<func::FuncOp>(op))
    return dropOfFunction(function, index);
  return dropOfLoop(cast<scf::ForOp>(op), index);
}

} // namespace formwork::testing
