//===- SmtRegionTest.cpp - Terms for regions of SMT ops ---------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verifier/parameters/SmtRegion.h"

#include "ParametersFixture.h"
#include "verifier/solver/Evaluator.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::verifier;

namespace {
/// A region over two parameters of type `type` that yields what `ops` compute
/// as %r, evaluated point by point.
class SmtRegionTest : public ParametersTest {
protected:
  void translate(StringRef param, StringRef type, StringRef ops,
                 StringRef resultType) {
    module = parse(makeSchedule(
        llvm::formatv("%a = transform.param.constant 0 : {0} -> "
                      "!transform.param<{0}>\n"
                      "%q = transform.smt.constrain_params(%a, %a) : "
                      "(!transform.param<{0}>, !transform.param<{0}>) -> "
                      "!transform.any_param {{\n"
                      "^bb0(%x: {1}, %y: {1}):\n{2}\n"
                      "smt.yield %r : {3}\n}",
                      param, type, ops, resultType)
            .str()));
    transform::smt::ConstrainParamsOp op;
    module->walk([&](transform::smt::ConstrainParamsOp found) { op = found; });
    problem.emplace(terms);
    x = problem->addVariable("x", solver::Domain::range(-100, 100));
    y = problem->addVariable("y", solver::Domain::range(-100, 100));
    Block &body = op.getBody().front();
    SmtRegion region = translateSmtRegion(
        body,
        {makeSmtArgument(terms, *x, body.getArgument(0).getType()),
         makeSmtArgument(terms, *y, body.getArgument(1).getType())},
        *problem, "p");
    ASSERT_EQ(region.yielded.size(), 1u);
    result = toParameter(terms, region.yielded.front());
  }

  std::optional<int64_t> evaluate(int64_t xValue, int64_t yValue) {
    solver::Assignment assignment;
    assignment.set(x->getVariable(), xValue);
    assignment.set(y->getVariable(), yValue);
    return solver::evaluate(*result, assignment);
  }

  /// Compares with `expected` for all bit vectors of four bits.
  void checkBits(StringRef ops, StringRef resultType,
                 std::function<int64_t(int64_t, int64_t)> expected) {
    translate("i4", "!smt.bv<4>", ops, resultType);
    ASSERT_TRUE(result) << ops.str();
    unsigned width = 0;
    // Parameters have a sign, but for a single bit.
    StringRef digits = resultType;
    if (digits.consume_front("!smt.bv<"))
      digits.consumeInteger(10, width);
    auto toParameter = [&](int64_t value) {
      return width > 1 ? llvm::SignExtend64(value, width) : value;
    };
    for (int64_t a = 0; a < 16; ++a)
      for (int64_t b = 0; b < 16; ++b)
        EXPECT_EQ(evaluate(a, b), toParameter(expected(a, b)))
            << ops.str() << " of " << a << ", " << b;
  }

  OwningOpRef<ModuleOp> module;
  solver::TermContext terms;
  std::optional<solver::Problem> problem;
  std::optional<solver::IntTerm> x, y, result;
};
} // namespace

TEST_F(SmtRegionTest, IntegersDivideAsInSmtLib) {
  translate("i64", "!smt.int", "%r = smt.int.div %x, %y", "!smt.int");
  for (int64_t a = -9; a <= 9; ++a)
    for (int64_t b = -4; b <= 4; ++b) {
      std::optional<int64_t> q = evaluate(a, b);
      ASSERT_EQ(q.has_value(), b != 0);
      if (!q)
        continue;
      int64_t remainder = a - b * *q;
      EXPECT_GE(remainder, 0) << a << " div " << b;
      EXPECT_LT(remainder, std::abs(b)) << a << " div " << b;
    }
}

TEST_F(SmtRegionTest, RemaindersAreNeverNegative) {
  translate("i64", "!smt.int", "%r = smt.int.mod %x, %y", "!smt.int");
  for (int64_t a = -9; a <= 9; ++a)
    for (int64_t b : {-4, -3, -1, 1, 2, 5}) {
      std::optional<int64_t> r = evaluate(a, b);
      ASSERT_TRUE(r);
      EXPECT_GE(*r, 0);
      EXPECT_LT(*r, std::abs(b));
      EXPECT_EQ((a - *r) % b, 0);
    }
}

