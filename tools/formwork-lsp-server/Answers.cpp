//===- Answers.cpp - What is answered to an editor --------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/formwork-lsp-server/Answers.h"
#include "tools/formwork-lsp-server/Changes.h"
#include "tools/formwork-lsp-server/Uris.h"

#include "tools/service/TextPositions.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

using namespace formwork::tools;
using llvm::StringRef;
namespace json = llvm::json;
namespace lsp = llvm::lsp;

//===----------------------------------------------------------------------===//
// Diagnostics
//===----------------------------------------------------------------------===//

/// Where `range` of the file `file` (empty: the document) is.
static json::Value toLocation(StringRef uri, StringRef file, lsp::Range range) {
  bool isDocument = file.empty() || file == getPath(uri);
  return json::Object{{"uri", isDocument ? uri.str() : getUri(file)},
                      {"range", range}};
}

json::Value formwork::tools::toJson(StringRef uri,
                                    const DocumentDiagnostic &diagnostic,
                                    bool showsRelated) {
  json::Object object{{"range", diagnostic.range},
                      {"severity", diagnostic.severity},
                      {"source", diagnostic.id.empty() ? "mlir" : "formwork"},
                      {"message", diagnostic.message}};
  if (!diagnostic.id.empty())
    object["code"] = diagnostic.id;
  if (!showsRelated) {
    std::string message = diagnostic.message;
    for (const RelatedPlace &place : diagnostic.related) {
      message += "\n";
      if (!place.file.empty() && place.file != getPath(uri))
        message += llvm::sys::path::filename(place.file).str() + ", ";
      message += "line " + std::to_string(place.range.start.line + 1) + ": " +
                 place.message;
    }
    object["message"] = std::move(message);
    return object;
  }
  json::Array related;
  for (const RelatedPlace &place : diagnostic.related)
    related.push_back(
        json::Object{{"location", toLocation(uri, place.file, place.range)},
                     {"message", place.message}});
  if (!related.empty())
    object["relatedInformation"] = std::move(related);
  return object;
}

//===----------------------------------------------------------------------===//
// Names and steps
//===----------------------------------------------------------------------===//

json::Value formwork::tools::getHints(const Document &document,
                                      lsp::Range range) {
  json::Array hints;
  LineMap map(document.readText, document.text);
  for (const NamedEntity &entity : document.readFacts.entities) {
    if (entity.hint.empty())
      continue;
    std::optional<lsp::Position> position = map.map(entity.definition.end);
    if (!position || *position < range.start || range.end < *position)
      continue;
    hints.push_back(
        json::Object{{"position", *position},
                     {"label", ": " + entity.hint},
                     {"kind", 1},
                     {"tooltip", json::Object{{"kind", "markdown"},
                                              {"value", entity.hover}}},
                     {"paddingRight", true}});
  }
  return hints;
}

namespace {
/// A name at a place of a document.
struct Found {
  const NamedEntity *entity;
  lsp::Range range;
};
} // namespace

static std::optional<Found> findName(const Document &document,
                                     lsp::Position position) {
  std::optional<lsp::Position> at =
      LineMap(document.text, document.readText).map(position);
  if (!at)
    return std::nullopt;
  auto holds = [&](const lsp::Range &range) {
    return !(*at < range.start) && !(range.end < *at);
  };
  for (const NamedEntity &entity : document.readFacts.entities) {
    if (entity.file.empty() && holds(entity.definition))
      return Found{&entity, entity.definition};
    for (const lsp::Range &use : entity.uses)
      if (holds(use))
        return Found{&entity, use};
  }
  return std::nullopt;
}

