//===- Server.cpp - Schedules in an editor ----------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/formwork-lsp-server/Server.h"

#include "tools/service/Configuration.h"
#include "tools/service/TextPositions.h"

#include "llvm/Support/Path.h"

#include <sys/eventfd.h>
#include <unistd.h>

using namespace formwork::tools;
using llvm::StringRef;
namespace json = llvm::json;
namespace lsp = llvm::lsp;

/// So many settings keep a process.
static constexpr size_t kMaxWorkers = 4;

std::string formwork::tools::getPath(StringRef uri) {
  llvm::Expected<lsp::URIForFile> file = lsp::URIForFile::fromURI(uri);
  if (file)
    return file->file().str();
  llvm::consumeError(file.takeError());
  return uri.str();
}

std::string formwork::tools::getUri(StringRef path) {
  llvm::Expected<lsp::URIForFile> file = lsp::URIForFile::fromFile(path);
  if (file)
    return file->uri().str();
  llvm::consumeError(file.takeError());
  return path.str();
}

Server::Server(ServerOptions given, mlir::DialectRegistry &registry,
               Notify notify)
    : options(std::move(given)), registry(registry), notify(std::move(notify)),
      wake(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)), thread([this] { run(); }) {}

Server::~Server() {
  {
    std::lock_guard lock(mutex);
    isEnding = true;
    eventfd_write(wake, 1);
    changed.notify_all();
  }
  thread.join();
  ::close(wake);
}

//===----------------------------------------------------------------------===//
// Documents
//===----------------------------------------------------------------------===//

Server::Document *Server::lookup(StringRef uri) {
  auto found = documents.find(uri.str());
  return found == documents.end() ? nullptr : &found->second;
}

void Server::touch(Document &document) {
  document.isDirty = true;
  document.due = Clock::now() + options.debounce;
  eventfd_write(wake, 1);
  changed.notify_all();
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
  eventfd_write(wake, 1);
  changed.notify_all();
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
  eventfd_write(wake, 1);
  changed.notify_all();
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
    check(snapshot);
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

bool Server::showAgain(const Snapshot &snapshot, const std::string &settings) {
  std::lock_guard lock(mutex);
  Document *document = lookup(snapshot.uri);
  if (!document || !document->isChecked || !document->isFinished ||
      document->checkedText != snapshot.text ||
      document->checkedSettings != settings)
    return false;
  if (document->version == snapshot.version)
    send(snapshot.uri, *document);
  return true;
}

Server::Worker &Server::getWorker(const std::string &key,
                                  const CheckSettings &settings) {
  for (auto at = workers.begin(); at != workers.end(); ++at)
    if (at->settings == key) {
      workers.splice(workers.begin(), workers, at);
      return workers.front();
    }
  while (workers.size() >= kMaxWorkers)
    workers.pop_back();
  workers.push_front(
      {key, std::make_unique<WorkerProcess>(settings, registry), {}});
  return workers.front();
}

void Server::dropWorker(const Worker &worker) {
  workers.remove_if([&](const Worker &one) { return &one == &worker; });
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

void Server::check(const Snapshot &snapshot) {
  auto [key, settings] = readSettings(snapshot.path, snapshot.text);
  if (!settings)
    return publishFailure(snapshot, key,
                          describeError(settings.takeError(), snapshot.path));
  if (showAgain(snapshot, key))
    return;
  Worker &worker = getWorker(key, *settings);
  unsigned id = ++lastId;
  auto deadline = Clock::now() + options.timeout;
  worker.process->ask(id, snapshot.path, snapshot.text, deadline);
  bool hasFacts = false;
  while (true) {
    json::Object answer;
    switch (worker.process->wait(wake, deadline, answer)) {
    case WorkerProcess::Event::Answer:
      if (take(snapshot, key, worker, id, std::move(answer), hasFacts))
        return;
      continue;
    case WorkerProcess::Event::Woken: {
      eventfd_t ignored;
      eventfd_read(wake, &ignored);
      if (!isOutdated(snapshot) && !areFilesOutdated(snapshot, key))
        continue;
      return worker.process->cancel();
    }
    case WorkerProcess::Event::Late:
      // One that does not come to an end may not read requests, either.
      dropWorker(worker);
      if (!hasFacts)
        publishFailure(snapshot, key,
                       makeProblem("the check takes longer than " +
                                   llvm::Twine(options.timeout.count()) +
                                   " ms; it was ended"));
      return;
    case WorkerProcess::Event::Gone:
      dropWorker(worker);
      if (!hasFacts)
        publishFailure(snapshot, key,
                       makeProblem("MLIR crashes on the libraries or on the "
                                   "payload that the configuration names"));
      return;
    }
  }
}

bool Server::take(const Snapshot &snapshot, const std::string &settings,
                  Worker &worker, unsigned id, json::Object answer,
                  bool &hasFacts) {
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
        text->getAsString())
      document->repaired = text->getAsString()->str();
    return false;
  }
  std::optional<StringRef> end = answer.getString("end");
  if (!end)
    return false;
  if (!hasFacts && !end->empty())
    publishFailure(snapshot, settings,
                   makeProblem("the check of this text crashes, which is a "
                               "fault of MLIR or of Formwork: " +
                               *end));
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
    diagnostics.push_back(toJson(uri, diagnostic));
  notify("textDocument/publishDiagnostics",
         json::Object{{"uri", uri.str()},
                      {"version", document.version},
                      {"diagnostics", std::move(diagnostics)}});
}

