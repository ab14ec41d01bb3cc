//===- TermTest.cpp - Tests of terms and their evaluation -------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Oracle.h"

#include "verifier/solver/Evaluator.h"
#include "verifier/solver/TermPrinter.h"

#include "gtest/gtest.h"

using namespace formwork::verifier::solver;

namespace {
class TermTest : public testing::Test {
protected:
  IntTerm c(int64_t value) { return context.constant(value); }

  TermContext context;
  IntTerm x = context.variable("@x");
  IntTerm y = context.variable("@y");
};
} // namespace

TEST_F(TermTest, EqualTermsAreOneNode) {
  EXPECT_EQ(context.add(x, y), context.add(x, y));
  EXPECT_NE(context.add(x, y), context.add(y, x));
  EXPECT_EQ(context.variable("@x"), x);
}

TEST_F(TermTest, FoldsConstants) {
  EXPECT_EQ(context.floorDiv(c(-7), c(2)), c(-4));
  EXPECT_EQ(context.floorDiv(c(7), c(-2)), c(-4));
  EXPECT_EQ(context.ceilDiv(c(-7), c(2)), c(-3));
  EXPECT_EQ(context.ceilDiv(c(7), c(2)), c(4));
  EXPECT_EQ(context.mod(c(-7), c(2)), c(1));
  EXPECT_EQ(context.mod(c(-7), c(-2)), c(1));
  EXPECT_EQ(context.min(c(3), c(-3)), c(-3));
  EXPECT_TRUE(context.divides(c(48), c(96)).isTrue());
  EXPECT_TRUE(context.divides(c(48), c(320)).isFalse());
  EXPECT_TRUE(context.divides(c(0), c(0)).isTrue());
  EXPECT_TRUE(context.powerOfTwo(c(1)).isTrue());
  EXPECT_TRUE(context.powerOfTwo(c(0)).isFalse());
  EXPECT_TRUE(context.powerOfTwo(c(48)).isFalse());
}

TEST_F(TermTest, FoldsIdentities) {
  EXPECT_EQ(context.add(x, c(0)), x);
  EXPECT_EQ(context.mul(c(1), x), x);
  EXPECT_EQ(context.mul(x, c(0)), c(0));
  EXPECT_EQ(context.sub(x, x), c(0));
  EXPECT_TRUE(context.lessEqual(x, x).isTrue());
  BoolTerm p = context.less(x, y);
  EXPECT_EQ(context.logicalAnd(p, context.truth(true)), p);
  EXPECT_TRUE(context.logicalOr(p, context.truth(true)).isTrue());
  EXPECT_EQ(context.logicalNot(context.logicalNot(p)), p);
}

/// A fold must not lose that a term can be undefined.
TEST_F(TermTest, FoldsKeepDefinedness) {
  IntTerm quotient = context.floorDiv(c(1), x);
  EXPECT_NE(context.mul(quotient, c(0)), c(0));
  EXPECT_NE(context.sub(quotient, quotient), c(0));
  EXPECT_FALSE(context.equal(quotient, quotient).isTrue());
  EXPECT_FALSE(context.floorDiv(c(1), c(0)).isConstant());
  BoolTerm p = context.equal(quotient, quotient);
  EXPECT_NE(context.holds(p), p);
  EXPECT_EQ(context.holds(context.less(x, y)), context.less(x, y));
}

TEST_F(TermTest, FoldThatOverflowsStaysUnfolded) {
  IntTerm large = context.constant(INT64_MAX);
  IntTerm sum = context.add(large, large);
  EXPECT_FALSE(sum.isConstant());
  // 128 bits hold it.
  EXPECT_EQ(decide(context.less(large, sum), {}), TruthValue::True);
  EXPECT_EQ(evaluate(sum, {}), std::nullopt);
}

TEST_F(TermTest, OverflowIsAnErrorAndNeverWraps) {
  IntTerm term = x;
  for (int i = 0; i < 4; ++i)
    term = context.mul(term, term);
  Assignment point;
  point.set(x.getVariable(), int64_t(1) << 10);
  EXPECT_EQ(decide(context.less(c(0), term), point), TruthValue::Overflow);
  EXPECT_EQ(decide(context.logicalNot(context.less(c(0), term)), point),
            TruthValue::Overflow);
  // A term that decides by itself does not need the rest.
  EXPECT_EQ(decide(context.logicalAnd(context.less(x, c(0)),
                                      context.less(c(0), term)),
                   point),
            TruthValue::False);
  point.set(x.getVariable(), 100);
  EXPECT_EQ(decide(context.less(c(0), term), point), TruthValue::True);
  point.set(x.getVariable(), -(int64_t(1) << 62));
  IntTerm square = context.mul(x, x);
  EXPECT_EQ(decide(context.less(c(0), context.mul(square, square)), point),
            TruthValue::Overflow);
}