json::Value formwork::tools::getHover(const Document &document,
                                      lsp::Position position) {
  LineMap back(document.readText, document.text);
  auto make = [&](const std::string &text, lsp::Range range) -> json::Value {
    json::Object hover{
        {"contents", json::Object{{"kind", "markdown"}, {"value", text}}}};
    if (std::optional<lsp::Range> shown = back.map(range))
      hover["range"] = *shown;
    return hover;
  };
  if (std::optional<Found> found = findName(document, position))
    return make(found->entity->hover, found->range);
  std::optional<lsp::Position> at =
      LineMap(document.text, document.readText).map(position);
  if (!at)
    return nullptr;
  for (const StepFacts &step : document.readFacts.steps) {
    if (*at < step.range.start || step.range.end < *at)
      continue;
    auto page = document.readFacts.operations.find(step.operation);
    std::string text = step.hover;
    if (!text.empty())
      text += "\n\n";
    if (page != document.readFacts.operations.end())
      text += page->second;
    return make(text, step.range);
  }
  return nullptr;
}

json::Value formwork::tools::getDefinition(StringRef uri,
                                           const Document &document,
                                           lsp::Position position) {
  std::optional<Found> found = findName(document, position);
  if (!found || found->entity->file == "-")
    return nullptr;
  lsp::Range range = found->entity->definition;
  if (found->entity->file.empty()) {
    std::optional<lsp::Range> shown =
        LineMap(document.readText, document.text).map(range);
    if (!shown)
      return nullptr;
    range = *shown;
  }
  return toLocation(uri, found->entity->file, range);
}

json::Value formwork::tools::getReferences(StringRef uri,
                                           const Document &document,
                                           lsp::Position position,
                                           bool withDefinition) {
  json::Array references;
  std::optional<Found> found = findName(document, position);
  if (!found)
    return references;
  LineMap back(document.readText, document.text);
  const NamedEntity &entity = *found->entity;
  if (withDefinition && entity.file != "-") {
    std::optional<lsp::Range> range =
        entity.file.empty() ? back.map(entity.definition) : entity.definition;
    if (range)
      references.push_back(toLocation(uri, entity.file, *range));
  }
  for (const lsp::Range &use : entity.uses)
    if (std::optional<lsp::Range> range = back.map(use))
      references.push_back(toLocation(uri, "", *range));
  return references;
}

//===----------------------------------------------------------------------===//
// Code actions
//===----------------------------------------------------------------------===//

static json::Value makeAction(StringRef uri, const Document &document,
                              StringRef title, StringRef kind,
                              llvm::ArrayRef<lsp::TextEdit> edits) {
  json::Object change{
      {"textDocument",
       json::Object{{"uri", uri.str()}, {"version", document.version}}},
      {"edits", json::Array(edits)}};
  return json::Object{{"title", title.str()},
                      {"kind", kind.str()},
                      {"edit", json::Object{{"documentChanges",
                                             json::Array{std::move(change)}}}}};
}

json::Value formwork::tools::getActions(StringRef uri, const Document &document,
                                        lsp::Range range,
                                        llvm::ArrayRef<std::string> only,
                                        bool showsRelated) {
  json::Array actions;
  // An edit of another text would be wrong.
  if (!document.isChecked || !document.isFinished ||
      document.checkedText != document.text)
    return actions;
  auto wants = [&](StringRef kind) {
    return only.empty() || llvm::any_of(only, [&](StringRef one) {
             return kind == one || kind.starts_with((one + ".").str());
           });
  };
  bool hasFix = false;
  for (const DocumentDiagnostic &diagnostic : document.diagnostics) {
    if (diagnostic.range.end < range.start ||
        range.end < diagnostic.range.start)
      continue;
    for (const DocumentFix &fix : diagnostic.fixes) {
      hasFix = true;
      if (!wants("quickfix"))
        continue;
      json::Value action =
          makeAction(uri, document, fix.title, "quickfix", fix.edits);
      (*action.getAsObject())["diagnostics"] =
          json::Array{toJson(uri, diagnostic, showsRelated)};
      actions.push_back(std::move(action));
    }
  }
  if (!document.repaired)
    return actions;
  lsp::TextEdit edit = makeEdit(document.text, *document.repaired);
  StringRef title = "Carry out all fix-its that help";
  if (!only.empty() && wants("source.fixAll.formwork"))
    actions.push_back(
        makeAction(uri, document, title, "source.fixAll.formwork", edit));
  else if (hasFix && wants("quickfix"))
    actions.push_back(makeAction(uri, document, title, "quickfix", edit));
  return actions;
}
