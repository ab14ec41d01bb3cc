//===- Report.cpp - Findings for other programs -----------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/report/Report.h"

#include "tools/report/Formats.h"

using namespace mlir;
using namespace formwork::tools;

std::string formwork::tools::toUtf8(StringRef text) {
  return llvm::json::isUTF8(text) ? text.str() : llvm::json::fixUTF8(text);
}

StringRef formwork::tools::stringify(engine::NoteKind kind) {
  switch (kind) {
  case engine::NoteKind::Established:
    return "established";
  case engine::NoteKind::Lost:
    return "lost";
  case engine::NoteKind::Evidence:
    return "evidence";
  case engine::NoteKind::Approximation:
    return "approximation";
  case engine::NoteKind::FixIt:
    return "fix-it";
  }
  llvm_unreachable("a note is of one of five kinds");
}

StringRef formwork::tools::stringify(DiagnosticSeverity severity) {
  switch (severity) {
  case DiagnosticSeverity::Error:
    return "error";
  case DiagnosticSeverity::Warning:
    return "warning";
  case DiagnosticSeverity::Remark:
    return "remark";
  case DiagnosticSeverity::Note:
    return "note";
  }
  llvm_unreachable("a severity is one of four");
}

std::unique_ptr<Report> formwork::tools::createReport(ReportFormat format,
                                                      ReportSettings settings) {
  switch (format) {
  case ReportFormat::Text:
    return nullptr;
  case ReportFormat::Json:
    return createJsonReport();
  case ReportFormat::Sarif:
    return createSarifReport(std::move(settings));
  }
  llvm_unreachable("a format is one of three");
}
