//===- PreparePayload.cpp - A payload as strategies take it -----*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/strategies/PreparePayload.h"

#include "transforms/strategies/KernelGroups.h"

#include "transforms/strategies/ComputedTensors.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace formwork::transforms;

/// Computes each element of a new tensor of `type` by `body`, which is given
/// the indices of the element.
static Value
createByIndex(OpBuilder &builder, Location loc, RankedTensorType type,
              function_ref<Value(OpBuilder &, Location, ValueRange)> body) {
  return computeTensor(builder, loc, type,
                       [&](OpBuilder &inner, Location at) {
                         SmallVector<Value> indices;
                         for (int64_t dim = 0; dim < type.getRank(); ++dim)
                           indices.push_back(
                               linalg::IndexOp::create(inner, at, dim));
                         return body(inner, at, indices);
                       })
      .getResult(0);
}

static Value getIndex(OpBuilder &builder, Location loc, OpFoldResult value) {
  if (auto attr = dyn_cast<Attribute>(value))
    return arith::ConstantIndexOp::create(builder, loc,
                                          cast<IntegerAttr>(attr).getInt());
  return cast<Value>(value);
}

/// The element of `source` at `indices` if they are in its bounds, else
/// `otherwise`. The access is in bounds in either case.
static Value extractOr(OpBuilder &builder, Location loc, Value source,
                       ValueRange indices, Value otherwise) {
  auto type = cast<RankedTensorType>(source.getType());
  Value isInside =
      arith::ConstantIntOp::create(builder, loc, /*value=*/1, /*width=*/1);
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  SmallVector<Value> clamped;
  for (auto [index, extent] : llvm::zip_equal(indices, type.getShape())) {
    Value last = arith::ConstantIndexOp::create(builder, loc, extent - 1);
    Value isHigh = arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::sge, index, zero);
    Value isLow = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sle,
                                        index, last);
    isInside = arith::AndIOp::create(builder, loc, isInside, isHigh);
    isInside = arith::AndIOp::create(builder, loc, isInside, isLow);
    Value atLeast = arith::MaxSIOp::create(builder, loc, index, zero);
    clamped.push_back(arith::MinSIOp::create(builder, loc, atLeast, last));
  }
  Value element = tensor::ExtractOp::create(builder, loc, source, clamped);
  return arith::SelectOp::create(builder, loc, isInside, element, otherwise);
}

static bool isStatic(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.hasStaticShape() && type.getNumElements() != 0;
}

/// Indices of `outer` from those of a slice of it: offset + stride * index, and
/// the offset where the slice has no such dimension.
template <typename SliceOp>
static SmallVector<Value> getSourceIndices(OpBuilder &builder, Location loc,
                                           SliceOp slice, ValueRange indices) {
  llvm::SmallBitVector dropped = slice.getDroppedDims();
  SmallVector<Value> result;
  unsigned next = 0;
  for (auto [dim, offset, stride] :
       llvm::enumerate(slice.getMixedOffsets(), slice.getMixedStrides())) {
    Value index = getIndex(builder, loc, offset);
    if (!dropped.test(dim)) {
      Value step = arith::MulIOp::create(builder, loc, indices[next++],
                                         getIndex(builder, loc, stride));
      index = arith::AddIOp::create(builder, loc, index, step);
    }
    result.push_back(index);
  }
  return result;
}

/// The elements of `source` in their order, as a tensor of `type`.
static Value createReshape(OpBuilder &builder, Location loc,
                           RankedTensorType type, Value source) {
  auto createGroup = [](int64_t rank) {
    SmallVector<ReassociationIndices> all;
    if (rank != 0)
      all.push_back(llvm::to_vector(llvm::seq<int64_t>(0, rank)));
    return all;
  };
  auto flat =
      RankedTensorType::get({type.getNumElements()}, type.getElementType());
  int64_t rank = cast<RankedTensorType>(source.getType()).getRank();
  if (rank == 0)
    source = tensor::ExpandShapeOp::create(builder, loc, flat, source,
                                           createGroup(0));
  else if (rank != 1)
    source = tensor::CollapseShapeOp::create(builder, loc, flat, source,
                                             createGroup(rank));
  if (type.getRank() == 1)
    return source;
  if (type.getRank() == 0)
    return tensor::CollapseShapeOp::create(builder, loc, type, source,
                                           createGroup(0));
  return tensor::ExpandShapeOp::create(builder, loc, type, source,
                                       createGroup(type.getRank()));
}