//===----------------------------------------------------------------------===//
// Output
//===----------------------------------------------------------------------===//

json::Value Server::toLocation(StringRef uri, StringRef file,
                               lsp::Range range) const {
  bool isDocument = file.empty() || file == getPath(uri);
  return json::Object{{"uri", isDocument ? uri.str() : getUri(file)},
                      {"range", range}};
}

json::Value Server::toJson(StringRef uri,
                           const DocumentDiagnostic &diagnostic) const {
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

json::Value Server::findHints(StringRef uri, lsp::Range range) {
  std::lock_guard lock(mutex);
  json::Array hints;
  Document *document = lookup(uri);
  if (!document)
    return hints;
  LineMap map(document->readText, document->text);
  for (const NamedEntity &entity : document->readFacts.entities) {
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

std::optional<Server::Found> Server::findName(const Document &document,
                                              lsp::Position position) const {
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

json::Value Server::findHover(StringRef uri, lsp::Position position) {
  std::lock_guard lock(mutex);
  Document *document = lookup(uri);
  if (!document)
    return nullptr;
  LineMap back(document->readText, document->text);
  auto make = [&](const std::string &text, lsp::Range range) -> json::Value {
    json::Object hover{
        {"contents", json::Object{{"kind", "markdown"}, {"value", text}}}};
    if (std::optional<lsp::Range> shown = back.map(range))
      hover["range"] = *shown;
    return hover;
  };
  if (std::optional<Found> found = findName(*document, position))
    return make(found->entity->hover, found->range);
  std::optional<lsp::Position> at =
      LineMap(document->text, document->readText).map(position);
  if (!at)
    return nullptr;
  for (const StepFacts &step : document->readFacts.steps) {
    if (*at < step.range.start || step.range.end < *at)
      continue;
    auto page = document->readFacts.operations.find(step.operation);
    std::string text = step.hover;
    if (!text.empty())
      text += "\n\n";
    if (page != document->readFacts.operations.end())
      text += page->second;
    return make(text, step.range);
  }
  return nullptr;
}

json::Value Server::findDefinition(StringRef uri, lsp::Position position) {
  std::lock_guard lock(mutex);
  Document *document = lookup(uri);
  std::optional<Found> found =
      document ? findName(*document, position) : std::nullopt;
  if (!found || found->entity->file == "-")
    return nullptr;
  lsp::Range range = found->entity->definition;
  if (found->entity->file.empty()) {
    std::optional<lsp::Range> shown =
        LineMap(document->readText, document->text).map(range);
    if (!shown)
      return nullptr;
    range = *shown;
  }
  return toLocation(uri, found->entity->file, range);
}

json::Value Server::findReferences(StringRef uri, lsp::Position position,
                                   bool withDefinition) {
  std::lock_guard lock(mutex);
  json::Array references;
  Document *document = lookup(uri);
  std::optional<Found> found =
      document ? findName(*document, position) : std::nullopt;
  if (!found)
    return references;
  LineMap back(document->readText, document->text);
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

json::Value Server::makeAction(StringRef uri, const Document &document,
                               StringRef title, StringRef kind,
                               llvm::ArrayRef<lsp::TextEdit> edits) const {
  json::Object change{
      {"textDocument",
       json::Object{{"uri", uri.str()}, {"version", document.version}}},
      {"edits", json::Array(edits)}};
  return json::Object{{"title", title.str()},
                      {"kind", kind.str()},
                      {"edit", json::Object{{"documentChanges",
                                             json::Array{std::move(change)}}}}};
}

json::Value Server::findActions(StringRef uri, lsp::Range range,
                                llvm::ArrayRef<std::string> only) {
  std::lock_guard lock(mutex);
  json::Array actions;
  Document *document = lookup(uri);
  // An edit of another text would be wrong.
  if (!document || !document->isChecked || !document->isFinished ||
      document->checkedText != document->text)
    return actions;
  auto wants = [&](StringRef kind) {
    return only.empty() || llvm::any_of(only, [&](StringRef one) {
             return kind == one || kind.starts_with((one + ".").str());
           });
  };
  bool hasFix = false;
  for (const DocumentDiagnostic &diagnostic : document->diagnostics) {
    if (diagnostic.range.end < range.start ||
        range.end < diagnostic.range.start)
      continue;
    for (const DocumentFix &fix : diagnostic.fixes) {
      hasFix = true;
      if (!wants("quickfix"))
        continue;
      json::Value action =
          makeAction(uri, *document, fix.title, "quickfix", fix.edits);
      (*action.getAsObject())["diagnostics"] =
          json::Array{toJson(uri, diagnostic)};
      actions.push_back(std::move(action));
    }
  }
  if (!document->repaired)
    return actions;
  lsp::TextEdit edit = makeEdit(document->text, *document->repaired);
  StringRef title = "Carry out all fix-its that help";
  if (!only.empty() && wants("source.fixAll.formwork"))
    actions.push_back(
        makeAction(uri, *document, title, "source.fixAll.formwork", edit));
  else if (hasFix && wants("quickfix"))
    actions.push_back(makeAction(uri, *document, title, "quickfix", edit));
  return actions;
}

//===----------------------------------------------------------------------===//
// Completion
//===----------------------------------------------------------------------===//

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

json::Value Server::complete(StringRef uri, lsp::Position position) {
  // The kinds of the protocol.
  enum Kind { Function = 3, Variable = 6, Module = 9, EnumMember = 20 };
  std::lock_guard lock(mutex);
  json::Array items;
  Document *document = lookup(uri);
  if (!document)
    return items;
  TextPositions positions(document->text);
  StringRef before =
      StringRef(document->text).take_front(positions.toOffset(position));
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
  const DocumentFacts &facts = document->readFacts;
  if (word.starts_with("%")) {
    LineMap map(document->readText, document->text);
    for (const NamedEntity &entity : facts.entities) {
      if (entity.kind != "handle")
        continue;
      // What is set behind the place or in another region cannot be used there.
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
      for (const KnownForm &form : document->names.forms)
        add(("@" + form.name), EnumMember, form.detail);
    return items;
  }
  // An operation begins a line or a region, or stands behind its results.
  if (!behind.empty() && !behind.ends_with("=") && !behind.ends_with("{"))
    return items;
  bool takesGroup = endsInPatterns(before.take_front(begin));
  for (const KnownOperation &operation : document->names.operations)
    if (operation.isRuleGroup == takesGroup)
      add(operation.name, Function, operation.detail);
  return items;
}
