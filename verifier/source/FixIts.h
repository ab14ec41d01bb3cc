//===- FixIts.h - Fix-its as edits of a schedule ----------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The changes of a fix-it to the text of a schedule, by the places that the
// parser knows and by the words of an op. Layer: verifier; text and IR in,
// edits out.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_SOURCE_FIXITS_H
#define FORMWORK_VERIFIER_SOURCE_FIXITS_H

#include "engine/Diagnostics.h"
#include "verifier/source/SourceNames.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringSet.h"

#include <vector>

namespace formwork::verifier {

/// Makes the edits of fix-its; without a source, or for an op that the source
/// does not have in the shape that is asked for, there are none. Cost: linear
/// in the text of the op; the first edit, in the text of the file.
class FixIts {
public:
  /// `names` may be null, and must outlive this.
  explicit FixIts(const SourceNames *names) : names(names) {}

  /// `lines`, each ended by a newline, before `op`, indented as it is.
  engine::TextEdits insertBefore(mlir::Operation *op,
                                 llvm::StringRef lines) const;
  /// ` text` behind the name of `op`.
  engine::TextEdits insertBehindName(mlir::Operation *op,
                                     llvm::StringRef text) const;
  /// ` text` behind the only use of `value` as an operand of `op`.
  engine::TextEdits insertBehindUse(mlir::Operation *op, mlir::Value value,
                                    llvm::StringRef text) const;
  /// The name of `by` for each use of `value` as an operand of `op`.
  engine::TextEdits replaceUses(mlir::Operation *op, mlir::Value value,
                                mlir::Value by) const;
  /// `name`, with its `%`, for each use of `value` from `op` on.
  engine::TextEdits renameFrom(mlir::Operation *op, mlir::Value value,
                               llvm::StringRef name) const;
  /// `text` as the value of the clause `key` of `op`.
  engine::TextEdits replaceClause(mlir::Operation *op, llvm::StringRef key,
                                  llvm::StringRef text) const;
  /// `text` for the element `index` of the list that is the value of the clause
  /// `key` of `op`, where that element is written `was`.
  engine::TextEdits replaceElement(mlir::Operation *op, llvm::StringRef key,
                                   unsigned index, llvm::StringRef was,
                                   llvm::StringRef text) const;
  /// The list of the clause `key` of `op` without what is behind its first
  /// `count` elements.
  engine::TextEdits truncateList(mlir::Operation *op, llvm::StringRef key,
                                 unsigned count) const;
  /// `text` for the words `was` of `op`, which must occur once.
  engine::TextEdits replaceWords(mlir::Operation *op, llvm::StringRef was,
                                 llvm::StringRef text) const;
  /// `count` results for `op`, all of the type of the first: names that are
  /// free for new ones. The results that go must have no use.
  engine::TextEdits resizeResults(mlir::Operation *op, unsigned count);

  /// `base`, or `base_N`, as the name of a value that the source does not have.
  std::string makeName(llvm::StringRef base);

private:
  llvm::SmallVector<TextRange> getTokens(mlir::Operation *op) const;
  /// The elements of the list that is the value of the clause `key` of `op`;
  /// none where that is not found.
  llvm::SmallVector<TextRange> getElements(mlir::Operation *op,
                                           llvm::StringRef key) const;
  engine::TextEdit makeEdit(mlir::Operation *op, TextRange range,
                            llvm::StringRef text) const;

  const SourceNames *names;
  llvm::StringSet<> taken;
  /// Where the lines begin; filled when first needed.
  mutable std::vector<size_t> lineStarts;
};

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_SOURCE_FIXITS_H
