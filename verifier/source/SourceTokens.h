//===- SourceTokens.h - The words of MLIR text ------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Splits MLIR text into words, so that edits find what they change whatever the
// layout, and never in a comment or a string. Layer: verifier; text only.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_SOURCE_SOURCETOKENS_H
#define FORMWORK_VERIFIER_SOURCE_SOURCETOKENS_H

#include "verifier/source/SourceNames.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <optional>

namespace formwork::verifier {

/// The part of `text` in `range`.
inline llvm::StringRef slice(llvm::StringRef text, TextRange range) {
  return text.slice(range.begin, range.end);
}

/// The words of `text` between `range`, without comments and blanks. A word is
/// a string, a name with its `%`, `@`, `#`, `!` or `^`, a number with its sign,
/// `->`, or a single character.
llvm::SmallVector<TextRange> splitIntoTokens(llvm::StringRef text,
                                             TextRange range);

/// The value of the clause `key value` or `key = value`: a bracketed list, its
/// brackets included, or one word. None if the key does not occur exactly once.
/// Example: for `block_dims`, the `[16, 4, 1]` in `block_dims = [16, 4, 1]`.
std::optional<TextRange> findClause(llvm::StringRef text,
                                    llvm::ArrayRef<TextRange> tokens,
                                    llvm::StringRef key);

/// The elements of a list that is written from `list.begin` to `list.end`, the
/// brackets included; each without the blanks around it.
llvm::SmallVector<TextRange> splitList(llvm::StringRef text,
                                       llvm::ArrayRef<TextRange> tokens,
                                       TextRange list);

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_SOURCE_SOURCETOKENS_H
