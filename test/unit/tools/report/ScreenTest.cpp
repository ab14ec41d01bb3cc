//===- ScreenTest.cpp - Tests of findings for a reader ----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/report/Screen.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/MLIRContext.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::tools;
using engine::Finding;

namespace {
class ScreenTest : public testing::Test {
protected:
  Location at(unsigned line) {
    return FileLineColLoc::get(&context, "f.mlir", line, 1);
  }
  void unprove(unsigned line, const Twine &reason) {
    findings.add(
        Finding(at(line), "fw-unproved",
                "cannot prove that 'op" + Twine(line) + "' succeeds: " + reason,
                DiagnosticSeverity::Warning));
  }
  /// "LINE: MESSAGE (LINE: NOTE)", a line each.
  std::string print() {
    findings.sort();
    std::string text;
    llvm::raw_string_ostream os(text);
    auto line = [](Location loc) {
      return loc->findInstanceOf<FileLineColLoc>().getLine();
    };
    engine::Findings screen = shortenForScreen(findings);
    for (const Finding &finding : screen.get()) {
      os << line(finding.loc) << ": " << finding.message;
      for (const engine::Note &note : finding.notes)
        os << " (" << line(note.loc) << ": " << note.message << ")";
      os << "\n";
    }
    return text;
  }
  MLIRContext context;
  engine::Findings findings;
};
} // namespace

TEST_F(ScreenTest, OneWarningAStep) {
  unprove(1, "a");
  unprove(1, "b");
  unprove(1, "c");
  unprove(2, "d");
  EXPECT_EQ(print(), "1: cannot prove that 'op1' succeeds: a (1: there are 2 "
                     "more reasons; --verbose prints all)\n"
                     "2: cannot prove that 'op2' succeeds: d\n");
}

TEST_F(ScreenTest, OneWarningAReason) {
  unprove(1, "a");
  unprove(2, "a");
  unprove(2, "b");
  unprove(3, "a");
  unprove(4, "a");
  EXPECT_EQ(print(),
            "1: cannot prove that 'op1' succeeds: a (3: the same holds for "
            "this step and for 1 more)\n"
            "2: cannot prove that 'op2' succeeds: b (2: there is 1 more "
            "reason; --verbose prints all)\n");
}

TEST_F(ScreenTest, SumsUpBeyondTheTenth) {
  for (unsigned line = 1; line <= 13; ++line)
    unprove(line, "reason " + Twine(line));
  unprove(14, "reason 12");
  std::string text = print();
  EXPECT_NE(text.find("10: cannot prove that 'op10' succeeds: reason 10\n"),
            std::string::npos);
  EXPECT_NE(
      text.find("11: cannot prove that 4 more steps from here on succeed; "
                "--verbose prints why\n"),
      std::string::npos);
  EXPECT_EQ(llvm::StringRef(text).count('\n'), 11u) << text;
}

TEST_F(ScreenTest, OtherFindingsStay) {
  findings.add(Finding(at(1), "fw-other", "one"));
  findings.add(Finding(at(1), "fw-other", "two"));
  findings.add(Finding(at(2), "fw-unproved", "cannot prove", // as an error
                       DiagnosticSeverity::Error));
  EXPECT_EQ(print(), "1: one\n1: two\n2: cannot prove\n");
}
