//===- ChangesTest.cpp - Versions of a text ---------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/formwork-lsp-server/Changes.h"

#include "gtest/gtest.h"

#include <random>

using namespace formwork::tools;
using llvm::StringRef;
using llvm::lsp::Position;
using llvm::lsp::Range;
using llvm::lsp::TextEdit;
namespace json = llvm::json;

static std::string carryOut(std::string text, const TextEdit &edit) {
  applyChange(json::Object{{"range", edit.range}, {"text", edit.newText}},
              text);
  return text;
}

TEST(Changes, ReplacesARange) {
  std::string text = "one\nt\xC3\xA9o\n";
  applyChange(json::Object{{"range", Range(Position(1, 1), Position(1, 2))},
                           {"text", "w"}},
              text);
  EXPECT_EQ(text, "one\ntwo\n");
  applyChange(json::Object{{"range", Range(Position(9, 0), Position(9, 9))},
                           {"text", "three"}},
              text);
  EXPECT_EQ(text, "one\ntwo\nthree");
  // A range whose end is before its start is one without an extent.
  applyChange(json::Object{{"range", Range(Position(1, 0), Position(0, 0))},
                           {"text", "-"}},
              text);
  EXPECT_EQ(text, "one\n-two\nthree");
  applyChange(json::Object{{"text", "all"}}, text);
  EXPECT_EQ(text, "all");
}

TEST(Changes, FindsThoseOfCommentsAlone) {
  using Lines = llvm::SmallVector<size_t>;
  auto find = findCommentChanges;
  EXPECT_EQ(find("a // b\nc", "a // d\nc"), Lines{0});
  EXPECT_EQ(find("a\n\nb\t\n", "a  // c\n// d\nb\n"), (Lines{0, 1, 2}));
  EXPECT_EQ(find("a\n", "a\n"), Lines());
  EXPECT_EQ(find("", ""), Lines());
  // Another place, or another text.
  EXPECT_EQ(find("a\n", "\na\n"), std::nullopt);
  EXPECT_EQ(find("a\n", "a\n\nb"), std::nullopt);
  EXPECT_EQ(find("a\nb\n", "a\n"), std::nullopt);
  EXPECT_EQ(find("a // b\n", " a // b\n"), std::nullopt);
  EXPECT_EQ(find("a // b\n", "a / b\n"), std::nullopt);
  // In a string, it is no comment.
  EXPECT_EQ(find("a \"// b\"", "a \"// c\""), std::nullopt);
  EXPECT_EQ(find("a \"\\\"// b\"", "a \"\\\"// c\""), std::nullopt);
  EXPECT_EQ(find("a \"\\\\\" // b", "a \"\\\\\" // c"), Lines{0});
}

TEST(LineMap, KeepsBeginningAndEnd) {
  LineMap map("a\nb\nc\nd\n", "a\nx\ny\nz\nd\n");
  EXPECT_EQ(map.map(Position(0, 1)), Position(0, 1));
  EXPECT_EQ(map.map(Position(1, 0)), std::nullopt);
  EXPECT_EQ(map.map(Position(3, 1)), Position(4, 1));
  EXPECT_EQ(map.map(Position(99, 0)), std::nullopt);
  EXPECT_EQ(map.map(Range(Position(0, 0), Position(1, 0))), std::nullopt);
}

TEST(Changes, MakesTheEditBetweenTexts) {
  std::mt19937 random(7);
  const char *lines[] = {"a\n", "b\n", "c\n", "\n", "d"};
  for (int i = 0; i < 20000; ++i) {
    std::string before, after;
    for (unsigned n = random() % 5; n > 0; --n)
      before += lines[random() % 5];
    for (unsigned n = random() % 5; n > 0; --n)
      after += lines[random() % 5];
    ASSERT_EQ(carryOut(before, makeEdit(before, after)), after) << before;
  }
}
