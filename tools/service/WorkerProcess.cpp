//===- WorkerProcess.cpp - A process that checks documents ------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/service/WorkerProcess.h"

#include "tools/service/CheckProcesses.h"
#include "tools/service/CheckService.h"
#include "tools/service/Configuration.h"

#include "llvm/Support/raw_ostream.h"

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace formwork;
using namespace formwork::tools;
using llvm::StringRef;
namespace json = llvm::json;

WorkerProcess::WorkerProcess(const CheckSettings &settings,
                             mlir::DialectRegistry &registry) {
  child = forkConnected(answers, requests);
  if (child == 0) {
    becomeWorker();
    CheckService service(settings, registry);
    serveChecks(service, /*requests=*/answers, /*answers=*/requests);
    _exit(0);
  }
  fcntl(requests, F_SETFL, O_NONBLOCK);
}

WorkerProcess::~WorkerProcess() {
  if (requests >= 0)
    close(requests);
  if (answers >= 0)
    close(answers);
  if (child <= 0)
    return;
  kill(child, SIGKILL);
  int status;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR)
    ;
}

/// Until `deadline`, rounded up; none behind it.
static std::optional<int> getMilliseconds(WorkerProcess::Clock::time_point to) {
  using namespace std::chrono;
  auto left = ceil<milliseconds>(to - WorkerProcess::Clock::now());
  if (left.count() <= 0)
    return std::nullopt;
  return std::min<int64_t>(left.count(), 1000);
}

void WorkerProcess::send(StringRef line, Clock::time_point deadline) {
  // The process may wait for room for its answers before it reads on.
  for (StringRef rest = line; !rest.empty() && requests >= 0;) {
    std::optional<int> left = getMilliseconds(deadline);
    if (!left) {
      // It would take the next request for the rest of this one.
      if (child > 0)
        kill(child, SIGKILL);
      return;
    }
    pollfd fds[] = {{requests, POLLOUT, 0}, {answers, POLLIN, 0}};
    if (poll(fds, 2, *left) <= 0)
      continue;
    if (fds[1].revents != 0 && !pending.readSome(answers))
      return;
    if (fds[0].revents == 0)
      continue;
    ssize_t written = write(requests, rest.data(), rest.size());
    if (written < 0 && errno != EINTR && errno != EAGAIN)
      return;
    rest = rest.drop_front(std::max<ssize_t>(written, 0));
  }
}

void WorkerProcess::ask(unsigned id, StringRef file, StringRef text,
                        Clock::time_point deadline) {
  send(toLine({id, file.str(), text.str()}), deadline);
}

void WorkerProcess::cancel() {
  // A large payload may take a while to read.
  send((kCancel + "\n").str(), Clock::now() + std::chrono::seconds(30));
}

WorkerProcess::Event WorkerProcess::wait(int wake, Clock::time_point deadline,
                                         json::Object &answer) {
  while (true) {
    if (std::optional<std::string> line = pending.takeLine()) {
      llvm::Expected<json::Value> value = json::parse(*line);
      if (value && value->getAsObject()) {
        answer = std::move(*value->getAsObject());
        return Event::Answer;
      }
      // Half a line of a check that was ended.
      llvm::consumeError(value.takeError());
      continue;
    }
    std::optional<int> left = getMilliseconds(deadline);
    if (!left)
      return Event::Late;
    pollfd fds[] = {{answers, POLLIN, 0}, {wake, POLLIN, 0}};
    if (poll(fds, 2, *left) < 0 && errno != EINTR)
      return Event::Gone;
    if (fds[0].revents != 0 && !pending.readSome(answers))
      return Event::Gone;
    if (fds[1].revents != 0)
      return Event::Woken;
  }
}

Worker &WorkerPool::get(const CheckSettings &settings) {
  // Each holds a payload.
  constexpr size_t kMaxWorkers = 4;
  std::string key = describeSettings(settings);
  auto known = llvm::find_if(
      workers, [&](const Worker &worker) { return worker.settings == key; });
  if (known != workers.end()) {
    workers.splice(workers.begin(), workers, known);
    return workers.front();
  }
  if (workers.size() == kMaxWorkers)
    workers.pop_back();
  workers.push_front(
      {key, std::make_unique<WorkerProcess>(settings, registry), {}});
  return workers.front();
}
