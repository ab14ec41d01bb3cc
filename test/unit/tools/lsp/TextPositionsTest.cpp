//===- TextPositionsTest.cpp - Bytes and positions of a text ----*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/service/TextPositions.h"

#include "gtest/gtest.h"

using namespace formwork::tools;
using llvm::lsp::Position;

TEST(TextPositions, CountsCodeUnits) {
  // Two bytes, one unit; four bytes, two units.
  TextPositions positions("ab\n\xC3\xA9x\xF0\x9F\x98\x80y\r\nlast");
  EXPECT_EQ(positions.getNumLines(), 3u);
  EXPECT_EQ(positions.toPosition(0), Position(0, 0));
  EXPECT_EQ(positions.toPosition(2), Position(0, 2));
  EXPECT_EQ(positions.toPosition(5), Position(1, 1));
  EXPECT_EQ(positions.toPosition(10), Position(1, 4));
  EXPECT_EQ(positions.toPosition(1000), Position(2, 4));
  EXPECT_EQ(positions.getLine(1), "\xC3\xA9x\xF0\x9F\x98\x80y");
  EXPECT_EQ(positions.getLine(9), "");
}

TEST(TextPositions, FindsBytes) {
  TextPositions positions("ab\n\xC3\xA9x\xF0\x9F\x98\x80y\r\nlast");
  EXPECT_EQ(positions.toOffset(Position(1, 0)), 3u);
  EXPECT_EQ(positions.toOffset(Position(1, 1)), 5u);
  EXPECT_EQ(positions.toOffset(Position(1, 4)), 10u);
  // In the middle of a character is its start.
  EXPECT_EQ(positions.toOffset(Position(1, 3)), 6u);
  // Behind a line is its end, without the line break.
  EXPECT_EQ(positions.toOffset(Position(1, 99)), 11u);
  EXPECT_EQ(positions.toOffset(Position(99, 0)), 17u);
  EXPECT_EQ(positions.toOffset(Position(-1, 0)), 0u);
}

TEST(TextPositions, IsItsOwnInverse) {
  llvm::StringRef text = "\xC3\xA9\n\xFF\xF0\x9F\x98\x80 x\n\n";
  TextPositions positions(text);
  for (size_t at : {0, 2, 3, 4, 8, 9, 10, 11, 12})
    EXPECT_EQ(positions.toOffset(positions.toPosition(at)), at) << at;
}
