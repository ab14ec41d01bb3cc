//===- LaneIndex.cpp - What an index is in each lane of a warp --*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/gpu/LaneIndex.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace formwork::transforms;

static int64_t compareValues(arith::CmpIOp op, int64_t a, int64_t b) {
  unsigned width = op.getLhs().getType().isIndex()
                       ? 64
                       : op.getLhs().getType().getIntOrFloatBitWidth();
  return arith::applyCmpPredicate(
      op.getPredicate(),
      APInt(width, a, /*isSigned=*/true, /*implicitTrunc=*/true),
      APInt(width, b, /*isSigned=*/true, /*implicitTrunc=*/true));
}

std::optional<int64_t> LaneIndex::evaluate(Value value, int64_t lane) {
  if (std::optional<int64_t> constant = getConstantIntValue(value))
    return value.getType().isInteger(1) ? *constant & 1 : *constant;
  auto it = known.find({value, lane});
  if (it != known.end())
    return it->second;
  std::optional<int64_t> result = compute(value, lane);
  known[{value, lane}] = result;
  return result;
}

LaneIndex LaneIndex::inIteration(scf::ForOp loop, int64_t number) const {
  LaneIndex later(block);
  later.entered = loop;
  later.iteration = number;
  return later;
}

std::optional<int64_t> LaneIndex::compute(Value value, int64_t lane) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    if (!loop)
      return std::nullopt;
    std::optional<int64_t> first = evaluate(loop.getLowerBound(), lane);
    if (loop == entered && iteration != 0) {
      std::optional<int64_t> step = evaluate(loop.getStep(), lane);
      int64_t passed = 0, now = 0;
      bool isKnown = argument == loop.getInductionVar() && first && step &&
                     !llvm::MulOverflow(*step, iteration, passed) &&
                     !llvm::AddOverflow(*first, passed, now);
      return isKnown ? std::optional(now) : std::nullopt;
    }
    if (argument == loop.getInductionVar())
      return first;
    return evaluate(loop.getInitArgs()[argument.getArgNumber() - 1], lane);
  }
  Operation *op = value.getDefiningOp();
  if (isa<gpu::BlockIdOp>(op))
    return 0;
  if (auto id = dyn_cast<gpu::ThreadIdOp>(op)) {
    switch (id.getDimension()) {
    case gpu::Dimension::x:
      return lane % block[0];
    case gpu::Dimension::y:
      return lane / block[0] % block[1];
    case gpu::Dimension::z:
      return lane / (block[0] * block[1]);
    }
  }
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op)) {
    SmallVector<Attribute> operands;
    Builder builder(op->getContext());
    for (Value operand : apply.getMapOperands()) {
      std::optional<int64_t> number = evaluate(operand, lane);
      if (!number)
        return std::nullopt;
      operands.push_back(builder.getIndexAttr(*number));
    }
    SmallVector<Attribute> results;
    if (failed(apply.getAffineMap().constantFold(operands, results)))
      return std::nullopt;
    return cast<IntegerAttr>(results.front()).getInt();
  }
  if (isa<arith::IndexCastOp, arith::IndexCastUIOp>(op))
    return evaluate(op->getOperand(0), lane);
  if (auto select = dyn_cast<arith::SelectOp>(op)) {
    std::optional<int64_t> condition = evaluate(select.getCondition(), lane);
    if (!condition)
      return std::nullopt;
    return evaluate(*condition ? select.getTrueValue() : select.getFalseValue(),
                    lane);
  }
  if (!isa<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::DivUIOp,
           arith::DivSIOp, arith::RemUIOp, arith::RemSIOp, arith::XOrIOp,
           arith::AndIOp, arith::OrIOp, arith::ShRUIOp, arith::ShLIOp,
           arith::CmpIOp>(op))
    return std::nullopt;
  std::optional<int64_t> a = evaluate(op->getOperand(0), lane),
                         b = evaluate(op->getOperand(1), lane);
  if (!a || !b)
    return std::nullopt;
  if (auto compare = dyn_cast<arith::CmpIOp>(op))
    return compareValues(compare, *a, *b);
  bool isShift = isa<arith::ShRUIOp, arith::ShLIOp>(op);
  bool isDivision =
      isa<arith::DivUIOp, arith::DivSIOp, arith::RemUIOp, arith::RemSIOp>(op);
  if ((isDivision && (*a < 0 || *b <= 0)) ||
      (isShift && (*a < 0 || *b < 0 || *b > 62)))
    return std::nullopt;
  int64_t result = 0;
  if (isa<arith::AddIOp>(op)) {
    if (llvm::AddOverflow(*a, *b, result))
      return std::nullopt;
  } else if (isa<arith::SubIOp>(op)) {
    if (llvm::SubOverflow(*a, *b, result))
      return std::nullopt;
  } else if (isa<arith::MulIOp>(op)) {
    if (llvm::MulOverflow(*a, *b, result))
      return std::nullopt;
  } else if (isa<arith::DivUIOp, arith::DivSIOp>(op)) {
    result = *a / *b;
  } else if (isa<arith::RemUIOp, arith::RemSIOp>(op)) {
    result = *a % *b;
  } else if (isa<arith::XOrIOp>(op)) {
    result = *a ^ *b;
  } else if (isa<arith::AndIOp>(op)) {
    result = *a & *b;
  } else if (isa<arith::OrIOp>(op)) {
    result = *a | *b;
  } else if (isa<arith::ShRUIOp>(op)) {
    result = *a >> *b;
  } else {
    result = static_cast<int64_t>(static_cast<uint64_t>(*a) << *b);
  }
  return result;
}
