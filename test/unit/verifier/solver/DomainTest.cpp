//===- DomainTest.cpp - Tests of domains ------------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verifier/solver/Domain.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace formwork::verifier::solver;
using testing::ElementsAre;

static std::vector<int64_t> getValues(const Domain &domain) {
  std::vector<int64_t> values;
  for (uint64_t i = 0; i < domain.size(); ++i)
    values.push_back(domain.at(i));
  return values;
}

TEST(DomainTest, ListIsSortedAndDistinct) {
  EXPECT_THAT(getValues(Domain::list({32, 16, 32, -1})),
              ElementsAre(-1, 16, 32));
}

TEST(DomainTest, RangeIncludesItsEnds) {
  EXPECT_THAT(getValues(Domain::range(2, 8, 3)), ElementsAre(2, 5, 8));
  EXPECT_THAT(getValues(Domain::range(2, 7, 3)), ElementsAre(2, 5));
  EXPECT_TRUE(Domain::range(3, 2).empty());
  EXPECT_TRUE(Domain::range(0, 2, 0).empty());
}

TEST(DomainTest, PowersDivisorsMultiples) {
  EXPECT_THAT(getValues(Domain::powersOfTwo(3, 32)), ElementsAre(4, 8, 16, 32));
  EXPECT_THAT(getValues(Domain::powersOfTwo(-5, 2)), ElementsAre(1, 2));
  EXPECT_THAT(getValues(*Domain::divisors(12)), ElementsAre(1, 2, 3, 4, 6, 12));
  EXPECT_THAT(getValues(*Domain::divisors(36, 5, 12)), ElementsAre(6, 9, 12));
  EXPECT_FALSE(Domain::divisors(0).has_value());
  EXPECT_FALSE(Domain::divisors(Domain::MaxFactored + 1).has_value());
  EXPECT_EQ(Domain::divisors(999'999'999'989)->size(), 2u);
  EXPECT_THAT(getValues(Domain::multiples(16, 1, 50)), ElementsAre(16, 32, 48));
  EXPECT_THAT(getValues(Domain::multiples(-4, -9, 5)),
              ElementsAre(-8, -4, 0, 4));
  EXPECT_THAT(getValues(Domain::multiples(0, -1, 1)), ElementsAre(0));
  EXPECT_TRUE(Domain::multiples(7, 1, 6).empty());
  EXPECT_EQ(Domain::multiples(1, INT64_MIN, INT64_MAX).size(),
            Domain::integers().size());
}

TEST(DomainTest, HugeRangesStayExact) {
  Domain all = Domain::integers();
  EXPECT_EQ(all.size(), (uint64_t(1) << 63) + 1);
  EXPECT_EQ(all.min(), -Domain::Limit);
  EXPECT_EQ(all.max(), Domain::Limit);
  EXPECT_TRUE(all.contains(0));
  Domain cut = Domain::range(INT64_MIN, INT64_MAX, 5);
  EXPECT_GE(cut.min(), -Domain::Limit);
  EXPECT_LE(cut.max(), Domain::Limit);
  EXPECT_EQ((cut.min() - (INT64_MIN + 5)) % 5, 0);
}

TEST(DomainTest, ContainsOnlyItsValues) {
  Domain range = Domain::range(-4, 8, 4);
  for (int64_t value = -9; value < 13; ++value)
    EXPECT_EQ(range.contains(value),
              value >= -4 && value <= 8 && value % 4 == 0);
  EXPECT_FALSE(Domain().contains(0));
}

TEST(DomainTest, NearValuesComeFirst) {
  EXPECT_THAT(Domain::range(-2, 3).getValuesNear(0),
              ElementsAre(0, 1, -1, 2, -2, 3));
  EXPECT_THAT(Domain::list({16, 32, 64}).getValuesNear(48),
              ElementsAre(64, 32, 16));
  EXPECT_THAT(Domain::integers().getValuesNear(7, 3), ElementsAre(7, 8, 6));
  EXPECT_THAT(Domain::range(5, 7).getValuesNear(0), ElementsAre(5, 6, 7));
}

TEST(DomainTest, Prints) {
  EXPECT_EQ(Domain::list({64, 16}).toString(), "{16, 64}");
  EXPECT_EQ(Domain::range(16, 64, 16).toString(), "16 to 64 step 16");
  EXPECT_EQ(Domain::range(1, 4).toString(), "1 to 4");
  EXPECT_EQ(Domain::range(4, 4).toString(), "4");
  EXPECT_EQ(Domain().toString(), "none");
  EXPECT_EQ(Domain::powersOfTwo(1, int64_t(1) << 20).toString(),
            "{1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, "
            "16384, ..., 1048576}");
}
