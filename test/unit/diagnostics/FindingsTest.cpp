//===- FindingsTest.cpp - Findings and their emission -----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "engine/Diagnostics.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/MLIRContext.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace formwork::engine;
using testing::ElementsAre;

namespace {
/// Collects what reaches the diagnostic engine, a note behind its finding.
class FindingsTest : public testing::Test {
protected:
  FindingsTest()
      : handler(&context, [this](Diagnostic &diag) {
          emitted.push_back(diag.str());
          for (Diagnostic &note : diag.getNotes())
            emitted.push_back("  " + note.str());
          return success();
        }) {}

  Location at(unsigned line) {
    return FileLineColLoc::get(&context, "f.mlir", line, 1);
  }

  MLIRContext context;
  std::vector<std::string> emitted;
  ScopedDiagnosticHandler handler;
};
} // namespace

TEST_F(FindingsTest, AreEmittedInSourceOrderWithTheirIds) {
  Findings findings;
  findings.add(Finding(at(9), "fw-late", "late"));
  findings.add(Finding(UnknownLoc::get(&context), "fw-nowhere", "nowhere"));
  findings.add(Finding(at(2), "fw-early", "early"));
  findings.emit();
  EXPECT_THAT(emitted, ElementsAre("early [fw-early]", "late [fw-late]",
                                   "nowhere [fw-nowhere]"));
}

TEST_F(FindingsTest, NotesComeInTheOrderOfTheirKinds) {
  Findings findings;
  findings.add(Finding(at(1), "fw-x", "x"))
      .note(NoteKind::FixIt, at(1), "write y")
      .note(NoteKind::Evidence, at(1), "evidence")
      .note(NoteKind::Lost, at(1), "lost")
      .note(NoteKind::Established, at(1), "established");
  findings.emit();
  EXPECT_THAT(emitted, ElementsAre("x [fw-x]", "  established", "  lost",
                                   "  evidence", "  fix-it: write y"));
}

TEST_F(FindingsTest, TheSameFindingIsEmittedOnce) {
  Findings findings;
  findings.add(Finding(at(1), "fw-x", "x"));
  findings.add(Finding(at(2), "fw-x", "x"));
  findings.add(Finding(at(1), "fw-x", "x"));
  findings.emit();
  EXPECT_THAT(emitted, ElementsAre("x [fw-x]", "x [fw-x]"));
}

TEST_F(FindingsTest, TheSameFindingIsEmittedOnceAmongOthersOfItsPlace) {
  Findings findings;
  for (int visit = 0; visit < 2; ++visit) {
    findings.add(Finding(at(1), "fw-x", "x"));
    findings.add(Finding(at(1), "fw-y", "y"));
  }
  findings.emit();
  EXPECT_THAT(emitted, ElementsAre("x [fw-x]", "y [fw-y]"));
}

TEST_F(FindingsTest, OnlyErrorsAreErrors) {
  Findings findings;
  findings.add(Finding(at(1), "fw-w", "w", DiagnosticSeverity::Warning));
  EXPECT_FALSE(findings.hasErrors());
  EXPECT_EQ(findings.count(DiagnosticSeverity::Warning), 1u);
  findings.add(Finding(at(1), "fw-e", "e"));
  EXPECT_TRUE(findings.hasErrors());
}

TEST_F(FindingsTest, EmitFindingFails) {
  EXPECT_TRUE(failed(emitFinding(Finding(at(1), "fw-x", "x"))));
  EXPECT_THAT(emitted, ElementsAre("x [fw-x]"));
}
