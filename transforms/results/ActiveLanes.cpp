//===- ActiveLanes.cpp - The lanes that a mask selects ----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/results/ActiveLanes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace formwork::transforms;

static Value makeIndex(OpBuilder &builder, Location loc, int64_t value) {
  return arith::ConstantIndexOp::create(builder, loc, value);
}

/// Of a mask of boxes: the lanes below each of `sizes`.
static SmallVector<ActiveLanes> boundBox(OpBuilder &builder,
                                         vector::CreateMaskOp op) {
  Location loc = op.getLoc();
  Value zero = makeIndex(builder, loc, 0), holds;
  for (Value size : op.getOperands()) {
    Value some = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sgt,
                                       size, zero);
    holds = holds ? arith::AndIOp::create(builder, loc, holds, some) : some;
  }
  SmallVector<ActiveLanes> lanes;
  for (auto [size, most] :
       llvm::zip(op.getOperands(), op.getVectorType().getShape())) {
    Value least = arith::MinSIOp::create(builder, loc, size,
                                         makeIndex(builder, loc, most));
    Value extent = arith::SelectOp::create(builder, loc, holds, least, zero);
    lanes.push_back({builder.getIndexAttr(0), extent});
  }
  return lanes;
}

/// Walks over the lanes of `mask`, of one dimension, with values that `next`
/// computes from the former ones, the lane and whether it is active.
static scf::ForOp walkLanes(
    OpBuilder &builder, Value mask, ValueRange initial,
    llvm::function_ref<SmallVector<Value>(ValueRange, Value, Value)> next) {
  Location loc = mask.getLoc();
  int64_t number = cast<VectorType>(mask.getType()).getDimSize(0);
  auto loop = scf::ForOp::create(builder, loc, makeIndex(builder, loc, 0),
                                 makeIndex(builder, loc, number),
                                 makeIndex(builder, loc, 1), initial);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  Value lane = loop.getInductionVar();
  Value isActive = vector::ExtractOp::create(builder, loc, mask, lane);
  SmallVector<Value> values = next(loop.getRegionIterArgs(), lane, isActive);
  scf::YieldOp::create(builder, loc, values);
  return loop;
}

std::optional<SmallVector<ActiveLanes>>
formwork::transforms::findActiveLanes(OpBuilder &builder, Value mask) {
  auto type = cast<VectorType>(mask.getType());
  Location loc = mask.getLoc();
  if (type.isScalable())
    return std::nullopt;
  if (auto box = mask.getDefiningOp<vector::CreateMaskOp>())
    return boundBox(builder, box);
  if (auto box = mask.getDefiningOp<vector::ConstantMaskOp>()) {
    SmallVector<ActiveLanes> lanes;
    for (int64_t size : box.getMaskDimSizes())
      lanes.push_back({builder.getIndexAttr(0), builder.getIndexAttr(size)});
    return lanes;
  }
  if (type.getRank() != 1)
    return std::nullopt;
  int64_t number = type.getDimSize(0);
  Value zero = makeIndex(builder, loc, 0);
  scf::ForOp loop = walkLanes(
      builder, mask, {makeIndex(builder, loc, number), zero},
      [&](ValueRange before, Value lane, Value isActive) -> SmallVector<Value> {
        Value behind = arith::AddIOp::create(builder, loc, lane,
                                             makeIndex(builder, loc, 1));
        Value least =
            arith::MinSIOp::create(builder, loc, before.front(), lane);
        return {arith::SelectOp::create(builder, loc, isActive, least,
                                        before.front()),
                arith::SelectOp::create(builder, loc, isActive, behind,
                                        before.back())};
      });
  Value first = loop.getResult(0), end = loop.getResult(1);
  Value extent = arith::SubIOp::create(builder, loc, end, first);
  return SmallVector<ActiveLanes>{
      {first, arith::MaxSIOp::create(builder, loc, extent, zero).getResult()}};
}

Value formwork::transforms::countActiveLanes(OpBuilder &builder, Value mask) {
  Location loc = mask.getLoc();
  return walkLanes(builder, mask, makeIndex(builder, loc, 0),
                   [&](ValueRange before, Value,
                       Value isActive) -> SmallVector<Value> {
                     Value one = arith::IndexCastUIOp::create(
                         builder, loc, builder.getIndexType(), isActive);
                     return {arith::AddIOp::create(builder, loc, before.front(),
                                                   one)};
                   })
      .getResult(0);
}
