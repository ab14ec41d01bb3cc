//===- Server.cpp - Schedules in an editor ----------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/formwork-lsp-server/Server.h"
#include "tools/formwork-lsp-server/Answers.h"
#include "tools/formwork-lsp-server/KeptResult.h"
#include "tools/formwork-lsp-server/Uris.h"

#include "tools/service/Configuration.h"
#include "tools/service/TextPositions.h"

#include "llvm/Support/Path.h"

#include <sys/eventfd.h>
#include <unistd.h>

using namespace formwork::tools;
using llvm::StringRef;
namespace json = llvm::json;
namespace lsp = llvm::lsp;

Server::Server(ServerOptions given, mlir::DialectRegistry &registry,
               Notify notify)
    : options(std::move(given)), notify(std::move(notify)),
      wake(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)), workers(registry),
      thread([this] { run(); }) {}

Server::~Server() {
  {
    std::lock_guard lock(mutex);
    isEnding = true;
    wakeUp();
  }
  thread.join();
  ::close(wake);
}

//===----------------------------------------------------------------------===//
// Documents
//===----------------------------------------------------------------------===//

Document *Server::lookup(StringRef uri) {
  auto found = documents.find(uri.str());
  return found == documents.end() ? nullptr : &found->second;
}

void Server::wakeUp() {
  eventfd_write(wake, 1);
  changed.notify_all();
}

void Server::touch(Document &document) {
  document.isDirty = true;
  document.due = Clock::now() + options.debounce;
  wakeUp();
}

void Server::setShowsRelated(bool shows) {
  std::lock_guard lock(mutex);
  showsRelated = shows;
}

void Server::open(StringRef uri, int64_t version, std::string text) {
  std::lock_guard lock(mutex);
  Document &document = documents[uri.str()];
  document = Document();
  document.version = version;
  document.text = std::move(text);
  touch(document);
  document.due = Clock::now();
}

void Server::change(StringRef uri, int64_t version,
                    const json::Array &changes) {
  std::lock_guard lock(mutex);
  Document *document = lookup(uri);
  if (!document)
    return;
  document->version = version;
  for (const json::Value &change : changes)
    if (const json::Object *object = change.getAsObject())
      applyChange(*object, document->text);
  touch(*document);
}

void Server::close(StringRef uri) {
  std::lock_guard lock(mutex);
  if (documents.erase(uri.str()) == 0)
    return;
  wakeUp();
  notify("textDocument/publishDiagnostics",
         json::Object{{"uri", uri.str()}, {"diagnostics", json::Array()}});
}

void Server::recheck() {
  std::lock_guard lock(mutex);
  for (auto &[uri, document] : documents)
    touch(document);
}

void Server::filesChanged() {
  std::lock_guard lock(mutex);
  isLookDue = true;
  wakeUp();
}

void Server::waitUntilIdle() {
  std::unique_lock lock(mutex);
  idle.wait(lock, [&] {
    return !isBusy && !isLookDue &&
           llvm::none_of(documents, [](const auto &entry) {
             return entry.second.isDirty;
           });
  });
}

//===----------------------------------------------------------------------===//
// The thread that has documents checked
//===----------------------------------------------------------------------===//

void Server::run() {
  std::unique_lock lock(mutex);
  while (!isEnding) {
    auto next = documents.end();
    for (auto at = documents.begin(); at != documents.end(); ++at)
      if (at->second.isDirty &&
          (next == documents.end() || at->second.due < next->second.due))
        next = at;
    if (next == documents.end()) {
      if (isLookDue) {
        isLookDue = false;
        isBusy = true;
        watchFiles(lock);
        isBusy = false;
        continue;
      }
      idle.notify_all();
      if (options.watch.count() == 0 || documents.empty())
        changed.wait(lock);
      else if (changed.wait_for(lock, options.watch) == std::cv_status::timeout)
        watchFiles(lock);
      continue;
    }
    if (Clock::time_point due = next->second.due; due > Clock::now()) {
      changed.wait_until(lock, due);
      continue;
    }
    Document &document = next->second;
    document.isDirty = false;
    isBusy = true;
    eventfd_t ignored;
    eventfd_read(wake, &ignored);
    Snapshot snapshot{next->first, getPath(next->first), document.text,
                      document.version};
    lock.unlock();
    check(std::move(snapshot));
    lock.lock();
    isBusy = false;
  }
  workers.clear();
}

