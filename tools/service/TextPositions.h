//===- TextPositions.h - Bytes and positions of a text ----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Turns bytes of a text into positions as editors have them, and back. Layer:
// tools; text alone.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TOOLS_SERVICE_TEXTPOSITIONS_H
#define FORMWORK_TOOLS_SERVICE_TEXTPOSITIONS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/LSP/Protocol.h"

#include <vector>

namespace formwork::tools {

/// A view of a text, which must outlive it. Positions count lines and UTF-16
/// code units from 0. An invalid byte counts as one unit.
class TextPositions {
public:
  explicit TextPositions(llvm::StringRef text);

  /// The position of the byte at `offset`; behind the text, of its end. Cost:
  /// linear in the line.
  llvm::lsp::Position toPosition(size_t offset) const;
  llvm::lsp::Range toRange(size_t begin, size_t end) const {
    return {toPosition(begin), toPosition(end)};
  }
  /// The byte at `position`; behind a line, the end of the line; inside of a
  /// character, its start. Cost: linear in the line.
  size_t toOffset(llvm::lsp::Position position) const;

  /// The text of line `number`, without its end; empty behind the text.
  llvm::StringRef getLine(size_t number) const;
  size_t getNumLines() const { return starts.size(); }

private:
  llvm::StringRef text;
  /// Where each line begins.
  std::vector<size_t> starts;
};

} // namespace formwork::tools

#endif // FORMWORK_TOOLS_SERVICE_TEXTPOSITIONS_H
