//===- SplitVectors.cpp - Vectors of rank 2 become rows ---------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The last of the lowering of vectors: what no rule group of upstream's
// Transform dialect takes apart. Layer: transforms.
//
//===----------------------------------------------------------------------===//

#include "transforms/gpu/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/Vector/Transforms/LoweringPatterns.h"
#include "mlir/Dialect/Vector/Transforms/VectorRewritePatterns.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace formwork::transforms {
#define GEN_PASS_DEF_GPUSPLITVECTORS
#include "transforms/gpu/Passes.h.inc"
} // namespace formwork::transforms

using namespace mlir;

namespace {
/// match:  %r = op(%a, …) : vector<n×…>, element-wise, of rank 2 or more
/// result: for each i: op(%a[i], …), inserted at i
/// when:   every vector among the operands has the shape of the result
///
/// The conversion of some operations, those of `math` among them, takes vectors
/// of rank 1 only.
struct SplitElementwise : RewritePattern {
  explicit SplitElementwise(MLIRContext *context)
      : RewritePattern(MatchAnyOpTypeTag(), /*benefit=*/1, context) {}

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    if (!OpTrait::hasElementwiseMappableTraits(op) || op->getNumResults() != 1)
      return failure();
    auto type = dyn_cast<VectorType>(op->getResult(0).getType());
    if (!type || type.getRank() < 2 || type.isScalable())
      return failure();
    for (Type operand : op->getOperandTypes())
      if (auto vector = dyn_cast<VectorType>(operand);
          vector && vector.getShape() != type.getShape())
        return failure();
    auto rowType =
        VectorType::get(type.getShape().drop_front(), type.getElementType());
    Location loc = op->getLoc();
    Value result = ub::PoisonOp::create(rewriter, loc, type);
    for (int64_t row = 0; row < type.getDimSize(0); ++row) {
      SmallVector<Value> operands;
      for (Value operand : op->getOperands())
        operands.push_back(
            isa<VectorType>(operand.getType())
                ? vector::ExtractOp::create(rewriter, loc, operand, row)
                : operand);
      Operation *part = rewriter.create(loc, op->getName().getIdentifier(),
                                        operands, rowType, op->getAttrs());
      result = vector::InsertOp::create(rewriter, loc, part->getResult(0),
                                        result, row);
    }
    rewriter.replaceOp(op, result);
    return success();
  }
};

struct SplitVectors
    : formwork::transforms::impl::GpuSplitVectorsBase<SplitVectors> {
  void runOnOperation() override {
    // Each rule makes operations of lower rank, or none of those that another
    // one matches, so that they end beside each other.
    RewritePatternSet patterns(&getContext());
    patterns.add<SplitElementwise>(&getContext());
    vector::populateVectorInsertExtractStridedSliceTransforms(patterns);
    vector::populateVectorToElementsUnrollPatterns(patterns);
    vector::populateVectorFromElementsUnrollPatterns(patterns);
    vector::populateVectorRankReducingFMAPattern(patterns);
    vector::populateVectorStepLoweringPatterns(patterns);
    vector::populateVectorInterleaveLoweringPatterns(patterns);
    vector::populateVectorInterleaveToShufflePatterns(patterns);
    vector::populateVectorGatherToConditionalLoadPatterns(patterns);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace
