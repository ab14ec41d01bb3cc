//===- SarifReportTest.cpp - Tests of reports for code scanning -*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/report/Report.h"
#include "tools/report/SourceFiles.h"

#include "mlir/IR/MLIRContext.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::tools;

TEST(SarifReportTest, OnlyKnownIdsHaveAPage) {
  MLIRContext context;
  SourceFiles files;
  ReportRun run;
  for (StringRef id : {"fw-step-fails", "mine-odd-size"})
    run.findings.emplace_back(
        FileLineColLoc::get(&context, "schedule.mlir", 1, 1), id, "fails");
  ReportSettings settings;
  settings.pages = "https://example.org";
  std::unique_ptr<Report> report =
      createReport(ReportFormat::Sarif, std::move(settings));
  report->add(run, files);
  std::string text;
  llvm::raw_string_ostream os(text);
  report->print(os);
  EXPECT_THAT(text, testing::HasSubstr("https://example.org/fw-step-fails.md"));
  EXPECT_THAT(text, testing::HasSubstr("mine-odd-size"));
  EXPECT_THAT(text, testing::Not(testing::HasSubstr("mine-odd-size.md")));
}
