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

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/Vector/Transforms/LoweringPatterns.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
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

/// match:  %r = vector.maskedload %m[%i], %mask, %pass
/// result: for each k: memref.load %m[%i + k] if %mask[k], else %pass[k]
struct SplitMaskedLoad : OpRewritePattern<vector::MaskedLoadOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(vector::MaskedLoadOp op,
                                PatternRewriter &rewriter) const override {
    VectorType type = op.getVectorType();
    if (!isPackedAccess(type, op.getBase()))
      return failure();
    Location loc = op.getLoc();
    Value result = op.getPassThru();
    for (int64_t k = 0; k < type.getDimSize(0); ++k) {
      Value isActive =
          vector::ExtractOp::create(rewriter, loc, op.getMask(), k);
      auto branch = scf::IfOp::create(
          rewriter, loc, isActive,
          [&](OpBuilder &builder, Location loc) {
            Value element = memref::LoadOp::create(
                builder, loc, op.getBase(),
                getIndices(builder, loc, op.getIndices(), k));
            Value inserted =
                vector::InsertOp::create(builder, loc, element, result, k);
            scf::YieldOp::create(builder, loc, inserted);
          },
          [&](OpBuilder &builder, Location loc) {
            scf::YieldOp::create(builder, loc, result);
          });
      result = branch.getResult(0);
    }
    rewriter.replaceOp(op, result);
    return success();
  }
};

/// match:  vector.maskedstore %m[%i], %mask, %v
/// result: for each k: memref.store %v[k], %m[%i + k] if %mask[k]
struct SplitMaskedStore : OpRewritePattern<vector::MaskedStoreOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(vector::MaskedStoreOp op,
                                PatternRewriter &rewriter) const override {
    VectorType type = op.getVectorType();
    if (!isPackedAccess(type, op.getBase()))
      return failure();
    Location loc = op.getLoc();
    for (int64_t k = 0; k < type.getDimSize(0); ++k) {
      Value isActive =
          vector::ExtractOp::create(rewriter, loc, op.getMask(), k);
      scf::IfOp::create(
          rewriter, loc, isActive, [&](OpBuilder &builder, Location loc) {
            memref::StoreOp::create(
                builder, loc,
                vector::ExtractOp::create(builder, loc, op.getValueToStore(),
                                          k),
                op.getBase(), getIndices(builder, loc, op.getIndices(), k));
            scf::YieldOp::create(builder, loc);
          });
    }
    rewriter.eraseOp(op);
    return success();
  }
};

struct SplitBitVectors
    : formwork::transforms::impl::SplitBitVectorsBase<SplitBitVectors> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<SplitLoad, SplitStore, SplitMaskedLoad, SplitMaskedStore>(
        &getContext());
    vector::populateVectorTransferLoweringPatterns(patterns,
                                                   /*maxTransferRank=*/1);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace
