//===- HostReads.cpp - Elements that the host would read --------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/strategies/HostReads.h"

#include "transforms/strategies/ComputedTensors.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace formwork::transforms;

using Reads = llvm::SetVector<Operation *>;

/// Whether `op` computes numbers of numbers.
static bool isScalarCode(Operation *op) {
  auto isNumber = [](Type type) { return type.isIntOrIndexOrFloat(); };
  return op->getNumRegions() == 0 && isMemoryEffectFree(op) &&
         llvm::all_of(op->getOperandTypes(), isNumber) &&
         llvm::all_of(op->getResultTypes(), isNumber);
}

/// The reads of tensors in `block`, and the operations on those alone, in
/// order.
static Reads findReads(Block &block) {
  Reads reads;
  for (Operation &op : block)
    if (isa<tensor::ExtractOp>(op) ||
        (isScalarCode(&op) && llvm::any_of(op.getOperands(), [&](Value value) {
           return reads.contains(value.getDefiningOp());
         })))
      reads.insert(&op);
  return reads;
}

/// Those of `reads` that `values` depend on, in their order.
static SmallVector<Operation *> findNeeded(ArrayRef<Value> values,
                                           const Reads &reads) {
  llvm::SetVector<Operation *> needed;
  auto add = [&](Value value) {
    if (Operation *op = value.getDefiningOp(); reads.contains(op))
      needed.insert(op);
  };
  llvm::for_each(values, add);
  for (unsigned index = 0; index < needed.size(); ++index)
    llvm::for_each(needed[index]->getOperands(), add);
  return llvm::filter_to_vector(
      reads, [&](Operation *op) { return needed.contains(op); });
}

/// The place that `read` reads, where that is known: a map from `numLoops`
/// loops that gives constants.
static std::optional<AffineMap> getConstantPlace(Operation *read,
                                                 unsigned numLoops) {
  auto extract = dyn_cast<tensor::ExtractOp>(read);
  if (!extract)
    return std::nullopt;
  SmallVector<AffineExpr> place;
  for (OpFoldResult index : getAsOpFoldResult(extract.getIndices())) {
    std::optional<int64_t> constant = getConstantIntValue(index);
    if (!constant)
      return std::nullopt;
    place.push_back(getAffineConstantExpr(*constant, read->getContext()));
  }
  return AffineMap::get(numLoops, 0, place, read->getContext());
}

/// Lets `op` do those of `reads` itself that it needs.
static void moveReadsInto(linalg::LinalgOp op, const Reads &reads) {
  llvm::SetVector<Value> values;
  getUsedValuesDefinedAbove(op->getRegions(), values);
  auto isRead = [&](Value value) {
    return reads.contains(value.getDefiningOp());
  };
  for (Value input : op.getDpsInputs())
    if (isRead(input))
      values.insert(input);
  SmallVector<Operation *> needed = findNeeded(values.getArrayRef(), reads);
  if (needed.empty())
    return;

  OpBuilder builder(op);
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  SmallVector<BlockArgument> kept;
  for (OpOperand *input : op.getDpsInputOperands()) {
    if (isRead(input->get()))
      continue;
    inputs.push_back(input->get());
    maps.push_back(op.getMatchingIndexingMap(input));
    kept.push_back(op.getMatchingBlockArgument(input));
  }
  // An element at a known place is an input like others.
  SmallVector<Value> elements;
  llvm::erase_if(needed, [&](Operation *read) {
    std::optional<AffineMap> place = getConstantPlace(read, op.getNumLoops());
    if (!place)
      return false;
    inputs.push_back(read->getOperand(0));
    maps.push_back(*place);
    elements.push_back(read->getResult(0));
    return true;
  });
  for (OpOperand &init : op.getDpsInitsMutable())
    maps.push_back(op.getMatchingIndexingMap(&init));

  auto generic = linalg::GenericOp::create(
      builder, op.getLoc(), op->getResultTypes(), inputs, op.getDpsInits(),
      maps, op.getIteratorTypesArray(),
      [&](OpBuilder &inner, Location, ValueRange arguments) {
        IRMapping mapping;
        mapping.map(kept, arguments.take_front(kept.size()));
        arguments = arguments.drop_front(kept.size());
        mapping.map(elements, arguments.take_front(elements.size()));
        mapping.map(op.getRegionOutputArgs(),
                    arguments.drop_front(elements.size()));
        for (Operation *read : needed)
          inner.clone(*read, mapping);
        for (OpOperand *input : op.getDpsInputOperands())
          if (isRead(input->get()))
            mapping.map(op.getMatchingBlockArgument(input),
                        mapping.lookup(input->get()));
        for (Operation &step : *op.getBlock())
          inner.clone(step, mapping);
      });
  op->replaceAllUsesWith(generic);
  op.erase();
}

