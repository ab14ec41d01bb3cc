//===- TilingTest.cpp - Iteration spaces under tiling -----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How loops are split: by numbers, by open knobs, and where sizes are unknown.
//
//===----------------------------------------------------------------------===//

#include "verifier/spaces/Tiling.h"
#include "verifier/solver/TermPrinter.h"
#include "verifier/spaces/Extents.h"

#include "gtest/gtest.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::verifier;
using solver::IntTerm;
using solver::toInfix;

namespace {
class TilingTest : public ::testing::Test {
protected:
  Size knob(llvm::StringRef name = "@t") {
    return Size::symbolic(terms.variable(name));
  }
  SplitLoop tile(const Extent &loop, Size size) {
    return splitLoop(terms, loop, {nullptr, 0, size});
  }
  SplitLoop share(const Extent &loop, Size count) {
    return splitLoop(terms, loop, {nullptr, 0, count, /*isCount=*/true});
  }
  static Extent ofSize(Size size) {
    Extent extent;
    extent.size = size;
    return extent;
  }
  /// The payload's own shape is dynamic.
  static Extent dynamic() {
    Extent extent;
    extent.reason.definite = true;
    return extent;
  }

  solver::TermContext terms;
};

TEST_F(TilingTest, TilesThatDivide) {
  auto [trips, size] = tile(ofSize(64), 16);
  EXPECT_EQ(trips.size, Size(4));
  EXPECT_EQ(size.size, Size(16));
  EXPECT_FALSE(size.condition);
}

TEST_F(TilingTest, TilesThatDoNot) {
  auto [trips, size] = tile(ofSize(50), 16);
  EXPECT_EQ(trips.size, Size(4));
  EXPECT_TRUE(size.size.isUnknown());
  EXPECT_TRUE(size.reason.definite);
  EXPECT_EQ(size.reason.size, 50);
  EXPECT_EQ(size.reason.tile, 16);
}

// Folding finds that one tile holds the whole loop.
TEST_F(TilingTest, ATileBeyondTheLoopMayBeStatic) {
  auto [trips, size] = tile(ofSize(10), 16);
  EXPECT_EQ(trips.size, Size(1));
  EXPECT_TRUE(size.size.isUnknown());
  EXPECT_FALSE(size.reason.definite);
}

TEST_F(TilingTest, Threads) {
  auto [trips, size] = share(ofSize(64), 8);
  EXPECT_EQ(trips.size, Size(8));
  EXPECT_EQ(size.size, Size(8));
}

// 10 among 8 threads is 2 for each of 5, and nothing for the others.
TEST_F(TilingTest, IdleThreads) {
  auto [trips, size] = share(ofSize(10), 8);
  EXPECT_EQ(trips.size, Size(8));
  EXPECT_TRUE(size.reason.definite);
  EXPECT_TRUE(size.reason.hasIdleThreads);
  EXPECT_FALSE(share(ofSize(15), 8).tile.reason.hasIdleThreads);
}

TEST_F(TilingTest, UnknownSizes) {
  auto [trips, size] = tile(ofSize(64), Size());
  EXPECT_TRUE(trips.size.isUnknown());
  EXPECT_TRUE(size.size.isUnknown());
  EXPECT_FALSE(size.reason.definite);
}

TEST_F(TilingTest, DynamicLoops) {
  auto [trips, size] = tile(dynamic(), 16);
  EXPECT_TRUE(trips.size.isUnknown());
  EXPECT_TRUE(trips.reason.definite);
  EXPECT_TRUE(size.reason.definite);
  EXPECT_EQ(tile(dynamic(), 1).tile.size, Size(1));
  EXPECT_EQ(share(dynamic(), 4).trips.size, Size(4));
}

// 50 by 20 is two tiles of 20 and one of 10; by 10 again, that is 2 or 1 steps,
// but by 30 it is one step each.
TEST_F(TilingTest, UnevenTilesMayHaveEqualTrips) {
  int op;
  Extent uneven;
  uneven.reason = {reinterpret_cast<Operation *>(&op), 0, 50, 20,
                   /*definite=*/true};
  EXPECT_TRUE(tile(uneven, 10).trips.reason.definite);
  EXPECT_FALSE(tile(uneven, 30).trips.reason.definite);
}

TEST_F(TilingTest, OpenTileSizes) {
  auto [trips, size] = tile(ofSize(64), knob());
  EXPECT_EQ(toInfix(trips.size.getTerm()), "64 ceildiv @t");
  EXPECT_EQ(toInfix(size.size.getTerm()), "@t");
  ASSERT_TRUE(size.condition);
  EXPECT_EQ(describeStatic(*size.condition),
            "the tile size @t divides 64, the size of dimension 0");
  // Tiles of tiles.
  auto [inner, part] = tile(size, knob("@u"));
  EXPECT_EQ(describeStatic(*part.condition),
            "the tile size @t, then @u divides 64, the size of dimension 0");
}

TEST_F(TilingTest, OpenTileOfADynamicLoopIsStaticWhereItIsOne) {
  auto [trips, size] = tile(dynamic(), knob());
  EXPECT_TRUE(trips.size.isUnknown());
  EXPECT_EQ(describeStatic(*size.condition),
            "the tile size @t of dimension 0 is 1");
}

TEST_F(TilingTest, OpenThreads) {
  auto [trips, size] = share(ofSize(64), knob());
  EXPECT_EQ(toInfix(trips.size.getTerm()), "@t");
  EXPECT_EQ(toInfix(size.size.getTerm()), "64 ceildiv @t");
  EXPECT_EQ(describeStatic(*size.condition),
            "the number of threads @t divides 64, the size of dimension 0");
}

// A size of 0 leaves the loop as it is.
TEST_F(TilingTest, TilesThatMayBeLeftOut) {
  auto [trips, size] =
      splitLoop(terms, ofSize(64),
                {nullptr, 0, knob(), /*isCount=*/false, /*mayBeZero=*/true});
  EXPECT_EQ(toInfix(trips.size.getTerm()),
            "if @t = 0 then 1 else 64 ceildiv @t");
  EXPECT_EQ(toInfix(size.size.getTerm()), "if @t = 0 then 64 else @t");
}

// Numbers and terms are one path: what a term of one value comes to is what the
// number comes to.
TEST_F(TilingTest, TermsThatAreNumbersAgreeWithNumbers) {
  for (int64_t whole : {1, 7, 12, 64})
    for (int64_t given : {1, 3, 4, 64, 100})
      for (bool isCount : {false, true}) {
        SplitLoop numbers =
            splitLoop(terms, ofSize(whole), {nullptr, 0, given, isCount});
        SplitLoop folded =
            splitLoop(terms, ofSize(whole),
                      {nullptr, 0, Size::of(terms.constant(given)), isCount});
        EXPECT_EQ(numbers.trips.size, folded.trips.size);
        EXPECT_EQ(numbers.tile.size, folded.tile.size);
        EXPECT_EQ(numbers.tile.reason.definite, folded.tile.reason.definite);
      }
}

TEST_F(TilingTest, SpacesSplitTheLoopsThatAreTiled) {
  IterationSpace whole;
  whole.loops = {ofSize(64), ofSize(50), ofSize(8)};
  TileSpec spec = readSpec({Size(16), Size(0), Size(3)}, /*isNumThreads=*/false,
                           [](const Size &) { return false; });
  EXPECT_EQ(spec.numLoops(), 2u);
  SmallVector<Extent> trips;
  std::shared_ptr<IterationSpace> tile =
      tileSpace(nullptr, &whole, spec, terms, trips);
  ASSERT_EQ(trips.size(), 2u);
  EXPECT_EQ(trips[0].size, Size(4));
  EXPECT_EQ(trips[1].size, Size(3));
  EXPECT_EQ(tile->loops[0].size, Size(16));
  EXPECT_EQ(tile->loops[1].size, Size(50));
  EXPECT_TRUE(tile->loops[2].size.isUnknown());
  EXPECT_EQ(whole.loops[0].size, Size(64));
}

TEST_F(TilingTest, SpacesThatAreNotKnown) {
  TileSpec spec = readSpec({Size(16)}, /*isNumThreads=*/false,
                           [](const Size &) { return false; });
  SmallVector<Extent> trips;
  EXPECT_EQ(tileSpace(nullptr, nullptr, spec, terms, trips), nullptr);
  ASSERT_EQ(trips.size(), 1u);
  EXPECT_TRUE(trips.front().size.isUnknown());
}

TEST_F(TilingTest, InterchangeOrdersTheTiledLoops) {
  TileSpec spec = readSpec({Size(4), Size(0), Size(8)}, /*isNumThreads=*/false,
                           [](const Size &) { return false; });
  EXPECT_EQ(orderLoops({2, 1, 0}, spec, 3), (SmallVector<unsigned>{1, 0}));
  EXPECT_EQ(orderLoops({}, spec, 3), (SmallVector<unsigned>{0, 1}));
  EXPECT_EQ(orderLoops({5}, spec, 3), std::nullopt);
}

TEST_F(TilingTest, NearestSizesThatDivide) {
  EXPECT_EQ(getDividingSizes(120, 50), "40 or 60");
  EXPECT_EQ(getNearestDividingSize(120, 50), 40);
  EXPECT_EQ(getNearestDividingSize(120, 58), 60);
}
} // namespace
