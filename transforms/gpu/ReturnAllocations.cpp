//===- ReturnAllocations.cpp - Results without a copy -----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/gpu/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace formwork::transforms {
#define GEN_PASS_DEF_RETURNALLOCATIONS
#include "transforms/gpu/Passes.h.inc"
} // namespace formwork::transforms

using namespace mlir;

static bool isPlain(Type type) {
  auto memref = dyn_cast<MemRefType>(type);
  return memref && memref.hasStaticShape() && memref.getLayout().isIdentity();
}

/// Allocates what `value` is, where it is a reshaped allocation in `block`.
/// Returns whether it is an allocation now.
static bool allocateReshaped(Value value, Block &block) {
  Operation *reshape = value.getDefiningOp();
  if (!reshape || !isPlain(value.getType()))
    return false;
  if (isa<memref::AllocOp>(reshape))
    return reshape->getBlock() == &block;
  if (!isa<memref::CollapseShapeOp, memref::ExpandShapeOp>(reshape))
    return false;
  if (!allocateReshaped(reshape->getOperand(0), block))
    return false;
  // The reshaped buffer is an allocation now.
  Value source = reshape->getOperand(0);
  Operation *alloc = source.getDefiningOp();
  OpBuilder builder(alloc);
  Location loc = alloc->getLoc();
  auto type = cast<MemRefType>(value.getType());
  auto sourceType = cast<MemRefType>(source.getType());
  Value made = memref::AllocOp::create(
      builder, loc, type, cast<memref::AllocOp>(alloc).getAlignmentAttr());
  Value inverse;
  if (type.getRank() == 0)
    // Upstream folds a vector's store into a buffer without dimensions, which
    // does not verify; it leaves this cast alone.
    inverse = memref::ReinterpretCastOp::create(
        builder, loc, sourceType, made, /*offset=*/0, sourceType.getShape(),
        SmallVector<int64_t>(sourceType.getRank(), 1));
  else if (auto collapse = dyn_cast<memref::CollapseShapeOp>(reshape))
    inverse =
        memref::ExpandShapeOp::create(builder, loc, sourceType.getShape(), made,
                                      collapse.getReassociationIndices());
  else
    inverse = memref::CollapseShapeOp::create(
        builder, loc, made,
        cast<memref::ExpandShapeOp>(reshape).getReassociationIndices());
  value.replaceAllUsesWith(made);
  source.replaceAllUsesWith(inverse);
  reshape->erase();
  alloc->erase();
  return true;
}

namespace {
struct ReturnAllocations
    : formwork::transforms::impl::ReturnAllocationsBase<ReturnAllocations> {
  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      if (function.isExternal() || !function.getBody().hasOneBlock())
        continue;
      Block &block = function.getBody().front();
      for (unsigned i = 0; i < function.getNumResults(); ++i)
        (void)allocateReshaped(block.getTerminator()->getOperand(i), block);
    }
  }
};
} // namespace
