//===- CarryVectors.cpp - Loops that carry vectors ------------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/tiles/CarryVectors.h"

#include "transforms/tiles/IndexByLoops.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace formwork::transforms::tiles;

/// Whether `a` and `b` are known to have the same size.
static bool haveOneSize(Value a, Value b) {
  auto type = cast<RankedTensorType>(a.getType());
  if (type != b.getType())
    return false;
  for (int64_t dim = 0; dim != type.getRank(); ++dim) {
    if (!type.isDynamicDim(dim))
      continue;
    OpFoldResult ofA = getKnownSize(a, dim), ofB = getKnownSize(b, dim);
    if (a != b && (!ofA || !ofB || !isEqualConstantIntOrValue(ofA, ofB)))
      return false;
  }
  return true;
}

/// Whether `vector` is a factor of a contraction.
static bool isFactor(Value vector) {
  return llvm::any_of(vector.getUses(), [](OpOperand &use) {
    return isa<vector::ContractionOp>(use.getOwner()) &&
           use.getOperandNumber() < 2;
  });
}

/// Whether `read` reads a vector of `type` from the first element on, for
/// something that does not depend on what is behind the end.
static bool isPlainRead(Operation *op, VectorType type) {
  auto read = dyn_cast<vector::TransferReadOp>(op);
  return read && isFromStart(read, type) &&
         (!read.hasOutOfBoundsDim() || !isFactor(read));
}

/// The write that makes what `loop` carries next for `argument`; none if the
/// loop cannot carry the vector.
static vector::TransferWriteOp findCarried(scf::ForOp loop,
                                           BlockArgument argument) {
  if (!isa<RankedTensorType>(argument.getType()))
    return nullptr;
  Value next = loop.getTiedLoopYieldedValue(argument)->get(),
        init = loop.getTiedLoopInit(argument)->get();
  auto write = next.getDefiningOp<vector::TransferWriteOp>();
  if (!write || !isFromStart(write, write.getVectorType()) ||
      !next.hasOneUse() ||
      !(write.getBase() == argument || haveOneSize(write.getBase(), init)))
    return nullptr;
  for (OpOperand &use : argument.getUses()) {
    Operation *user = use.getOwner();
    bool isKnown = isa<tensor::DimOp>(user) ||
                   (user == write && use.get() == write.getBase()) ||
                   isPlainRead(user, write.getVectorType());
    if (!isKnown)
      return nullptr;
  }
  return write;
}

/// The vector that `init` was made of, or a read of it.
static Value getFirst(RewriterBase &rewriter, Value init, VectorType type) {
  if (vector::TransferWriteOp write = findWrite(init, type))
    return write.getVector();
  Location loc = init.getLoc();
  Value zero = arith::ConstantIndexOp::create(rewriter, loc, 0);
  Value padding = arith::ConstantOp::create(
      rewriter, loc, rewriter.getZeroAttr(type.getElementType()));
  return createRead(rewriter, loc, type, init, zero, padding);
}

/// Replaces what uses `tensor`, of which `vector` is in front of the end.
/// `other` has its size.
static void replaceUses(RewriterBase &rewriter, Value tensor, Value vector,
                        Value other) {
  auto type = cast<VectorType>(vector.getType());
  for (Operation *user : llvm::make_early_inc_range(tensor.getUsers()))
    if (isPlainRead(user, type))
      rewriter.replaceOp(user, vector);
  rewriter.replaceAllUsesWith(tensor, other);
}

/// Replaces reads in front of `loop` of what the loop carries by the vectors
/// that were written there.
static void replaceFirst(RewriterBase &rewriter, scf::ForOp loop) {
  for (auto [argument, init] :
       llvm::zip_equal(loop.getRegionIterArgs(), loop.getInitArgs())) {
    auto read = init.getDefiningOp<vector::TransferReadOp>();
    if (!read || !isPlainRead(read, read.getVectorType()) ||
        (read.hasOutOfBoundsDim() && isFactor(argument)) ||
        !isa<RankedTensorType>(read.getBase().getType()))
      continue;
    if (auto write = findWrite(read.getBase(), read.getVectorType()))
      rewriter.replaceOp(read, write.getVector());
  }
}

void formwork::transforms::tiles::carryVectors(RewriterBase &rewriter,
                                               scf::ForOp loop,
                                               NotifyReplaced replaced) {
  replaceFirst(rewriter, loop);
  SmallVector<vector::TransferWriteOp> writes;
  for (BlockArgument argument : loop.getRegionIterArgs())
    writes.push_back(findCarried(loop, argument));
  if (llvm::none_of(writes, [](auto write) { return bool(write); }))
    return;
  Location loc = loop.getLoc();
  rewriter.setInsertionPoint(loop);
  SmallVector<Value> inits(loop.getInitArgs()), firsts;
  for (auto [init, write] : llvm::zip_equal(inits, writes))
    firsts.push_back(write ? getFirst(rewriter, init, write.getVectorType())
                           : init);
  auto built = scf::ForOp::create(rewriter, loc, loop.getLowerBound(),
                                  loop.getUpperBound(), loop.getStep(), firsts);
  built->setDiscardableAttrs(llvm::to_vector(loop->getDiscardableAttrs()));

  // Reads take the vector that the loop carries; uses of its size take the
  // initial tensor.
  for (auto [argument, carried, init, write] : llvm::zip_equal(
           loop.getRegionIterArgs(), built.getRegionIterArgs(), inits, writes))
    if (write)
      replaceUses(rewriter, argument, carried, init);
  auto yield = cast<scf::YieldOp>(loop.getBody()->getTerminator());
  SmallVector<Value> next(yield.getOperands());
  for (auto [value, write] : llvm::zip_equal(next, writes))
    if (write)
      value = write.getVector();
  rewriter.setInsertionPoint(yield);
  rewriter.replaceOpWithNewOp<scf::YieldOp>(yield, next);
  SmallVector<Value> arguments{built.getInductionVar()};
  llvm::append_range(arguments, built.getRegionIterArgs());
  rewriter.mergeBlocks(loop.getBody(), built.getBody(), arguments);
  for (vector::TransferWriteOp write : writes)
    if (write && write->use_empty())
      rewriter.eraseOp(write);

  rewriter.setInsertionPointAfter(built);
  SmallVector<Value> results;
  for (auto [result, write, init] :
       llvm::zip_equal(built.getResults(), writes, inits)) {
    results.push_back(result);
    if (!write)
      continue;
    Value zero = arith::ConstantIndexOp::create(rewriter, loc, 0);
    results.back() = createWrite(rewriter, loc, result, init, zero).getResult();
  }
  for (auto [result, by, carried, write] :
       llvm::zip_equal(loop.getResults(), results, built.getResults(), writes))
    if (write)
      replaceUses(rewriter, result, carried, by);
  replaced(loop, built);
  rewriter.replaceOp(loop, results);
}
