//===- RuleSetTest.cpp - The cache of frozen rule groups --------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestPayload.h"

#include "engine/RuleSet.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace formwork::engine;
using namespace formwork::test;

namespace {

class RuleSetTest : public EngineTest {};

TEST_F(RuleSetTest, EqualDescriptorsShareOneSet) {
  Driver a = makeDriver("transform.apply_patterns.canonicalization");
  Driver b = makeDriver("transform.apply_patterns.canonicalization");
  EXPECT_EQ(a.rules, b.rules);
}

TEST_F(RuleSetTest, DescriptorsAttributesAndOrderDistinguish) {
  Driver a = makeDriver("transform.apply_patterns.canonicalization");
  Driver b = makeDriver("transform.apply_patterns.canonicalization {other}");
  Driver c =
      makeDriver("transform.apply_patterns.canonicalization\n"
                 "transform.apply_patterns.scf.for_loop_canonicalization");
  EXPECT_NE(a.rules->getKey(), b.rules->getKey());
  EXPECT_NE(a.rules->getKey(), c.rules->getKey());
  EXPECT_NE(a.rules, b.rules);
  EXPECT_NE(a.rules, c.rules);
}

TEST_F(RuleSetTest, ALoadedDialectMakesANewSet) {
  Driver a = makeDriver("transform.apply_patterns.canonicalization");
  context.getOrLoadDialect<vector::VectorDialect>();
  Driver b = makeDriver("transform.apply_patterns.canonicalization");
  EXPECT_NE(a.rules, b.rules);
}

TEST_F(RuleSetTest, RuleNamesAreShort) {
  EXPECT_EQ(getRuleName("mlir::(anonymous namespace)::FoldThing"), "FoldThing");
  EXPECT_EQ(getRuleName("a::Simplify<b::Op, c::D>"), "Simplify<b::Op, c::D>");
  EXPECT_EQ(getRuleName("plain"), "plain");
  EXPECT_EQ(getRuleName(""), "(unnamed rule)");
}

TEST_F(RuleSetTest, OnlyKeepsTheNamedRules) {
  Driver driver =
      makeDriver("\"transform.apply_patterns.test.turn\"() : () -> ()");
  std::string forth = llvm::getTypeName<TurnForth>().str();
  auto count = [](const RuleSet &set) {
    size_t rules = 0;
    for (const auto &entry : set.getPatterns().getOpSpecificNativePatterns())
      rules += entry.second.size();
    return rules;
  };
  EXPECT_EQ(count(*driver.rules), 2u);
  EXPECT_EQ(count(*driver.rules->only({forth})), 1u);
  EXPECT_EQ(count(*driver.rules->only({})), 0u);
}

} // namespace
