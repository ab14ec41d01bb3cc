//===- OracleTest.cpp - Tests of what is kept of a finding ------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/reduce/Oracle.h"

#include "gtest/gtest.h"

using namespace formwork::transforms;

TEST(OracleTest, NumbersAndListsOfThemAreOne) {
  EXPECT_EQ(getReason("requires at most 12 tile sizes but has 3"),
            "requires at most # tile sizes but has #");
  EXPECT_EQ(getReason("covers [16, 4, 1] but has [8]"),
            "covers [#] but has [#]");
  EXPECT_EQ(getReason("size -3 in x-3"), "size # in x-#");
}

TEST(OracleTest, ShapesLoseTheirContents) {
  EXPECT_EQ(getReason("got 'memref<4x?xf32, strided<[8, 1], offset: ?>>' of "
                      "'linalg.add'"),
            "got 'memref<>' of 'linalg.add'");
  EXPECT_EQ(getReason("map (d0) -> (d0) of tensor<affine_map<(a) -> (a)>>"),
            "map (d#) -> (d#) of tensor<>");
}

TEST(OracleTest, OtherWordsStay) {
  EXPECT_NE(getReason("may pad 'linalg.copy'"),
            getReason("may pad 'linalg.add'"));
}
