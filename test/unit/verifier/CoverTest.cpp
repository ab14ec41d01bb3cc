//===- CoverTest.cpp - Set covers against brute force -----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verifier/plan/Cover.h"

#include "llvm/ADT/STLExtras.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <random>
#include <tuple>

using namespace formwork::verifier;
using ::testing::ElementsAre;

namespace {
using Set = llvm::SmallVector<unsigned>;
using Worth = std::tuple<size_t, uint64_t, int64_t, Set>;

Worth getWorth(llvm::ArrayRef<CoverSet> sets, const Set &chosen) {
  uint64_t weight = 0;
  int64_t earliness = 0;
  for (unsigned set : chosen) {
    weight += sets[set].weight;
    earliness -= sets[set].point;
  }
  return {chosen.size(), weight, earliness, chosen};
}

TEST(CoverTest, FewerThenLighterThenLater) {
  // One set for both beats two, the lighter of two alike, the later of two as
  // light.
  EXPECT_THAT(solveCover(2, {{{0}, 1, 5}, {{1}, 1, 5}, {{0, 1}, 9, 0}}).chosen,
              ElementsAre(2));
  EXPECT_THAT(solveCover(1, {{{0}, 2, 5}, {{0}, 1, 0}}).chosen, ElementsAre(1));
  EXPECT_THAT(solveCover(1, {{{0}, 1, 1}, {{0}, 1, 2}}).chosen, ElementsAre(1));
  EXPECT_THAT(solveCover(1, {{{0}, 1, 1}, {{0}, 1, 1}}).chosen, ElementsAre(0));
}

TEST(CoverTest, WhatIsInNoSet) {
  Cover cover = solveCover(3, {{{1}, 1, 0}});
  EXPECT_THAT(cover.uncoverable, ElementsAre(0, 2));
  EXPECT_THAT(cover.chosen, ElementsAre(0));
  EXPECT_TRUE(cover.exact);
}

TEST(CoverTest, AgreesWithBruteForce) {
  std::mt19937 random(4711);
  for (unsigned round = 0; round < 400; ++round) {
    SCOPED_TRACE("round " + std::to_string(round));
    unsigned numElements = 1 + random() % 7;
    llvm::SmallVector<CoverSet> sets(1 + random() % 9);
    for (CoverSet &set : sets) {
      for (unsigned element = 0; element < numElements; ++element)
        if (random() % 3 == 0)
          set.elements.push_back(element);
      set.weight = random() % 3;
      set.point = random() % 3;
    }
    std::optional<Worth> best;
    for (unsigned bits = 0; bits < 1u << sets.size(); ++bits) {
      Set chosen;
      for (unsigned i = 0; i < sets.size(); ++i)
        if (bits >> i & 1)
          chosen.push_back(i);
      bool covers = true;
      for (unsigned element = 0; element < numElements; ++element) {
        auto has = [&](const CoverSet &set) {
          return llvm::is_contained(set.elements, element);
        };
        covers &=
            llvm::none_of(sets, has) ||
            llvm::any_of(chosen, [&](unsigned i) { return has(sets[i]); });
      }
      if (covers && (!best || getWorth(sets, chosen) < *best))
        best = getWorth(sets, chosen);
    }
    Cover cover = solveCover(numElements, sets);
    EXPECT_TRUE(cover.exact);
    EXPECT_EQ(getWorth(sets, cover.chosen), *best);
    EXPECT_EQ(cover.lowerBound, cover.chosen.size());

    // Without time to search, still a cover, and a bound that holds.
    Cover quick = solveCover(numElements, sets, /*maxNodes=*/1);
    EXPECT_LE(quick.lowerBound, cover.chosen.size());
    EXPECT_GE(quick.chosen.size(), cover.chosen.size());
    for (const CoverSet &set : sets)
      for (unsigned element : set.elements)
        EXPECT_TRUE(llvm::any_of(quick.chosen, [&](unsigned i) {
          return llvm::is_contained(sets[i].elements, element);
        }));
  }
}
} // namespace
