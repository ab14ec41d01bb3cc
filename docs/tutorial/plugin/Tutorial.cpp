//===- Tutorial.cpp - A plugin with an operation, rules and a pass --------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The plugin of docs/tutorial: `transform.tutorial.strip_mine`, the rule group
// `transform.apply_patterns.tutorial.multiply_to_shift`, and the pass
// `tutorial-drop-asserts`. It is written against MLIR alone, as any plugin for
// mlir-opt.
//
//===----------------------------------------------------------------------===//

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/Dialect/Transform/IR/TransformTypes.h"
#include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"

#define GET_OP_CLASSES
#include "TutorialOps.h.inc"

using namespace mlir;
using namespace tutorial;

#define GET_OP_CLASSES
#include "TutorialOps.cpp.inc"

//===----------------------------------------------------------------------===//
// transform.tutorial.strip_mine
//===----------------------------------------------------------------------===//

DiagnosedSilenceableFailure
StripMineOp::applyToOne(transform::TransformRewriter &rewriter, scf::ForOp loop,
                        transform::ApplyToEachResultList &results,
                        transform::TransformState &state) {
  Location loc = loop.getLoc();
  rewriter.setInsertionPoint(loop);
  Value size = arith::ConstantOp::create(
      rewriter, loc,
      rewriter.getIntegerAttr(loop.getInductionVar().getType(), getSize()));
  Value stride = arith::MulIOp::create(rewriter, loc, loop.getStep(), size);
  scf::ForOp steps;
  auto strips = scf::ForOp::create(
      rewriter, loc, loop.getLowerBound(), loop.getUpperBound(), stride,
      loop.getInitArgs(),
      [&](OpBuilder &builder, Location loc, Value start, ValueRange values) {
        Value next = arith::AddIOp::create(builder, loc, start, stride);
        Value end =
            arith::MinSIOp::create(builder, loc, next, loop.getUpperBound());
        steps = scf::ForOp::create(builder, loc, start, end, loop.getStep(),
                                   values);
        scf::YieldOp::create(builder, loc, steps.getResults());
      });
  rewriter.eraseBlock(steps.getBody());
  rewriter.inlineRegionBefore(loop.getRegion(), steps.getRegion(),
                              steps.getRegion().end());
  rewriter.replaceOp(loop, strips);
  results.push_back(strips);
  results.push_back(steps);
  return DiagnosedSilenceableFailure::success();
}

//===----------------------------------------------------------------------===//
// transform.apply_patterns.tutorial.multiply_to_shift
//===----------------------------------------------------------------------===//

namespace {
/// match:  arith.muli %x, 2^n
/// result: arith.shli %x, n
struct MultiplyToShift : public OpRewritePattern<arith::MulIOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::MulIOp multiply,
                                PatternRewriter &rewriter) const override {
    APInt factor;
    if (!matchPattern(multiply.getRhs(), m_ConstantInt(&factor)) ||
        !factor.isPowerOf2())
      return failure();
    Value places = arith::ConstantOp::create(
        rewriter, multiply.getLoc(),
        rewriter.getIntegerAttr(multiply.getType(), factor.logBase2()));
    rewriter.replaceOpWithNewOp<arith::ShLIOp>(multiply, multiply.getLhs(),
                                               places);
    return success();
  }
};
} // namespace

void MultiplyToShiftOp::populatePatterns(RewritePatternSet &patterns) {
  patterns.add<MultiplyToShift>(patterns.getContext());
}

//===----------------------------------------------------------------------===//
// The pass tutorial-drop-asserts
//===----------------------------------------------------------------------===//

namespace {
struct DropAsserts : public PassWrapper<DropAsserts, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(DropAsserts)

  StringRef getArgument() const override { return "tutorial-drop-asserts"; }
  StringRef getDescription() const override { return "erase all assertions"; }
  void runOnOperation() override {
    getOperation()->walk([](cf::AssertOp op) { op->erase(); });
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// The plugin
//===----------------------------------------------------------------------===//

namespace {
class TutorialExtension
    : public transform::TransformDialectExtension<TutorialExtension> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TutorialExtension)

  void init() {
    declareGeneratedDialect<arith::ArithDialect>();
    declareGeneratedDialect<scf::SCFDialect>();
    registerTransformOps<
#define GET_OP_LIST
#include "TutorialOps.cpp.inc"
        >();
  }
};
} // namespace

extern "C" DialectPluginLibraryInfo LLVM_ATTRIBUTE_WEAK
mlirGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "Tutorial", "1",
          [](DialectRegistry *registry) {
            registry->addExtensions<TutorialExtension>();
          }};
}

extern "C" PassPluginLibraryInfo LLVM_ATTRIBUTE_WEAK mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "Tutorial", "1",
          [] { PassRegistration<DropAsserts>(); }};
}