/// The same value as `op`'s, by a structured operation; null if `op` is not one
/// that moves data.
static Value structureCopy(OpBuilder &builder, Operation *op) {
  Location loc = op->getLoc();
  if (op->getNumResults() != 1 || !isStatic(op->getResult(0)))
    return nullptr;
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  if (auto pad = dyn_cast<tensor::PadOp>(op)) {
    Value value = pad.getConstantPaddingValue();
    if (!value || !isStatic(pad.getSource()))
      return nullptr;
    SmallVector<OpFoldResult> low = pad.getMixedLowPad();
    return createByIndex(
        builder, loc, type,
        [&](OpBuilder &inner, Location at, ValueRange indices) {
          SmallVector<Value> source;
          for (auto [index, before] : llvm::zip_equal(indices, low))
            source.push_back(arith::SubIOp::create(
                inner, at, index, getIndex(inner, at, before)));
          return extractOr(inner, at, pad.getSource(), source, value);
        });
  }
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op)) {
    if (!isStatic(slice.getSource()))
      return nullptr;
    return createByIndex(
        builder, loc, type,
        [&](OpBuilder &inner, Location at, ValueRange indices) -> Value {
          return tensor::ExtractOp::create(
              inner, at, slice.getSource(),
              getSourceIndices(inner, at, slice, indices));
        });
  }
  if (auto insert = dyn_cast<tensor::InsertSliceOp>(op)) {
    if (!isStatic(insert.getSource()))
      return nullptr;
    llvm::SmallBitVector dropped = insert.getDroppedDims();
    return createByIndex(
        builder, loc, type,
        [&](OpBuilder &inner, Location at, ValueRange indices) {
          Value old =
              tensor::ExtractOp::create(inner, at, insert.getDest(), indices);
          Value isInside = arith::ConstantIntOp::create(inner, at, 1, 1);
          SmallVector<Value> source;
          for (auto [dim, offset, stride] : llvm::enumerate(
                   insert.getMixedOffsets(), insert.getMixedStrides())) {
            // A dimension that the source lacks has only the offset.
            Value distance = arith::SubIOp::create(inner, at, indices[dim],
                                                   getIndex(inner, at, offset));
            Value rest = distance;
            if (!dropped.test(dim)) {
              Value step = getIndex(inner, at, stride);
              source.push_back(
                  arith::DivSIOp::create(inner, at, distance, step));
              rest = arith::RemSIOp::create(inner, at, distance, step);
            }
            Value zero = arith::ConstantIndexOp::create(inner, at, 0);
            Value isThere = arith::CmpIOp::create(
                inner, at, arith::CmpIPredicate::eq, rest, zero);
            isInside = arith::AndIOp::create(inner, at, isInside, isThere);
          }
          Value value = extractOr(inner, at, insert.getSource(), source, old);
          return Value(
              arith::SelectOp::create(inner, at, isInside, value, old));
        });
  }
  if (auto reshape = dyn_cast<tensor::ReshapeOp>(op)) {
    if (!isStatic(reshape.getSource()))
      return nullptr;
    return createReshape(builder, loc, type, reshape.getSource());
  }
  if (auto concat = dyn_cast<tensor::ConcatOp>(op)) {
    if (!llvm::all_of(concat.getInputs(), isStatic))
      return nullptr;
    int64_t dim = concat.getDim();
    return createByIndex(
        builder, loc, type,
        [&](OpBuilder &inner, Location at, ValueRange indices) {
          Value value;
          int64_t start = 0;
          for (Value input : concat.getInputs()) {
            SmallVector<Value> source(indices);
            Value before = arith::ConstantIndexOp::create(inner, at, start);
            source[dim] = arith::SubIOp::create(inner, at, source[dim], before);
            start += cast<RankedTensorType>(input.getType()).getDimSize(dim);
            if (value) {
              value = extractOr(inner, at, input, source, value);
              continue;
            }
            // Indices beyond the first source belong to the sources behind it.
            Value last = arith::ConstantIndexOp::create(inner, at, start - 1);
            source[dim] = arith::MinSIOp::create(inner, at, source[dim], last);
            value = tensor::ExtractOp::create(inner, at, input, source);
          }
          return value;
        });
  }
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    auto splat = dyn_cast<SplatElementsAttr>(constant.getValue());
    if (!splat || !type.getElementType().isIntOrIndexOrFloat())
      return nullptr;
    Value scalar = arith::ConstantOp::create(
        builder, loc, cast<TypedAttr>(splat.getSplatValue<Attribute>()));
    Value empty = tensor::EmptyOp::create(builder, loc, type.getShape(),
                                          type.getElementType());
    return linalg::FillOp::create(builder, loc, scalar, empty).getResult(0);
  }
  return nullptr;
}

