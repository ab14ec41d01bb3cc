//===- SourceNames.h - Names and places of a parsed file --------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The names of values in the source of a schedule, and the places of ops:
// the IR itself keeps neither. Layer: verifier; a view of mlir::AsmParserState.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_SOURCE_SOURCENAMES_H
#define FORMWORK_VERIFIER_SOURCE_SOURCENAMES_H

#include "mlir/AsmParser/AsmParserState.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"

#include <optional>
#include <string>

namespace formwork::verifier {

/// Bytes of a text, `end` not included.
struct TextRange {
  size_t begin = 0;
  size_t end = 0;
};

/// A view; the state, and the buffer that was parsed into it, must outlive it.
class SourceNames {
public:
  /// `text` is the buffer that `state` describes, which the parser read as
  /// `file`.
  SourceNames(const mlir::AsmParserState &state, llvm::StringRef text,
              llvm::StringRef file)
      : state(state), text(text), file(file) {}

  /// `%func`, or `%x#1` for a result of a group; none for a value that is not
  /// of this file.
  std::optional<std::string> getName(mlir::Value value) const;

  /// The offset in the text at which `op` begins, its results included; none
  /// for an op that is not of this file.
  std::optional<size_t> getOffset(mlir::Operation *op) const;

  /// Where the text of `op` is, from its first result to its end, regions
  /// included; none for an op that is not of this file.
  std::optional<TextRange> getRange(mlir::Operation *op) const;
  /// Where `op` is named, behind its results.
  std::optional<TextRange> getNameRange(mlir::Operation *op) const;
  /// Where `value` is used, the `#1` of a result of a group included.
  llvm::SmallVector<TextRange> getUses(mlir::Value value) const;

  /// Whether `op` is of this file and its results are not named there.
  bool isUnnamed(mlir::Operation *op) const;

  llvm::StringRef getText() const { return text; }
  llvm::StringRef getFile() const { return file; }

private:
  TextRange toRange(llvm::SMRange range) const {
    return {static_cast<size_t>(range.Start.getPointer() - text.begin()),
            static_cast<size_t>(range.End.getPointer() - text.begin())};
  }
  bool contains(llvm::SMRange range) const {
    return range.isValid() && range.Start.getPointer() >= text.begin() &&
           range.End.getPointer() <= text.end();
  }

  const mlir::AsmParserState &state;
  llvm::StringRef text, file;
};

/// Whether `c` can stand in the name of a value, behind its `%`.
bool isNameCharacter(char c);

/// `base`, or `base_N` for the least N, such that `text` has no value of that
/// name and `taken`, to which it is added, does not either.
std::string makeUniqueName(llvm::StringRef base, llvm::StringRef text,
                           llvm::StringSet<> &taken);

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_SOURCE_SOURCENAMES_H
