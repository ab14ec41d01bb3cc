//===- ApplyEdits.cpp - Fix-its, carried out --------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verifier/source/ApplyEdits.h"

#include "llvm/ADT/STLExtras.h"

#include <set>
#include <tuple>
#include <vector>

using namespace mlir;
using namespace formwork;
using namespace formwork::verifier;

static void sortByPlace(SmallVectorImpl<SourceEdit> &edits) {
  llvm::stable_sort(edits, [](const SourceEdit &a, const SourceEdit &b) {
    return std::tie(a.range.begin, a.range.end) <
           std::tie(b.range.begin, b.range.end);
  });
}

std::string formwork::verifier::applySourceEdits(StringRef text,
                                                 ArrayRef<SourceEdit> edits) {
  SmallVector<SourceEdit> inOrder(edits);
  sortByPlace(inOrder);
  std::string result;
  size_t done = 0;
  for (const SourceEdit &edit : inOrder) {
    result += text.slice(done, edit.range.begin);
    result += edit.text;
    done = std::max(done, edit.range.end);
  }
  return result + text.substr(done).str();
}

/// The fix-it in bytes; none if an edit is in another file or beyond the text.
static std::optional<ByteFix> toBytes(ArrayRef<engine::TextEdit> edits,
                                      StringRef file, StringRef text,
                                      ArrayRef<size_t> lineStarts) {
  ByteFix fix;
  for (const engine::TextEdit &edit : edits) {
    FileLineColRange range = edit.range;
    if (range.getFilename().strref() != file)
      return std::nullopt;
    auto offset = [&](unsigned line, unsigned column) {
      return line == 0 || line > lineStarts.size() || column == 0
                 ? StringRef::npos
                 : lineStarts[line - 1] + column - 1;
    };
    TextRange bytes = {offset(range.getStartLine(), range.getStartColumn()),
                       offset(range.getEndLine(), range.getEndColumn())};
    if (bytes.begin > bytes.end || bytes.end > text.size())
      return std::nullopt;
    fix.push_back({bytes, edit.text});
  }
  sortByPlace(fix);
  return fix;
}

SmallVector<ByteFix>
formwork::verifier::collectFixes(ArrayRef<engine::Finding> findings,
                                 StringRef file, StringRef text) {
  std::vector<size_t> lineStarts = {0};
  for (size_t at = text.find('\n'); at != StringRef::npos;
       at = text.find('\n', at + 1))
    lineStarts.push_back(at + 1);
  SmallVector<ByteFix> fixes;
  for (const engine::Finding &finding : findings) {
    const auto *note =
        llvm::find_if(finding.notes, [](const engine::Note &candidate) {
          return !candidate.edits.empty();
        });
    if (note == finding.notes.end())
      continue;
    if (std::optional<ByteFix> fix =
            toBytes(note->edits, file, text, lineStarts))
      fixes.push_back(std::move(*fix));
  }
  llvm::stable_sort(fixes, [](const ByteFix &a, const ByteFix &b) {
    return a.front().range.begin < b.front().range.begin;
  });
  // Several findings may ask for the same.
  std::set<std::vector<std::tuple<size_t, size_t, std::string>>> seen;
  llvm::erase_if(fixes, [&](const ByteFix &fix) {
    std::vector<std::tuple<size_t, size_t, std::string>> key;
    for (const SourceEdit &edit : fix)
      key.emplace_back(edit.range.begin, edit.range.end, edit.text);
    return !seen.insert(std::move(key)).second;
  });
  return fixes;
}

static bool conflict(TextRange a, TextRange b) {
  bool aIsEmpty = a.begin == a.end, bIsEmpty = b.begin == b.end;
  if (aIsEmpty && bIsEmpty)
    return false;
  // Text that is inserted at the edge of a range is not in it.
  return a.begin < b.end && b.begin < a.end;
}

SmallVector<ByteFix>
formwork::verifier::dropConflicts(ArrayRef<ByteFix> fixes) {
  SmallVector<ByteFix> taken;
  for (const ByteFix &fix : fixes) {
    bool clashes = llvm::any_of(taken, [&](const ByteFix &other) {
      return llvm::any_of(fix, [&](const SourceEdit &edit) {
        return llvm::any_of(other, [&](const SourceEdit &before) {
          return conflict(edit.range, before.range);
        });
      });
    });
    if (!clashes)
      taken.push_back(fix);
  }
  return taken;
}

std::string formwork::verifier::applyFixes(StringRef text,
                                           ArrayRef<ByteFix> fixes) {
  SmallVector<SourceEdit> edits;
  for (const ByteFix &fix : fixes)
    llvm::append_range(edits, fix);
  return applySourceEdits(text, edits);
}