/// Moves reads at known places in front of `op`. From there, they become inputs
/// of it: MLIR makes an invalid gather of such a read in a body.
static void moveKnownReadsOut(linalg::LinalgOp op) {
  Region &body = op->getRegion(0);
  SmallVector<tensor::ExtractOp> reads;
  op->walk([&](tensor::ExtractOp read) {
    if (getConstantPlace(read, 0) &&
        areValuesDefinedAbove(read->getOperands(), body))
      reads.push_back(read);
  });
  for (tensor::ExtractOp read : reads)
    read->moveBefore(op);
}

/// Gives `op`, which makes nothing but asserts something, a result, by which it
/// has loops for blocks and threads.
static void addResult(linalg::GenericOp op) {
  OpBuilder builder(op);
  SmallVector<int64_t> extents = op.getStaticLoopRanges(), shape;
  SmallVector<AffineExpr> place;
  for (auto [loop, kind] : llvm::enumerate(op.getIteratorTypesArray()))
    if (kind == utils::IteratorType::parallel) {
      shape.push_back(extents[loop]);
      place.push_back(builder.getAffineDimExpr(loop));
    }
  if (llvm::any_of(shape, ShapedType::isDynamic))
    return;
  Type type = builder.getI1Type();
  Value empty = tensor::EmptyOp::create(builder, op.getLoc(), shape, type);
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  maps.push_back(
      AffineMap::get(op.getNumLoops(), 0, place, builder.getContext()));
  auto generic = linalg::GenericOp::create(
      builder, op.getLoc(), empty.getType(), op.getInputs(), empty, maps,
      op.getIteratorTypesArray());
  generic.getRegion().takeBody(op.getRegion());
  Block *body = generic.getBody();
  body->addArgument(type, op.getLoc());
  builder.setInsertionPointToEnd(body);
  body->getTerminator()->erase();
  Value yes = arith::ConstantIntOp::create(builder, op.getLoc(), 1, 1);
  linalg::YieldOp::create(builder, op.getLoc(), yes);
  op.erase();
}

/// The same as `op`, by a structured operation; null if `op` is none that reads
/// need.
static linalg::LinalgOp structure(Operation *op) {
  OpBuilder builder(op);
  if (auto claim = dyn_cast<cf::AssertOp>(op)) {
    auto type = RankedTensorType::get({1}, builder.getI1Type());
    return computeTensor(builder, op->getLoc(), type,
                         [&](OpBuilder &inner, Location) {
                           inner.clone(*claim);
                           return claim.getArg();
                         });
  }
  if (auto elements = dyn_cast<tensor::FromElementsOp>(op)) {
    RankedTensorType type = elements.getType();
    auto generic = computeTensor(
        builder, op->getLoc(), type, [&](OpBuilder &inner, Location at) {
          Value position = arith::ConstantIndexOp::create(inner, at, 0);
          for (auto [dim, extent] : llvm::enumerate(type.getShape())) {
            Value size = arith::ConstantIndexOp::create(inner, at, extent);
            Value index = linalg::IndexOp::create(inner, at, dim);
            position = arith::MulIOp::create(inner, at, position, size);
            position = arith::AddIOp::create(inner, at, position, index);
          }
          Value result = elements.getElements().front();
          for (auto [number, value] :
               llvm::drop_begin(llvm::enumerate(elements.getElements()))) {
            Value other = arith::ConstantIndexOp::create(inner, at, number);
            Value isHere = arith::CmpIOp::create(
                inner, at, arith::CmpIPredicate::eq, position, other);
            result = arith::SelectOp::create(inner, at, isHere, value, result);
          }
          return result;
        });
    op->replaceAllUsesWith(generic);
    return generic;
  }
  return nullptr;
}

void formwork::transforms::moveReadsIntoKernels(ModuleOp payload) {
  SmallVector<linalg::GenericOp> withoutResult;
  payload.walk([&](linalg::GenericOp op) {
    if (op.getNumDpsInits() == 0)
      withoutResult.push_back(op);
  });
  llvm::for_each(withoutResult, addResult);
  for (auto function : payload.getOps<func::FuncOp>())
    for (Block &block : function.getBody()) {
      for (auto op : block.getOps<linalg::LinalgOp>())
        moveKnownReadsOut(op);
      Reads reads = findReads(block);
      if (reads.empty())
        continue;
      for (Operation &op : llvm::make_early_inc_range(block)) {
        auto structured = dyn_cast<linalg::LinalgOp>(op);
        bool needsReads = llvm::any_of(op.getOperands(), [&](Value value) {
          return reads.contains(value.getDefiningOp());
        });
        if (!structured && needsReads && !reads.contains(&op)) {
          structured = structure(&op);
          if (structured)
            op.erase();
        }
        if (structured)
          moveReadsInto(structured, reads);
      }
      for (Operation *read : llvm::reverse(reads))
        if (read->use_empty())
          read->erase();
    }
}
