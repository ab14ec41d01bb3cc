//===- NearNameTest.cpp - Tests of NearName.h -------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "engine/NearName.h"

#include <gtest/gtest.h>

using formwork::engine::findNearName;

TEST(NearNameTest, theNearestNameIsFound) {
  EXPECT_EQ(findNearName("abce", {"xyz", "abcd", "abc"}), 1u);
  EXPECT_EQ(findNearName("transform.loop.unrol",
                         {"transform.loop.peel", "transform.loop.unroll"}),
            1u);
}

TEST(NearNameTest, sharedPartsMakeNamesNoMoreAlike) {
  EXPECT_EQ(findNearName("transform.mine.mark_loop", {"transform.tune.knob"}),
            std::nullopt);
  EXPECT_EQ(findNearName("transform.yours.knob", {"transform.tune.knob"}), 0u);
}

TEST(NearNameTest, twoLettersOfThreeMayBeSwapped) {
  EXPECT_EQ(findNearName("scf.fro", {"scf.if", "scf.for"}), 1u);
}

TEST(NearNameTest, nothingIsNear) {
  EXPECT_EQ(findNearName("abcd", {"wxyz"}), std::nullopt);
  EXPECT_EQ(findNearName("", {"a"}), std::nullopt);
  EXPECT_EQ(findNearName("a", {}), std::nullopt);
}
