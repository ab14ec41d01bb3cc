//===- Answers.h - What is answered to an editor ----------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The answers to requests about one document, as the language server protocol
// has them. They are functions of what is known of the document: of the last
// text that could be read, as far as its lines are in the present one. Layer:
// tools.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TOOLS_FORMWORK_LSP_SERVER_ANSWERS_H
#define FORMWORK_TOOLS_FORMWORK_LSP_SERVER_ANSWERS_H

#include "tools/formwork-lsp-server/Document.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/JSON.h"

namespace formwork::tools {

/// A diagnostic of the document `uri`. `showsRelated`: the client shows the
/// places that belong to it; else they are lines of its message.
llvm::json::Value toJson(llvm::StringRef uri,
                         const DocumentDiagnostic &diagnostic,
                         bool showsRelated);

/// The inlay hints in `range`.
llvm::json::Value getHints(const Document &document, llvm::lsp::Range range);

/// The text on the name or the step at `position`; null where there is none.
llvm::json::Value getHover(const Document &document,
                           llvm::lsp::Position position);

/// The place that sets the name at `position`; null where there is none.
llvm::json::Value getDefinition(llvm::StringRef uri, const Document &document,
                                llvm::lsp::Position position);

/// The places that use the name at `position`.
llvm::json::Value getReferences(llvm::StringRef uri, const Document &document,
                                llvm::lsp::Position position,
                                bool withDefinition);

/// The fix-its of what is in `range`, of the kinds `only` (empty: of all);
/// none unless the present text was checked.
llvm::json::Value getActions(llvm::StringRef uri, const Document &document,
                             llvm::lsp::Range range,
                             llvm::ArrayRef<std::string> only,
                             bool showsRelated);

} // namespace formwork::tools

#endif // FORMWORK_TOOLS_FORMWORK_LSP_SERVER_ANSWERS_H
