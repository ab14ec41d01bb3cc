//===- Server.h - Schedules in an editor ------------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The documents that an editor has open, and the thread that has them checked.
// Layer: tools; it parses no IR, see WorkerProcess.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TOOLS_FORMWORK_LSP_SERVER_SERVER_H
#define FORMWORK_TOOLS_FORMWORK_LSP_SERVER_SERVER_H

#include "tools/formwork-lsp-server/Changes.h"
#include "tools/formwork-lsp-server/Document.h"
#include "tools/service/WorkerProcess.h"

#include "llvm/ADT/FunctionExtras.h"

#include <condition_variable>
#include <map>
#include <mutex>
#include <thread>

namespace formwork::tools {

struct ServerOptions {
  CheckSettings settings;
  /// From the last change of a document to its check.
  std::chrono::milliseconds debounce{60};
  /// The limit of one check.
  std::chrono::milliseconds timeout{30000};
  /// From one look at the files that the checks have read to the next; 0: they
  /// are looked at only where the client says so.
  std::chrono::milliseconds watch{1000};
};

/// Its functions may be called from one thread; it sends from another one.
class Server {
public:
  using Json = llvm::json::Value;
  /// Sends a notification.
  using Notify = llvm::unique_function<void(llvm::StringRef method, Json)>;

  Server(ServerOptions options, mlir::DialectRegistry &registry, Notify notify);
  ~Server();

  /// Whether the client shows the places that belong to a diagnostic; else they
  /// are lines of its message.
  void setShowsRelated(bool shows);

  void open(llvm::StringRef uri, int64_t version, std::string text);
  void change(llvm::StringRef uri, int64_t version,
              const llvm::json::Array &changes);
  void close(llvm::StringRef uri);
  /// A file may be different: every document is checked again, also one whose
  /// last check came to no end.
  void recheck();
  /// Files may be different: documents whose checks read them are checked
  /// again. The check of another document goes on.
  void filesChanged();
  /// Waits until all documents are checked, and fix-its are tried.
  void waitUntilIdle();

  /// Calls `answer` with the document `uri`, while nothing changes it; where it
  /// is not open, the answer is `otherwise`.
  Json ask(llvm::StringRef uri, Json otherwise,
           llvm::function_ref<Json(const Document &document)> answer);
  bool doesShowRelated() const { return showsRelated; }

private:
  using Clock = std::chrono::steady_clock;

  struct Snapshot {
    std::string uri, path, text;
    int64_t version;
  };
  /// The settings of a document, or why there are none, with a text that
  /// changes with them and with their files.
  struct Settings {
    std::string key;
    llvm::Expected<CheckSettings> settings;
  };

  void run();
  /// Looks whether files that the checks have read are different now. `lock` is
  /// open meanwhile.
  void watchFiles(std::unique_lock<std::mutex> &lock);
  Settings readSettings(llvm::StringRef path, llvm::StringRef text) const;
  void check(Snapshot snapshot);
  /// Whether files changed such that `settings`, those of the check under way,
  /// are those of the document no more. It is checked again then.
  bool areFilesOutdated(const Snapshot &snapshot, const std::string &settings);
  /// Whether the document has changed in comments alone, so that its facts, and
  /// the fix-its that are being tried, are still right; `snapshot` is the
  /// present text then.
  bool follow(Snapshot &snapshot, const std::string &key);
  /// Takes one answer of the worker to `asked`; returns whether it was the last
  /// one.
  bool take(const Snapshot &snapshot, const std::string &asked,
            const std::string &settings, Worker &worker, unsigned id,
            llvm::json::Object answer, bool &hasFacts);
  /// Whether the document is not what it was, or the server ends.
  bool isOutdated(const Snapshot &snapshot);
  /// Whether nothing has changed since the last check but comments and blanks
  /// behind code; its result is shown for the present version then.
  bool showAgain(const Snapshot &snapshot, const std::string &key,
                 const CheckSettings &settings);
  /// Shows `facts`, unless the document has changed.
  void publish(const Snapshot &snapshot, const std::string &settings,
               const KnownNames &names, DocumentFacts facts,
               bool isFinished = true);
  /// Shows what kept the check from its end.
  void publishFailure(const Snapshot &snapshot, const std::string &settings,
                      DocumentDiagnostic problem);
  void send(llvm::StringRef uri, const Document &document);
  void touch(Document &document);
  void wakeUp();

  Document *lookup(llvm::StringRef uri);

  ServerOptions options;
  Notify notify;

  std::mutex mutex;
  std::condition_variable changed, idle;
  std::map<std::string, Document> documents;
  bool isBusy = false, isEnding = false;
  /// Whether files may have changed since the last look at them.
  bool isLookDue = false;
  bool showsRelated = false;
  /// Readable when the thread is to look whether its work is outdated.
  int wake = -1;

  // Only the thread uses these.
  WorkerPool workers;
  unsigned lastId = 0;
  std::thread thread;
};

} // namespace formwork::tools

#endif // FORMWORK_TOOLS_FORMWORK_LSP_SERVER_SERVER_H
