//===- FacetTest.cpp - Parts that few values have -------------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verifier/state/Node.h"

#include "gtest/gtest.h"

using namespace mlir;
using namespace formwork::verifier;

TEST(FacetTest, NothingIsSaidAtFirst) {
  Facet<TileFacts> facet;
  EXPECT_EQ(facet->partOf, 0u);
  EXPECT_EQ(facet->sliced, 0u);
}

TEST(FacetTest, AnEditChangesNoCopy) {
  Facet<TileFacts> mine;
  mine.edit().partOf = 7;
  Facet<TileFacts> copy = mine;
  copy.edit().partOf = 9;
  EXPECT_EQ(mine->partOf, 7u);
  EXPECT_EQ(copy->partOf, 9u);
}

TEST(FacetTest, AJoinKeepsWhatBothSay) {
  auto types = std::make_shared<const SmallVector<Type>>();
  Facet<TileFacts> mine, theirs;
  mine.edit() = {/*partOf=*/3, /*sliced=*/0b110, /*parts=*/0b010,
                 /*lastParts=*/0b010, types};
  theirs.edit() = {/*partOf=*/3, /*sliced=*/0b011, /*parts=*/0b011,
                   /*lastParts=*/0b001, nullptr};
  mine.join(theirs);
  EXPECT_EQ(mine->partOf, 3u);
  EXPECT_EQ(mine->sliced, 0b010u);
  EXPECT_EQ(mine->parts, 0b010u);
  EXPECT_EQ(mine->lastParts, 0u);
  EXPECT_EQ(mine->types, nullptr);
  // With one that says nothing, nothing is left.
  mine.join({});
  EXPECT_EQ(mine->partOf, 0u);
  EXPECT_EQ(mine->sliced, 0u);
}

TEST(FacetTest, TwoReadersAreNone) {
  Facet<ReaderFacts> mine, theirs;
  mine.edit() = {5, 1};
  theirs.edit() = {5, 2};
  mine.join(theirs);
  EXPECT_EQ(mine->only, 0u);
}
