//===- SplittingTest.cpp - Loops in two parts -----------------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verifier/spaces/Splitting.h"
#include "verifier/solver/TermPrinter.h"

#include "gtest/gtest.h"

using namespace formwork::verifier;

namespace {
struct SplittingTest : testing::Test {
  std::optional<LoopParts> split(Size size, Size chunk) {
    Extent loop;
    loop.size = size;
    return splitAfter(terms, nullptr, 0, loop, chunk);
  }

  solver::TermContext terms;
};
} // namespace

TEST_F(SplittingTest, NumbersFold) {
  std::optional<LoopParts> parts = split(64, 48);
  ASSERT_TRUE(parts);
  EXPECT_EQ(parts->first.size, Size(48));
  EXPECT_EQ(parts->rest.size, Size(16));
  EXPECT_TRUE(parts->isPositive.isTrue());
  EXPECT_TRUE(parts->hasRest.isTrue());
}

TEST_F(SplittingTest, TheWholeLoopLeavesNoRest) {
  EXPECT_TRUE(split(64, 64)->hasRest.isFalse());
  EXPECT_TRUE(split(64, 80)->hasRest.isFalse());
  EXPECT_TRUE(split(64, 0)->isPositive.isFalse());
}

TEST_F(SplittingTest, AnOpenPointMakesTwoOpenParts) {
  solver::IntTerm point = terms.variable("t");
  std::optional<LoopParts> parts = split(64, Size::symbolic(point));
  ASSERT_TRUE(parts);
  EXPECT_EQ(parts->first.size, Size::symbolic(point));
  EXPECT_EQ(solver::toInfix(parts->rest.size.getTerm()), "64 - t");
  EXPECT_TRUE(parts->rest.condition->holds.isTrue());
  EXPECT_EQ(parts->hasRest, terms.less(point, terms.constant(64)));
}

TEST_F(SplittingTest, APartIsStaticWhereTheLoopIs) {
  solver::IntTerm tile = terms.variable("t");
  Extent loop;
  loop.size = Size::symbolic(tile);
  EXPECT_FALSE(splitAfter(terms, nullptr, 0, loop, 4));
  solver::BoolTerm divides = terms.divides(tile, terms.constant(64));
  loop.condition = std::make_shared<StaticCondition>(
      StaticCondition{divides, nullptr, 0, "t", "64"});
  std::optional<LoopParts> parts = splitAfter(terms, nullptr, 0, loop, 4);
  ASSERT_TRUE(parts);
  EXPECT_EQ(parts->first.condition->holds, divides);
  EXPECT_EQ(parts->rest.condition->tiles, "t (split after 4)");
}

TEST_F(SplittingTest, NothingIsKnownOfUnknownSizes) {
  EXPECT_FALSE(split(std::nullopt, 4));
  EXPECT_FALSE(split(64, std::nullopt));
}
