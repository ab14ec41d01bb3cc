//===- ApplyEdits.h - Fix-its, carried out ----------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Chooses among the edits of fix-its those that do not stand in each other's
// way, and makes the text that they lead to. Layer: verifier; text in, text
// out.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_SOURCE_APPLYEDITS_H
#define FORMWORK_VERIFIER_SOURCE_APPLYEDITS_H

#include "engine/Diagnostics.h"
#include "verifier/source/SourceNames.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace formwork::verifier {

/// `text` goes where `range` was.
struct SourceEdit {
  TextRange range;
  std::string text;
};

/// `text` with the edits, in any order. Their ranges do not overlap. Insertions
/// at one place are written in the order in which they are given.
std::string applySourceEdits(llvm::StringRef text,
                             llvm::ArrayRef<SourceEdit> edits);

/// One fix-it as edits of one file, in the order of their places.
using ByteFix = llvm::SmallVector<SourceEdit, 1>;

/// The first fix-it with edits of each finding, where all of them are in
/// `file`, whose text is `text`; by place, the same one once. Cost: linear in
/// the text and n log n in the fix-its.
llvm::SmallVector<ByteFix>
collectFixes(llvm::ArrayRef<engine::Finding> findings, llvm::StringRef file,
             llvm::StringRef text);

/// Those of `fixes`, from the first on, that touch nothing that an earlier one
/// of them changes. Two insertions at one place are both taken.
llvm::SmallVector<ByteFix> dropConflicts(llvm::ArrayRef<ByteFix> fixes);

/// `text` with the fix-its, which must be free of conflicts.
std::string applyFixes(llvm::StringRef text, llvm::ArrayRef<ByteFix> fixes);

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_SOURCE_APPLYEDITS_H
