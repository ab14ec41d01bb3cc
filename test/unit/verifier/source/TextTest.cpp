//===- TextTest.cpp - Words, diffs and edits of text ------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verifier/source/ApplyEdits.h"
#include "verifier/source/SourceTokens.h"
#include "verifier/source/UnifiedDiff.h"

#include "mlir/IR/MLIRContext.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <random>

using namespace mlir;
using namespace formwork;
using namespace formwork::verifier;
using engine::Finding;
using engine::NoteKind;
using testing::ElementsAre;

static std::vector<std::string> getWords(StringRef text) {
  std::vector<std::string> words;
  for (TextRange token : splitIntoTokens(text, {0, text.size()}))
    words.push_back(text.slice(token.begin, token.end).str());
  return words;
}

TEST(SourceTokens, WordsOfMlir) {
  EXPECT_THAT(getWords("%t, %l:2 = transform.tile %a // [8]\n [-8, %p] x->y"),
              ElementsAre("%t", ",", "%l", ":", "2", "=", "transform.tile",
                          "%a", "[", "-8", ",", "%p", "]", "x", "->", "y"));
  EXPECT_THAT(
      getWords("#gpu.block<x> \"a // \\\" b\" @\"x y\" @f !t.op<\"a\">"),
      ElementsAre("#gpu.block", "<", "x", ">", "\"a // \\\" b\"", "@\"x y\"",
                  "@f", "!t.op", "<", "\"a\"", ">"));
  EXPECT_THAT(getWords("\"open"), ElementsAre("\"open"));
}

static std::string getClause(StringRef text, StringRef key) {
  SmallVector<TextRange> tokens = splitIntoTokens(text, {0, text.size()});
  std::optional<TextRange> found = findClause(text, tokens, key);
  return found ? text.slice(found->begin, found->end).str() : "none";
}

TEST(SourceTokens, ClausesWithAndWithoutEquals) {
  EXPECT_EQ(getClause("op block_dims = [16, [4], 1] : x", "block_dims"),
            "[16, [4], 1]");
  EXPECT_EQ(getClause("op tile_sizes\n  [1, 2] : x", "tile_sizes"), "[1, 2]");
  EXPECT_EQ(getClause("op {name = \"tile_sizes\"}", "tile_sizes"), "none");
  EXPECT_EQ(getClause("op // tile_sizes [1]\n n = 4", "n"), "4");
  EXPECT_EQ(getClause("op a = 1, a = 2", "a"), "none") << "which one?";
  EXPECT_EQ(getClause("op a = [1, 2", "a"), "none");
  EXPECT_EQ(getClause("op a", "a"), "none");
}

TEST(SourceTokens, ElementsOfLists) {
  StringRef text = "[ 1, #gpu.block<x>, [8], %p#1 ]";
  SmallVector<TextRange> tokens = splitIntoTokens(text, {0, text.size()});
  std::vector<std::string> elements;
  for (TextRange element : splitList(text, tokens, {0, text.size()}))
    elements.push_back(text.slice(element.begin, element.end).str());
  EXPECT_THAT(elements, ElementsAre("1", "#gpu.block<x>", "[8]", "%p#1"));
}

//===----------------------------------------------------------------------===//
// Diffs
//===----------------------------------------------------------------------===//

TEST(UnifiedDiff, OneHunkWithContext) {
  EXPECT_EQ(printUnifiedDiff("f", "a\nb\nc\nd\ne\n", "a\nb\nx\nd\ne\n"),
            "--- f\n+++ f\n@@ -1,5 +1,5 @@\n a\n b\n-c\n+x\n d\n e\n");
  EXPECT_EQ(printUnifiedDiff("f", "a\n", "a\n"), "");
}

TEST(UnifiedDiff, OfAPieceOfAFile) {
  EXPECT_EQ(printUnifiedDiff("f", "a\n", "a\nb\n", /*linesBefore=*/10),
            "--- f\n+++ f\n@@ -11,1 +11,2 @@\n a\n+b\n");
}

TEST(UnifiedDiff, LastLineWithoutEnd) {
  EXPECT_EQ(printUnifiedDiff("f", "a", "a\n"),
            "--- f\n+++ f\n@@ -1,1 +1,1 @@\n-a\n"
            "\\ No newline at end of file\n+a\n");
}

TEST(UnifiedDiff, FromAndToNothing) {
  EXPECT_EQ(printUnifiedDiff("f", "", "a\n"),
            "--- f\n+++ f\n@@ -0,0 +1,1 @@\n+a\n");
  EXPECT_EQ(printUnifiedDiff("f", "a\n", ""),
            "--- f\n+++ f\n@@ -1,1 +0,0 @@\n-a\n");
}

TEST(UnifiedDiff, DistantChangesAreTwoHunks) {
  std::string before, after;
  for (int i = 1; i <= 20; ++i) {
    before += std::to_string(i) + "\n";
    if (i != 2)
      after += std::to_string(i) + "\n";
    if (i == 18)
      after += "new\n";
  }
  EXPECT_EQ(printUnifiedDiff("f", before, after),
            "--- f\n+++ f\n@@ -1,5 +1,4 @@\n 1\n-2\n 3\n 4\n 5\n"
            "@@ -16,5 +15,6 @@\n 16\n 17\n 18\n+new\n 19\n 20\n");
}