TEST_F(TermTest, GuardsWorkOnEitherSide) {
  BoolTerm divides = context.equal(context.mod(c(12), x), c(0));
  BoolTerm guard = context.equal(x, c(0));
  Assignment point;
  point.set(x.getVariable(), 0);
  EXPECT_EQ(decide(divides, point), TruthValue::Undefined);
  EXPECT_EQ(decide(context.logicalNot(divides), point), TruthValue::Undefined);
  EXPECT_EQ(decide(context.logicalOr(guard, divides), point), TruthValue::True);
  EXPECT_EQ(decide(context.logicalOr(divides, guard), point), TruthValue::True);
  EXPECT_EQ(decide(context.holds(divides), point), TruthValue::False);
  EXPECT_EQ(decide(context.implies(context.logicalNot(guard), divides), point),
            TruthValue::True);
}

TEST_F(TermTest, EvaluatesAsTheDefinitionsSay) {
  // Exhaustive over signs, zero and remainders.
  auto expectAll = [&](const TermNode *node) {
    for (int64_t a = -9; a <= 9; ++a)
      for (int64_t b = -9; b <= 9; ++b) {
        Assignment point;
        point.set(x.getVariable(), a);
        point.set(y.getVariable(), b);
        int64_t table[] = {a, b};
        Computed<Wide> computed = Evaluator(node).evaluate(table);
        std::optional<int64_t> value;
        if (computed.outcome == Outcome::Defined)
          value = static_cast<int64_t>(computed.value);
        EXPECT_EQ(value, evaluateSlowly(node, point)) << a << " " << b;
      }
  };
  for (IntTerm term : {context.add(x, y), context.sub(x, y), context.mul(x, y),
                       context.floorDiv(x, y), context.ceilDiv(x, y),
                       context.mod(x, y), context.min(x, y), context.max(x, y)})
    expectAll(term.getNode());
  for (BoolTerm term :
       {context.equal(x, y), context.less(x, y), context.lessEqual(x, y),
        context.divides(x, y), context.powerOfTwo(x)})
    expectAll(term.getNode());
}

/// Each step doubles the written-out size; neither time nor stack may follow.
TEST_F(TermTest, SharedTermsStaySmall) {
  IntTerm term = x;
  for (int i = 0; i < 60; ++i)
    term = context.max(context.sub(term, c(1)), context.sub(term, c(2)));
  Assignment point;
  point.set(x.getVariable(), 100);
  EXPECT_EQ(evaluate(term, point), 40);
  EXPECT_LT(toInfix(term).size(), 100'000u);

  IntTerm deep = x;
  for (int i = 0; i < 200'000; ++i)
    deep = context.add(deep, y);
  point.set(y.getVariable(), 1);
  EXPECT_EQ(evaluate(deep, point), 200'100);
  EXPECT_EQ(collectVariables(deep.getNode()).size(), 2u);
  EXPECT_LT(toInfix(deep).size(), 10'000u);
}

TEST_F(TermTest, PrintsInfixWithTheParenthesesItNeeds) {
  IntTerm sum = context.add(x, c(1));
  EXPECT_EQ(toInfix(context.mul(sum, y)), "(@x + 1) * @y");
  EXPECT_EQ(toInfix(context.add(context.mul(x, y), c(1))), "@x * @y + 1");
  EXPECT_EQ(toInfix(context.sub(x, context.sub(y, c(1)))), "@x - (@y - 1)");
  EXPECT_EQ(toInfix(context.sub(context.sub(x, y), c(1))), "@x - @y - 1");
  EXPECT_EQ(toInfix(context.floorDiv(x, context.mul(y, c(2)))),
            "@x floordiv (@y * 2)");
  BoolTerm divides = context.divides(x, context.constant(320));
  BoolTerm less = context.less(x, y);
  EXPECT_EQ(toInfix(context.logicalAnd(divides, less)),
            "@x divides 320 and @x < @y");
  EXPECT_EQ(toInfix(context.logicalNot(context.logicalOr(divides, less))),
            "not (@x divides 320 or @x < @y)");
  EXPECT_EQ(toInfix(context.notEqual(x, y)), "@x != @y");
  EXPECT_EQ(toInfix(context.logicalAnd(context.logicalOr(less, divides),
                                       context.notEqual(x, y))),
            "(@x < @y or @x divides 320) and @x != @y");
  EXPECT_EQ(toInfix(context.add(context.select(less, x, y), c(1))),
            "(if @x < @y then @x else @y) + 1");
  EXPECT_EQ(toInfix(context.equal(context.min(x, y), context.max(x, c(2)))),
            "min(@x, @y) = max(@x, 2)");
}
