//===- DocumentFactsTest.cpp - Facts through a pipe -----------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/service/DocumentFacts.h"

#include "gtest/gtest.h"

using namespace formwork::tools;
using llvm::StringRef;
using llvm::lsp::Position;
using llvm::lsp::Range;

/// Facts with something in each member.
static DocumentFacts makeFacts() {
  DocumentFacts facts;
  facts.isParsed = true;
  DocumentDiagnostic diagnostic;
  diagnostic.range = {Position(3, 4), Position(5, 6)};
  diagnostic.severity = 2;
  diagnostic.id = "fw-unproved";
  diagnostic.message = "two\nlines, \"quoted\" ";
  diagnostic.related.push_back({"other.mlir", Range(Position(7, 8)), ""});
  diagnostic.fixes.push_back({"take %a", {{Range(Position(9, 1)), "%a"}}});
  facts.diagnostics = {diagnostic, DocumentDiagnostic()};
  facts.findings = "[{}]";
  NamedEntity entity;
  entity.kind = "handle";
  entity.name = "%a";
  entity.file = "-";
  entity.definition = {Position(10, 11), Position(10, 13)};
  entity.uses = {Range(Position(12, 13)), Range(Position(14, 15))};
  entity.scopeEnd = Position(18, 19);
  entity.hover = "**%a**\n";
  entity.hint = "1 scf.for";
  facts.entities.push_back(entity);
  facts.handles.push_back({"%a", "1 scf.for", "-", "valid"});
  facts.steps.push_back({Range(Position(16, 17)), "transform.yield", "hover"});
  facts.operations = {{"transform.yield", "7 words"}, {"", "5"}};
  facts.verdict = "unproved";
  return facts;
}

TEST(DocumentFactsTest, ComesBackWhole) {
  std::string text = pack(makeFacts());
  std::optional<DocumentFacts> back = unpackFacts(text);
  ASSERT_TRUE(back);
  EXPECT_EQ(pack(*back), text);
  EXPECT_TRUE(back->isParsed);
  ASSERT_EQ(back->diagnostics.size(), 2u);
  const DocumentDiagnostic &diagnostic = back->diagnostics.front();
  EXPECT_EQ(diagnostic.range, Range(Position(3, 4), Position(5, 6)));
  EXPECT_EQ(diagnostic.severity, 2);
  EXPECT_EQ(diagnostic.message, "two\nlines, \"quoted\" ");
  EXPECT_EQ(diagnostic.related.front().file, "other.mlir");
  EXPECT_EQ(diagnostic.fixes.front().edits.front().newText, "%a");
  EXPECT_EQ(back->entities.front().uses.back(), Range(Position(14, 15)));
  EXPECT_EQ(back->entities.front().scopeEnd, Position(18, 19));
  EXPECT_EQ(back->entities.front().hint, "1 scf.for");
  EXPECT_EQ(back->handles.front().validity, "valid");
  EXPECT_EQ(back->steps.front().operation, "transform.yield");
  EXPECT_EQ(back->operations.at("transform.yield"), "7 words");
  EXPECT_EQ(back->verdict, "unproved");
}

TEST(DocumentFactsTest, IsUtf8) {
  DocumentFacts facts;
  facts.verdict = "a\xff";
  std::optional<DocumentFacts> back = unpackFacts(pack(facts));
  ASSERT_TRUE(back);
  EXPECT_EQ(back->verdict, "a\xef\xbf\xbd");
}

TEST(DocumentFactsTest, RefusesOtherTexts) {
  std::string text = pack(makeFacts());
  for (size_t size = 0; size < text.size(); ++size)
    EXPECT_FALSE(unpackFacts(StringRef(text).take_front(size))) << size;
  EXPECT_FALSE(unpackFacts(text + "1 "));
  EXPECT_FALSE(unpackFacts("1 99999999999 "));
  EXPECT_FALSE(unpackFacts("1 -1 "));
}

TEST(DocumentFactsTest, KeepsKnownNames) {
  KnownNames names;
  names.operations = {{"transform.yield", "ends", false}, {"a", "b", true}};
  names.forms = {{"canonical", "no \"redundancy\""}};
  std::optional<KnownNames> back = unpackNames(pack(names));
  ASSERT_TRUE(back);
  EXPECT_TRUE(back->operations.back().isRuleGroup);
  EXPECT_EQ(back->forms.front().detail, "no \"redundancy\"");
}
