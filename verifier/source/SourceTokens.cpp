//===- SourceTokens.cpp - The words of MLIR text ----------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verifier/source/SourceTokens.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace formwork::verifier;

static bool isOpening(StringRef token) {
  return token == "[" || token == "(" || token == "{" || token == "<";
}

static bool isClosing(StringRef token) {
  return token == "]" || token == ")" || token == "}" || token == ">";
}

/// Behind the string that begins at `at`.
static size_t skipString(StringRef text, size_t at, size_t end) {
  for (++at; at < end && text[at] != '"'; ++at)
    if (text[at] == '\\')
      ++at;
  return std::min(at + 1, end);
}

SmallVector<TextRange> formwork::verifier::splitIntoTokens(StringRef text,
                                                           TextRange range) {
  SmallVector<TextRange> tokens;
  size_t at = range.begin, end = std::min(range.end, text.size());
  while (at < end) {
    char c = text[at];
    if (llvm::isSpace(c)) {
      ++at;
      continue;
    }
    if (text.substr(at).starts_with("//")) {
      at = std::min(text.find('\n', at), end);
      continue;
    }
    size_t begin = at++;
    if (c == '"') {
      at = skipString(text, begin, end);
    } else if (c == '-' && at < end && text[at] == '>') {
      ++at;
    } else if (llvm::isAlnum(c) || c == '_' ||
               (StringRef("%@#!^-").contains(c) && at < end &&
                (llvm::isAlnum(text[at]) || text[at] == '_'))) {
      // `x->y` is two names and an arrow.
      while (at < end && isNameCharacter(text[at]) &&
             !text.substr(at).starts_with("->"))
        ++at;
    } else if (c == '@' && at < end && text[at] == '"') {
      at = skipString(text, at, end);
    }
    tokens.push_back({begin, at});
  }
  return tokens;
}

std::optional<TextRange>
formwork::verifier::findClause(StringRef text, ArrayRef<TextRange> tokens,
                               StringRef key) {
  std::optional<TextRange> found;
  for (size_t i = 0; i < tokens.size(); ++i) {
    if (slice(text, tokens[i]) != key)
      continue;
    size_t first = i + 1;
    if (first < tokens.size() && slice(text, tokens[first]) == "=")
      ++first;
    if (found || first >= tokens.size())
      return std::nullopt;
    found = tokens[first];
    if (slice(text, tokens[first]) != "[")
      continue;
    unsigned depth = 0;
    for (size_t j = first; j < tokens.size(); ++j) {
      StringRef token = slice(text, tokens[j]);
      depth += isOpening(token);
      depth -= isClosing(token);
      found->end = tokens[j].end;
      if (depth == 0)
        break;
    }
    if (depth != 0)
      return std::nullopt;
  }
  return found;
}

SmallVector<TextRange> formwork::verifier::splitList(StringRef text,
                                                     ArrayRef<TextRange> tokens,
                                                     TextRange list) {
  SmallVector<TextRange> elements;
  unsigned depth = 0;
  bool isFirst = true;
  for (TextRange token : tokens) {
    if (token.begin <= list.begin || token.end >= list.end)
      continue;
    StringRef word = slice(text, token);
    if (depth == 0 && word == ",") {
      isFirst = true;
      continue;
    }
    depth += isOpening(word);
    depth -= isClosing(word);
    if (isFirst)
      elements.push_back(token);
    else
      elements.back().end = token.end;
    isFirst = false;
  }
  return elements;
}