Server::Settings Server::readSettings(StringRef path, StringRef text) const {
  llvm::Expected<CheckSettings> settings =
      findSettings(path, text, options.settings);
  if (settings) {
    std::string key = describeSettings(*settings);
    return {std::move(key), std::move(settings)};
  }
  llvm::Error error = settings.takeError();
  std::string key = llvm::toStringWithoutConsuming(error);
  return {std::move(key), std::move(error)};
}

void Server::watchFiles(std::unique_lock<std::mutex> &lock) {
  std::vector<Snapshot> snapshots;
  for (const auto &[uri, document] : documents)
    snapshots.push_back({uri, getPath(uri), document.text, document.version});
  lock.unlock();
  std::map<std::string, std::string> keys;
  for (const Snapshot &snapshot : snapshots) {
    Settings found = readSettings(snapshot.path, snapshot.text);
    llvm::consumeError(found.settings.takeError());
    keys[snapshot.uri] = std::move(found.key);
  }
  lock.lock();
  for (auto &[uri, document] : documents)
    if (auto at = keys.find(uri); at != keys.end() && document.isChecked &&
                                  !document.isDirty &&
                                  document.checkedSettings != at->second)
      touch(document);
}

bool Server::isOutdated(const Snapshot &snapshot) {
  std::lock_guard lock(mutex);
  Document *document = lookup(snapshot.uri);
  return isEnding || !document || document->version != snapshot.version ||
         document->isDirty;
}

bool Server::areFilesOutdated(const Snapshot &snapshot,
                              const std::string &settings) {
  {
    std::lock_guard lock(mutex);
    if (!isLookDue)
      return false;
  }
  Settings found = readSettings(snapshot.path, snapshot.text);
  llvm::consumeError(found.settings.takeError());
  if (found.key == settings)
    return false;
  std::lock_guard lock(mutex);
  if (Document *document = lookup(snapshot.uri))
    touch(*document);
  return true;
}

bool Server::showAgain(const Snapshot &snapshot, const std::string &key,
                       const CheckSettings &settings) {
  std::lock_guard lock(mutex);
  Document *document = lookup(snapshot.uri);
  if (!document || !document->isChecked || !document->isRepaired ||
      document->checkedSettings != key)
    return false;
  // In an attribute of a dialect that is not known, '//' begins no comment.
  if (settings.allowUnregisteredDialects
          ? document->checkedText != snapshot.text
          : !keepResult(*document, snapshot.text))
    return false;
  if (document->version == snapshot.version)
    send(snapshot.uri, *document);
  return true;
}

bool Server::follow(Snapshot &snapshot, const std::string &key) {
  Snapshot present = snapshot;
  {
    std::lock_guard lock(mutex);
    Document *document = lookup(snapshot.uri);
    if (isEnding || !document)
      return false;
    present.text = document->text;
    present.version = document->version;
  }
  Settings found = readSettings(present.path, present.text);
  if (!found.settings) {
    llvm::consumeError(found.settings.takeError());
    return false;
  }
  if (found.key != key || found.settings->allowUnregisteredDialects)
    return false;
  std::lock_guard lock(mutex);
  Document *document = lookup(snapshot.uri);
  if (!document || document->version != present.version ||
      !document->isFinished || !keepResult(*document, present.text))
    return false;
  document->isDirty = false;
  snapshot = std::move(present);
  send(snapshot.uri, *document);
  return true;
}

/// An error of the settings, at its place if that is in `path`.
static DocumentDiagnostic describeError(llvm::Error error, StringRef path) {
  DocumentDiagnostic problem;
  problem.message = llvm::toStringWithoutConsuming(error);
  llvm::handleAllErrors(
      std::move(error),
      [&](const SettingsError &wrong) {
        if (wrong.file == path) {
          problem.message = wrong.message;
          problem.range = wrong.range;
        } else {
          problem.related.push_back({wrong.file, wrong.range, wrong.message});
        }
      },
      [](const llvm::ErrorInfoBase &) {});
  return problem;
}

static DocumentDiagnostic makeProblem(const llvm::Twine &message) {
  DocumentDiagnostic problem;
  problem.message = message.str();
  return problem;
}

