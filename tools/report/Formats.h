//===- Formats.h - The formats of reports -----------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The two renderers of reports. Layer: tools; internal to tools/report.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TOOLS_REPORT_FORMATS_H
#define FORMWORK_TOOLS_REPORT_FORMATS_H

#include "tools/report/Report.h"

namespace formwork::tools {

/// docs/reports.md has the shape of it, and docs/report.schema.json the schema.
std::unique_ptr<Report> createJsonReport();
/// Source: SARIF 2.1.0, OASIS Standard.
std::unique_ptr<Report> createSarifReport(ReportSettings settings);

} // namespace formwork::tools

#endif // FORMWORK_TOOLS_REPORT_FORMATS_H
