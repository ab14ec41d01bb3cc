//===- CheckProcesses.cpp - A process for each check ------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/service/CheckProcesses.h"

#include "engine/Child.h"
#include "tools/service/LineBuffer.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

using namespace formwork;
using namespace formwork::tools;
using llvm::StringRef;
namespace json = llvm::json;

/// Limits of one check: seconds of work, and bytes of memory.
static constexpr rlim_t kMaxSeconds = 60;
static constexpr rlim_t kMaxMemory = rlim_t(16) << 30;
/// So many checks follow one another before one starts anew: what each leaves
/// in memory stays with the next.
static constexpr unsigned kMaxFollowing = 16;

// The lines from a holder to the worker.
static constexpr llvm::StringLiteral kEnd = "end ", kProcess = "process ",
                                     kRefused = "refused";

static bool writeLine(int fd, json::Object object) {
  std::string line;
  llvm::raw_string_ostream(line) << json::Value(std::move(object)) << "\n";
  return writeAll(fd, line);
}

static bool tell(int fd, const llvm::Twine &line) {
  return writeAll(fd, (line + "\n").str());
}

static void setLimit(int resource, rlim_t limit) {
  struct rlimit old;
  if (getrlimit(resource, &old) == 0)
    limit = std::min(limit, old.rlim_max);
  struct rlimit value = {limit, limit};
  setrlimit(resource, &value);
}

/// A process ends with its parent, or goes on as a child of the worker.
static void setEndsWithParent(bool ends) {
#ifdef __linux__
  prctl(PR_SET_PDEATHSIG, ends ? SIGKILL : 0);
#else
  (void)ends;
#endif
}

void formwork::tools::becomeWorker() {
  setEndsWithParent(true);
  int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
  for (int fd : {0, 1, 2})
    dup2(nowhere, fd);
}

pid_t formwork::tools::forkConnected(int &in, int &out) {
  in = out = -1;
  int down[2], up[2];
  if (pipe2(down, O_CLOEXEC) != 0)
    return -1;
  if (pipe2(up, O_CLOEXEC) != 0) {
    close(down[0]);
    close(down[1]);
    return -1;
  }
  pid_t child = fork();
  bool isChild = child == 0;
  close(down[isChild]);
  close(up[!isChild]);
  in = isChild ? down[0] : up[0];
  out = isChild ? up[1] : down[1];
  return child;
}

/// Waits for the end of the child `process`; what ended it, empty if it ended
/// by itself.
static std::string waitFor(pid_t process) {
  int status = 0;
  while (waitpid(process, &status, 0) < 0)
    if (errno != EINTR)
      return "";
  engine::ChildEnd end;
  if (WIFSIGNALED(status))
    end.signal = WTERMSIG(status);
  else
    end.exitCode = WEXITSTATUS(status);
  return end.signal != 0 || end.exitCode != 0 ? end.explain() : "";
}

//===----------------------------------------------------------------------===//
// The processes that check
//===----------------------------------------------------------------------===//

namespace {
/// The life of a process that checks.
class CheckProcess {
public:
  /// `requests` come from the worker, which reads `reports`; the answers go to
  /// the server.
  CheckProcess(CheckService &service, pid_t worker, int requests, int reports,
               int answers)
      : service(service), worker(worker), requests(requests), reports(reports),
        answers(answers) {}

  /// Makes the check of `request` in a child of the worker.
  [[noreturn]] void runFirst(const CheckRequest &request);

private:
  void check(const CheckRequest &request);
  bool canHold() const {
#ifdef __linux__
    return service.keepsFor(file);
#else
    return false;
#endif
  }
  /// As the holder: has each request carried out by a child, until one of these
  /// is the holder.
  [[noreturn]] void hold();
  /// Returns where this process still is the holder.
  void pass(const CheckRequest &request);
  /// In a child of the holder, to which `parent` leads.
  [[noreturn]] void runNext(const CheckRequest &request, int parent);

  CheckService &service;
  pid_t worker;
  int requests, reports, answers;
  LineBuffer lines;
  std::string file;
  /// How many checks were made before, each in the parent of the next.
  unsigned numBefore = 0;
};
} // namespace

void CheckProcess::check(const CheckRequest &request) {
  file = request.file;
  DocumentFacts facts = service.check(file, request.text);
  writeLine(answers, json::Object{{"id", request.id}, {"facts", pack(facts)}});
  if (facts.hasFix())
    writeLine(answers,
              json::Object{{"id", request.id}, {"repaired", service.repair()}});
}

void CheckProcess::runFirst(const CheckRequest &request) {
  becomeWorker();
  setLimit(RLIMIT_CPU, kMaxSeconds);
  setLimit(RLIMIT_CORE, 0);
#if !__has_feature(address_sanitizer)
  setLimit(RLIMIT_AS, kMaxMemory);
#endif
  check(request);
  if (!canHold())
    _exit(0);
  tell(reports, kEnd);
  hold();
}

void CheckProcess::hold() {
  while (true) {
    std::optional<std::string> line = lines.takeLine();
    if (!line) {
      if (!lines.readSome(requests))
        _exit(0);
      continue;
    }
    // A check that is to be abandoned has come to its end by now.
    std::optional<CheckRequest> request = readRequest(*line);
    if (!request)
      continue;
    if (numBefore == kMaxFollowing || request->file != file)
      tell(reports, kRefused);
    else
      pass(*request);
  }
}