void Server::check(Snapshot snapshot) {
  auto [key, settings] = readSettings(snapshot.path, snapshot.text);
  if (!settings)
    return publishFailure(snapshot, key,
                          describeError(settings.takeError(), snapshot.path));
  if (showAgain(snapshot, key, *settings))
    return;
  Worker &worker = workers.get(*settings);
  unsigned id = ++lastId;
  auto deadline = Clock::now() + options.timeout;
  worker.process->ask(id, snapshot.path, snapshot.text, deadline);
  bool hasFacts = false;
  const std::string asked = snapshot.text;
  while (true) {
    json::Object answer;
    switch (worker.process->wait(wake, deadline, answer)) {
    case WorkerProcess::Event::Answer:
      if (take(snapshot, asked, key, worker, id, std::move(answer), hasFacts))
        return;
      continue;
    case WorkerProcess::Event::Woken: {
      eventfd_t ignored;
      eventfd_read(wake, &ignored);
      bool isOther = isOutdated(snapshot);
      if (isOther && hasFacts && follow(snapshot, key))
        continue;
      if (!isOther && !areFilesOutdated(snapshot, key))
        continue;
      return worker.process->cancel();
    }
    case WorkerProcess::Event::Late:
      // One that does not come to an end may not read requests, either.
      workers.dropLast();
      if (!hasFacts)
        publishFailure(snapshot, key,
                       makeProblem("the check takes longer than " +
                                   llvm::Twine(options.timeout.count()) +
                                   " ms; it was ended"));
      return;
    case WorkerProcess::Event::Gone:
      workers.dropLast();
      if (!hasFacts)
        publishFailure(snapshot, key,
                       makeProblem("MLIR crashes on the libraries or on the "
                                   "payload that the configuration names"));
      return;
    }
  }
}

bool Server::take(const Snapshot &snapshot, const std::string &asked,
                  const std::string &settings, Worker &worker, unsigned id,
                  json::Object answer, bool &hasFacts) {
  if (std::optional<StringRef> names = answer.getString("names")) {
    worker.names = unpackNames(*names).value_or(KnownNames());
    return false;
  }
  if (answer.getInteger("id") != id)
    return false;
  if (std::optional<StringRef> packed = answer.getString("facts")) {
    if (std::optional<DocumentFacts> facts = unpackFacts(*packed)) {
      hasFacts = true;
      publish(snapshot, settings, worker.names, std::move(*facts));
    }
    return false;
  }
  if (const json::Value *text = answer.get("repaired")) {
    std::lock_guard lock(mutex);
    Document *document = lookup(snapshot.uri);
    if (document && document->version == snapshot.version &&
        text->getAsString()) {
      document->repaired =
          moveRepair(asked, *text->getAsString(), snapshot.text);
      if (!document->repaired)
        touch(*document);
    }
    return false;
  }
  std::optional<StringRef> end = answer.getString("end");
  if (!end)
    return false;
  if (hasFacts) {
    std::lock_guard lock(mutex);
    Document *document = lookup(snapshot.uri);
    if (document && document->version == snapshot.version)
      document->isRepaired = end->empty() && !document->isDirty;
  } else if (!end->empty()) {
    publishFailure(snapshot, settings,
                   makeProblem("the check of this text crashes, which is a "
                               "fault of MLIR or of Formwork: " +
                               *end));
  }
  return true;
}

void Server::publishFailure(const Snapshot &snapshot,
                            const std::string &settings,
                            DocumentDiagnostic problem) {
  DocumentFacts facts;
  facts.diagnostics.push_back(std::move(problem));
  KnownNames names;
  {
    std::lock_guard lock(mutex);
    if (Document *document = lookup(snapshot.uri))
      names = document->names;
  }
  publish(snapshot, settings, names, std::move(facts), /*isFinished=*/false);
}

void Server::publish(const Snapshot &snapshot, const std::string &settings,
                     const KnownNames &names, DocumentFacts facts,
                     bool isFinished) {
  std::lock_guard lock(mutex);
  Document *document = lookup(snapshot.uri);
  if (!document || document->version != snapshot.version)
    return;
  document->isChecked = true;
  document->isFinished = isFinished;
  document->checkedText = snapshot.text;
  document->checkedSettings = settings;
  document->isRepaired = false;
  document->repaired = std::nullopt;
  document->names = names;
  document->diagnostics = facts.diagnostics;
  if (facts.isParsed) {
    document->readText = snapshot.text;
    document->readFacts = std::move(facts);
  }
  send(snapshot.uri, *document);
}

void Server::send(StringRef uri, const Document &document) {
  json::Array diagnostics;
  for (const DocumentDiagnostic &diagnostic : document.diagnostics)
    diagnostics.push_back(toJson(uri, diagnostic, showsRelated));
  notify("textDocument/publishDiagnostics",
         json::Object{{"uri", uri.str()},
                      {"version", document.version},
                      {"diagnostics", std::move(diagnostics)}});
}

json::Value
Server::ask(StringRef uri, json::Value otherwise,
            llvm::function_ref<json::Value(const Document &document)> answer) {
  std::lock_guard lock(mutex);
  Document *document = lookup(uri);
  return document ? answer(*document) : otherwise;
}
