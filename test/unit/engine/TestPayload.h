//===- TestPayload.h - A context and payload for engine tests ---*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The common part of the tests of the rewriting core: a context with the
// dialects they use, rule groups from text, and two rules that undo each other.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TEST_UNIT_ENGINE_TESTPAYLOAD_H
#define FORMWORK_TEST_UNIT_ENGINE_TESTPAYLOAD_H

#include "engine/Normalizer.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/TransformOps/SCFTransformOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

namespace formwork::test {

/// Swaps the operands of an `arith.addi` marked "turn": two rules, so that the
/// state after both is the state before.
template <bool forth>
struct TurnAdd : mlir::OpRewritePattern<mlir::arith::AddIOp> {
  using OpRewritePattern::OpRewritePattern;
  mlir::LogicalResult
  matchAndRewrite(mlir::arith::AddIOp op,
                  mlir::PatternRewriter &rewriter) const override {
    auto turn = op->getAttrOfType<mlir::BoolAttr>("turn");
    if (!turn || turn.getValue() != forth)
      return mlir::failure();
    rewriter.modifyOpInPlace(
        op, [&] { op->setAttr("turn", rewriter.getBoolAttr(!forth)); });
    return mlir::success();
  }
};
using TurnForth = TurnAdd<true>;
using TurnBack = TurnAdd<false>;

/// Adds another `arith.addi` behind each one marked "grow".
struct GrowAdd : mlir::OpRewritePattern<mlir::arith::AddIOp> {
  using OpRewritePattern::OpRewritePattern;
  mlir::LogicalResult
  matchAndRewrite(mlir::arith::AddIOp op,
                  mlir::PatternRewriter &rewriter) const override {
    if (!op->hasAttr("grow"))
      return mlir::failure();
    rewriter.setInsertionPointAfter(op);
    auto next = mlir::arith::AddIOp::create(rewriter, op.getLoc(),
                                            op.getResult(), op.getResult());
    next->setAttr("grow", rewriter.getUnitAttr());
    rewriter.modifyOpInPlace(op, [&] { op->removeAttr("grow"); });
    rewriter.replaceAllUsesExcept(op.getResult(), next.getResult(), next);
    return mlir::success();
  }
};

/// Makes an op behind each `arith.addi` marked "restless", and then finds that
/// it does not apply.
struct RestlessAdd : mlir::OpRewritePattern<mlir::arith::AddIOp> {
  using OpRewritePattern::OpRewritePattern;
  mlir::LogicalResult
  matchAndRewrite(mlir::arith::AddIOp op,
                  mlir::PatternRewriter &rewriter) const override {
    if (op->hasAttr("restless"))
      mlir::arith::AddIOp::create(rewriter, op.getLoc(), op.getLhs(),
                                  op.getRhs());
    return mlir::failure();
  }
};

/// `transform.apply_patterns.test.turn`, `….test.grow` and `….test.restless`.
template <typename Derived>
class TestRuleGroup
    : public mlir::Op<Derived, mlir::OpTrait::ZeroOperands,
                      mlir::OpTrait::ZeroResults, mlir::OpTrait::ZeroRegions,
                      mlir::OpTrait::ZeroSuccessors,
                      mlir::transform::PatternDescriptorOpInterface::Trait> {
public:
  using Base =
      mlir::Op<Derived, mlir::OpTrait::ZeroOperands, mlir::OpTrait::ZeroResults,
               mlir::OpTrait::ZeroRegions, mlir::OpTrait::ZeroSuccessors,
               mlir::transform::PatternDescriptorOpInterface::Trait>;
  using Base::Base;
  static llvm::ArrayRef<llvm::StringRef> getAttributeNames() { return {}; }
};

class TurnGroupOp : public TestRuleGroup<TurnGroupOp> {
public:
  using TestRuleGroup::TestRuleGroup;
  static llvm::StringRef getOperationName() {
    return "transform.apply_patterns.test.turn";
  }
  void populatePatterns(mlir::RewritePatternSet &patterns) {
    patterns.add<TurnForth, TurnBack>(patterns.getContext());
  }
};

class GrowGroupOp : public TestRuleGroup<GrowGroupOp> {
public:
  using TestRuleGroup::TestRuleGroup;
  static llvm::StringRef getOperationName() {
    return "transform.apply_patterns.test.grow";
  }
  void populatePatterns(mlir::RewritePatternSet &patterns) {
    patterns.add<GrowAdd>(patterns.getContext());
  }
};

class RestlessGroupOp : public TestRuleGroup<RestlessGroupOp> {
public:
  using TestRuleGroup::TestRuleGroup;
  static llvm::StringRef getOperationName() {
    return "transform.apply_patterns.test.restless";
  }
  void populatePatterns(mlir::RewritePatternSet &patterns) {
    patterns.add<RestlessAdd>(patterns.getContext());
  }
};

class TestRulesExtension
    : public mlir::transform::TransformDialectExtension<TestRulesExtension> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TestRulesExtension)
  using Base::Base;
  void init() {
    registerTransformOps<TurnGroupOp, GrowGroupOp, RestlessGroupOp>();
  }
};

