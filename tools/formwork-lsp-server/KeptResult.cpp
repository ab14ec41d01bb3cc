//===- KeptResult.cpp - A result beside other comments -----*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/formwork-lsp-server/KeptResult.h"

#include "tools/formwork-lsp-server/Changes.h"

using namespace formwork::tools;
using llvm::StringRef;
namespace json = llvm::json;
namespace lsp = llvm::lsp;

/// Whether `range`, or the line in front of it, has one of `lines`: an edit may
/// cover the comment behind what it replaces.
static bool isNear(const lsp::Range &range, llvm::ArrayRef<size_t> lines) {
  return llvm::any_of(lines, [&](size_t line) {
    return line + 1 >= size_t(range.start.line) &&
           line <= size_t(range.end.line);
  });
}

std::optional<std::string>
formwork::tools::moveRepair(StringRef before, StringRef repaired,
                            const std::string &after) {
  if (before == after)
    return repaired.str();
  std::optional<llvm::SmallVector<size_t>> changes =
      findCommentChanges(before, after);
  lsp::TextEdit all = makeEdit(before, repaired);
  if (!changes || isNear(all.range, *changes))
    return std::nullopt;
  std::string text = after;
  applyChange(json::Object{{"range", all.range}, {"text", all.newText}}, text);
  return text;
}

bool formwork::tools::keepResult(Document &document, const std::string &text) {
  if (document.checkedText == text)
    return true;
  std::optional<llvm::SmallVector<size_t>> changes =
      findCommentChanges(document.checkedText, text);
  if (!changes)
    return false;
  for (const DocumentDiagnostic &diagnostic : document.diagnostics)
    for (const DocumentFix &fix : diagnostic.fixes)
      for (const lsp::TextEdit &edit : fix.edits)
        if (isNear(edit.range, *changes))
          return false;
  if (document.repaired) {
    std::optional<std::string> moved =
        moveRepair(document.checkedText, *document.repaired, text);
    if (!moved)
      return false;
    document.repaired = std::move(moved);
  }
  if (document.readText == document.checkedText)
    document.readText = text;
  document.checkedText = text;
  return true;
}
