//===- ContractionFoldsTest.cpp - Sums keep factors -------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Canonicalization folds a sum into a contraction where that keeps the factors.
//
//===----------------------------------------------------------------------===//

#include "TestPayload.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace formwork::engine;
using namespace formwork::test;

namespace {

class ContractionFoldsTest : public EngineTest {
protected:
  ContractionFoldsTest() {
    DialectRegistry registry;
    registry.insert<vector::VectorDialect>();
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
    rules = makeDriver("transform.apply_patterns.canonicalization").rules;
  }

  /// Whether the sum of a contraction of `operands` and %c is folded.
  bool folds(StringRef operands) {
    auto module = parse(
        ("#a = affine_map<(m, n, k) -> (m, k)>\n"
         "#b = affine_map<(m, n, k) -> (k, n)>\n"
         "#c = affine_map<(m, n, k) -> (m, n)>\n"
         "func.func @f(%a: vector<4x4xf32>, %b: vector<4x4xf32>, "
         "%c: vector<4x4xf32>) -> vector<4x4xf32> {\n"
         "%zero = arith.constant dense<0.0> : vector<4x4xf32>\n"
         "%p = vector.contract {indexing_maps = [#a, #b, #c], iterator_types = "
         "[\"parallel\", \"parallel\", \"reduction\"], kind = "
         "#vector.kind<add>} " +
         operands +
         " : vector<4x4xf32>, vector<4x4xf32> into vector<4x4xf32>\n"
         "%s = arith.addf %p, %c : vector<4x4xf32>\n"
         "return %s : vector<4x4xf32>\n}")
            .str());
    EXPECT_TRUE(
        succeeded(applyPatternsGreedily(*module, rules->getPatterns())));
    EXPECT_TRUE(succeeded(verify(*module)));
    return !StringRef(print(*module)).contains("arith.addf");
  }

  std::shared_ptr<const RuleSet> rules;
};

TEST_F(ContractionFoldsTest, FoldsTheSumIntoAProductOfOthers) {
  EXPECT_TRUE(folds("%a, %b, %zero"));
}

TEST_F(ContractionFoldsTest, KeepsAFactorThatIsAlsoTheStart) {
  EXPECT_FALSE(folds("%zero, %b, %zero"));
  EXPECT_FALSE(folds("%a, %zero, %zero"));
}

TEST_F(ContractionFoldsTest, KeepsASumThatStartsFromAnother) {
  EXPECT_FALSE(folds("%a, %b, %a"));
}

} // namespace
