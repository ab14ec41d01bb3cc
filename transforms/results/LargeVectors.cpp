//===- LargeVectors.cpp - Loops in the place of large vectors ---*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/results/LargeVectors.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

/// An op that computes fewer elements is left as it is.
static constexpr int64_t fewProducts = 2048, fewElements = 256;

/// Whether elements of `type` lie in memory as they lie in a vector.
static bool hasWholeBytes(Type type) {
  return isa<IndexType>(type) ||
         (type.isIntOrFloat() && type.getIntOrFloatBitWidth() % 8 == 0);
}

/// Whether each of `types` is a vector or an element that can lie in a slot.
static bool fitSlots(TypeRange types) {
  return llvm::all_of(types, [](Type type) {
    auto vector = dyn_cast<VectorType>(type);
    return hasWholeBytes(getElementTypeOrSelf(type)) &&
           (!vector || (!vector.isScalable() && vector.getRank() > 0));
  });
}

namespace {
/// Writes loops in front of one op.
class LoopWriter {
public:
  explicit LoopWriter(Operation *op) : builder(op), loc(op->getLoc()) {
    zero = arith::ConstantIndexOp::create(builder, loc, 0);
    one = arith::ConstantIndexOp::create(builder, loc, 1);
    // One slot serves all iterations of the loops around the op.
    Operation *scope = op->getParentOfType<func::FuncOp>();
    if (auto launch = op->getParentOfType<gpu::LaunchOp>())
      scope = launch;
    slots = &scope->getRegion(0).front();
  }

  OpBuilder &getBuilder() { return builder; }

  /// A slot for values of `type`.
  Value reserve(Type type) {
    auto vector = dyn_cast<VectorType>(type);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(slots);
    return memref::AllocaOp::create(
        builder, loc,
        MemRefType::get(vector ? vector.getShape() : ArrayRef<int64_t>(),
                        getElementTypeOrSelf(type)));
  }

  /// A slot that holds `value`.
  Value place(Value value) {
    auto vector = dyn_cast<VectorType>(value.getType());
    Value slot = reserve(value.getType());
    if (vector)
      vector::TransferWriteOp::create(
          builder, loc, value, slot, getZeros(vector),
          SmallVector<bool>(vector.getRank(), true));
    else
      memref::StoreOp::create(builder, loc, value, slot, ValueRange());
    return slot;
  }

  /// The contents of `slot` as a value of `type`.
  Value take(Value slot, Type type) {
    auto vector = dyn_cast<VectorType>(type);
    if (!vector)
      return memref::LoadOp::create(builder, loc, slot, ValueRange());
    return vector::TransferReadOp::create(
        builder, loc, vector, slot, getZeros(vector), std::nullopt,
        SmallVector<bool>(vector.getRank(), true));
  }

  Value load(Value slot, ValueRange indices) {
    return memref::LoadOp::create(builder, loc, slot, indices);
  }

  void store(Value element, Value slot, ValueRange indices) {
    memref::StoreOp::create(builder, loc, element, slot, indices);
  }

  /// Loops over `extents`, the first one outside, around what `body` writes.
  void loop(ArrayRef<int64_t> extents,
            llvm::function_ref<void(ValueRange)> body) {
    OpBuilder::InsertionGuard guard(builder);
    SmallVector<Value> indices;
    for (int64_t extent : extents) {
      Value end = arith::ConstantIndexOp::create(builder, loc, extent);
      auto loop = scf::ForOp::create(builder, loc, zero, end, one);
      builder.setInsertionPointToStart(loop.getBody());
      indices.push_back(loop.getInductionVar());
    }
    body(indices);
  }

private:
  SmallVector<Value> getZeros(VectorType vector) {
    return SmallVector<Value>(vector.getRank(), zero);
  }

  OpBuilder builder;
  Location loc;
  Block *slots;
  Value zero, one;
};
} // namespace

/// The positions of the loops that `map` takes, of which it changes nothing.
static SmallVector<Value> applyMap(AffineMap map, ValueRange indices) {
  return llvm::map_to_vector(map.getResults(), [&](AffineExpr expr) -> Value {
    return indices[cast<AffineDimExpr>(expr).getPosition()];
  });
}

/// `value` in the wider `type`, as contractions extend their factors.
static Value extend(OpBuilder &builder, Location loc, Value value, Type type) {
  if (value.getType() == type)
    return value;
  if (isa<FloatType>(type))
    return arith::ExtFOp::create(builder, loc, type, value);
  return arith::ExtSIOp::create(builder, loc, type, value);
}

static bool isLargeProduct(vector::ContractionOp op) {
  if (op->getParentOfType<vector::MaskOp>() ||
      !fitSlots(op->getOperandTypes()) ||
      !llvm::all_of(op.getIndexingMapsArray(),
                    [](AffineMap map) { return map.isProjectedPermutation(); }))
    return false;
  // In narrower types, it matters where the unrolled code rounds.
  Type type = getElementTypeOrSelf(op.getResultType());
  auto isSum = [&](Type factor) {
    if (type.isF32() || type.isF64())
      return isa<FloatType>(factor) &&
             factor.getIntOrFloatBitWidth() <= type.getIntOrFloatBitWidth();
    return type.isSignlessInteger() && factor.isSignlessInteger() &&
           factor.getIntOrFloatBitWidth() <= type.getIntOrFloatBitWidth();
  };
  if (op.getKind() != vector::CombiningKind::ADD ||
      !isSum(op.getLhsType().getElementType()) ||
      !isSum(op.getRhsType().getElementType()))
    return false;
  SmallVector<int64_t> extents;
  op.getIterationBounds(extents);
  return ShapedType::getNumElements(extents) > fewProducts;
}

