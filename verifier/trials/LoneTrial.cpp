//===- LoneTrial.cpp - A step, tried in a child process ---------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verifier/trials/LoneTrial.h"

#include "engine/FindingTransfer.h"
#include "normalforms/CopiedOp.h"
#include "verifier/state/ReadPayload.h"

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

/// In a child.
static json::Object runHere(Operation *step, Operation *target, Operation *top,
                            ArrayRef<Attribute> params) {
  std::vector<json::Array> results(step->getNumResults());
  auto see = [&](unsigned result, Operation *op, bool isBeside) {
    results[result].push_back(
        json::Object{{"kind", op->getName().getStringRef()},
                     {"op", writeOp(op)},
                     {"beside", isBeside}});
  };
  LoneRun run = runAlone(step, target, top, params, see);
  json::Object answer{{"silenceable", run.silenceable},
                      {"spoils", run.spoils},
                      {"leaves_invalid", run.leavesInvalid},
                      {"unreadable", run.isUnreadable},
                      {"changes_nothing", run.changesNothing}};
  if (run.failure)
    answer["failure"] = json::fixUTF8(*run.failure);
  json::Array all;
  for (json::Array &result : results)
    all.push_back(std::move(result));
  answer["results"] = std::move(all);
  return answer;
}

static LoneResult readResult(const json::Object &object, MLIRContext *context) {
  OperationName kind(*object.getString("kind"), context);
  bool isBeside = *object.getBoolean("beside");
  ScopedDiagnosticHandler quiet(context,
                                [](Diagnostic &) { return success(); });
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(
      *object.getString("op"),
      ParserConfig(context, /*verifyAfterParse=*/false));
  if (module && !module->getBody()->empty() &&
      module->getBody()->back().getName() == kind)
    return describeResult(&module->getBody()->back(), isBeside);
  return {kind, nullptr, {}, nullptr, isBeside};
}

std::optional<LoneRun>
formwork::verifier::tryAlone(Operation *step, Operation *target, Operation *top,
                             ArrayRef<Attribute> params,
                             const solver::Deadline &deadline) {
  MLIRContext *context = step->getContext();
  std::optional<json::Object> object =
      engine::askChild(
          *context,
          [&](llvm::raw_ostream &) {
            return runHere(step, target, top, params);
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
    return run;
  }
  for (const json::Value &result : *object->getArray("results")) {
    auto &found = run.results.emplace_back();
    for (const json::Value &one : *result.getAsArray())
      found.push_back(readResult(*one.getAsObject(), context));
  }
  return run;
}
