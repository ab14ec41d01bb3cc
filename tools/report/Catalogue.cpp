//===- Catalogue.cpp - What each diagnostic means ---------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/report/Catalogue.h"

#include "embedded/diagnosticPages.h"
#include "embedded/diagnosticsIndex.h"

using namespace llvm;
using namespace formwork::tools;

std::optional<CatalogueEntry> formwork::tools::lookupDiagnostic(StringRef id) {
  // - [ID](diagnostics/ID.md) (SEVERITY): SUMMARY
  std::string start = ("- [" + id + "](").str();
  StringRef text = formwork::embedded::diagnosticsIndex;
  size_t at = text.find(start);
  if (at == StringRef::npos)
    return std::nullopt;
  StringRef line = text.substr(at);
  line = line.take_front(line.find('\n'));
  line = line.split(") (").second;
  auto [severity, summary] = line.split("): ");
  return CatalogueEntry{severity, summary};
}

bool formwork::tools::isErrorId(StringRef id) {
  std::optional<CatalogueEntry> entry = lookupDiagnostic(id);
  return entry && entry->severity == "error";
}

std::string formwork::tools::getDiagnosticPage(StringRef id) {
  return ("docs/diagnostics/" + id + ".md").str();
}

StringRef formwork::tools::getDiagnosticText(StringRef id) {
  for (const auto &page : embedded::diagnosticPages)
    if (page.name == id)
      return page.text.starts_with("<!--")
                 ? page.text.split("-->").second.ltrim()
                 : StringRef(page.text);
  return "";
}

SmallVector<StringRef> formwork::tools::getDiagnosticIds() {
  return map_to_vector(embedded::diagnosticPages,
                       [](const auto &page) { return StringRef(page.name); });
}
