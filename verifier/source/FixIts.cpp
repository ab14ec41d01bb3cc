//===- FixIts.cpp - Fix-its as edits of a schedule --------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verifier/source/FixIts.h"

#include "verifier/source/SourceTokens.h"

#include "mlir/Support/DebugStringHelper.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::verifier;
using engine::TextEdit;
using engine::TextEdits;

static bool lies(TextRange inner, TextRange outer) {
  return inner.begin >= outer.begin && inner.end <= outer.end;
}

TextEdit FixIts::makeEdit(Operation *op, TextRange range,
                          StringRef text) const {
  StringRef source = names->getText();
  if (lineStarts.empty()) {
    lineStarts.push_back(0);
    for (size_t at = source.find('\n'); at != StringRef::npos;
         at = source.find('\n', at + 1))
      lineStarts.push_back(at + 1);
  }
  auto place = [&](size_t offset) -> std::pair<unsigned, unsigned> {
    auto line = std::prev(llvm::upper_bound(lineStarts, offset));
    return {line - lineStarts.begin() + 1, offset - *line + 1};
  };
  auto [line, column] = place(range.begin);
  auto [endLine, endColumn] = place(range.end);
  // An operation can say that it comes from elsewhere.
  auto file = StringAttr::get(op->getContext(), names->getFile());
  return {FileLineColRange::get(file, line, column, endLine, endColumn),
          text.str()};
}

SmallVector<TextRange> FixIts::getTokens(Operation *op) const {
  std::optional<TextRange> range = names ? names->getRange(op) : std::nullopt;
  if (!range)
    return {};
  return splitIntoTokens(names->getText(), *range);
}

TextEdits FixIts::insertBefore(Operation *op, StringRef lines) const {
  std::optional<TextRange> range = names ? names->getRange(op) : std::nullopt;
  if (!range)
    return {};
  StringRef source = names->getText();
  StringRef line = source.take_front(range->begin);
  line = line.substr(line.rfind('\n') + 1);
  StringRef indent =
      line.take_while([](char c) { return c == ' ' || c == '\t'; });
  StringRef ending = source.contains("\r\n") ? "\r\n" : "\n";
  std::string text;
  for (auto [first, rest] = lines.split('\n'); !first.empty();
       std::tie(first, rest) = rest.split('\n'))
    text += (first + ending + indent).str();
  return {makeEdit(op, {range->begin, range->begin}, text)};
}

TextEdits FixIts::insertBehindName(Operation *op, StringRef text) const {
  std::optional<TextRange> name =
      names ? names->getNameRange(op) : std::nullopt;
  if (!name)
    return {};
  return {makeEdit(op, {name->end, name->end}, (" " + text).str())};
}

/// The uses of `value` in `range`.
static SmallVector<TextRange> getUsesIn(const SourceNames &names, Value value,
                                        TextRange range) {
  SmallVector<TextRange> uses;
  for (TextRange use : names.getUses(value))
    if (lies(use, range))
      uses.push_back(use);
  return uses;
}

TextEdits FixIts::insertBehindUse(Operation *op, Value value,
                                  StringRef text) const {
  std::optional<TextRange> range = names ? names->getRange(op) : std::nullopt;
  if (!range)
    return {};
  SmallVector<TextRange> uses = getUsesIn(*names, value, *range);
  if (uses.size() != 1)
    return {};
  return {makeEdit(op, {uses[0].end, uses[0].end}, (" " + text).str())};
}

TextEdits FixIts::replaceUses(Operation *op, Value value, Value by) const {
  std::optional<TextRange> range = names ? names->getRange(op) : std::nullopt;
  std::optional<std::string> name = names ? names->getName(by) : std::nullopt;
  // In a region of the op, another value may be the right one.
  if (!range || !name || op->getNumRegions() != 0)
    return {};
  TextEdits edits;
  for (TextRange use : getUsesIn(*names, value, *range))
    edits.push_back(makeEdit(op, use, *name));
  return edits;
}

TextEdits FixIts::renameFrom(Operation *op, Value value, StringRef name) const {
  std::optional<size_t> offset = names ? names->getOffset(op) : std::nullopt;
  TextEdits edits;
  if (!offset)
    return edits;
  for (TextRange use : names->getUses(value))
    if (use.begin >= *offset)
      edits.push_back(makeEdit(op, use, name));
  return edits;
}

