//===- FindingTransfer.cpp - Findings from process to process ---*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "engine/FindingTransfer.h"

#include "engine/SourcePlace.h"

using namespace mlir;
using namespace formwork;
using engine::Finding;
namespace json = llvm::json;

json::Value engine::writeLocation(Location loc) {
  FileLineColLoc place = findSourcePlace(loc);
  if (!place)
    return nullptr;
  return json::Array{json::fixUTF8(place.getFilename().strref()),
                     place.getStartLine(), place.getStartColumn()};
}

Location engine::readLocation(const json::Value *value, MLIRContext *context) {
  const json::Array *place = value ? value->getAsArray() : nullptr;
  if (!place)
    return UnknownLoc::get(context);
  return FileLineColLoc::get(context, *(*place)[0].getAsString(),
                             *(*place)[1].getAsInteger(),
                             *(*place)[2].getAsInteger());
}

json::Object engine::writeFinding(const Finding &finding) {
  json::Array notes;
  for (const Note &note : finding.notes)
    notes.push_back(json::Object{{"kind", static_cast<int>(note.kind)},
                                 {"message", json::fixUTF8(note.message)},
                                 {"loc", writeLocation(note.loc)}});
  return json::Object{{"id", finding.id},
                      {"severity", static_cast<int>(finding.severity)},
                      {"message", json::fixUTF8(finding.message)},
                      {"loc", writeLocation(finding.loc)},
                      {"notes", std::move(notes)}};
}

Finding engine::readFinding(const json::Object &object, MLIRContext *context) {
  Finding finding(
      readLocation(object.get("loc"), context), *object.getString("id"),
      *object.getString("message"),
      static_cast<DiagnosticSeverity>(*object.getInteger("severity")));
  for (const json::Value &value : *object.getArray("notes")) {
    const json::Object &note = *value.getAsObject();
    finding.note(static_cast<NoteKind>(*note.getInteger("kind")),
                 readLocation(note.get("loc"), context),
                 *note.getString("message"));
  }
  return finding;
}
