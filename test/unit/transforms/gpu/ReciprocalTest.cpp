//===- ReciprocalTest.cpp - Quotients by constants against x / c *- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/gpu/Reciprocal.h"

#include "llvm/ADT/bit.h"
#include "gtest/gtest.h"

#include <cmath>
#include <limits>
#include <random>
#include <vector>

using namespace formwork::transforms;
using llvm::APFloat;

/// What kernels compute.
static float divide(float x, const Reciprocal &reciprocal) {
  double high = reciprocal.high.convertToDouble();
  double low = reciprocal.low.convertToDouble();
  return static_cast<float>(std::fma(double(x), high, double(x) * low));
}

static std::optional<Reciprocal> invert(float divisor) {
  return getReciprocal(APFloat(divisor));
}

/// The quotients of `x`, -x and neighbours of both, against those of the CPU.
/// Returns whether they agree.
static bool agreesAround(float divisor, const Reciprocal &reciprocal, float x) {
  uint32_t bits = llvm::bit_cast<uint32_t>(x);
  for (uint32_t neighbour : {bits - 1, bits, bits + 1})
    for (uint32_t sign : {0u, 1u << 31}) {
      float operand = llvm::bit_cast<float>(neighbour ^ sign);
      float expected = operand / divisor;
      float actual = divide(operand, reciprocal);
      if (std::isnan(expected) ? !std::isnan(actual)
                               : llvm::bit_cast<uint32_t>(expected) !=
                                     llvm::bit_cast<uint32_t>(actual)) {
        ADD_FAILURE() << operand << " / " << divisor << " is " << expected
                      << ", not " << actual;
        return false;
      }
    }
  return true;
}

/// Divisors of all kinds: odd and even, fractions, all bits set, those that
/// make a quotient subnormal or infinite, and subnormal ones.
static std::vector<float> getDivisors() {
  using Limits = std::numeric_limits<float>;
  std::vector<float> divisors = {3.0f,
                                 5.0f,
                                 6.0f,
                                 7.0f,
                                 10.0f,
                                 768.0f,
                                 1003.0f,
                                 50257.0f,
                                 16777215.0f,
                                 0.1f,
                                 0.3f,
                                 1.0e-5f,
                                 3.0e38f,
                                 Limits::max(),
                                 1.0e-38f,
                                 0x1.8p-126f,
                                 0x1.8p127f,
                                 3.0e-45f * 1.5f,
                                 0x1.fffffcp-127f,
                                 1.0000001f,
                                 1.9999999f,
                                 0x1.000002p-126f};
  std::mt19937 random(1);
  while (divisors.size() < 200) {
    float divisor = llvm::bit_cast<float>(uint32_t(random()));
    if (std::isfinite(divisor) && invert(divisor))
      divisors.push_back(divisor);
  }
  return divisors;
}

TEST(Reciprocal, SomeDivisorsHaveNone) {
  using Limits = std::numeric_limits<float>;
  for (float divisor :
       {0.0f, -0.0f, 1.0f, -2.0f, 0.25f, 0x1p127f, Limits::denorm_min(),
        Limits::infinity(), Limits::quiet_NaN()})
    EXPECT_FALSE(invert(divisor)) << divisor;
}

TEST(Reciprocal, PartsHaveOneSign) {
  for (float divisor : getDivisors())
    for (float signedDivisor : {divisor, -divisor}) {
      std::optional<Reciprocal> reciprocal = invert(signedDivisor);
      ASSERT_TRUE(reciprocal) << signedDivisor;
      EXPECT_FALSE(reciprocal->low.isZero());
      EXPECT_EQ(reciprocal->high.isNegative(), std::signbit(signedDivisor));
      EXPECT_EQ(reciprocal->low.isNegative(), std::signbit(signedDivisor));
    }
}

TEST(Reciprocal, QuotientsAreRoundedCorrectly) {
  std::mt19937 random(2);
  for (float divisor : getDivisors()) {
    std::optional<Reciprocal> reciprocal = invert(divisor);
    ASSERT_TRUE(reciprocal) << divisor;
    // Each exponent, subnormal numbers, zero, infinity and NaN among them, with
    // a mantissa of few bits and any.
    for (uint32_t exponent = 0; exponent < 256; ++exponent)
      for (uint32_t mantissa :
           {0u, 1u << 22, 0x7fffffu, uint32_t(random()) & 0x7fffffu,
            uint32_t(random()) & 0x7fffffu, uint32_t(random()) & 0x7f0000u})
        if (!agreesAround(divisor, *reciprocal,
                          llvm::bit_cast<float>(exponent << 23 | mantissa)))
          return;
    // Quotients at and beside the places where rounding changes: midpoints of
    // any neighbours, of subnormal ones, and the end of the range.
    for (unsigned number = 0; number < 400; ++number) {
      int exponent = number % 2 == 0 ? int(random() % 276) - 149
                                     : int(random() % 24) - 149;
      unsigned bits = number % 4 == 1 ? random() % 24 : 24;
      double midpoint =
          std::ldexp(double((random() & ((1u << bits) - 1)) + 0.5), exponent);
      double x = midpoint * double(divisor);
      if (std::abs(x) < std::numeric_limits<float>::max() &&
          !agreesAround(divisor, *reciprocal, static_cast<float>(x)))
        return;
    }
    float last = static_cast<float>(double(std::numeric_limits<float>::max()) *
                                    double(divisor));
    if (!agreesAround(divisor, *reciprocal, last))
      return;
  }
}

/// All mantissas, once: quotients that are subnormal, and others.
TEST(Reciprocal, AllMantissas) {
  for (float divisor : {50257.0f, 3.0f})
    for (uint32_t exponent : {4u, 127u}) {
      std::optional<Reciprocal> reciprocal = invert(divisor);
      ASSERT_TRUE(reciprocal);
      unsigned wrong = 0;
      for (uint32_t mantissa = 0; mantissa < (1u << 23); ++mantissa) {
        float x = llvm::bit_cast<float>(exponent << 23 | mantissa);
        wrong += x / divisor != divide(x, *reciprocal);
      }
      EXPECT_EQ(wrong, 0u) << divisor << ", exponent " << exponent;
    }
}
