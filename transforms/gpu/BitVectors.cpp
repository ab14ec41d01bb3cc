//===- BitVectors.cpp - Vectors of elements that are no bytes ---*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Accesses each element of a vector by itself where a vector in memory is laid
// out in another way than the elements of a buffer. Layer: transforms.
//
//===----------------------------------------------------------------------===//

#include "transforms/gpu/Passes.h"

#include "engine/GuardedRule.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/Vector/Transforms/LoweringPatterns.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

namespace formwork::transforms {
#define GEN_PASS_DEF_SPLITBITVECTORS
#include "transforms/gpu/Passes.h.inc"
} // namespace formwork::transforms

using namespace mlir;

/// Whether LLVM packs the bits of a vector of `element`, while each element of
/// a buffer takes whole bytes, in a number that is a power of two.
static bool isPacked(Type element) {
  if (!element.isIntOrFloat())
    return false;
  unsigned bits = element.getIntOrFloatBitWidth();
  return bits < 8 || !llvm::isPowerOf2_32(bits);
}

/// A vector of rank one in a buffer of such elements.
static bool isPackedAccess(VectorType vector, Value base) {
  auto buffer = cast<MemRefType>(base.getType());
  return vector.getRank() == 1 && !vector.isScalable() &&
         isPacked(buffer.getElementType());
}

static bool isPackedMaskedAccess(Operation *op) {
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case<vector::MaskedLoadOp, vector::MaskedStoreOp>([](auto access) {
        return isPackedAccess(access.getVectorType(), access.getBase());
      })
      .Default(false);
}

/// `indices`, with the last one moved on by `element`.
static SmallVector<Value> getIndices(OpBuilder &builder, Location loc,
                                     ValueRange indices, int64_t element) {
  SmallVector<Value> moved(indices);
  if (element != 0)
    moved.back() = arith::AddIOp::create(
        builder, loc, moved.back(),
        arith::ConstantIndexOp::create(builder, loc, element));
  return moved;
}

namespace {
/// match:  %r = vector.load %m[%i] : memref<…xi1>, vector<n×i1>
/// result: for each k: memref.load %m[%i + k], inserted at k
struct SplitLoad : OpRewritePattern<vector::LoadOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(vector::LoadOp op,
                                PatternRewriter &rewriter) const override {
    VectorType type = op.getVectorType();
    if (!isPackedAccess(type, op.getBase()))
      return failure();
    Location loc = op.getLoc();
    Value result = ub::PoisonOp::create(rewriter, loc, type);
    for (int64_t k = 0; k < type.getDimSize(0); ++k) {
      Value element =
          memref::LoadOp::create(rewriter, loc, op.getBase(),
                                 getIndices(rewriter, loc, op.getIndices(), k));
      result = vector::InsertOp::create(rewriter, loc, element, result, k);
    }
    rewriter.replaceOp(op, result);
    return success();
  }
};

/// match:  vector.store %v, %m[%i] : memref<…xi1>, vector<n×i1>
/// result: for each k: memref.store %v[k], %m[%i + k]
struct SplitStore : OpRewritePattern<vector::StoreOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(vector::StoreOp op,
                                PatternRewriter &rewriter) const override {
    VectorType type = op.getVectorType();
    if (!isPackedAccess(type, op.getBase()))
      return failure();
    Location loc = op.getLoc();
    for (int64_t k = 0; k < type.getDimSize(0); ++k)
      memref::StoreOp::create(
          rewriter, loc,
          vector::ExtractOp::create(rewriter, loc, op.getValueToStore(), k),
          op.getBase(), getIndices(rewriter, loc, op.getIndices(), k));
    rewriter.eraseOp(op);
    return success();
  }
};

struct SplitBitVectors
    : formwork::transforms::impl::SplitBitVectorsBase<SplitBitVectors> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext()), masked(&getContext());
    patterns.add<SplitLoad, SplitStore>(&getContext());
    vector::populateVectorMaskedLoadStoreEmulationPatterns(masked);
    for (std::unique_ptr<RewritePattern> &rule : masked.getNativePatterns()) {
      OperationName root = *rule->getRootKind();
      patterns.add(std::make_unique<formwork::engine::GuardedRule>(
          std::move(rule), root, isPackedMaskedAccess,
          "the elements take whole bytes"));
    }
    vector::populateVectorTransferLoweringPatterns(patterns,
                                                   /*maxTransferRank=*/1);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace
