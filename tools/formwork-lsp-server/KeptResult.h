//===- KeptResult.h - A result beside other comments -----*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Keeps the result of a check of a text when only its comments change. Layer:
// tools.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TOOLS_FORMWORK_LSP_SERVER_KEPTRESULT_H
#define FORMWORK_TOOLS_FORMWORK_LSP_SERVER_KEPTRESULT_H

#include "tools/formwork-lsp-server/Document.h"

#include <optional>
#include <string>

namespace formwork::tools {

/// Whether the result of the last check of `document` is that of `text`, too:
/// they differ in comments at most, and none of these may be in an edit. The
/// result is then that of `text`.
bool keepResult(Document &document, const std::string &text);

/// `repaired`, which was made of `before`, with the comments of `after`; none
/// where an edit may cover one that differs.
std::optional<std::string> moveRepair(llvm::StringRef before,
                                      llvm::StringRef repaired,
                                      const std::string &after);

} // namespace formwork::tools

#endif // FORMWORK_TOOLS_FORMWORK_LSP_SERVER_KEPTRESULT_H