/// Whether `op` only repeats its operand.
static bool isBroadcast(Operation *op) {
  if (isa<linalg::BroadcastOp>(op))
    return true;
  auto generic = dyn_cast<linalg::GenericOp>(op);
  if (!generic || generic.getNumDpsInputs() != 1 ||
      generic->getNumResults() != 1 || generic.getNumReductionLoops() != 0)
    return false;
  AffineMap map = generic.getIndexingMapsArray()[0];
  return map.getNumResults() < map.getNumDims() &&
         generic.getBody()->getTerminator()->getOperand(0) ==
             generic.getBody()->getArgument(0);
}

/// Gives each reader of `op` one of its own.
static void cloneForReaders(Operation *op) {
  OpBuilder builder(op);
  for (OpOperand &use :
       llvm::make_early_inc_range(llvm::drop_begin(op->getResult(0).getUses())))
    use.set(builder.clone(*op)->getResult(0));
}

/// A copy of `value` that is computed.
static Value createCopy(OpBuilder &builder, Location loc, Value value) {
  return mapElements(
      builder, loc, value, getElementTypeOrSelf(value),
      [](OpBuilder &, Location, Value element) { return element; });
}

/// A result is a buffer of its own: what is returned is computed.
static void copyReturnedViews(func::ReturnOp op) {
  OpBuilder builder(op);
  llvm::SmallPtrSet<Value, 4> returned;
  for (OpOperand &operand : op->getOpOperands()) {
    Value value = operand.get();
    if (!isStatic(value))
      continue;
    // The lowering lets a reshaped allocation be an allocation.
    Value base = value;
    while (Operation *reshape = base.getDefiningOp()) {
      if (!isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(reshape))
        break;
      base = reshape->getOperand(0);
    }
    Operation *producer = base.getDefiningOp();
    bool isComputed = producer && isa<linalg::LinalgOp>(producer);
    if (isComputed && returned.insert(base).second)
      continue;
    operand.set(createCopy(builder, op.getLoc(), value));
  }
}

void formwork::transforms::foldEmptyReductions(ModuleOp payload) {
  SmallVector<linalg::LinalgOp> empty;
  payload.walk([&](linalg::LinalgOp op) {
    if (op.hasPureTensorSemantics() &&
        llvm::is_contained(op.getStaticLoopRanges(), 0) &&
        llvm::all_of(op->getResults(), isStatic))
      empty.push_back(op);
  });
  for (linalg::LinalgOp op : empty) {
    op->replaceAllUsesWith(op.getDpsInits());
    op.erase();
  }
}

void formwork::transforms::structureCopies(ModuleOp payload) {
  SmallVector<Operation *> ops;
  payload.walk([&](Operation *op) {
    if (isa_and_nonnull<func::FuncOp>(op->getParentOp()))
      ops.push_back(op);
  });
  for (Operation *op : ops) {
    // To repeat a row costs less than to read what was repeated.
    if (isBroadcast(op) && !op->use_empty())
      cloneForReaders(op);
    OpBuilder builder(op);
    if (Value value = structureCopy(builder, op)) {
      op->getResult(0).replaceAllUsesWith(value);
      op->erase();
    }
  }
}

/// Lets constant tensors be buffers. As values, they would be folded into what
/// reads them, and vectors of them would stand outside of the kernels.
static void placeConstants(ModuleOp payload) {
  SmallVector<arith::ConstantOp> constants;
  payload.walk([&](arith::ConstantOp op) {
    if (isa<func::FuncOp>(op->getParentOp()) && isStatic(op) &&
        isa<DenseElementsAttr>(op.getValue()))
      constants.push_back(op);
  });
  SymbolTable symbols(payload);
  for (arith::ConstantOp op : constants) {
    Location loc = op.getLoc();
    auto type = cast<RankedTensorType>(op.getType());
    auto memory = MemRefType::get(type.getShape(), type.getElementType());
    OpBuilder builder = OpBuilder::atBlockBegin(payload.getBody());
    auto global = memref::GlobalOp::create(
        builder, loc, "constant", builder.getStringAttr("private"), memory,
        op.getValue(), /*constant=*/true, /*alignment=*/
        builder.getI64IntegerAttr(16));
    symbols.insert(global);
    builder.setInsertionPoint(op);
    Value buffer =
        memref::GetGlobalOp::create(builder, loc, memory, global.getSymName());
    op->getResult(0).replaceAllUsesWith(bufferization::ToTensorOp::create(
        builder, loc, type, buffer, /*restrict=*/true));
    op.erase();
  }
}

/// Whether the steps of `loop` are known, and few and short enough to stand one
/// behind the other.
static bool isWrittenOut(scf::ForOp loop) {
  constexpr int64_t mostOperations = 4096;
  std::optional<llvm::APInt> steps = loop.getStaticTripCount();
  if (!steps)
    return false;
  int64_t perStep = 0;
  loop.getBody()->walk([&](Operation *) { ++perStep; });
  return steps->ule(mostOperations / perStep);
}

void formwork::transforms::writeOutLoops(ModuleOp payload) {
  // The bounds of a loop may be known when the one around it is written out.
  bool isChanged = true;
  while (isChanged) {
    isChanged = false;
    SmallVector<scf::ForOp> loops;
    for (auto function : payload.getOps<func::FuncOp>())
      for (Block &block : function.getBody())
        llvm::copy_if(block.getOps<scf::ForOp>(), std::back_inserter(loops),
                      isWrittenOut);
    for (scf::ForOp loop : loops)
      isChanged |= succeeded(loopUnrollFull(loop));
    if (isChanged) {
      PassManager passes(payload.getContext());
      passes.addPass(createCanonicalizerPass());
      if (failed(passes.run(payload)))
        return;
    }
  }
}

void formwork::transforms::addParallelLoop(linalg::LinalgOp op) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  auto addLoop = [&](AffineMap map, bool isResult) {
    SmallVector<AffineExpr> results;
    if (isResult)
      results.push_back(builder.getAffineDimExpr(0));
    for (AffineExpr expr : map.getResults())
      results.push_back(expr.shiftDims(map.getNumDims(), 1));
    return AffineMap::get(map.getNumDims() + 1, 0, results,
                          builder.getContext());
  };
  SmallVector<AffineMap> maps;
  SmallVector<Value> inits;
  SmallVector<Type> types;
  llvm::SmallSetVector<Operation *, 2> fills;
  for (OpOperand *input : op.getDpsInputOperands())
    maps.push_back(addLoop(op.getMatchingIndexingMap(input), false));
  for (OpOperand &init : op.getDpsInitsMutable()) {
    maps.push_back(addLoop(op.getMatchingIndexingMap(&init), true));
    auto type =
        RankedTensorType::get({1}, getElementTypeOrSelf(init.get().getType()));
    types.push_back(type);
    Operation *producer = init.get().getDefiningOp();
    if (auto fill = dyn_cast_or_null<linalg::FillOp>(producer)) {
      Value empty = tensor::EmptyOp::create(builder, loc, type.getShape(),
                                            type.getElementType());
      inits.push_back(
          linalg::FillOp::create(builder, loc, fill.getInputs()[0], empty)
              .getResult(0));
      fills.insert(fill);
    } else if (isa_and_nonnull<tensor::EmptyOp>(producer)) {
      inits.push_back(tensor::EmptyOp::create(builder, loc, type.getShape(),
                                              type.getElementType()));
    } else {
      inits.push_back(tensor::ExpandShapeOp::create(
          builder, loc, type, init.get(), ArrayRef<ReassociationIndices>()));
    }
  }
  SmallVector<utils::IteratorType> iterators = {utils::IteratorType::parallel};
  llvm::append_range(iterators, op.getIteratorTypesArray());
  auto generic = linalg::GenericOp::create(
      builder, loc, types, op.getDpsInputs(), inits, maps, iterators);
  IRMapping mapping;
  op->getRegion(0).cloneInto(&generic.getRegion(), mapping);
  generic.walk([](linalg::IndexOp index) { index.setDim(index.getDim() + 1); });
  for (auto [old, value] :
       llvm::zip_equal(op->getResults(), generic.getResults()))
    old.replaceAllUsesWith(tensor::CollapseShapeOp::create(
        builder, loc, cast<RankedTensorType>(old.getType()), value,
        ArrayRef<ReassociationIndices>()));
  op.erase();
  for (Operation *fill : fills)
    if (fill->use_empty())
      fill->erase();
}

/// Whether `value` is, or is a view of, a constant.
static bool isOfConstant(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (isa<arith::ConstantOp>(op))
      return true;
    if (!isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(op))
      return false;
    value = op->getOperand(0);
  }
  return false;
}

/// Whether another operation reads `value`, or what `value` is a view of. What
/// is cheap does not count: each reader gets one of its own.
static bool isReadElsewhere(Value value) {
  while (true) {
    Operation *op = value.getDefiningOp();
    if (op && isCheap(op))
      return false;
    if (!value.hasOneUse())
      return true;
    if (!isa_and_nonnull<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(op))
      return false;
    value = op->getOperand(0);
  }
}

/// Gives `op` destinations that it may write: bufferization would copy a
/// constant, or what is read elsewhere, on the host.
static void copySharedInits(linalg::LinalgOp op) {
  OpBuilder builder(op);
  for (OpOperand &init : op.getDpsInitsMutable()) {
    Value value = init.get();
    if (!isStatic(value) || !op.payloadUsesValueFromOperand(&init))
      continue;
    if (isReadElsewhere(value) || isOfConstant(value))
      init.set(createCopy(builder, op.getLoc(), value));
  }
}

void formwork::transforms::separateKernels(ModuleOp payload) {
  payload.walk([](func::ReturnOp op) { copyReturnedViews(op); });
  SmallVector<linalg::LinalgOp> ops;
  payload.walk([&](linalg::LinalgOp op) { ops.push_back(op); });
  for (linalg::LinalgOp op : ops)
    copySharedInits(op);
  placeConstants(payload);
  ops.clear();
  payload.walk([&](linalg::LinalgOp op) { ops.push_back(op); });
  for (linalg::LinalgOp op : ops) {
    if (op->use_empty()) {
      if (isCheap(op))
        op.erase();
      continue;
    }
    if (isCheap(op))
      cloneForReaders(op);
  }
}
