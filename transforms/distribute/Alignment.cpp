//===- Alignment.cpp - Divisors of places in memory -----------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/distribute/Alignment.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

#include <numeric>

using namespace mlir;

/// A divisor of `expr`, computed from those of its dimensions and symbols.
static int64_t getDivisor(AffineExpr expr, ArrayRef<int64_t> ofDims,
                          ArrayRef<int64_t> ofSymbols) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return std::abs(constant.getValue());
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return ofDims[dim.getPosition()];
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return ofSymbols[symbol.getPosition()];
  auto binary = cast<AffineBinaryOpExpr>(expr);
  int64_t left = getDivisor(binary.getLHS(), ofDims, ofSymbols),
          right = getDivisor(binary.getRHS(), ofDims, ofSymbols);
  switch (expr.getKind()) {
  case AffineExprKind::Add:
  case AffineExprKind::Mod:
    return std::gcd(left, right);
  case AffineExprKind::Mul:
    return left * right;
  default:
    // A quotient has a known divisor if the constant on the right divides the
    // left side.
    if (isa<AffineConstantExpr>(binary.getRHS()) && right != 0 &&
        left % right == 0)
      return left / right;
    return 1;
  }
}

/// A number that divides each result of `map`.
static int64_t getDivisor(AffineMap map, ValueRange operands) {
  SmallVector<int64_t> divisors;
  for (Value operand : operands)
    divisors.push_back(formwork::transforms::distribute::getDivisor(operand));
  int64_t divisor = 0;
  for (AffineExpr result : map.getResults())
    divisor = std::gcd(
        divisor,
        getDivisor(result, ArrayRef(divisors).take_front(map.getNumDims()),
                   ArrayRef(divisors).drop_front(map.getNumDims())));
  return divisor;
}

int64_t formwork::transforms::distribute::getDivisor(Value index) {
  if (std::optional<int64_t> constant = getConstantIntValue(index))
    return std::abs(*constant);
  if (auto argument = dyn_cast<BlockArgument>(index)) {
    auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    if (!loop || argument != loop.getInductionVar())
      return 1;
    return std::gcd(getDivisor(loop.getLowerBound()),
                    getDivisor(loop.getStep()));
  }
  if (auto apply = index.getDefiningOp<affine::AffineApplyOp>())
    return ::getDivisor(apply.getAffineMap(), apply.getMapOperands());
  // The minimum is one of the results of the map.
  if (auto least = index.getDefiningOp<affine::AffineMinOp>())
    return ::getDivisor(least.getAffineMap(), least.getOperands());
  if (auto mul = index.getDefiningOp<arith::MulIOp>())
    return getDivisor(mul.getLhs()) * getDivisor(mul.getRhs());
  if (auto exclusiveOr = index.getDefiningOp<arith::XOrIOp>()) {
    int64_t divisor = std::gcd(getDivisor(exclusiveOr.getLhs()),
                               getDivisor(exclusiveOr.getRhs()));
    // The low bits that are zero in both operands are zero in the result.
    return divisor & -divisor;
  }
  if (auto add = index.getDefiningOp<arith::AddIOp>())
    return std::gcd(getDivisor(add.getLhs()), getDivisor(add.getRhs()));
  return 1;
}

static int64_t getDivisor(OpFoldResult index) {
  if (std::optional<int64_t> constant = getConstantIntValue(index))
    return std::abs(*constant);
  return formwork::transforms::distribute::getDivisor(cast<Value>(index));
}

int64_t formwork::transforms::distribute::getSizeDivisor(Value memory,
                                                         unsigned dim) {
  auto type = cast<MemRefType>(memory.getType());
  if (!type.isDynamicDim(dim))
    return type.getDimSize(dim);
  auto view = memory.getDefiningOp<memref::SubViewOp>();
  if (!view)
    return 1;
  llvm::SmallBitVector dropped = view.getDroppedDims();
  unsigned kept = 0;
  for (auto [at, size] : llvm::enumerate(view.getMixedSizes()))
    if (!dropped[at] && kept++ == dim)
      return ::getDivisor(size);
  return 1;
}

/// Returns what `getByteDivisor` returns for the first element of `memory`.
/// Sets `strides` to a divisor of each stride of `memory`, in bytes.
static int64_t getStart(Value memory, SmallVectorImpl<int64_t> &strides) {
  auto type = cast<MemRefType>(memory.getType());
  Type element = type.getElementType();
  if (!element.isIndex() &&
      (!element.isIntOrFloat() || element.getIntOrFloatBitWidth() % 8 != 0)) {
    strides.assign(type.getRank(), 1);
    return 1;
  }
  if (auto view = memory.getDefiningOp<memref::SubViewOp>()) {
    SmallVector<int64_t> ofSource;
    int64_t start = getStart(view.getSource(), ofSource);
    llvm::SmallBitVector dropped = view.getDroppedDims();
    for (auto [dim, offset, step] :
         llvm::enumerate(view.getMixedOffsets(), view.getMixedStrides())) {
      start = std::gcd(start, getDivisor(offset) * ofSource[dim]);
      if (!dropped[dim])
        strides.push_back(getDivisor(step) * ofSource[dim]);
    }
    return start;
  }
  strides.assign(type.getRank(), 1);
  if (!type.getLayout().isIdentity())
    return 1;
  int64_t stride = element.isIndex() ? 8 : element.getIntOrFloatBitWidth() / 8;
  for (unsigned dim = type.getRank(); dim-- > 0;) {
    strides[dim] = stride;
    // If the size is not known, keep the stride: it divides any multiple of
    // itself.
    if (!type.isDynamicDim(dim))
      stride *= type.getDimSize(dim);
  }
  return 0;
}

int64_t formwork::transforms::distribute::getByteDivisor(Value memory,
                                                         ValueRange indices) {
  return getRowDivisor(memory, indices, {});
}

int64_t formwork::transforms::distribute::getRowDivisor(
    Value memory, ValueRange indices, ArrayRef<unsigned> outer) {
  SmallVector<int64_t> strides;
  int64_t divisor = getStart(memory, strides);
  for (auto [index, stride] : llvm::zip_equal(indices, strides))
    divisor = std::gcd(divisor, getDivisor(index) * stride);
  for (unsigned dim : outer)
    divisor = std::gcd(divisor, strides[dim]);
  return divisor;
}
