//===- Handlers.cpp - The requests of the protocol --------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/formwork-lsp-server/Handlers.h"
#include "tools/formwork-lsp-server/Answers.h"
#include "tools/formwork-lsp-server/Completion.h"

using namespace formwork::tools;
using llvm::StringRef;
using llvm::lsp::Callback;
using llvm::lsp::MessageHandler;
namespace json = llvm::json;
namespace lsp = llvm::lsp;

namespace {
/// The parameters of a message, as they come.
struct Message {
  json::Value value = nullptr;

  /// The value at `keys`, each in the object before it; null where one is
  /// missing.
  const json::Value *find(llvm::ArrayRef<StringRef> keys) const {
    const json::Value *at = &value;
    for (StringRef key : keys) {
      const json::Object *object = at->getAsObject();
      at = object ? object->get(key) : nullptr;
      if (!at)
        return nullptr;
    }
    return at;
  }
  StringRef getString(llvm::ArrayRef<StringRef> keys) const {
    const json::Value *found = find(keys);
    return found ? found->getAsString().value_or("") : "";
  }
  int64_t getInteger(llvm::ArrayRef<StringRef> keys) const {
    const json::Value *found = find(keys);
    return found ? found->getAsInteger().value_or(0) : 0;
  }
  bool getFlag(llvm::ArrayRef<StringRef> keys) const {
    const json::Value *found = find(keys);
    return found && found->getAsBoolean().value_or(false);
  }
  template <typename T> T get(llvm::ArrayRef<StringRef> keys) const {
    T result;
    json::Path::Root root;
    if (const json::Value *found = find(keys))
      (void)fromJSON(*found, result, root);
    return result;
  }
  StringRef getUri() const { return getString({"textDocument", "uri"}); }
  lsp::Position getPosition() const { return get<lsp::Position>({"position"}); }
};

bool fromJSON(const json::Value &value, Message &message, json::Path) {
  message.value = value;
  return true;
}

class Handlers {
public:
  Handlers(lsp::JSONTransport &transport, ServerOptions options,
           mlir::DialectRegistry &registry, bool isSynchronous);

  llvm::Error run() { return transport.run(messages); }
  bool isShutDown() const { return wasShutDown; }

private:
  void initialize(const Message &message, Callback<json::Value> reply);
  void initialized(const Message &);
  void shutdown(const Message &, Callback<json::Value> reply);
  void didOpen(const Message &message);
  void didChange(const Message &message);
  void didClose(const Message &message);
  void didSave(const Message &);
  void filesChanged(const Message &);
  void findHints(const Message &message, Callback<json::Value> reply);
  void findHover(const Message &message, Callback<json::Value> reply);
  void findDefinition(const Message &message, Callback<json::Value> reply);
  void findReferences(const Message &message, Callback<json::Value> reply);
  void complete(const Message &message, Callback<json::Value> reply);
  void findActions(const Message &message, Callback<json::Value> reply);

  void send(StringRef method, json::Value parameters);
  void settle() {
    if (isSynchronous)
      server.waitUntilIdle();
  }

  lsp::JSONTransport &transport;
  MessageHandler messages;
  lsp::OutgoingNotification<json::Value> publish;
  lsp::OutgoingRequest<json::Value> refresh, registerCapability;
  bool isSynchronous;
  /// Whether the client asks for hints again when it is told to.
  std::atomic<bool> refreshesHints = false;
  /// Whether the client watches files that it is asked to watch.
  bool watchesFiles = false;
  std::atomic<int64_t> lastRequest = 0;
  bool wasShutDown = false;
  /// Ends first: it sends from a thread of its own.
  Server server;
};
} // namespace

/// A client that refuses a request goes without what it asks for.
static void ignoreAnswer(const json::Value &, llvm::Expected<Message> answer) {
  if (!answer)
    llvm::consumeError(answer.takeError());
}

Handlers::Handlers(lsp::JSONTransport &transport, ServerOptions options,
                   mlir::DialectRegistry &registry, bool isSynchronous)
    : transport(transport), messages(transport),
      publish(messages.outgoingNotification<json::Value>(
          "textDocument/publishDiagnostics")),
      refresh(messages.outgoingRequest<json::Value, Message>(
          "workspace/inlayHint/refresh", ignoreAnswer)),
      registerCapability(messages.outgoingRequest<json::Value, Message>(
          "client/registerCapability", ignoreAnswer)),
      isSynchronous(isSynchronous),
      server(std::move(options), registry,
             [this](StringRef method, json::Value parameters) {
               send(method, std::move(parameters));
             }) {
  messages.method("initialize", this, &Handlers::initialize);
  messages.notification("initialized", this, &Handlers::initialized);
  messages.method("shutdown", this, &Handlers::shutdown);
  messages.notification("textDocument/didOpen", this, &Handlers::didOpen);
  messages.notification("textDocument/didChange", this, &Handlers::didChange);
  messages.notification("textDocument/didClose", this, &Handlers::didClose);
  messages.notification("textDocument/didSave", this, &Handlers::didSave);
  messages.notification("workspace/didChangeWatchedFiles", this,
                        &Handlers::filesChanged);
  messages.method("textDocument/inlayHint", this, &Handlers::findHints);
  messages.method("textDocument/hover", this, &Handlers::findHover);
  messages.method("textDocument/definition", this, &Handlers::findDefinition);
  messages.method("textDocument/references", this, &Handlers::findReferences);
  messages.method("textDocument/completion", this, &Handlers::complete);
  messages.method("textDocument/codeAction", this, &Handlers::findActions);
}

