//===- Template.cpp - Text with choices -----------------------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bench/campaign/Template.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

using llvm::SmallVector;
using llvm::StringRef;

/// Takes a choice off the front of `text`, which begins behind its `$<`.
static SmallVector<StringRef> takeAlternatives(StringRef &text) {
  SmallVector<StringRef> alternatives;
  unsigned depth = 0;
  size_t begin = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    StringRef rest = text.substr(i);
    if (rest.starts_with("$<")) {
      ++depth;
    } else if (rest.starts_with("$>")) {
      if (depth-- == 0) {
        alternatives.push_back(text.slice(begin, i));
        text = text.drop_front(i + 2);
        return alternatives;
      }
    } else if (text[i] == '~' && depth == 0) {
      alternatives.push_back(text.slice(begin, i));
      begin = i + 1;
    }
  }
  llvm::report_fatal_error("a choice of a template has no end");
}

/// Takes `(argument)` off the front of `text`, if it is there.
static StringRef takeArgument(StringRef &text) {
  if (!text.starts_with("("))
    return "";
  unsigned depth = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    depth += text[i] == '(';
    depth -= text[i] == ')';
    if (depth != 0)
      continue;
    StringRef argument = text.slice(1, i);
    text = text.drop_front(i + 1);
    return argument;
  }
  llvm::report_fatal_error("an argument in a template has no end");
}

std::string formwork::campaign::expand(StringRef text, Random &random,
                                       Placeholder value) {
  std::string result;
  while (true) {
    auto [before, rest] = text.split('$');
    result += before;
    if (before.size() == text.size())
      return result;
    if (rest.consume_front("<")) {
      SmallVector<StringRef> alternatives = takeAlternatives(rest);
      StringRef one = alternatives[random.below(alternatives.size())];
      result += expand(one, random, value);
    } else {
      StringRef name = rest.take_while(llvm::isAlpha);
      rest = rest.drop_front(name.size());
      std::string argument = expand(takeArgument(rest), random, value);
      result += value(name, argument);
    }
    text = rest;
  }
}

std::string formwork::campaign::replaceAll(StringRef text, StringRef from,
                                           StringRef to) {
  std::string result;
  while (true) {
    auto [before, after] = text.split(from);
    result += before;
    if (before.size() == text.size())
      return result;
    result += to;
    text = after;
  }
}

StringRef
formwork::campaign::pick(Random &random,
                         llvm::ArrayRef<llvm::StringLiteral> choices) {
  return choices[random.below(choices.size())];
}
