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

engine::ChildAnswer engine::askChild(
    MLIRContext &context,
    llvm::function_ref<std::optional<json::Object>(llvm::raw_ostream &)> work,
    const ChildLimits &limits) {
  ThreadsStopped alone(context);
  ChildAnswer answer;
  answer.end = runInChild(
      [&](llvm::raw_ostream &os) {
        std::optional<json::Object> object = work(os);
        if (object)
          os << json::Value(std::move(*object));
        return object.has_value();
      },
      ChildOutput::Dropped, limits);
  if (!answer.end.succeeded)
    return answer;
  StringRef text = answer.end.text;
  llvm::Expected<json::Value> value =
      json::parse(text.drop_front(text.rfind('\n') + 1));
  if (!value)
    llvm::consumeError(value.takeError());
  else if (json::Object *object = value->getAsObject())
    answer.object = std::move(*object);
  return answer;
}

std::pair<StringRef, StringRef> engine::splitId(StringRef text) {
  auto [message, id] = text.rsplit(" [");
  bool isId = id.starts_with("fw-") && id.consume_back("]");
  return isId ? std::pair(message, id) : std::pair(text, StringRef());
}

json::Value engine::writeLocation(Location loc) {
  json::Array calls;
  for (const CallFrame &call : getCallFrames(loc))
    calls.push_back(
        json::Array{json::fixUTF8(call.place.getFilename().strref()),
                    call.place.getStartLine(), call.place.getStartColumn(),
                    json::fixUTF8(call.name)});
  return calls;
}

Location engine::readLocation(const json::Value *value, MLIRContext *context) {
  const json::Array *calls = value ? value->getAsArray() : nullptr;
  LocationAttr loc;
  if (calls)
    for (const json::Value &entry : llvm::reverse(*calls)) {
      const json::Array &call = *entry.getAsArray();
      Location own =
          FileLineColLoc::get(context, *call[0].getAsString(),
                              *call[1].getAsInteger(), *call[2].getAsInteger());
      StringRef name = *call[3].getAsString();
      if (!name.empty())
        own = NameLoc::get(StringAttr::get(context, name), own);
      loc = loc ? LocationAttr(CallSiteLoc::get(own, loc)) : LocationAttr(own);
    }
  return loc ? Location(loc) : UnknownLoc::get(context);
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
