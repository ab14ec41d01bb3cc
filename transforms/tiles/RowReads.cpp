//===- RowReads.cpp - Lookups that read rows ------------------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/tiles/RowReads.h"

#include "transforms/tiles/IndexByLoops.h"
#include "transforms/tiles/TileReductions.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace formwork::transforms::tiles;

/// Whether all elements of the tile have the same `value` in the body of `op`.
static bool isCommon(linalg::LinalgOp op, Value value) {
  if (value.getParentBlock() != op.getBlock())
    return true;
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    OpOperand *operand = op.getMatchingOpOperand(argument);
    if (op.isDpsInit(operand))
      return false;
    AffineMap map = op.getMatchingIndexingMap(operand);
    return map.isProjectedPermutation() &&
           llvm::all_of(map.getResults(), [&](AffineExpr expr) {
             return hasOneStep(op, cast<AffineDimExpr>(expr).getPosition());
           });
  }
  Operation *defining = value.getDefiningOp();
  if (auto index = dyn_cast<linalg::IndexOp>(defining))
    return hasOneStep(op, index.getDim());
  return isElementwise(defining) &&
         llvm::all_of(defining->getOperands(),
                      [&](Value operand) { return isCommon(op, operand); });
}

/// The loop of which `value` is the index, plus something that is common.
static std::optional<unsigned> findLoop(linalg::LinalgOp op, Value value) {
  Operation *defining =
      value.getParentBlock() == op.getBlock() ? value.getDefiningOp() : nullptr;
  if (!defining)
    return std::nullopt;
  if (auto index = dyn_cast<linalg::IndexOp>(defining))
    return index.getDim();
  if (!isa<arith::AddIOp, affine::AffineApplyOp>(defining))
    return std::nullopt;
  OpOperand *moving = nullptr;
  for (OpOperand &operand : defining->getOpOperands())
    if (!isCommon(op, operand.get())) {
      if (moving)
        return std::nullopt;
      moving = &operand;
    }
  if (!moving)
    return std::nullopt;
  if (auto apply = dyn_cast<affine::AffineApplyOp>(defining)) {
    AffineMap map = apply.getAffineMap();
    unsigned number = moving->getOperandNumber();
    MLIRContext *context = op->getContext();
    AffineExpr expr = map.getResult(0),
               own = number < map.getNumDims()
                         ? getAffineDimExpr(number, context)
                         : getAffineSymbolExpr(number - map.getNumDims(),
                                               context);
    AffineExpr difference =
        simplifyAffineExpr(expr.replace(own, own + 1) - expr, map.getNumDims(),
                           map.getNumSymbols());
    if (difference != getAffineConstantExpr(1, context))
      return std::nullopt;
  }
  return findLoop(op, moving->get());
}

std::optional<RowRead>
formwork::transforms::tiles::matchRowRead(linalg::LinalgOp op,
                                          tensor::ExtractOp extract) {
  RowRead read;
  if (!isCommon(op, extract.getTensor()))
    return std::nullopt;
  for (auto [number, index] : llvm::enumerate(extract.getIndices())) {
    if (isCommon(op, index))
      continue;
    bool isLast = number + 1 == extract.getIndices().size();
    read.loop = isLast ? findLoop(op, index) : std::nullopt;
    if (!read.loop)
      return std::nullopt;
  }
  return read;
}

/// The scalar that `value` in the body is for all elements. Of the index that
/// moves, it is the first.
static Value getScalar(RewriterBase &rewriter, linalg::LinalgOp op, Value value,
                       IRMapping &scalars) {
  if (value.getParentBlock() != op.getBlock())
    return value;
  if (Value known = scalars.lookupOrNull(value))
    return known;
  Location loc = op.getLoc();
  auto getZero = [&]() -> Value {
    return arith::ConstantIndexOp::create(rewriter, loc, 0);
  };
  Value scalar;
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    OpOperand *operand = op.getMatchingOpOperand(argument);
    auto type = dyn_cast<ShapedType>(operand->get().getType());
    scalar = operand->get();
    if (type)
      scalar = tensor::ExtractOp::create(
          rewriter, loc, operand->get(),
          SmallVector<Value>(type.getRank(), getZero()));
  } else if (isa<linalg::IndexOp>(value.getDefiningOp())) {
    scalar = getZero();
  } else {
    IRMapping operands;
    for (Value operand : value.getDefiningOp()->getOperands())
      operands.map(operand, getScalar(rewriter, op, operand, scalars));
    scalar = rewriter.clone(*value.getDefiningOp(), operands)->getResult(0);
  }
  scalars.map(value, scalar);
  return scalar;
}

SmallVector<Value> formwork::transforms::tiles::getPlace(
    RewriterBase &rewriter, linalg::LinalgOp op, tensor::ExtractOp extract,
    IRMapping &scalars) {
  SmallVector<Value> place;
  for (Value index : extract.getIndices())
    place.push_back(getScalar(rewriter, op, index, scalars));
  return place;
}