/// Carries out a diff as patch(1) does.
static std::string patch(StringRef text, StringRef diff) {
  std::string result;
  size_t line = 1;
  auto take = [&] {
    size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    StringRef taken = text.take_front(end);
    text = text.drop_front(end);
    ++line;
    return taken;
  };
  diff = diff.split('\n').second.split('\n').second;
  while (!diff.empty()) {
    auto [words, rest] = diff.split('\n');
    diff = rest;
    size_t start = 0, size = 0;
    if (words.consume_front("@@ -")) {
      EXPECT_FALSE(words.consumeInteger(10, start));
      EXPECT_TRUE(words.consume_front(","));
      EXPECT_FALSE(words.consumeInteger(10, size));
      while (line < start + (size == 0))
        result += take();
      continue;
    }
    // A line without an end says so behind it.
    bool isOpen = diff.starts_with("\\");
    if (isOpen)
      diff = diff.split('\n').second;
    std::string content = words.drop_front().str() + (isOpen ? "" : "\n");
    if (words[0] != '+') {
      EXPECT_EQ(take(), content);
    }
    if (words[0] != '-')
      result += content;
  }
  return result + text.str();
}

TEST(UnifiedDiff, CarriedOutGivesTheOtherText) {
  unsigned seed = 20261121;
  SCOPED_TRACE(seed);
  std::mt19937 random(seed);
  for (int round = 0; round < 300; ++round) {
    auto make = [&] {
      std::string text;
      for (unsigned i = random() % 30; i > 0; --i)
        text += std::string(1, "abcd"[random() % 4]) +
                (i > 1 || random() % 4 ? "\n" : "");
      return text;
    };
    std::string before = make(), after = make();
    ASSERT_EQ(patch(before, printUnifiedDiff("f", before, after)), after)
        << before << "---\n"
        << after;
  }
}

TEST(UnifiedDiff, ManyChangesAreStillADiff) {
  std::string before, after;
  for (int i = 0; i < 5000; ++i) {
    before += "old " + std::to_string(i) + "\n";
    after += "new " + std::to_string(i) + "\n";
  }
  EXPECT_EQ(patch(before, printUnifiedDiff("f", before, after)), after);
}

//===----------------------------------------------------------------------===//
// Edits
//===----------------------------------------------------------------------===//

namespace {
class ApplyEditsTest : public testing::Test {
protected:
  /// A finding whose fix-it puts `text` from column `begin` of `line` to `end`.
  void add(unsigned line, unsigned begin, unsigned end, StringRef text,
           StringRef file = "f.mlir") {
    Location loc = FileLineColLoc::get(&context, file, line, begin);
    findings.push_back(Finding(loc, "fw-x", "x"));
    findings.back().note(
        NoteKind::FixIt, loc, "fix",
        {{FileLineColRange::get(&context, file, line, begin, line, end),
          text.str()}});
  }
  std::string apply(StringRef text) {
    return applyFixes(text,
                      dropConflicts(collectFixes(findings, "f.mlir", text)));
  }

  MLIRContext context;
  std::vector<Finding> findings;
};
} // namespace

TEST_F(ApplyEditsTest, EditsAreMadeByPlace) {
  add(2, 1, 4, "TWO");
  add(1, 1, 1, "> ");
  add(2, 5, 5, "!");
  EXPECT_EQ(apply("one\ntwo.\n"), "> one\nTWO.!\n");
}

TEST_F(ApplyEditsTest, OfAConflictTheFirstByPlaceIsTaken) {
  add(1, 3, 5, "later");
  add(1, 1, 4, "first");
  EXPECT_EQ(apply("abcdef"), "firstdef");
}

TEST_F(ApplyEditsTest, TwoInsertionsAtOnePlaceAreBothMade) {
  add(1, 1, 1, "a");
  add(1, 1, 1, "b");
  add(1, 1, 1, "a");
  EXPECT_EQ(apply("."), "ab.") << "the same one once";
}

TEST_F(ApplyEditsTest, EdgesDoNotConflict) {
  add(1, 1, 3, "X");
  add(1, 3, 3, "+");
  add(1, 3, 4, "Y");
  EXPECT_EQ(apply("abcd"), "X+Yd");
}

TEST_F(ApplyEditsTest, WhatIsElsewhereIsLeftOut) {
  add(1, 1, 2, "X", "other.mlir");
  add(9, 1, 1, "X");
  add(1, 9, 9, "X");
  EXPECT_EQ(apply("abcd"), "abcd");
}

TEST_F(ApplyEditsTest, AFixItOfSeveralEditsIsTakenAsAWhole) {
  add(1, 1, 2, "A");
  Location loc = FileLineColLoc::get(&context, "f.mlir", 1, 2);
  auto at = [&](unsigned begin, unsigned end) {
    return FileLineColRange::get(&context, "f.mlir", 1, begin, 1, end);
  };
  findings.push_back(Finding(loc, "fw-x", "x"));
  findings.back().note(NoteKind::FixIt, loc, "both",
                       {{at(4, 5), "D"}, {at(1, 3), "clash"}});
  findings.push_back(Finding(loc, "fw-x", "x"));
  findings.back().note(NoteKind::FixIt, loc, "both",
                       {{at(3, 4), "C"}, {at(2, 3), "B"}});
  EXPECT_EQ(apply("abcd"), "ABCd") << "the one that clashes is left out whole";
}
