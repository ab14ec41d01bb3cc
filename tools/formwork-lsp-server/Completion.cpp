//===- Completion.cpp - Names that may stand at a place ---------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/formwork-lsp-server/Completion.h"
#include "tools/formwork-lsp-server/Changes.h"

#include "tools/service/TextPositions.h"

#include "llvm/ADT/StringExtras.h"

using namespace formwork::tools;
using llvm::StringRef;
namespace json = llvm::json;
namespace lsp = llvm::lsp;

static bool isWord(char c) {
  return llvm::isAlnum(c) || c == '_' || c == '.' || c == '$' || c == '-';
}

/// Whether `text` ends inside of the braces of an apply_patterns, where rule
/// groups stand.
static bool endsInPatterns(StringRef text) {
  int depth = 0;
  for (size_t at = text.size(); at-- > 0;) {
    if (text[at] == '}')
      ++depth;
    else if (text[at] == '{' && depth-- == 0) {
      StringRef before = text.take_front(at);
      size_t op = before.rfind("transform.");
      return op != StringRef::npos &&
             before.substr(op).starts_with("transform.apply_patterns ");
    }
  }
  return false;
}

json::Value formwork::tools::complete(const Document &document,
                                      lsp::Position position) {
  // The kinds of the protocol.
  enum Kind { Function = 3, Variable = 6, Module = 9, EnumMember = 20 };
  json::Array items;
  TextPositions positions(document.text);
  StringRef before =
      StringRef(document.text).take_front(positions.toOffset(position));
  StringRef line = before.substr(before.rfind('\n') + 1);
  // In a comment, nothing is completed.
  if (line.contains("//"))
    return items;
  size_t begin = before.size();
  while (begin > 0 && isWord(before[begin - 1]))
    --begin;
  if (begin > 0 && (before[begin - 1] == '%' || before[begin - 1] == '@'))
    --begin;
  StringRef word = before.substr(begin);
  StringRef behind = line.drop_back(std::min(line.size(), word.size())).trim();
  lsp::Range range = positions.toRange(begin, before.size());
  auto add = [&](StringRef name, Kind kind, StringRef detail) {
    if (name.starts_with(word))
      items.push_back(
          json::Object{{"label", name.str()},
                       {"kind", static_cast<int>(kind)},
                       {"detail", detail.str()},
                       {"textEdit", lsp::TextEdit{range, name.str()}}});
  };
  const DocumentFacts &facts = document.readFacts;
  if (word.starts_with("%")) {
    LineMap map(document.readText, document.text);
    for (const NamedEntity &entity : facts.entities) {
      if (entity.kind != "handle")
        continue;
      // A handle set behind the place or in another region is no candidate.
      std::optional<lsp::Range> at = map.map(entity.definition);
      std::optional<lsp::Position> end = map.map(entity.scopeEnd);
      if ((at && !(at->start < position)) || (end && *end < position))
        continue;
      add(entity.name, Variable, entity.hint);
    }
    return items;
  }
  if (word.starts_with("@")) {
    bool takesForm = line.contains("normalform.");
    if (!takesForm)
      for (const NamedEntity &entity : facts.entities)
        if (entity.kind == "sequence")
          add(entity.name, Module, "sequence");
    if (takesForm)
      for (const KnownForm &form : document.names.forms)
        add(("@" + form.name), EnumMember, form.detail);
    return items;
  }
  // An operation begins a line or a region, or stands behind its results.
  if (!behind.empty() && !behind.ends_with("=") && !behind.ends_with("{"))
    return items;
  bool takesGroup = endsInPatterns(before.take_front(begin));
  for (const KnownOperation &operation : document.names.operations)
    if (operation.isRuleGroup == takesGroup)
      add(operation.name, Function, operation.detail);
  return items;
}
