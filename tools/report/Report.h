//===- Report.h - Findings for other programs -------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The findings of a command, as a document: collected from the diagnostic
// engine, so that errors of the parser and findings come out alike, and printed
// as JSON or as SARIF 2.1.0 when the command is done. Layer: tools.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TOOLS_REPORT_REPORT_H
#define FORMWORK_TOOLS_REPORT_REPORT_H

#include "engine/Diagnostics.h"
#include "tools/report/SourceFiles.h"

#include "llvm/Support/JSON.h"

#include <memory>
#include <string>
#include <vector>

namespace formwork::tools {

enum class ReportFormat { Text, Json, Sarif };

/// The result of one input: the whole of it, or a piece of a split one.
struct ReportRun {
  /// The names of the files, as on the command line.
  std::string input;
  std::string schedule; ///< empty if it is in the input
  std::vector<engine::Finding> findings;
  /// The summary that the command gives of itself, such as the verdict.
  llvm::json::Object summary;
  int exitCode = 0;
};

/// Settings that say where a document belongs.
struct ReportSettings {
  /// The name by which findings are grouped across runs of the tool; empty: the
  /// names of the files.
  std::string category;
  /// Where the folder of the pages is published, an absolute URI; empty: where
  /// it is installed with the program. If it is not, the pages have no address.
  std::string pages;
  /// The folder to which paths are relative; empty: the repository that holds
  /// the working directory, or that directory.
  std::string root;
};

/// A document in the making. Runs are rendered when they are added, so that
/// their locations need not outlive them.
class Report {
public:
  virtual ~Report() = default;
  virtual void add(const ReportRun &run, SourceFiles &files) = 0;
  virtual void print(llvm::raw_ostream &os) const = 0;
};

/// Null for text.
std::unique_ptr<Report> createReport(ReportFormat format,
                                     ReportSettings settings = {});

/// `finding` as docs/report.schema.json describes one.
llvm::json::Object toJson(const engine::Finding &finding, SourceFiles &files);

/// `text` with what is no UTF-8 replaced: JSON is nothing else.
std::string toUtf8(llvm::StringRef text);

/// The names of the kinds of notes, and of severities.
llvm::StringRef stringify(engine::NoteKind kind);
llvm::StringRef stringify(mlir::DiagnosticSeverity severity);

} // namespace formwork::tools

#endif // FORMWORK_TOOLS_REPORT_REPORT_H
