//===- FuseElementwise.cpp - Fusion that computes nothing twice -*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// MLIR's elementwise fusion, with a limit on what a reduction takes along.
// Layer: transforms.
//
//===----------------------------------------------------------------------===//

#include "transforms/strategies/Passes.h"
#include "transforms/strategies/Products.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace formwork::transforms {
#define GEN_PASS_DEF_FUSEELEMENTWISE
#include "transforms/strategies/Passes.h.inc"
} // namespace formwork::transforms

using namespace mlir;
using formwork::transforms::onlyMoves;

static bool hasOneReader(OpOperand *operand) {
  Operation *producer = operand->get().getDefiningOp();
  return producer && producer->hasOneUse();
}

/// Whether the reader of `operand`, which is fused with its producer, computes
/// no element of it twice.
static bool computesOnce(OpOperand *operand) {
  // An operation that asserts something stays even without a reader.
  if (!hasOneReader(operand) ||
      !isMemoryEffectFree(operand->get().getDefiningOp()))
    return false;
  auto reader = dyn_cast<linalg::LinalgOp>(operand->getOwner());
  auto producer = operand->get().getDefiningOp<linalg::LinalgOp>();
  if (!reader || !producer || reader.getNumReductionLoops() == 0)
    return true;
  return reader.getMatchingIndexingMap(operand).isPermutation() ||
         onlyMoves(producer);
}

namespace {
struct FuseElementwise
    : formwork::transforms::impl::FuseElementwiseBase<FuseElementwise> {
  void runOnOperation() override {
    MLIRContext *context = &getContext();
    RewritePatternSet patterns(context);
    linalg::populateElementwiseOpsFusionPatterns(patterns, computesOnce);
    linalg::populateFoldReshapeOpsByExpansionPatterns(patterns, hasOneReader);
    linalg::populateConstantFoldLinalgOperations(patterns, hasOneReader);
    affine::AffineApplyOp::getCanonicalizationPatterns(patterns, context);
    linalg::GenericOp::getCanonicalizationPatterns(patterns, context);
    tensor::ExpandShapeOp::getCanonicalizationPatterns(patterns, context);
    tensor::CollapseShapeOp::getCanonicalizationPatterns(patterns, context);
    context->getLoadedDialect<linalg::LinalgDialect>()
        ->getCanonicalizationPatterns(patterns);
    GreedyRewriteConfig config;
    config.setUseTopDownTraversal();
    if (failed(
            applyPatternsGreedily(getOperation(), std::move(patterns), config)))
      signalPassFailure();
  }
};
} // namespace