static void lower(vector::ContractionOp op) {
  LoopWriter writer(op);
  Location loc = op.getLoc();
  OpBuilder &builder = writer.getBuilder();
  Value lhs = writer.place(op.getLhs()), rhs = writer.place(op.getRhs()),
        sum = writer.place(op.getAcc());
  SmallVector<int64_t> extents;
  op.getIterationBounds(extents);
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  Type type = getElementTypeOrSelf(op.getResultType());
  writer.loop(extents, [&](ValueRange indices) {
    auto read = [&](Value slot, AffineMap map) {
      return extend(builder, loc, writer.load(slot, applyMap(map, indices)),
                    type);
    };
    Value x = read(lhs, maps[0]), y = read(rhs, maps[1]),
          z = read(sum, maps[2]), next;
    if (isa<FloatType>(type))
      next = math::FmaOp::create(builder, loc, x, y, z);
    else
      next = arith::AddIOp::create(
          builder, loc, arith::MulIOp::create(builder, loc, x, y), z);
    writer.store(next, sum, applyMap(maps[2], indices));
  });
  op.replaceAllUsesWith(writer.take(sum, op.getResultType()));
  op.erase();
}

/// Whether `op` moves many elements to other places of a vector.
static bool isLargeTransposition(vector::TransposeOp op) {
  return fitSlots(op->getOperandTypes()) &&
         op.getSourceVectorType().getNumElements() > fewElements;
}

static void lower(vector::TransposeOp op) {
  LoopWriter writer(op);
  VectorType type = op.getResultVectorType();
  Value source = writer.place(op.getVector()), result = writer.reserve(type);
  writer.loop(op.getSourceVectorType().getShape(), [&](ValueRange indices) {
    writer.store(writer.load(source, indices), result,
                 llvm::map_to_vector(op.getPermutation(), [&](int64_t from) {
                   return indices[from];
                 }));
  });
  op.replaceAllUsesWith(writer.take(result, type));
  op.erase();
}

/// Whether `op` combines many elements, in their order.
static bool isLargeReduction(vector::MultiDimReductionOp op) {
  return !op->getParentOfType<vector::MaskOp>() &&
         fitSlots(op->getOperandTypes()) &&
         op.getSourceVectorType().getNumElements() > fewElements;
}

static void lower(vector::MultiDimReductionOp op) {
  LoopWriter writer(op);
  Value source = writer.place(op.getSource()), sum = writer.place(op.getAcc());
  ArrayRef<int64_t> reduced = op.getReductionDims();
  writer.loop(op.getSourceVectorType().getShape(), [&](ValueRange indices) {
    SmallVector<Value> kept;
    for (auto [i, index] : llvm::enumerate(indices))
      if (!llvm::is_contained(reduced, static_cast<int64_t>(i)))
        kept.push_back(index);
    Value next = vector::makeArithReduction(
        writer.getBuilder(), op.getLoc(), op.getKind(),
        writer.load(source, indices), writer.load(sum, kept));
    writer.store(next, sum, kept);
  });
  op->getResult(0).replaceAllUsesWith(
      writer.take(sum, op->getResult(0).getType()));
  op.erase();
}

/// Whether `op` is a function of single elements that becomes a call for each.
static bool isLargeFunction(Operation *op) {
  auto type = op->getNumResults() == 1
                  ? dyn_cast<VectorType>(op->getResult(0).getType())
                  : VectorType();
  return type && isa_and_nonnull<math::MathDialect>(op->getDialect()) &&
         op->hasTrait<OpTrait::Elementwise>() && op->getNumRegions() == 0 &&
         !op->getParentOfType<vector::MaskOp>() &&
         fitSlots(op->getOperandTypes()) && fitSlots(op->getResultTypes()) &&
         type.getNumElements() > fewElements;
}

static void lowerFunction(Operation *op) {
  LoopWriter writer(op);
  OpBuilder &builder = writer.getBuilder();
  auto type = cast<VectorType>(op->getResult(0).getType());
  SmallVector<Value> slots;
  for (Value operand : op->getOperands())
    slots.push_back(isa<VectorType>(operand.getType()) ? writer.place(operand)
                                                       : operand);
  Value result = writer.reserve(type);
  writer.loop(type.getShape(), [&](ValueRange indices) {
    SmallVector<Value> elements;
    for (Value slot : slots)
      elements.push_back(
          isa<MemRefType>(slot.getType()) ? writer.load(slot, indices) : slot);
    Operation *scalar =
        builder.create(op->getLoc(), op->getName().getIdentifier(), elements,
                       {type.getElementType()}, op->getAttrs());
    writer.store(scalar->getResult(0), result, indices);
  });
  op->getResult(0).replaceAllUsesWith(writer.take(result, type));
  op->erase();
}

void formwork::transforms::lowerLargeVectors(ModuleOp module) {
  SmallVector<Operation *> all;
  module->walk([&](Operation *op) {
    if (op->getParentOfType<func::FuncOp>())
      all.push_back(op);
  });
  for (Operation *op : all) {
    if (auto product = dyn_cast<vector::ContractionOp>(op);
        product && isLargeProduct(product))
      lower(product);
    else if (auto transposition = dyn_cast<vector::TransposeOp>(op);
             transposition && isLargeTransposition(transposition))
      lower(transposition);
    else if (auto reduction = dyn_cast<vector::MultiDimReductionOp>(op);
             reduction && isLargeReduction(reduction))
      lower(reduction);
    else if (isLargeFunction(op))
      lowerFunction(op);
  }
}
