//===- Changes.cpp - Versions of a text -------------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/formwork-lsp-server/Changes.h"

#include "tools/service/TextPositions.h"

#include <algorithm>

using namespace formwork::tools;
using llvm::StringRef;
namespace json = llvm::json;
namespace lsp = llvm::lsp;

void formwork::tools::applyChange(const json::Object &change,
                                  std::string &text) {
  std::string inserted = change.getString("text").value_or("").str();
  const json::Value *written = change.get("range");
  lsp::Range range;
  json::Path::Root root;
  if (!written || !fromJSON(*written, range, root)) {
    text = std::move(inserted);
    return;
  }
  TextPositions positions(text);
  size_t begin = positions.toOffset(range.start);
  size_t end = std::max(begin, positions.toOffset(range.end));
  text.replace(begin, end - begin, inserted);
}

static llvm::SmallVector<StringRef> split(StringRef text) {
  llvm::SmallVector<StringRef> lines;
  text.split(lines, '\n');
  return lines;
}

/// `line` without the comment and the blanks at its end. No string of MLIR goes
/// over a line.
static StringRef getCode(StringRef line) {
  bool isString = false;
  for (size_t at = 0; at < line.size(); ++at) {
    if (isString && line[at] == '\\')
      ++at;
    else if (line[at] == '"')
      isString = !isString;
    else if (!isString && line.substr(at).starts_with("//"))
      return line.take_front(at).rtrim();
  }
  return line.rtrim();
}

std::optional<llvm::SmallVector<size_t>>
formwork::tools::findCommentChanges(StringRef before, StringRef after) {
  llvm::SmallVector<size_t> changes;
  for (size_t number = 0;; ++number) {
    auto [line, rest] = before.split('\n');
    auto [newLine, newRest] = after.split('\n');
    if (line != newLine) {
      if (getCode(line) != getCode(newLine))
        return std::nullopt;
      changes.push_back(number);
    }
    // One of them may have blank lines at its end that the other one lacks.
    if (rest.empty() || newRest.empty()) {
      if (!rest.empty() || !newRest.empty())
        return std::nullopt;
      return changes;
    }
    before = rest;
    after = newRest;
  }
}

LineMap::LineMap(StringRef from, StringRef to) {
  llvm::SmallVector<StringRef> before = split(from), after = split(to);
  numFrom = before.size();
  numTo = after.size();
  size_t most = std::min(numFrom, numTo);
  while (first < most && before[first] == after[first])
    ++first;
  // The last line of the shorter text has no end that the other one continues.
  if (first == most && numFrom != numTo)
    --first;
  while (last < most - first &&
         before[numFrom - 1 - last] == after[numTo - 1 - last])
    ++last;
}

std::optional<lsp::Position> LineMap::map(lsp::Position position) const {
  size_t line = position.line;
  if (line < first)
    return position;
  if (line >= numFrom || line < numFrom - last)
    return std::nullopt;
  position.line = line + numTo - numFrom;
  return position;
}

std::optional<lsp::Range> LineMap::map(lsp::Range range) const {
  std::optional<lsp::Position> start = map(range.start), end = map(range.end);
  if (!start || !end)
    return std::nullopt;
  return lsp::Range(*start, *end);
}

lsp::TextEdit formwork::tools::makeEdit(StringRef before, StringRef after) {
  LineMap map(before, after);
  TextPositions from(before), to(after);
  auto middle = [&](StringRef text, const TextPositions &positions) {
    size_t begin = positions.toOffset(lsp::Position(map.getNumFirst(), 0));
    size_t end = positions.toOffset(
        lsp::Position(positions.getNumLines() - map.getNumLast(), 0));
    return std::pair(begin, std::max(begin, end));
  };
  auto [begin, end] = middle(before, from);
  auto [newBegin, newEnd] = middle(after, to);
  return {from.toRange(begin, end), after.slice(newBegin, newEnd).str()};
}
