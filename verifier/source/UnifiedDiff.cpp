//===- UnifiedDiff.cpp - What changed in a text -----------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verifier/source/UnifiedDiff.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <vector>

using namespace llvm;

namespace {
/// A line of the diff: kept, taken out, or put in. Its end is part of it, so
/// that a last line without one differs from the same line with one.
struct DiffLine {
  char kind; // ' ', '-' or '+'
  StringRef text;
};
} // namespace

/// Beyond that many changed lines the search would cost too much.
static constexpr ptrdiff_t maxEdits = 2000;

static std::vector<StringRef> splitLines(StringRef text) {
  std::vector<StringRef> lines;
  while (!text.empty()) {
    size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    lines.push_back(text.take_front(end));
    text = text.drop_front(end);
  }
  return lines;
}

/// The shortest way from `a` to `b`, taking out before putting in.
static std::vector<DiffLine> compare(ArrayRef<StringRef> a,
                                     ArrayRef<StringRef> b) {
  std::vector<DiffLine> result;
  size_t prefix = 0;
  while (prefix < std::min(a.size(), b.size()) && a[prefix] == b[prefix])
    ++prefix;
  ArrayRef<StringRef> common = a.take_front(prefix);
  a = a.drop_front(prefix);
  b = b.drop_front(prefix);
  size_t suffix = 0;
  while (suffix < std::min(a.size(), b.size()) &&
         a[a.size() - 1 - suffix] == b[b.size() - 1 - suffix])
    ++suffix;
  ArrayRef<StringRef> tail = a.take_back(suffix);
  a = a.drop_back(suffix);
  b = b.drop_back(suffix);

  // How far into `a` a path on diagonal k = x - y comes; of each number of
  // edits only the diagonals that it can reach.
  auto n = static_cast<ptrdiff_t>(a.size());
  auto m = static_cast<ptrdiff_t>(b.size());
  ptrdiff_t most = std::min(n + m, maxEdits);
  std::vector<std::vector<ptrdiff_t>> history;
  std::vector<ptrdiff_t> furthest(2 * most + 3, 0);
  bool done = false;
  for (ptrdiff_t edits = 0; edits <= most && !done; ++edits) {
    auto *first = furthest.data() + most + 1 - (edits + 1);
    history.emplace_back(first, first + 2 * (edits + 1) + 1);
    for (ptrdiff_t k = -edits; k <= edits && !done; k += 2) {
      ptrdiff_t *at = &furthest[k + most + 1];
      bool down = k == -edits || (k != edits && at[-1] < at[1]);
      ptrdiff_t x = down ? at[1] : at[-1] + 1;
      while (x < n && x - k < m && a[x] == b[x - k])
        ++x;
      *at = x;
      done = x >= n && x - k >= m;
    }
  }
  std::vector<DiffLine> middle;
  ptrdiff_t x = n, y = m;
  if (!done) {
    // Too much changed to look for what did not.
    while (y > 0)
      middle.push_back({'+', b[--y]});
    while (x > 0)
      middle.push_back({'-', a[--x]});
    history.clear();
  }
  for (auto edits = static_cast<ptrdiff_t>(history.size()) - 1; edits >= 0;
       --edits) {
    ptrdiff_t k = x - y;
    const ptrdiff_t *at = &history[edits][k + edits + 1];
    bool down = k == -edits || (k != edits && at[-1] < at[1]);
    ptrdiff_t fromX = edits == 0 ? 0 : (down ? at[1] : at[-1]);
    ptrdiff_t fromY = edits == 0 ? 0 : fromX - (down ? k + 1 : k - 1);
    while (x > fromX && y > fromY) {
      middle.push_back({' ', a[--x]});
      --y;
    }
    if (edits == 0)
      continue;
    if (down)
      middle.push_back({'+', b[--y]});
    else
      middle.push_back({'-', a[--x]});
  }
  for (StringRef line : common)
    result.push_back({' ', line});
  result.insert(result.end(), middle.rbegin(), middle.rend());
  for (StringRef line : tail)
    result.push_back({' ', line});
  return result;
}

std::string formwork::verifier::printUnifiedDiff(StringRef name,
                                                 StringRef before,
                                                 StringRef after,
                                                 unsigned linesBefore) {
  if (before == after)
    return "";
  std::vector<StringRef> a = splitLines(before), b = splitLines(after);
  std::vector<DiffLine> lines = compare(a, b);
  constexpr size_t context = 3;
  std::string result;
  raw_string_ostream os(result);
  os << "--- " << name << "\n+++ " << name << "\n";
  size_t oldLine = linesBefore + 1, newLine = oldLine; // of lines[done]
  size_t done = 0;
  auto advance = [&](size_t to) {
    for (; done < to; ++done) {
      oldLine += lines[done].kind != '+';
      newLine += lines[done].kind != '-';
    }
  };
  for (size_t i = 0; i < lines.size();) {
    if (lines[i].kind == ' ') {
      ++i;
      continue;
    }
    size_t last = i;
    for (size_t j = i; j < lines.size() && j <= last + 2 * context; ++j)
      if (lines[j].kind != ' ')
        last = j;
    size_t begin = std::max(i - std::min(i, context), done);
    size_t end = std::min(lines.size(), last + context + 1);
    advance(begin);
    size_t oldSize = 0, newSize = 0;
    for (size_t j = begin; j < end; ++j) {
      oldSize += lines[j].kind != '+';
      newSize += lines[j].kind != '-';
    }
    // A range of no lines is called after the line before it.
    os << "@@ -" << oldLine - (oldSize == 0) << "," << oldSize << " +"
       << newLine - (newSize == 0) << "," << newSize << " @@\n";
    for (size_t j = begin; j < end; ++j) {
      os << lines[j].kind << lines[j].text;
      // patch(1) wants to know of a last line that is not ended.
      if (!lines[j].text.ends_with("\n"))
        os << "\n\\ No newline at end of file\n";
    }
    i = end;
  }
  return result;
}