TEST_F(SmtRegionTest, ConnectivesAndComparisons) {
  translate("i64", "!smt.int",
            "%l = smt.int.cmp lt %x, %y\n%g = smt.int.cmp ge %x, %y\n"
            "%d = smt.distinct %x, %y : !smt.int\n"
            "%o = smt.xor %l, %g, %d\n%n = smt.not %o\n"
            "%i = smt.implies %n, %l\n"
            "%abs = smt.int.abs %x\n"
            "%r = smt.ite %i, %abs, %y : !smt.int",
            "!smt.int");
  for (int64_t a = -3; a <= 3; ++a)
    for (int64_t b = -3; b <= 3; ++b) {
      bool exclusive = ((a < b) != (a >= b)) != (a != b);
      bool implied = exclusive || a < b;
      EXPECT_EQ(evaluate(a, b), implied ? std::abs(a) : b);
    }
}

/// The bit vectors of a parameter of sizes, at the ends of their range too.
TEST_F(SmtRegionTest, BitVectorsOfAWord) {
  struct Case {
    const char *name;
    uint64_t (*compute)(uint64_t, uint64_t);
    bool mayOverflow = false;
  };
  const Case cases[] = {
      {"add", [](uint64_t a, uint64_t b) { return a + b; }},
      {"mul", [](uint64_t a, uint64_t b) { return a * b; }, true},
      {"udiv",
       [](uint64_t a, uint64_t b) { return b == 0 ? ~uint64_t(0) : a / b; }},
      {"urem", [](uint64_t a, uint64_t b) { return b == 0 ? a : a % b; }},
      {"and", [](uint64_t a, uint64_t b) { return a & b; }},
      {"or", [](uint64_t a, uint64_t b) { return a | b; }},
      {"xor", [](uint64_t a, uint64_t b) { return a ^ b; }},
      {"shl", [](uint64_t a, uint64_t b) { return b > 63 ? 0 : a << b; }},
      {"lshr", [](uint64_t a, uint64_t b) { return b > 63 ? 0 : a >> b; }},
      {"ashr",
       [](uint64_t a, uint64_t b) {
         return uint64_t(int64_t(a) >> (b > 63 ? 63 : b));
       }},
  };
  const int64_t values[] = {0,
                            1,
                            2,
                            3,
                            63,
                            64,
                            -1,
                            -2,
                            INT64_MAX,
                            INT64_MIN,
                            0x123456789abcdef,
                            int64_t(1) << 62};
  for (const Case &operation : cases) {
    translate("i64", "!smt.bv<64>",
              (Twine("%r = smt.bv.") + operation.name + " %x, %y : !smt.bv<64>")
                  .str(),
              "!smt.bv<64>");
    ASSERT_TRUE(result) << operation.name;
    unsigned known = 0;
    for (int64_t a : values)
      for (int64_t b : values) {
        std::optional<int64_t> value = evaluate(a, b);
        // An operation that does not fit in 128 bits has no value.
        if (!value && operation.mayOverflow)
          continue;
        ++known;
        EXPECT_EQ(value, static_cast<int64_t>(operation.compute(a, b)))
            << operation.name << " of " << a << ", " << b;
      }
    EXPECT_GT(known, 100u) << operation.name;
  }
  translate("i64", "!smt.bv<64>",
            "%c = smt.bv.constant #smt.bv<-3> : !smt.bv<64>\n"
            "%n = smt.bv.not %c : !smt.bv<64>\n"
            "%r = smt.bv.cmp ult %x, %n : !smt.bv<64>",
            "!smt.bool");
  EXPECT_EQ(evaluate(1, 0), 1);
  EXPECT_EQ(evaluate(2, 0), 0);
  EXPECT_EQ(evaluate(-1, 0), 0);
}

TEST_F(SmtRegionTest, BitVectorArithmetic) {
  checkBits("%r = smt.bv.add %x, %y : !smt.bv<4>", "!smt.bv<4>",
            [](int64_t a, int64_t b) { return (a + b) % 16; });
}

TEST_F(SmtRegionTest, BitVectorDivision) {
  checkBits("%r = smt.bv.udiv %x, %y : !smt.bv<4>", "!smt.bv<4>",
            [](int64_t a, int64_t b) { return b == 0 ? 15 : a / b; });
}

TEST_F(SmtRegionTest, BitVectorRemainder) {
  checkBits("%r = smt.bv.urem %x, %y : !smt.bv<4>", "!smt.bv<4>",
            [](int64_t a, int64_t b) { return b == 0 ? a : a % b; });
}

/// The two's complement value of four bits.
static int64_t toSigned(int64_t bits) { return bits < 8 ? bits : bits - 16; }

TEST_F(SmtRegionTest, BitVectorDivisionWithSign) {
  // By zero: -1, or 1 for what is negative.
  checkBits("%r = smt.bv.sdiv %x, %y : !smt.bv<4>", "!smt.bv<4>",
            [](int64_t a, int64_t b) {
              int64_t x = toSigned(a), y = toSigned(b);
              return (y == 0 ? (x < 0 ? 1 : -1) : x / y) & 15;
            });
}

