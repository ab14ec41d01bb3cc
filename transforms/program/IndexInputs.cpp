//===- IndexInputs.cpp - Inputs that say where to read ----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/program/IndexInputs.h"

#include "runtime/FormworkData.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace formwork::transforms;

namespace {
/// Follows the integers of one argument to where they are indices.
class IndexUses {
public:
  IndexUses(func::FuncOp function, EntryParameter &argument)
      : function(function), argument(argument) {}

  void follow(Value value) {
    values.insert(value);
    for (size_t i = 0; i != values.size(); ++i)
      for (OpOperand &use : values[i].getUses())
        visit(use);
  }

private:
  void visit(OpOperand &use);
  void visitSlice(OffsetSizeAndStrideOpInterface slice, OpOperand &use);
  /// Elements are indices of `dimension` of `indexed`, `behind` places before
  /// its end at most.
  void limit(Value indexed, unsigned dimension, int64_t behind = 0);

  func::FuncOp function;
  EntryParameter &argument;
  llvm::SetVector<Value> values;
};
} // namespace

void IndexUses::limit(Value indexed, unsigned dimension, int64_t behind) {
  int64_t size = cast<ShapedType>(indexed.getType()).getDimSize(dimension);
  if (ShapedType::isStatic(size)) {
    argument.limitIndices(size - behind);
    return;
  }
  if (auto source = dyn_cast<BlockArgument>(indexed);
      source && source.getOwner() == &function.getBody().front())
    argument.indexedSizes.push_back({source.getArgNumber(), dimension, behind});
}

void IndexUses::visitSlice(OffsetSizeAndStrideOpInterface slice,
                           OpOperand &use) {
  if (use.getOperandNumber() == 0) {
    // Of an insertion, that is what is inserted.
    if (slice->getNumResults() == 1 && !isa<tensor::InsertSliceOp>(slice))
      values.insert(slice->getResult(0));
    return;
  }
  Value sliced = isa<tensor::InsertSliceOp>(slice) ? slice->getOperand(1)
                                                   : slice->getOperand(0);
  SmallVector<OpFoldResult> offsets = slice.getMixedOffsets(),
                            sizes = slice.getMixedSizes(),
                            strides = slice.getMixedStrides();
  for (auto [i, offset] : llvm::enumerate(offsets)) {
    std::optional<int64_t> size = getConstantIntValue(sizes[i]),
                           stride = getConstantIntValue(strides[i]);
    if (offset == OpFoldResult(use.get()) && size && *size > 0 && stride)
      limit(sliced, i, (*size - 1) * *stride);
  }
}

void IndexUses::visit(OpOperand &use) {
  Operation *op = use.getOwner();
  unsigned number = use.getOperandNumber();
  auto visitAccess = [&](Value indexed, unsigned firstIndex) {
    if (number >= firstIndex)
      limit(indexed, number - firstIndex);
    else if (use.get() == indexed && op->getNumResults() == 1)
      values.insert(op->getResult(0));
  };
  if (auto extract = dyn_cast<tensor::ExtractOp>(op))
    return visitAccess(extract.getTensor(), 1);
  if (auto load = dyn_cast<memref::LoadOp>(op))
    return visitAccess(load.getMemref(), 1);
  if (auto store = dyn_cast<memref::StoreOp>(op)) {
    if (number >= 2)
      limit(store.getMemref(), number - 2);
    return;
  }
  if (auto insert = dyn_cast<tensor::InsertOp>(op)) {
    if (number >= 2)
      limit(insert.getDest(), number - 2);
    return;
  }
  if (isa<tensor::ExtractSliceOp, tensor::InsertSliceOp, memref::SubViewOp>(op))
    return visitSlice(cast<OffsetSizeAndStrideOpInterface>(op), use);
  if (auto structured = dyn_cast<linalg::LinalgOp>(op)) {
    if (structured.isDpsInput(&use))
      values.insert(structured.getMatchingBlockArgument(&use));
    return;
  }
  if (auto call = dyn_cast<func::CallOp>(op)) {
    auto callee = dyn_cast_or_null<func::FuncOp>(
        cast<CallOpInterface>(op).resolveCallable());
    if (callee && !callee.isExternal())
      values.insert(callee.getArgument(number));
    return;
  }
  if (isa<arith::IndexCastOp, arith::IndexCastUIOp, arith::ExtSIOp,
          arith::ExtUIOp, arith::TruncIOp, tensor::CastOp, memref::CastOp,
          tensor::ExpandShapeOp, tensor::CollapseShapeOp, memref::ExpandShapeOp,
          memref::CollapseShapeOp>(op))
    values.insert(op->getResult(0));
}

void formwork::transforms::limitIndexInputs(
    func::FuncOp function, MutableArrayRef<EntryParameter> arguments) {
  for (auto [value, argument] :
       llvm::zip_equal(function.getArguments(), arguments))
    if (!fwIsFloat(argument.type))
      IndexUses(function, argument).follow(value);
  limitByKnownSizes(arguments);
}

void formwork::transforms::limitByKnownSizes(
    MutableArrayRef<EntryParameter> arguments) {
  for (EntryParameter &argument : arguments)
    llvm::erase_if(argument.indexedSizes, [&](const IndexedSize &indexed) {
      int64_t size = arguments[indexed.parameter].shape[indexed.dimension];
      if (ShapedType::isDynamic(size))
        return false;
      argument.limitIndices(size - indexed.behind);
      return true;
    });
}