void CheckProcess::pass(const CheckRequest &request) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) {
    tell(reports, kRefused);
    return;
  }
  pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    runNext(request, ends[1]);
  }
  close(ends[1]);
  if (child < 0) {
    close(ends[0]);
    tell(reports, kRefused);
    return;
  }
  // A line that comes now abandons this check.
  while (!lines.takeLine()) {
    pollfd fds[] = {{ends[0], POLLIN, 0}, {requests, POLLIN, 0}};
    if (poll(fds, 2, -1) < 0)
      continue;
    if (fds[0].revents != 0) {
      char byte;
      ssize_t size;
      while ((size = read(ends[0], &byte, 1)) < 0 && errno == EINTR)
        ;
      if (size > 0)
        _exit(0);
      close(ends[0]);
      tell(reports, kEnd + waitFor(child));
      return;
    }
    if (fds[1].revents != 0 && !lines.readSome(requests)) {
      kill(child, SIGKILL);
      _exit(0);
    }
  }
  kill(child, SIGKILL);
  (void)waitFor(child);
  close(ends[0]);
  tell(reports, kEnd);
}

void CheckProcess::runNext(const CheckRequest &request, int parent) {
  pid_t holder = getppid();
  becomeWorker();
  ++numBefore;
  check(request);
  if (!canHold())
    _exit(0);
  setEndsWithParent(false);
  writeAll(parent, "k");
  close(parent);
  while (getppid() == holder)
    usleep(50);
  setEndsWithParent(true);
  if (getppid() != worker)
    _exit(0);
  tell(reports, kProcess + llvm::Twine(getpid()));
  tell(reports, kEnd);
  hold();
}

//===----------------------------------------------------------------------===//
// The worker
//===----------------------------------------------------------------------===//

namespace {
/// The loop of the process that holds the service.
class Loop {
public:
  Loop(CheckService &service, int requests, int answers)
      : service(service), requests(requests), answers(answers) {}

  /// Serves until there is no server any more.
  void run();

private:
  /// Waits for the next request; meanwhile, a check may end.
  std::optional<std::string> next();
  void start(std::string line);
  /// In a process of its own, from what the worker knows.
  void startAnew();
  /// Ends the check under way, if there is one.
  void stop();
  /// Reads what the process that checks, or the holder, reports.
  void listen();
  void finish(StringRef how);
  /// Closes the ways to the process; returns what has ended it.
  std::string leave();

  CheckService &service;
  int requests, answers;
  LineBuffer lines, reports;
  /// The line that asks for the check under way.
  std::optional<std::string> current;
  /// The process that checks, or the holder, if there is one; and whether it
  /// was a holder when it got its last request.
  pid_t process = -1;
  bool isHolder = false, isStopping = false;
  int toProcess = -1, fromProcess = -1;
};
} // namespace

void Loop::finish(StringRef how) {
  unsigned id = 0;
  (void)StringRef(*current).split('\t').first.getAsInteger(10, id);
  current = std::nullopt;
  // A process that ended in the middle of a line left that part there.
  writeAll(answers, "\n");
  writeLine(answers, json::Object{{"id", id}, {"end", how}});
}

std::string Loop::leave() {
  close(toProcess);
  close(fromProcess);
  toProcess = fromProcess = -1;
  isHolder = false;
  reports = LineBuffer();
  return waitFor(std::exchange(process, -1));
}

void Loop::stop() {
  if (!current)
    return;
  if (!isHolder) {
    kill(process, SIGKILL);
    (void)leave();
    return finish("");
  }
  tell(toProcess, kCancel);
  isStopping = true;
  while (current)
    listen();
  isStopping = false;
}

void Loop::listen() {
  bool isThere = reports.readSome(fromProcess);
  while (std::optional<std::string> line = reports.takeLine()) {
    StringRef report = *line;
    if (report.consume_front(kProcess)) {
      (void)waitFor(process);
      (void)report.getAsInteger(10, process);
    } else if (report.consume_front(kEnd)) {
      isHolder = true;
      finish(report);
    } else if (report == kRefused) {
      kill(process, SIGKILL);
      (void)leave();
      return isStopping ? finish("") : startAnew();
    }
  }
  if (isThere)
    return;
  std::string how = leave();
  if (current)
    finish(how);
}

std::optional<std::string> Loop::next() {
  while (true) {
    if (std::optional<std::string> line = lines.takeLine())
      return line;
    pollfd fds[] = {{requests, POLLIN, 0}, {fromProcess, POLLIN, 0}};
    if (poll(fds, process < 0 ? 1 : 2, -1) < 0)
      continue;
    if (process >= 0 && fds[1].revents != 0)
      listen();
    if (fds[0].revents != 0 && !lines.readSome(requests))
      return std::nullopt;
  }
}

void Loop::startAnew() {
  pid_t worker = getpid();
  process = forkConnected(fromProcess, toProcess);
  if (process == 0)
    CheckProcess(service, worker, fromProcess, toProcess, answers)
        .runFirst(*readRequest(*current));
  if (process > 0)
    return;
  bool isConnected = toProcess >= 0;
  if (isConnected)
    (void)leave();
  finish(isConnected ? "there is no process for a check"
                     : "there is no pipe for a check");
}

void Loop::start(std::string line) {
  stop();
  current = std::move(line);
  if (isHolder)
    tell(toProcess, *current);
  else
    startAnew();
}

void Loop::run() {
#ifdef __linux__
  // The children of a holder that ends are those of the worker then.
  prctl(PR_SET_CHILD_SUBREAPER, 1);
#endif
  std::signal(SIGPIPE, SIG_IGN);
  writeLine(answers, json::Object{{"names", pack(service.getNames())}});
  while (std::optional<std::string> line = next()) {
    if (*line == kCancel)
      stop();
    else
      start(std::move(*line));
  }
  stop();
  if (process >= 0) {
    kill(process, SIGKILL);
    (void)leave();
  }
}

void formwork::tools::serveChecks(CheckService &service, int requests,
                                  int answers) {
  Loop(service, requests, answers).run();
}
