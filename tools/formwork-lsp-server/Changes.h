//===- Changes.h - Versions of a text ---------------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Changes that an editor makes to a text, and which lines two versions share.
// Layer: tools; text alone.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TOOLS_FORMWORK_LSP_SERVER_CHANGES_H
#define FORMWORK_TOOLS_FORMWORK_LSP_SERVER_CHANGES_H

#include "llvm/Support/JSON.h"
#include "llvm/Support/LSP/Protocol.h"

#include <optional>
#include <string>

namespace formwork::tools {

/// Carries out one change of `textDocument/didChange`: the text of a range, or
/// all of it. Ranges count UTF-16 code units; what is beyond the text is its
/// end.
void applyChange(const llvm::json::Object &change, std::string &text);

/// The edit that makes `before` of `after`: whole lines, from the first that
/// differs to the last.
llvm::lsp::TextEdit makeEdit(llvm::StringRef before, llvm::StringRef after);

/// The lines in which `before` and `after` differ, where that is in comments
/// and in blanks at the end alone: each name and each number has the same place
/// in both. None where anything else differs.
std::optional<llvm::SmallVector<size_t>>
findCommentChanges(llvm::StringRef before, llvm::StringRef after);

/// Takes places of one version of a text to another one. The lines at the
/// beginning and at the end that are the same are so; those between have no
/// place in the other version.
class LineMap {
public:
  LineMap(llvm::StringRef from, llvm::StringRef to);

  std::optional<llvm::lsp::Position> map(llvm::lsp::Position position) const;
  std::optional<llvm::lsp::Range> map(llvm::lsp::Range range) const;

  /// Lines at the beginning and at the end that both have.
  size_t getNumFirst() const { return first; }
  size_t getNumLast() const { return last; }

private:
  size_t first = 0, last = 0, numFrom = 0, numTo = 0;
};

} // namespace formwork::tools

#endif // FORMWORK_TOOLS_FORMWORK_LSP_SERVER_CHANGES_H
