//===- WorkerProcess.h - A process that checks documents --------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A child of the server that holds the libraries and the payload of some
// settings, and makes children of its own for the checks (CheckProcesses).
// Layer: tools.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TOOLS_SERVICE_WORKERPROCESS_H
#define FORMWORK_TOOLS_SERVICE_WORKERPROCESS_H

#include "tools/service/CheckSettings.h"
#include "tools/service/DocumentFacts.h"
#include "tools/service/LineBuffer.h"

#include "mlir/IR/DialectRegistry.h"
#include "llvm/Support/JSON.h"

#include <chrono>
#include <list>
#include <memory>
#include <string>
#include <sys/types.h>

namespace formwork::tools {

/// One thread at a time. Answers are objects: `names` (KnownNames) once; then,
/// with the `id` of the request, `facts` (DocumentFacts), `repaired` (a text or
/// null), and `end`: empty, or what ended the child that made the check. Names
/// and facts are packed.
class WorkerProcess {
public:
  /// Starts the process, which reads the libraries and the payload.
  WorkerProcess(const CheckSettings &settings, mlir::DialectRegistry &registry);
  /// Ends it, and a check under way.
  ~WorkerProcess();
  WorkerProcess(const WorkerProcess &) = delete;
  WorkerProcess &operator=(const WorkerProcess &) = delete;

  using Clock = std::chrono::steady_clock;

  /// Asks for the check of `text`, the content of `file`; a check under way is
  /// abandoned. A process that does not take the request until `deadline` is
  /// ended.
  void ask(unsigned id, llvm::StringRef file, llvm::StringRef text,
           Clock::time_point deadline);
  /// Abandons the check under way.
  void cancel();

  enum class Event { Answer, Woken, Late, Gone };
  /// Waits for the next answer, until something can be read from `wake`, or
  /// until `deadline`. Gone: there is no process, and never will be.
  Event wait(int wake, Clock::time_point deadline, llvm::json::Object &answer);

private:
  void send(llvm::StringRef line, Clock::time_point deadline);

  pid_t child = -1;
  int requests = -1, answers = -1;
  LineBuffer pending;
};

/// A process that checks with `settings`, as describeSettings writes them, and
/// the names that it told.
struct Worker {
  std::string settings;
  std::unique_ptr<WorkerProcess> process;
  KnownNames names;
};

/// The workers with the settings that were used last. One thread at a time.
class WorkerPool {
public:
  explicit WorkerPool(mlir::DialectRegistry &registry) : registry(registry) {}

  /// The worker with `settings`, which is started if it is not there; that may
  /// end another one.
  Worker &get(const CheckSettings &settings);
  /// Ends the worker that was asked for last.
  void dropLast() { workers.pop_front(); }
  void clear() { workers.clear(); }

private:
  mlir::DialectRegistry &registry;
  /// The one that was used last in front.
  std::list<Worker> workers;
};

} // namespace formwork::tools

#endif // FORMWORK_TOOLS_SERVICE_WORKERPROCESS_H
