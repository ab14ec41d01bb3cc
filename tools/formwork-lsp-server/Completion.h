//===- Completion.h - Names that may stand at a place -----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Layer: tools.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TOOLS_FORMWORK_LSP_SERVER_COMPLETION_H
#define FORMWORK_TOOLS_FORMWORK_LSP_SERVER_COMPLETION_H

#include "tools/formwork-lsp-server/Document.h"

#include "llvm/Support/JSON.h"

namespace formwork::tools {

/// The completion items for the word in front of `position`: handles behind
/// `%`, forms or sequences behind `@`, and operations where one may begin.
llvm::json::Value complete(const Document &document,
                           llvm::lsp::Position position);

} // namespace formwork::tools

#endif // FORMWORK_TOOLS_FORMWORK_LSP_SERVER_COMPLETION_H
