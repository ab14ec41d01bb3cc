//===- DocumentFacts.cpp - What a check says of a document ------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/service/DocumentFacts.h"

namespace json = llvm::json;

// Strings may hold any bytes of a document; JSON has UTF-8 alone.
static std::string clean(const std::string &text) {
  return json::isUTF8(text) ? text : json::fixUTF8(text);
}

/// An array that does not grow: one that does copies its values, with all that
/// is in them.
template <typename T> static json::Array makeArray(const std::vector<T> &all) {
  json::Array array;
  array.reserve(all.size());
  for (const T &one : all)
    array.push_back(toJSON(one));
  return array;
}

json::Value formwork::tools::toJSON(const RelatedPlace &place) {
  return json::Object{{"file", clean(place.file)},
                      {"range", place.range},
                      {"message", clean(place.message)}};
}

bool formwork::tools::fromJSON(const json::Value &value, RelatedPlace &place,
                               json::Path path) {
  json::ObjectMapper map(value, path);
  return map && map.map("file", place.file) && map.map("range", place.range) &&
         map.map("message", place.message);
}

json::Value formwork::tools::toJSON(const DocumentFix &fix) {
  return json::Object{{"title", clean(fix.title)}, {"edits", fix.edits}};
}

bool formwork::tools::fromJSON(const json::Value &value, DocumentFix &fix,
                               json::Path path) {
  json::ObjectMapper map(value, path);
  return map && map.map("title", fix.title) && map.map("edits", fix.edits);
}

json::Value formwork::tools::toJSON(const DocumentDiagnostic &diagnostic) {
  return json::Object{
      {"range", diagnostic.range},     {"severity", diagnostic.severity},
      {"id", clean(diagnostic.id)},    {"message", clean(diagnostic.message)},
      {"related", diagnostic.related}, {"fixes", diagnostic.fixes}};
}

bool formwork::tools::fromJSON(const json::Value &value,
                               DocumentDiagnostic &diagnostic,
                               json::Path path) {
  json::ObjectMapper map(value, path);
  return map && map.map("range", diagnostic.range) &&
         map.map("severity", diagnostic.severity) &&
         map.map("id", diagnostic.id) &&
         map.map("message", diagnostic.message) &&
         map.map("related", diagnostic.related) &&
         map.map("fixes", diagnostic.fixes);
}

json::Value formwork::tools::toJSON(const HandleHint &hint) {
  return json::Object{{"position", hint.position},
                      {"label", clean(hint.label)},
                      {"tooltip", clean(hint.tooltip)}};
}

bool formwork::tools::fromJSON(const json::Value &value, HandleHint &hint,
                               json::Path path) {
  json::ObjectMapper map(value, path);
  return map && map.map("position", hint.position) &&
         map.map("label", hint.label) && map.map("tooltip", hint.tooltip);
}

json::Value formwork::tools::toJSON(const NamedEntity &entity) {
  return json::Object{
      {"kind", clean(entity.kind)},     {"name", clean(entity.name)},
      {"file", clean(entity.file)},     {"definition", entity.definition},
      {"uses", makeArray(entity.uses)}, {"hover", clean(entity.hover)}};
}

bool formwork::tools::fromJSON(const json::Value &value, NamedEntity &entity,
                               json::Path path) {
  json::ObjectMapper map(value, path);
  return map && map.map("kind", entity.kind) && map.map("name", entity.name) &&
         map.map("file", entity.file) &&
         map.map("definition", entity.definition) &&
         map.map("uses", entity.uses) && map.map("hover", entity.hover);
}

json::Value formwork::tools::toJSON(const HandleFacts &handle) {
  return json::Object{{"name", clean(handle.name)},
                      {"payload", clean(handle.payload)},
                      {"forms", clean(handle.forms)},
                      {"validity", clean(handle.validity)}};
}

bool formwork::tools::fromJSON(const json::Value &value, HandleFacts &handle,
                               json::Path path) {
  json::ObjectMapper map(value, path);
  return map && map.map("name", handle.name) &&
         map.map("payload", handle.payload) && map.map("forms", handle.forms) &&
         map.map("validity", handle.validity);
}

json::Value formwork::tools::toJSON(const StepFacts &step) {
  return json::Object{{"range", step.range},
                      {"operation", clean(step.operation)},
                      {"hover", clean(step.hover)}};
}

bool formwork::tools::fromJSON(const json::Value &value, StepFacts &step,
                               json::Path path) {
  json::ObjectMapper map(value, path);
  return map && map.map("range", step.range) &&
         map.map("operation", step.operation) && map.map("hover", step.hover);
}

json::Value formwork::tools::toJSON(const DocumentFacts &facts) {
  json::Object operations;
  for (const auto &[name, text] : facts.operations)
    operations[name] = clean(text);
  return json::Object{{"isParsed", facts.isParsed},
                      {"diagnostics", facts.diagnostics},
                      {"findings", json::Array(facts.findings)},
                      {"hints", makeArray(facts.hints)},
                      {"entities", makeArray(facts.entities)},
                      {"handles", makeArray(facts.handles)},
                      {"steps", makeArray(facts.steps)},
                      {"operations", std::move(operations)},
                      {"verdict", clean(facts.verdict)}};
}

bool formwork::tools::fromJSON(const json::Value &value, DocumentFacts &facts,
                               json::Path path) {
  json::ObjectMapper map(value, path);
  return map && map.map("isParsed", facts.isParsed) &&
         map.map("diagnostics", facts.diagnostics) &&
         map.map("hints", facts.hints) && map.map("entities", facts.entities) &&
         map.map("handles", facts.handles) && map.map("steps", facts.steps) &&
         map.map("operations", facts.operations) &&
         map.map("verdict", facts.verdict);
}

json::Value formwork::tools::toJSON(const KnownOperation &operation) {
  return json::Object{{"name", clean(operation.name)},
                      {"detail", clean(operation.detail)},
                      {"isRuleGroup", operation.isRuleGroup}};
}

bool formwork::tools::fromJSON(const json::Value &value,
                               KnownOperation &operation, json::Path path) {
  json::ObjectMapper map(value, path);
  return map && map.map("name", operation.name) &&
         map.map("detail", operation.detail) &&
         map.map("isRuleGroup", operation.isRuleGroup);
}

json::Value formwork::tools::toJSON(const KnownForm &form) {
  return json::Object{{"name", clean(form.name)},
                      {"detail", clean(form.detail)}};
}

bool formwork::tools::fromJSON(const json::Value &value, KnownForm &form,
                               json::Path path) {
  json::ObjectMapper map(value, path);
  return map && map.map("name", form.name) && map.map("detail", form.detail);
}

json::Value formwork::tools::toJSON(const KnownNames &names) {
  return json::Object{{"operations", names.operations}, {"forms", names.forms}};
}

bool formwork::tools::fromJSON(const json::Value &value, KnownNames &names,
                               json::Path path) {
  json::ObjectMapper map(value, path);
  return map && map.map("operations", names.operations) &&
         map.map("forms", names.forms);
}
