//===- WorkerProcess.cpp - A process that checks documents ------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/service/WorkerProcess.h"

#include "engine/Child.h"
#include "tools/service/CheckService.h"

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

static bool writeAll(int fd, StringRef text) {
  while (!text.empty()) {
    ssize_t written = write(fd, text.data(), text.size());
    if (written < 0 && errno == EINTR)
      continue;
    if (written <= 0)
      return false;
    text = text.drop_front(written);
  }
  return true;
}

static std::string toLine(json::Object object) {
  std::string line;
  llvm::raw_string_ostream os(line);
  os << json::Value(std::move(object)) << "\n";
  return line;
}

static bool writeLine(int fd, json::Object object) {
  return writeAll(fd, toLine(std::move(object)));
}

std::optional<std::string> LineBuffer::takeLine() {
  size_t end = pending.find('\n', numSearched);
  if (end == std::string::npos) {
    numSearched = pending.size();
    return std::nullopt;
  }
  std::string line = pending.substr(0, end);
  pending.erase(0, end + 1);
  numSearched = 0;
  return line;
}

bool LineBuffer::readSome(int fd) {
  char buffer[1 << 16];
  ssize_t size;
  do
    size = read(fd, buffer, sizeof(buffer));
  while (size < 0 && errno == EINTR);
  if (size <= 0)
    return false;
  pending.append(buffer, size);
  return true;
}

//===----------------------------------------------------------------------===//
// In the child
//===----------------------------------------------------------------------===//

/// A child ends with its parent, and what it prints goes nowhere: the server's
/// standard output is the protocol's.
static void becomeChild() {
#ifdef __linux__
  prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
  int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
  for (int fd : {0, 1, 2})
    dup2(nowhere, fd);
}

static void setLimit(int resource, rlim_t limit) {
  struct rlimit old;
  if (getrlimit(resource, &old) == 0)
    limit = std::min(limit, old.rlim_max);
  struct rlimit value = {limit, limit};
  setrlimit(resource, &value);
}

namespace {
/// The loop of the process that holds the service.
class Loop {
public:
  Loop(CheckService &service, int requests, int answers)
      : service(service), requests(requests), answers(answers) {}

  /// Serves until there is no server any more.
  void run();

private:
  /// Waits for the next request; with a check under way, for its end, too.
  std::optional<json::Object> next();
  void start(const json::Object &request);
  /// Ends the check under way, if there is one.
  void stop();
  void finish(const std::string &how);

  CheckService &service;
  int requests, answers;
  LineBuffer pending;
  pid_t check = -1;
  /// The number of the check under way.
  int64_t id = 0;
  /// Its other end is open as long as the check runs.
  int alive = -1;
};
} // namespace

void Loop::finish(const std::string &how) {
  close(alive);
  check = alive = -1;
  // A process that ended in the middle of a line left that part there.
  writeAll(answers, "\n");
  writeLine(answers, json::Object{{"id", id}, {"end", how}});
}

void Loop::stop() {
  if (check < 0)
    return;
  kill(check, SIGKILL);
  int status;
  while (waitpid(check, &status, 0) < 0 && errno == EINTR)
    ;
  finish("");
}

std::optional<json::Object> Loop::next() {
  while (true) {
    if (std::optional<std::string> line = pending.takeLine()) {
      llvm::Expected<json::Value> request = json::parse(*line);
      if (request && request->getAsObject())
        return std::move(*request->getAsObject());
      llvm::consumeError(request.takeError());
      continue;
    }
    pollfd fds[] = {{requests, POLLIN, 0}, {alive, POLLIN, 0}};
    if (poll(fds, check < 0 ? 1 : 2, -1) < 0)
      continue;
    if (check >= 0 && fds[1].revents != 0) {
      int status = 0;
      while (waitpid(check, &status, 0) < 0 && errno == EINTR)
        ;
      engine::ChildEnd end;
      if (WIFSIGNALED(status))
        end.signal = WTERMSIG(status);
      else
        end.exitCode = WEXITSTATUS(status);
      finish(end.signal != 0 || end.exitCode != 0 ? end.explain() : "");
    }
    if (fds[0].revents != 0 && !pending.readSome(requests))
      return std::nullopt;
  }
}

void Loop::start(const json::Object &request) {
  stop();
  id = request.getInteger("id").value_or(0);
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    return finish("there is no pipe for a check");
  alive = ends[0];
  check = fork();
  if (check < 0) {
    close(ends[1]);
    return finish("there is no process for a check");
  }
  if (check != 0) {
    close(ends[1]);
    return;
  }
  becomeChild();
  setLimit(RLIMIT_CPU, kMaxSeconds);
  setLimit(RLIMIT_CORE, 0);
#if !__has_feature(address_sanitizer)
  setLimit(RLIMIT_AS, kMaxMemory);
#endif
  DocumentFacts facts = service.check(request.getString("file").value_or(""),
                                      request.getString("text").value_or(""));
  bool hasFix =
      llvm::any_of(facts.diagnostics, [](const DocumentDiagnostic &one) {
        return !one.fixes.empty();
      });
  writeLine(answers, json::Object{{"id", id}, {"facts", pack(facts)}});
  if (hasFix)
    writeLine(answers,
              json::Object{{"id", id}, {"repaired", service.repair()}});
  _exit(0);
}

void Loop::run() {
  writeLine(answers, json::Object{{"names", pack(service.getNames())}});
  while (std::optional<json::Object> request = next()) {
    if (request->getString("text"))
      start(*request);
    else
      stop();
  }
  stop();
}

//===----------------------------------------------------------------------===//
// In the server
//===----------------------------------------------------------------------===//

WorkerProcess::WorkerProcess(const CheckSettings &settings,
                             mlir::DialectRegistry &registry) {
  int down[2], up[2];
  if (pipe2(down, O_CLOEXEC) != 0)
    return;
  if (pipe2(up, O_CLOEXEC) != 0) {
    close(down[0]);
    close(down[1]);
    return;
  }
  child = fork();
  if (child == 0) {
    close(down[1]);
    close(up[0]);
    becomeChild();
    CheckService service(settings, registry);
    Loop(service, down[0], up[1]).run();
    _exit(0);
  }
  close(down[0]);
  close(up[1]);
  requests = down[1];
  answers = up[0];
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

void WorkerProcess::send(json::Object request, Clock::time_point deadline) {
  std::string line = toLine(std::move(request));
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
  send(json::Object{{"id", id},
                    {"file", json::fixUTF8(file)},
                    {"text", json::fixUTF8(text)}},
       deadline);
}

void WorkerProcess::cancel() {
  // A large payload may take a while to read.
  send(json::Object{{"cancel", true}}, Clock::now() + std::chrono::seconds(30));
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