TEST_F(SmtRegionTest, BitVectorRemaindersWithSign) {
  checkBits("%r = smt.bv.srem %x, %y : !smt.bv<4>", "!smt.bv<4>",
            [](int64_t a, int64_t b) {
              int64_t x = toSigned(a), y = toSigned(b);
              return (y == 0 ? x : x % y) & 15;
            });
  checkBits("%r = smt.bv.smod %x, %y : !smt.bv<4>", "!smt.bv<4>",
            [](int64_t a, int64_t b) {
              int64_t x = toSigned(a), y = toSigned(b);
              int64_t rest = y == 0 ? x : x % y;
              if (y != 0 && rest != 0 && (rest < 0) != (y < 0))
                rest += y;
              return rest & 15;
            });
}

TEST_F(SmtRegionTest, BitwiseOperations) {
  checkBits("%r = smt.bv.and %x, %y : !smt.bv<4>", "!smt.bv<4>",
            [](int64_t a, int64_t b) { return a & b; });
  checkBits("%r = smt.bv.or %x, %y : !smt.bv<4>", "!smt.bv<4>",
            [](int64_t a, int64_t b) { return a | b; });
  checkBits("%r = smt.bv.xor %x, %y : !smt.bv<4>", "!smt.bv<4>",
            [](int64_t a, int64_t b) { return a ^ b; });
}

TEST_F(SmtRegionTest, Shifts) {
  checkBits("%r = smt.bv.shl %x, %y : !smt.bv<4>", "!smt.bv<4>",
            [](int64_t a, int64_t b) { return b < 4 ? (a << b) & 15 : 0; });
  checkBits("%r = smt.bv.lshr %x, %y : !smt.bv<4>", "!smt.bv<4>",
            [](int64_t a, int64_t b) { return b < 4 ? a >> b : 0; });
  checkBits("%r = smt.bv.ashr %x, %y : !smt.bv<4>", "!smt.bv<4>",
            [](int64_t a, int64_t b) {
              return (toSigned(a) >> std::min<int64_t>(b, 4)) & 15;
            });
}

TEST_F(SmtRegionTest, Repetition) {
  checkBits("%r = smt.bv.repeat 3 times %x : !smt.bv<4>", "!smt.bv<12>",
            [](int64_t a, int64_t) { return a * 0x111; });
}

TEST_F(SmtRegionTest, BitVectorsCompareWithAndWithoutSign) {
  checkBits("%s = smt.bv.cmp slt %x, %y : !smt.bv<4>\n"
            "%u = smt.bv.cmp uge %x, %y : !smt.bv<4>\n"
            "%r = smt.and %s, %u",
            "!smt.bool", [](int64_t a, int64_t b) {
              int64_t sa = a < 8 ? a : a - 16, sb = b < 8 ? b : b - 16;
              return int64_t(sa < sb && a >= b);
            });
}

TEST_F(SmtRegionTest, BitVectorsAreTakenApartAndPutTogether) {
  checkBits("%h = smt.bv.extract %x from 2 : (!smt.bv<4>) -> !smt.bv<2>\n"
            "%n = smt.bv.not %y : !smt.bv<4>\n"
            "%c = smt.bv.concat %h, %n : !smt.bv<2>, !smt.bv<4>\n"
            "%m = smt.bv.neg %c : !smt.bv<6>\n"
            "%i = smt.bv2int %m signed : !smt.bv<6>\n"
            "%r = smt.int2bv %i : !smt.bv<8>",
            "!smt.bv<8>", [](int64_t a, int64_t b) {
              int64_t joined = (a >> 2) * 16 + (15 - b);
              int64_t negated = (64 - joined) % 64;
              return (negated < 32 ? negated : negated - 64 + 256) % 256;
            });
}

TEST_F(SmtRegionTest, WhatIsNotCoveredIsOpaque) {
  translate("i64", "!smt.int",
            "%f = smt.declare_fun : !smt.func<(!smt.int) !smt.int>\n"
            "%v = smt.apply_func %f(%x) : !smt.func<(!smt.int) !smt.int>\n"
            "%r = smt.int.add %v, %y",
            "!smt.int");
  EXPECT_FALSE(result);
}

TEST_F(SmtRegionTest, DeclaredSymbolsAreAuxiliaries) {
  translate("i64", "!smt.int",
            "%f = smt.declare_fun \"f\" : !smt.int\n"
            "%r = smt.int.add %f, %y",
            "!smt.int");
  ASSERT_TRUE(result);
  ASSERT_EQ(problem->getVariables().size(), 3u);
  EXPECT_EQ(problem->getVariables()[2].role, solver::Role::Auxiliary);
}
