//===- PrintingTest.cpp - Forms as text and as a diagram --------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FormsTest.h"

#include "normalforms/Printing.h"

#include "llvm/Support/FileSystem.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::normalforms;
using namespace formwork::test;
using testing::HasSubstr;
using testing::Not;

namespace {

class PrintingTest : public FormsTest {
protected:
  PrintingTest() : library(*FormLibrary::get(&context)) {}

  template <typename Fn> std::string capture(Fn fn) {
    std::string text;
    llvm::raw_string_ostream os(text);
    fn(os);
    return text;
  }

  std::string leq(StringRef a, StringRef b, bool expected) {
    return capture([&](raw_ostream &os) {
      EXPECT_EQ(explainLeq(library, *library.lookup(a), *library.lookup(b), os),
                expected);
    });
  }

  const FormLibrary &library;
};

TEST_F(PrintingTest, TheLibraryReadsBack) {
  std::string once =
      capture([&](raw_ostream &os) { printLibrary(library, os); });
  auto module = parse(once);
  ASSERT_TRUE(module);
  EXPECT_EQ(std::distance(module->getBody()->begin(), module->getBody()->end()),
            std::ptrdiff_t(library.getForms().size()));
}

TEST_F(PrintingTest, MatchersArePrintedWithTheirForms) {
  auto extended = loadWith(R"(
    module attributes {transform.with_named_sequence} {
      transform.named_sequence @m(%op: !transform.any_op {transform.readonly})
          -> !transform.any_op {
        transform.match.operation_name %op ["arith.muli"] : !transform.any_op
        transform.yield %op : !transform.any_op
      }
      normalform.form @a summary "a" where @m {}
      normalform.form @b summary "b" where @m {}
    })");
  ASSERT_TRUE(extended);
  std::string text =
      capture([&](raw_ostream &os) { printLibrary(*extended, os); });
  size_t first = text.find("named_sequence @m");
  ASSERT_NE(first, std::string::npos);
  EXPECT_EQ(text.find("named_sequence @m", first + 1), std::string::npos);
}

TEST_F(PrintingTest, LeqSaysWhy) {
  EXPECT_EQ(leq("linalg.static", "canonical", true),
            "@linalg.static <= @canonical: @linalg.static refines "
            "@linalg.tiled refines @canonical\n");
  EXPECT_EQ(leq("canonical", "canonical", true),
            "@canonical <= @canonical: every form refines itself\n");
  std::string text = leq("canonical", "linalg.static", false);
  EXPECT_THAT(text, HasSubstr("@canonical is not <= @linalg.static: @canonical "
                              "lacks @linalg.tiled, @linalg.static"));
  EXPECT_THAT(text, HasSubstr("has the rules "
                              "transform.apply_patterns.linalg.tiling_"
                              "canonicalization"));
  EXPECT_THAT(text, HasSubstr("(static-shapes.c1)"));
}

TEST_F(PrintingTest, DotHasEachFormOnceAndCoversOnly) {
  std::string dot = capture([&](raw_ostream &os) { printDot(library, os); });
  for (const Form &form : library.getForms()) {
    std::string node = "\"" + form.name + "\" [tooltip=";
    size_t at = dot.find(node);
    ASSERT_NE(at, std::string::npos) << form.name;
    EXPECT_EQ(dot.find(node, at + 1), std::string::npos) << form.name;
  }
  EXPECT_THAT(dot, HasSubstr("\"linalg.static\" -> \"linalg.tiled\""));
  EXPECT_THAT(dot, Not(HasSubstr("\"linalg.static\" -> \"canonical\"")));
  EXPECT_THAT(dot, HasSubstr("\"bufferized\" -> \"linalg.on_tensors\" "
                             "[style=dashed"));
}

TEST_F(PrintingTest, CatalogueHasEveryFormAndClause) {
  auto contracts = ContractLibrary::load(&context, library);
  ASSERT_TRUE(succeeded(contracts));
  std::string text = capture(
      [&](raw_ostream &os) { printCatalogue(library, **contracts, os); });
  for (const Form &form : library.getForms()) {
    EXPECT_THAT(text, HasSubstr("### `@" + form.name + "`"));
    for (const PredicateClause &clause : library.getClauses(form))
      EXPECT_THAT(text, HasSubstr("`" + clause.id + "`"));
    for (const std::string &schedule : form.seenIn)
      EXPECT_THAT(text, HasSubstr("`" + schedule + "`"));
    EXPECT_THAT(text, HasSubstr(form.whyManual));
  }
  EXPECT_THAT(text, HasSubstr("- wanted by `loop.coalesce`\n"));
  EXPECT_THAT(text, HasSubstr("- wanted by `structured.fuse`\n"));
}

TEST_F(PrintingTest, EveryFormHasItsTests) {
  for (const Form &form : library.getForms())
    for (StringRef suffix : {".mlir", "-invalid.mlir"})
      EXPECT_TRUE(llvm::sys::fs::exists(
          (Twine(FORMWORK_CORPUS) + "/" + form.name + suffix).str()))
          << form.name << suffix.str();
}

} // namespace
