//===- ServeCommand.cpp - formwork serve ------------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/formwork/Command.h"
#include "tools/formwork/Session.h"
#include "tools/service/Configuration.h"
#include "tools/service/DocumentFacts.h"
#include "tools/service/WorkerProcess.h"
#include "transforms/Registration.h"

#include "llvm/Config/llvm-config.h"

#include <cstdio>
#include <cstdlib>
#include <unistd.h>

using namespace formwork;
using namespace formwork::tools;
using llvm::StringRef;
using llvm::Twine;
namespace cl = llvm::cl;
namespace json = llvm::json;

/// The version of the lines that go both ways; grows when a client must change.
static constexpr int kProtocol = 1;

namespace {
class ServeCommand : public Command {
  Option<unsigned> timeout{"check-timeout",
                           "Milliseconds after which a check is ended",
                           cl::value_desc("ms"), cl::init(30000)};

public:
  ExitCode run() override;

private:
  struct Request {
    json::Value id = nullptr;
    CheckSettings settings;
    std::string file, text;
    bool wantsNames = false;
  };

  json::Object answer(StringRef line);
  json::Object check(const Request &request);

  mlir::DialectRegistry registry;
  WorkerPool workers{registry};
  unsigned lastId = 0;
  /// Nothing is ever written: a wait ends with an answer or its deadline.
  int silent[2] = {-1, -1};
};
} // namespace

static json::Object refuse(const json::Value &id, const Twine &message) {
  return json::Object{{"id", id}, {"error", json::fixUTF8(message.str())}};
}

static json::Object toJson(const KnownNames &names) {
  json::Array operations, forms;
  for (const KnownOperation &one : names.operations)
    operations.push_back(json::Object{{"name", one.name},
                                      {"detail", one.detail},
                                      {"isRuleGroup", one.isRuleGroup}});
  for (const KnownForm &one : names.forms)
    forms.push_back(json::Object{{"name", one.name}, {"detail", one.detail}});
  return json::Object{{"operations", std::move(operations)},
                      {"forms", std::move(forms)}};
}

/// The part that is for programs.
static json::Object toJson(const DocumentFacts &facts) {
  json::Array handles;
  handles.reserve(facts.handles.size());
  for (const HandleFacts &one : facts.handles)
    handles.push_back(json::Object{{"name", one.name},
                                   {"payload", one.payload},
                                   {"forms", one.forms},
                                   {"validity", one.validity}});
  return json::Object{{"verdict", facts.verdict},
                      {"findings", llvm::cantFail(json::parse(facts.findings))},
                      {"handles", std::move(handles)}};
}

json::Object ServeCommand::check(const Request &request) {
  Worker &worker = workers.get(request.settings);
  unsigned id = ++lastId;
  auto deadline =
      WorkerProcess::Clock::now() + std::chrono::milliseconds(timeout);
  worker.process->ask(id, request.file, request.text, deadline);
  json::Object result{{"id", request.id}};
  while (true) {
    json::Object part;
    switch (worker.process->wait(silent[0], deadline, part)) {
    case WorkerProcess::Event::Answer: {
      if (std::optional<StringRef> names = part.getString("names")) {
        worker.names = unpackNames(*names).value_or(KnownNames());
        continue;
      }
      if (part.getInteger("id") != id)
        continue;
      if (std::optional<StringRef> packed = part.getString("facts"))
        if (std::optional<DocumentFacts> facts = unpackFacts(*packed))
          result["facts"] = toJson(*facts);
      if (json::Value *text = part.get("repaired"))
        result["repaired"] = std::move(*text);
      std::optional<StringRef> end = part.getString("end");
      if (!end)
        continue;
      if (!result.get("facts"))
        return refuse(request.id, "the check does not finish: " + *end);
      if (request.wantsNames)
        result["names"] = toJson(worker.names);
      return result;
    }
    case WorkerProcess::Event::Woken:
      continue;
    case WorkerProcess::Event::Late:
      workers.dropLast();
      if (result.get("facts"))
        return result;
      return refuse(request.id, "the check takes longer than " +
                                    Twine(timeout.getValue()) +
                                    " ms; it was ended");
    case WorkerProcess::Event::Gone:
      workers.dropLast();
      return refuse(request.id,
                    "MLIR crashes on the libraries or on the payload");
    }
  }
}

json::Object ServeCommand::answer(StringRef line) {
  llvm::Expected<json::Value> value = json::parse(line);
  if (!value)
    return refuse(nullptr, "requires a request as JSON but has: " +
                               llvm::toString(value.takeError()));
  Request request;
  if (const json::Object *object = value->getAsObject())
    if (const json::Value *id = object->get("id"))
      request.id = *id;
  json::Path::Root root("request");
  json::Path path(root);
  json::ObjectMapper map(*value, path);
  request.file = "schedule.mlir";
  if (!map || !map.map("text", request.text) ||
      !map.mapOptional("file", request.file) ||
      !map.mapOptional("names", request.wantsNames))
    return refuse(request.id, llvm::toString(root.getError()));
  if (const json::Value *settings = value->getAsObject()->get("settings"))
    if (!fromJSON(*settings, request.settings, path.field("settings")))
      return refuse(request.id, llvm::toString(root.getError()));
  return check(request);
}

ExitCode ServeCommand::run() {
  if (pipe(silent) != 0)
    return failUsage("there is no pipe");
  registerFormwork(registry);
  llvm::outs() << json::Value(json::Object{{"formwork", FORMWORK_VERSION},
                                           {"llvm", LLVM_VERSION_STRING},
                                           {"protocol", kProtocol}})
               << "\n";
  llvm::outs().flush();
  char *buffer = nullptr;
  size_t capacity = 0;
  for (ssize_t size; (size = getline(&buffer, &capacity, stdin)) >= 0;) {
    StringRef line = StringRef(buffer, size).trim();
    if (line.empty())
      continue;
    llvm::outs() << json::Value(answer(line)) << "\n";
    llvm::outs().flush();
    if (llvm::outs().has_error())
      break;
  }
  std::free(buffer);
  workers.clear();
  return ExitCode::Success;
}

std::unique_ptr<Command> formwork::tools::createServeCommand() {
  return std::make_unique<ServeCommand>();
}
