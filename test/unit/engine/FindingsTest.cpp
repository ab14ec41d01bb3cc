//===- FindingsTest.cpp - Tests of findings ---------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "engine/Diagnostics.h"

#include "mlir/IR/MLIRContext.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace formwork::engine;

TEST(Findings, SayWhatIsSaidTwiceAsTheGravestOfThem) {
  MLIRContext context;
  Location place = FileLineColLoc::get(&context, "schedule.mlir", 3, 1);
  Findings findings;
  findings.add({place, "fw-a", "one", DiagnosticSeverity::Warning});
  findings.add({place, "fw-b", "other", DiagnosticSeverity::Warning});
  findings.add({place, "fw-a", "one", DiagnosticSeverity::Error});
  findings.add({place, "fw-b", "other", DiagnosticSeverity::Remark});
  findings.sort();
  ASSERT_EQ(findings.get().size(), 2u);
  EXPECT_EQ(findings.get()[0].id, "fw-a");
  EXPECT_EQ(findings.get()[0].severity, DiagnosticSeverity::Error);
  EXPECT_EQ(findings.get()[1].severity, DiagnosticSeverity::Warning);
}
