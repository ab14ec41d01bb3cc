//===- OperationPages.h - Upstream's descriptions of operations -*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The documentation that MLIR's and Formwork's operation definitions hold,
// taken from them when Formwork is built. Layer: tools.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TOOLS_SERVICE_OPERATIONPAGES_H
#define FORMWORK_TOOLS_SERVICE_OPERATIONPAGES_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

namespace formwork::tools {

/// The description in the definition of a transform operation, as Markdown
/// without headings; all empty for an operation that is not known.
struct OperationPage {
  /// One line.
  llvm::StringRef summary;
  /// A grammar rule; empty for an operation that is parsed by code of its own.
  llvm::StringRef syntax;
  llvm::StringRef description;
};

/// Cost: linear in all pages for the first call, then constant. Thread-safe.
OperationPage lookupOperationPage(llvm::StringRef operation);

/// The operations that have a page, sorted. Cost: linear in all pages.
llvm::SmallVector<llvm::StringRef> getOperationPages();

} // namespace formwork::tools

#endif // FORMWORK_TOOLS_SERVICE_OPERATIONPAGES_H