TextEdits FixIts::replaceClause(Operation *op, StringRef key,
                                StringRef text) const {
  SmallVector<TextRange> tokens = getTokens(op);
  if (tokens.empty())
    return {};
  std::optional<TextRange> value = findClause(names->getText(), tokens, key);
  if (!value)
    return {};
  return {makeEdit(op, *value, text)};
}

SmallVector<TextRange> FixIts::getElements(Operation *op, StringRef key) const {
  SmallVector<TextRange> tokens = getTokens(op);
  if (tokens.empty())
    return {};
  StringRef source = names->getText();
  std::optional<TextRange> value = findClause(source, tokens, key);
  return value ? splitList(source, tokens, *value) : SmallVector<TextRange>();
}

TextEdits FixIts::replaceElement(Operation *op, StringRef key, unsigned index,
                                 StringRef was, StringRef text) const {
  SmallVector<TextRange> elements = getElements(op, key);
  if (index >= elements.size() ||
      slice(names->getText(), elements[index]) != was)
    return {};
  return {makeEdit(op, elements[index], text)};
}

TextEdits FixIts::truncateList(Operation *op, StringRef key,
                               unsigned count) const {
  SmallVector<TextRange> elements = getElements(op, key);
  if (count == 0 || count >= elements.size())
    return {};
  return {makeEdit(op, {elements[count - 1].end, elements.back().end},
                   StringRef())};
}

TextEdits FixIts::replaceWords(Operation *op, StringRef was,
                               StringRef text) const {
  SmallVector<TextRange> tokens = getTokens(op);
  if (tokens.empty())
    return {};
  StringRef source = names->getText();
  SmallVector<TextRange> words = splitIntoTokens(was, {0, was.size()});
  std::optional<TextRange> found;
  for (size_t i = 0; i + words.size() <= tokens.size(); ++i) {
    bool matches = llvm::all_of(llvm::seq(words.size()), [&](size_t j) {
      return slice(source, tokens[i + j]) == slice(was, words[j]);
    });
    if (!matches)
      continue;
    if (found)
      return {};
    found = {tokens[i].begin, tokens[i + words.size() - 1].end};
  }
  if (!found)
    return {};
  return {makeEdit(op, *found, text)};
}

TextEdits FixIts::resizeResults(Operation *op, unsigned count) {
  std::optional<TextRange> range = names ? names->getRange(op) : std::nullopt;
  std::optional<TextRange> opName =
      names ? names->getNameRange(op) : std::nullopt;
  if (!range || !opName || count == 0 || op->getNumResults() == 0)
    return {};
  for (Value result :
       op->getResults().drop_front(std::min(count, op->getNumResults())))
    if (!result.use_empty())
      return {};
  // Each result has a name of its own, so that the list can be written anew.
  std::string results;
  for (unsigned i = 0; i < count; ++i) {
    std::optional<std::string> name = i < op->getNumResults()
                                          ? names->getName(op->getResult(i))
                                          : makeName("%part");
    if (!name || StringRef(*name).contains('#'))
      return {};
    results += (i == 0 ? "" : ", ") + *name;
  }
  StringRef source = names->getText();
  SmallVector<TextRange> tokens = getTokens(op);
  const auto *arrow = llvm::find_if(
      tokens, [&](TextRange token) { return slice(source, token) == "->"; });
  const auto *equals = llvm::find_if(
      tokens, [&](TextRange token) { return slice(source, token) == "="; });
  if (arrow == tokens.end() || arrow + 1 == tokens.end() ||
      equals == tokens.end() || equals->begin > opName->begin)
    return {};
  std::string type = debugString(op->getResult(0).getType());
  std::string types = type;
  for (unsigned i = 1; i < count; ++i)
    types += ", " + type;
  if (count > 1)
    types = "(" + types + ")";
  // The type goes on in brackets, or is all in brackets.
  const auto *last = arrow + 1;
  unsigned depth = 0;
  for (const auto *token = last; token != tokens.end(); ++token) {
    StringRef word = slice(source, *token);
    bool opens = word == "(" || word == "<";
    if (depth == 0 && token != arrow + 1 && !opens)
      break;
    depth += opens;
    depth -= word == ")" || word == ">";
    last = token;
  }
  return {makeEdit(op, {range->begin, std::prev(equals)->end}, results),
          makeEdit(op, {(arrow + 1)->begin, last->end}, types)};
}

std::string FixIts::makeName(StringRef base) {
  return makeUniqueName(base, names ? names->getText() : StringRef(), taken);
}
