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
  static constexpr StringRef names[] = {"established", "lost", "evidence",
                                        "approximation", "fix-it"};
  return names[static_cast<unsigned>(kind)];
}

StringRef formwork::tools::stringify(DiagnosticSeverity severity) {
  static constexpr StringRef names[] = {"note", "warning", "error", "remark"};
  return names[static_cast<unsigned>(severity)];
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
