//===- Catalogue.h - What each diagnostic means -----------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The index of the documentation's pages of diagnostics, as data. Layer: tools.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TOOLS_REPORT_CATALOGUE_H
#define FORMWORK_TOOLS_REPORT_CATALOGUE_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace formwork::tools {

struct CatalogueEntry {
  llvm::StringRef severity; ///< error, warning or remark: of the certain case
  llvm::StringRef summary;  ///< one sentence
};

/// The entry of `id` in docs/diagnostics.md; none for an id without one.
std::optional<CatalogueEntry> lookupDiagnostic(llvm::StringRef id);

/// Whether `id` has an entry, as an error.
bool isErrorId(llvm::StringRef id);
/// The path of the page of `id`, relative to the root of the repository.
std::string getDiagnosticPage(llvm::StringRef id);

/// The text of that page, Markdown without the comment that says how it was
/// made; empty for an id without a page.
llvm::StringRef getDiagnosticText(llvm::StringRef id);

/// All ids that have a page, sorted.
llvm::SmallVector<llvm::StringRef> getDiagnosticIds();

} // namespace formwork::tools

#endif // FORMWORK_TOOLS_REPORT_CATALOGUE_H
