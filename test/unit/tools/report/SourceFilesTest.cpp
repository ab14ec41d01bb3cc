//===- SourceFilesTest.cpp - Tests of places in reports ---------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/report/SourceFiles.h"
#include "tools/report/Catalogue.h"
#include "tools/report/Report.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/MLIRContext.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::tools;

namespace {
class SourceFilesTest : public testing::Test {
protected:
  std::optional<Place> locate(unsigned line, unsigned column,
                              StringRef name = "f.mlir") {
    return files.locate(
        Location(FileLineColLoc::get(&context, name, line, column)));
  }
  MLIRContext context;
  SourceFiles files;
};
} // namespace

static std::string toString(const std::optional<Place> &place) {
  if (!place)
    return "none";
  return llvm::formatv("{0}:{1}:{2}-{3}:{4}", place->file, place->line,
                       place->column, place->endLine, place->endColumn)
      .str();
}

TEST_F(SourceFilesTest, ColumnsCountCodeUnits) {
  // Two bytes and one unit; three and one; four and two.
  EXPECT_EQ(countUtf16("aé€😀"), 5u);
  EXPECT_EQ(countUtf16("a\xff\xc3"), 3u) << "what is invalid counts by byte";
  files.add("f.mlir", "\"é😀\" %a = op\r\n\t%bc\n");
  EXPECT_EQ(toString(locate(1, 10)), "f.mlir:1:7-1:9");
  EXPECT_EQ(toString(locate(2, 2)), "f.mlir:2:2-2:5");
}

TEST_F(SourceFilesTest, AWordEndsThePlace) {
  files.add("f.mlir", "  transform.tile %x#1, @sym {");
  EXPECT_EQ(toString(locate(1, 3)), "f.mlir:1:3-1:17");
  EXPECT_EQ(toString(locate(1, 18)), "f.mlir:1:18-1:20");
  EXPECT_EQ(toString(locate(1, 29)), "f.mlir:1:29-1:30");
  EXPECT_EQ(toString(locate(1, 99)), "f.mlir:1:30-1:30") << "beyond the line";
  EXPECT_EQ(toString(locate(7, 1)), "f.mlir:7:1-7:1") << "beyond the file";
}

TEST_F(SourceFilesTest, PiecesAreOfTheirFile) {
  EXPECT_EQ(resolveSplitName("within split at a:b.mlir:7 offset "),
            (std::pair<std::string, unsigned>("a:b.mlir", 6)));
  EXPECT_EQ(resolveSplitName("within split at x"),
            (std::pair<std::string, unsigned>("within split at x", 0)));
  files.add("within split at f.mlir:7 offset ", "\n%a");
  EXPECT_EQ(toString(locate(2, 1, "within split at f.mlir:7 offset ")),
            "f.mlir:8:1-8:3");
  auto get = [&](StringRef name, unsigned line) {
    return FileLineColRange::get(StringAttr::get(&context, name), line, 2,
                                 line + 1, 3);
  };
  EXPECT_EQ(locateInFile(get("within split at f.mlir:7 offset ", 2)),
            get("f.mlir", 8));
  EXPECT_EQ(locateInFile(get("within split at f.mlir:1 offset ", 2)),
            get("f.mlir", 2));
  EXPECT_EQ(locateInFile(get("f.mlir", 2)), get("f.mlir", 2));
}

TEST_F(SourceFilesTest, UnknownFilesAndPlaces) {
  EXPECT_EQ(toString(locate(3, 4, "no-such-file.mlir")),
            "no-such-file.mlir:3:4-3:4");
  EXPECT_EQ(toString(files.locate(Location(UnknownLoc::get(&context)))),
            "none");
}

TEST_F(SourceFilesTest, RangesOfEdits) {
  files.add("f.mlir", "é [1,\n é 2]");
  EXPECT_EQ(toString(files.locate(FileLineColRange::get(
                StringAttr::get(&context, "f.mlir"), 1, 4, 2, 6))),
            "f.mlir:1:3-2:5");
}

TEST(Catalogue, KnowsEveryPage) {
  std::optional<CatalogueEntry> entry = lookupDiagnostic("fw-empty-match");
  ASSERT_TRUE(entry);
  EXPECT_EQ(entry->severity, "warning");
  EXPECT_TRUE(entry->summary.ends_with(".")) << entry->summary.str();
  EXPECT_FALSE(lookupDiagnostic("fw-no-such-id"));
  EXPECT_EQ(getDiagnosticPage("fw-x"), "docs/diagnostics/fw-x.md");
  EXPECT_TRUE(getDiagnosticText("fw-empty-match").starts_with("# fw-empty-m"));
  EXPECT_EQ(getDiagnosticText("fw-no-such-id"), "");
  for (StringRef id : getDiagnosticIds())
    EXPECT_TRUE(lookupDiagnostic(id)) << id.str();
}

TEST(ReportTest, WhatIsNoUtf8IsReplaced) {
  MLIRContext context;
  SourceFiles files;
  Location loc = FileLineColLoc::get(&context, "a b\xc3\xa9.mlir", 1, 1);
  for (ReportFormat format : {ReportFormat::Json, ReportFormat::Sarif}) {
    ReportRun run;
    run.input = "x";
    run.findings.push_back(engine::Finding(loc, "fw-x", "has \xff \"\n\x01"));
    std::unique_ptr<Report> report = createReport(format);
    report->add(run, files);
    std::string text;
    llvm::raw_string_ostream os(text);
    report->print(os);
    EXPECT_TRUE(llvm::json::isUTF8(text));
    EXPECT_THAT(text, testing::HasSubstr("has \xef\xbf\xbd \\\"\\n\\u0001"));
    llvm::Expected<llvm::json::Value> parsed = llvm::json::parse(text);
    EXPECT_TRUE(static_cast<bool>(parsed));
    if (!parsed)
      llvm::consumeError(parsed.takeError());
    if (format == ReportFormat::Sarif) {
      EXPECT_THAT(text, testing::HasSubstr("a%20b%C3%A9.mlir"));
    }
  }
  EXPECT_FALSE(createReport(ReportFormat::Text));
}