void Handlers::send(StringRef method, json::Value parameters) {
  publish(parameters);
  if (refreshesHints)
    refresh(nullptr, "formwork-" + std::to_string(++lastRequest));
}

void Handlers::initialize(const Message &message, Callback<json::Value> reply) {
  refreshesHints = message.getFlag(
      {"capabilities", "workspace", "inlayHint", "refreshSupport"});
  watchesFiles =
      message.getFlag({"capabilities", "workspace", "didChangeWatchedFiles",
                       "dynamicRegistration"});
  server.setShowsRelated(
      message.getFlag({"capabilities", "textDocument", "publishDiagnostics",
                       "relatedInformation"}));
  reply(json::Object{
      {"serverInfo", json::Object{{"name", "formwork-lsp-server"},
                                  {"version", FORMWORK_VERSION}}},
      {"capabilities",
       json::Object{
           // Changes of ranges; columns are UTF-16, as the protocol has them.
           {"textDocumentSync",
            json::Object{{"openClose", true}, {"change", 2}, {"save", true}}},
           {"hoverProvider", true},
           {"definitionProvider", true},
           {"referencesProvider", true},
           {"inlayHintProvider", true},
           {"completionProvider",
            json::Object{{"triggerCharacters", {".", "@", "%"}}}},
           {"codeActionProvider",
            json::Object{
                {"codeActionKinds", {"quickfix", "source.fixAll.formwork"}}}},
       }}});
}

void Handlers::initialized(const Message &) {
  if (!watchesFiles)
    return;
  json::Array watchers;
  for (StringRef pattern : {"**/*.mlir", "**/formwork.toml"})
    watchers.push_back(json::Object{{"globPattern", pattern}});
  registerCapability(
      json::Object{{"registrations",
                    json::Array{json::Object{
                        {"id", "formwork-files"},
                        {"method", "workspace/didChangeWatchedFiles"},
                        {"registerOptions",
                         json::Object{{"watchers", std::move(watchers)}}}}}}},
      "formwork-" + std::to_string(++lastRequest));
}

void Handlers::shutdown(const Message &, Callback<json::Value> reply) {
  wasShutDown = true;
  reply(nullptr);
}

void Handlers::didOpen(const Message &message) {
  server.open(message.getUri(), message.getInteger({"textDocument", "version"}),
              message.getString({"textDocument", "text"}).str());
  settle();
}

void Handlers::didChange(const Message &message) {
  const json::Value *changes = message.find({"contentChanges"});
  if (changes && changes->getAsArray())
    server.change(message.getUri(),
                  message.getInteger({"textDocument", "version"}),
                  *changes->getAsArray());
  settle();
}

void Handlers::didClose(const Message &message) {
  server.close(message.getUri());
  settle();
}

void Handlers::didSave(const Message &) {
  server.recheck();
  settle();
}

void Handlers::filesChanged(const Message &) {
  server.filesChanged();
  settle();
}

void Handlers::findHints(const Message &message, Callback<json::Value> reply) {
  reply(server.ask(message.getUri(), json::Array(), [&](const Document &text) {
    return getHints(text, message.get<lsp::Range>({"range"}));
  }));
}

void Handlers::findHover(const Message &message, Callback<json::Value> reply) {
  reply(server.ask(message.getUri(), nullptr, [&](const Document &text) {
    return getHover(text, message.getPosition());
  }));
}

void Handlers::findDefinition(const Message &message,
                              Callback<json::Value> reply) {
  reply(server.ask(message.getUri(), nullptr, [&](const Document &text) {
    return getDefinition(message.getUri(), text, message.getPosition());
  }));
}

void Handlers::findReferences(const Message &message,
                              Callback<json::Value> reply) {
  reply(server.ask(message.getUri(), json::Array(), [&](const Document &text) {
    return getReferences(message.getUri(), text, message.getPosition(),
                         message.getFlag({"context", "includeDeclaration"}));
  }));
}

void Handlers::complete(const Message &message, Callback<json::Value> reply) {
  reply(server.ask(message.getUri(), json::Array(), [&](const Document &text) {
    return formwork::tools::complete(text, message.getPosition());
  }));
}

void Handlers::findActions(const Message &message,
                           Callback<json::Value> reply) {
  reply(server.ask(message.getUri(), json::Array(), [&](const Document &text) {
    return getActions(
        message.getUri(), text, message.get<lsp::Range>({"range"}),
        message.get<std::vector<std::string>>({"context", "only"}),
        server.doesShowRelated());
  }));
}

int formwork::tools::serve(lsp::JSONTransport &transport, ServerOptions options,
                           mlir::DialectRegistry &registry,
                           bool isSynchronous) {
  Handlers handlers(transport, std::move(options), registry, isSynchronous);
  if (llvm::Error error = handlers.run()) {
    lsp::Logger::error("the connection ends: {0}",
                       llvm::toString(std::move(error)));
    return 1;
  }
  return handlers.isShutDown() ? 0 : 1;
}
