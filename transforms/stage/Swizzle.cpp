//===- Swizzle.cpp - Rows of a buffer in different banks ------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/stage/Swizzle.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

static constexpr llvm::StringLiteral kAttribute = "formwork.swizzled";
static constexpr int64_t kUnitBits = 128;
/// The number of units that use all banks once.
static constexpr int64_t kUnitsOfBanks = 8;

/// The number of units of a row.
static int64_t countUnits(MemRefType type) {
  return type.getShape().back() * type.getElementTypeBitWidth() / kUnitBits;
}

bool formwork::transforms::stage::canSwizzle(MemRefType type) {
  if (type.getRank() < 2 || !type.hasStaticShape() ||
      !type.getElementType().isIntOrFloat() ||
      kUnitBits % type.getElementTypeBitWidth() != 0)
    return false;
  int64_t bits = type.getShape().back() * type.getElementTypeBitWidth();
  return llvm::isPowerOf2_64(bits) && bits >= 2 * kUnitBits;
}

void formwork::transforms::stage::setSwizzled(memref::AllocOp buffer) {
  buffer->setDiscardableAttr(kAttribute, UnitAttr::get(buffer.getContext()));
}

bool formwork::transforms::stage::isSwizzled(Value buffer) {
  auto alloc = buffer.getDefiningOp<memref::AllocOp>();
  return alloc && alloc->hasAttr(kAttribute) && canSwizzle(alloc.getType());
}

void formwork::transforms::stage::clearSwizzled(memref::AllocOp buffer) {
  buffer->removeDiscardableAttr(kAttribute);
}

void formwork::transforms::stage::swizzleIndices(RewriterBase &rewriter,
                                                 Location loc, MemRefType type,
                                                 MutableArrayRef<Value> indices,
                                                 int64_t rowsOfThread) {
  int64_t units = countUnits(type);
  auto constant = [&](int64_t value) {
    return arith::ConstantIndexOp::create(rewriter, loc, value);
  };
  Value row = indices[indices.size() - 2];
  int64_t rowsOfUnit = std::max(rowsOfThread, kUnitsOfBanks / units);
  if (rowsOfUnit > 1)
    row = arith::DivUIOp::create(rewriter, loc, row, constant(rowsOfUnit));
  Value unit = arith::RemUIOp::create(rewriter, loc, row,
                                      constant(std::min(kUnitsOfBanks, units)));
  Value elements = arith::MulIOp::create(
      rewriter, loc, unit, constant(kUnitBits / type.getElementTypeBitWidth()));
  indices.back() =
      arith::XOrIOp::create(rewriter, loc, indices.back(), elements);
}
