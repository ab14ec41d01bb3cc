//===- PaddingTest.cpp - Shapes that are padded ---------------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verifier/spaces/Padding.h"
#include "verifier/solver/TermPrinter.h"

#include "mlir/IR/BuiltinTypes.h"

#include "gtest/gtest.h"

using namespace mlir;
using namespace formwork::verifier;

namespace {
struct PaddingTest : testing::Test {
  /// The only dimension of an operand of one loop, padded to `multiple`.
  PaddedOperand pad(const Extent &loop, Size multiple, bool isKept = false) {
    IterationSpace space;
    space.loops = {loop};
    space.maps = {AffineMap::getMultiDimIdentityMap(1, &context)};
    PadSpec spec{{0}, {isKept}, {multiple}};
    return *padOperand(terms, space, 0, spec,
                       {[](unsigned, const Extent &whole) { return whole; },
                        [&](unsigned, const Extent &) { return bound; },
                        [](solver::BoolTerm term) { return term.isTrue(); }});
  }
  static Extent ofSize(Size size) {
    Extent extent;
    extent.size = size;
    return extent;
  }

  MLIRContext context;
  solver::TermContext terms;
  std::optional<int64_t> bound;
};
} // namespace

TEST_F(PaddingTest, ASizeIsRoundedUp) {
  PaddedOperand padded = pad(ofSize(50), 16);
  EXPECT_EQ(padded.shape.front().size, Size(64));
  EXPECT_EQ(padded.isPadded, Certainty::Yes);
  EXPECT_FALSE(padded.isCopy);
}

TEST_F(PaddingTest, AWholeMultipleIsPaddedOnlyIfKept) {
  EXPECT_EQ(pad(ofSize(64), 16).isPadded, Certainty::No);
  PaddedOperand kept = pad(ofSize(64), 16, /*isKept=*/true);
  EXPECT_EQ(kept.isPadded, Certainty::Yes);
  EXPECT_TRUE(kept.isCopy);
  EXPECT_EQ(kept.unpadded.front().size, Size(64));
}

TEST_F(PaddingTest, AnOpenMultipleMayAddSomething) {
  Extent loop = ofSize(Size::symbolic(terms.variable("t")));
  loop.condition = std::make_shared<StaticCondition>(
      StaticCondition{terms.truth(true), nullptr, 0, "", ""});
  PaddedOperand padded = pad(loop, 4);
  EXPECT_EQ(padded.isPadded, Certainty::Maybe);
  EXPECT_EQ(solver::toInfix(padded.shape.front().size.getTerm()),
            "t ceildiv 4 * 4");
}

TEST_F(PaddingTest, AnOpenSizeIsPaddedToThatOfAFullTile) {
  solver::IntTerm tile = terms.variable("t");
  Extent loop = ofSize(Size::symbolic(tile));
  loop.condition = std::make_shared<StaticCondition>(StaticCondition{
      terms.divides(tile, terms.constant(64)), nullptr, 0, "", ""});
  PaddedOperand padded = pad(loop, 1);
  EXPECT_EQ(padded.isPadded, Certainty::No);
  EXPECT_TRUE(padded.shape.front().condition->holds.isTrue());
  ASSERT_EQ(padded.padded.size(), 1u);
  EXPECT_EQ(padded.padded.front().condition, loop.condition);
}

TEST_F(PaddingTest, ADynamicSizeIsPaddedToItsBound) {
  Extent loop;
  loop.reason.definite = true;
  bound = 20;
  PaddedOperand padded = pad(loop, 8);
  EXPECT_EQ(padded.shape.front().size, Size(24));
  EXPECT_EQ(padded.isPadded, Certainty::Yes);
  bound = std::nullopt;
  EXPECT_TRUE(pad(loop, 8).shape.front().size.isUnknown());
}

TEST_F(PaddingTest, AMultipleThatIsNotPositiveTellsNothing) {
  PaddedOperand padded = pad(ofSize(50), 0);
  EXPECT_TRUE(padded.shape.front().size.isUnknown());
  EXPECT_EQ(padded.isPadded, Certainty::Maybe);
}

TEST_F(PaddingTest, OnlyMapsOfLoopsTellAShape) {
  IterationSpace space;
  space.loops = {ofSize(8), ofSize(8)};
  space.maps = {AffineMap::get(
      2, 0, getAffineDimExpr(0, &context) + getAffineDimExpr(1, &context))};
  PadSpec spec{{0}, {}, {4}};
  EXPECT_FALSE(
      padOperand(terms, space, 0, spec,
                 {[](unsigned, const Extent &whole) { return whole; },
                  [&](unsigned, const Extent &) { return bound; },
                  [](solver::BoolTerm term) { return term.isTrue(); }}));
}