class EngineTest : public testing::Test {
protected:
  EngineTest() {
    mlir::DialectRegistry registry;
    registry.insert<mlir::affine::AffineDialect, mlir::arith::ArithDialect,
                    mlir::DLTIDialect, mlir::func::FuncDialect,
                    mlir::memref::MemRefDialect, mlir::scf::SCFDialect,
                    mlir::tensor::TensorDialect,
                    mlir::transform::TransformDialect>();
    mlir::scf::registerTransformDialectExtension(registry);
    registry.addExtensions<TestRulesExtension>();
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
  }

  mlir::OwningOpRef<mlir::ModuleOp> parse(llvm::StringRef text) {
    auto module = mlir::parseSourceString<mlir::ModuleOp>(
        text, mlir::ParserConfig(&context));
    EXPECT_TRUE(module) << text.str();
    return module;
  }

  /// The driver of rule groups, as they stand in `transform.apply_patterns`,
  /// and of procedures.
  engine::Driver makeDriver(llvm::StringRef groups,
                            llvm::ArrayRef<llvm::StringRef> procedures = {}) {
    auto module =
        parse(("\"builtin.module\"() ({\n" + groups + "\n}) : () -> ()").str());
    llvm::SmallVector<mlir::Operation *> descriptors;
    for (mlir::Operation &op : *module->getBody())
      descriptors.push_back(&op);
    engine::Driver driver;
    driver.rules = ruleSets.get(descriptors, &context);
    for (llvm::StringRef name : procedures) {
      std::string why;
      auto procedure = engine::lookupProcedure(name, why);
      EXPECT_TRUE(procedure) << why;
      driver.procedures.push_back(*procedure);
    }
    groupFiles.push_back(std::move(module));
    return driver;
  }
  engine::Driver makeCanonical() {
    return makeDriver("transform.apply_patterns.canonicalization", {"cse"});
  }

  mlir::MLIRContext context;
  engine::RuleSetCache ruleSets;
  std::vector<mlir::OwningOpRef<mlir::ModuleOp>> groupFiles;
};

/// The first op called `name` below `root`.
inline mlir::Operation *findOp(mlir::Operation *root, llvm::StringRef name) {
  mlir::Operation *found = nullptr;
  root->walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
    if (op->getName().getStringRef() != name)
      return mlir::WalkResult::advance();
    found = op;
    return mlir::WalkResult::interrupt();
  });
  EXPECT_TRUE(found) << name.str();
  return found;
}

inline std::string print(mlir::Operation *op) {
  std::string text;
  llvm::raw_string_ostream os(text);
  op->print(os);
  return text;
}

} // namespace formwork::test

#endif // FORMWORK_TEST_UNIT_ENGINE_TESTPAYLOAD_H
