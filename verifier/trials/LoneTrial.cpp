//===- LoneTrial.cpp - A step, tried in a child process ---------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verifier/trials/LoneTrial.h"

#include "engine/AnyBelow.h"
#include "engine/FindingTransfer.h"
#include "normalforms/CopiedOp.h"
#include "verifier/payload/ReadOp.h"

#include "mlir/Parser/Parser.h"
#include "llvm/Support/JSON.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::verifier;
namespace json = llvm::json;

static engine::ChildLimits getLimits(const solver::Deadline &deadline) {
  engine::ChildLimits limits;
  limits.deadline = deadline;
  limits.time = std::chrono::seconds(5);
  limits.memory = uint64_t(1) << 30;
  limits.output = uint64_t(16) << 20;
  limits.fileSize = 0;
  return limits;
}

/// `op` by itself, as text: what is made in a child is not in its parent.
static std::string writeOp(Operation *op) {
  normalforms::CopiedOp copied(op);
  OpPrintingFlags flags;
  flags.printGenericOpForm().assumeVerified().useLocalScope().enableDebugInfo(
      false);
  std::string text;
  llvm::raw_string_ostream os(text);
  copied.getModule()->print(os, flags);
  return json::fixUTF8(text);
}

bool formwork::verifier::isSmallEnoughToTry(Operation *top) {
  constexpr unsigned mostOps = 2000;
  unsigned numOps = 0;
  return !engine::anyBelow(top,
                           [&](Operation *) { return ++numOps > mostOps; });
}

/// `top` as text, with its locations, which findings name.
static std::string writePayload(Operation *top) {
  OpPrintingFlags flags;
  flags.printGenericOpForm().assumeVerified().useLocalScope().enableDebugInfo(
      true);
  std::string text;
  llvm::raw_string_ostream os(text);
  top->print(os, flags);
  return json::fixUTF8(text);
}

/// The payload in a text of `writePayload`; null where that cannot be read.
static std::shared_ptr<OwningOpRef<Operation *>>
readPayload(StringRef text, MLIRContext *context) {
  ScopedDiagnosticHandler quiet(context, [](Diagnostic &) {});
  Block block;
  if (failed(parseSourceString(
          text, &block, ParserConfig(context, /*verifyAfterParse=*/false))) ||
      !llvm::hasSingleElement(block))
    return nullptr;
  Operation *top = &block.front();
  top->remove();
  return std::make_shared<OwningOpRef<Operation *>>(top);
}

/// In a child.
static json::Object runHere(Operation *step, ArrayRef<Operation *> targets,
                            Operation *top, ArrayRef<Attribute> params,
                            bool keepsPayload) {
  std::vector<json::Array> results(step->getNumResults());
  auto see = [&](unsigned result, Operation *op, bool isBeside) {
    results[result].push_back(
        json::Object{{"kind", op->getName().getStringRef()},
                     {"op", writeOp(op)},
                     {"beside", isBeside}});
  };
  LoneRun run = runAlone(step, targets, top, params, see);
  json::Object answer{{"silenceable", run.silenceable},
                      {"spoils", run.spoils},
                      {"leaves_invalid", run.leavesInvalid},
                      {"unreadable", run.isUnreadable},
                      {"changes_nothing", run.changesNothing}};
  if (run.failure) {
    answer["failure"] = json::fixUTF8(*run.failure);
    answer["id"] = run.id;
    json::Array notes;
    for (auto &[loc, text] : run.notes)
      notes.push_back(
          json::Array{engine::writeLocation(loc), json::fixUTF8(text)});
    answer["notes"] = std::move(notes);
  } else if (keepsPayload && !run.changesNothing && isSmallEnoughToTry(top)) {
    answer["payload"] = writePayload(top);
  }
  json::Array all;
  for (json::Array &result : results)
    all.push_back(std::move(result));
  answer["results"] = std::move(all);
  return answer;
}

static LoneResult readResult(const json::Object &object, MLIRContext *context) {
  OperationName kind(*object.getString("kind"), context);
  bool isBeside = *object.getBoolean("beside");
  ScopedDiagnosticHandler quiet(context, [](Diagnostic &) {});
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(
      *object.getString("op"),
      ParserConfig(context, /*verifyAfterParse=*/false));
  if (module && !module->getBody()->empty() &&
      module->getBody()->back().getName() == kind)
    return describeResult(&module->getBody()->back(), isBeside);
  return {kind, nullptr, {}, nullptr, isBeside};
}

std::optional<LoneRun>
formwork::verifier::tryAlone(Operation *step, ArrayRef<Operation *> targets,
                             Operation *top, ArrayRef<Attribute> params,
                             const solver::Deadline &deadline,
                             bool keepsPayload) {
  MLIRContext *context = step->getContext();
  std::optional<json::Object> object =
      engine::askChild(
          *context,
          [&](llvm::raw_ostream &) {
            return runHere(step, targets, top, params, keepsPayload);
          },
          getLimits(deadline))
          .object;
  if (!object)
    return std::nullopt;
  LoneRun run;
  run.silenceable = *object->getBoolean("silenceable");
  run.spoils = *object->getBoolean("spoils");
  run.leavesInvalid = *object->getBoolean("leaves_invalid");
  run.isUnreadable = *object->getBoolean("unreadable");
  run.changesNothing = *object->getBoolean("changes_nothing");
  if (std::optional<StringRef> failure = object->getString("failure")) {
    run.failure = failure->str();
    run.id = object->getString("id")->str();
    for (const json::Value &note : *object->getArray("notes")) {
      const json::Array &parts = *note.getAsArray();
      run.notes.push_back({engine::readLocation(&parts[0], context),
                           parts[1].getAsString()->str()});
    }
    return run;
  }
  if (std::optional<StringRef> payload = object->getString("payload"))
    run.payload = readPayload(*payload, context);
  for (const json::Value &result : *object->getArray("results")) {
    auto &found = run.results.emplace_back();
    for (const json::Value &one : *result.getAsArray())
      found.push_back(readResult(*one.getAsObject(), context));
  }
  return run;
}
