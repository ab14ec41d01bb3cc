//===- TransposingTest.cpp - Dimensions in another order ------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verifier/spaces/Transposing.h"
#include "verifier/spaces/Packing.h"

#include "mlir/IR/Builders.h"

#include "gtest/gtest.h"

using namespace mlir;
using namespace formwork::verifier;
using Iterator = utils::IteratorType;

namespace {
struct TransposingTest : testing::Test {
  TransposingTest() {
    // A product of 4 x 16 and 16 x 8.
    for (int64_t size : {4, 8, 16}) {
      space.loops.emplace_back();
      space.loops.back().size = size;
    }
    space.iterators = {Iterator::parallel, Iterator::parallel,
                       Iterator::reduction};
    space.maps = {getMap({0, 2}), getMap({2, 1}), getMap({0, 1})};
    space.elementTypes.assign(3, Builder(&context).getF32Type());
  }
  AffineMap getMap(ArrayRef<unsigned> dims) {
    return AffineMap::getMultiDimMapWithTargets(3, dims, &context);
  }

  MLIRContext context;
  IterationSpace space;
};
} // namespace

TEST_F(TransposingTest, LoopsAndMapsFollowTheOrder) {
  std::shared_ptr<IterationSpace> moved = interchange(space, {2, 0, 1});
  EXPECT_EQ(moved->loops[0].size, Size(16));
  EXPECT_EQ(moved->iterators[0], Iterator::reduction);
  EXPECT_EQ(moved->maps[0], getMap({1, 0}));
  EXPECT_EQ(moved->maps[2], getMap({1, 2}));
}

TEST_F(TransposingTest, TheInverseRestoresTheSpace) {
  std::shared_ptr<IterationSpace> back =
      interchange(*interchange(space, {2, 0, 1}), {1, 2, 0});
  EXPECT_EQ(back->maps, space.maps);
  EXPECT_EQ(back->iterators, space.iterators);
  for (unsigned dim = 0; dim < 3; ++dim)
    EXPECT_EQ(back->loops[dim].size, space.loops[dim].size);
  EXPECT_EQ(interchange(space, {})->maps, space.maps);
}

TEST_F(TransposingTest, AnOperandIsTransposedAlone) {
  PackFacts pack{/*operand=*/0, /*result=*/0, /*rank=*/1, /*numTiles=*/1};
  std::shared_ptr<IterationSpace> same = transposePacked(space, pack, {0}, {});
  EXPECT_EQ(same->maps, space.maps);
  pack = {/*operand=*/0, /*result=*/0, /*rank=*/2, /*numTiles=*/0};
  std::shared_ptr<IterationSpace> moved =
      transposePacked(space, pack, {1, 0}, {});
  EXPECT_EQ(moved->maps[0], getMap({2, 0}));
  EXPECT_EQ(moved->maps[1], space.maps[1]);
}

TEST_F(TransposingTest, OnlyDimensionsOfSizesAreTiled) {
  EXPECT_EQ(countTiles(space.maps[0], {2, 4, 8}), 2u);
  EXPECT_EQ(countTiles(space.maps[0], {2, 4, 0}), 1u);
  EXPECT_EQ(countTiles(space.maps[0], {0, 4, 0}), 0u);
}

TEST_F(TransposingTest, PackingNeedsAZeroAndOneDimensionForEachLoop) {
  EXPECT_TRUE(canPack(space));
  IterationSpace twice = space;
  twice.maps[0] = getMap({0, 0});
  EXPECT_FALSE(canPack(twice));
  IterationSpace complex = space;
  complex.elementTypes[0] = ComplexType::get(Builder(&context).getF32Type());
  EXPECT_FALSE(canPack(complex));
}
