//===- ChildProcess.cpp - Makes children and waits for them -----*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "engine/ChildProcess.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/Signals.h"

#include <algorithm>
#include <cerrno>
#include <condition_variable>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <limits>
#include <mutex>
#include <new>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

using namespace formwork;
using namespace formwork::engine;

namespace {
struct SignalName {
  int signal;
  const char *name;
};
} // namespace

/// The signals of faults. The last one is sent by a system without memory.
static constexpr SignalName kFaults[] = {
    {SIGABRT, "SIGABRT"}, {SIGBUS, "SIGBUS"},   {SIGFPE, "SIGFPE"},
    {SIGILL, "SIGILL"},   {SIGSEGV, "SIGSEGV"}, {SIGSYS, "SIGSYS"},
    {SIGTRAP, "SIGTRAP"}, {SIGKILL, "SIGKILL"}};

static const SignalName *lookupFault(int signal) {
  const auto *fault = llvm::find_if(
      kFaults, [&](const SignalName &known) { return known.signal == signal; });
  return fault == std::end(kFaults) ? nullptr : fault;
}

bool ChildEnd::crashed() const {
  bool isEnded = limit == ChildLimit::Time || limit == ChildLimit::Output;
  return !isEnded && lookupFault(signal);
}

bool ChildEnd::crashedByItself() const {
  return limit == ChildLimit::None && crashed() && signal != SIGKILL;
}

std::string ChildEnd::explain() const {
  switch (limit) {
  case ChildLimit::Time:
    return "ended because it took too long";
  case ChildLimit::Memory:
    return "ended because it took too much memory";
  case ChildLimit::Output:
    return "ended because it returned too much data";
  case ChildLimit::None:
    break;
  }
  std::string text;
  if (signal != 0) {
    const SignalName *fault = lookupFault(signal);
    text = "ended by " +
           (fault ? std::string(fault->name)
                  : "signal " + std::to_string(signal)) +
           " (" + strsignal(signal) + ")";
  } else if (lastWords.empty()) {
    text = "ended with exit code " + std::to_string(exitCode);
  }
  if (!text.empty() && !lastWords.empty())
    text += ": ";
  return text + lastWords;
}

/// The start of a child's last words when an allocation fails. LLVM's own
/// message starts with the same words.
static constexpr const char *kNoMemory = "Allocation failed";

/// The size of this process's address space in bytes. Can be called in a
/// handler of signals.
static std::optional<uint64_t> getAddressSpace() {
  int file = open("/proc/self/statm", O_RDONLY);
  if (file < 0)
    return std::nullopt;
  char text[32] = {};
  ssize_t size = read(file, text, sizeof(text));
  close(file);
  uint64_t pages = 0;
  if (llvm::StringRef(text, std::max<ssize_t>(size, 0))
          .split(' ')
          .first.getAsInteger(10, pages))
    return std::nullopt;
  return pages * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
}

/// Whether the system may have refused memory to this process: its allocator
/// asks for up to 64 MiB at a time.
static bool isNearMemoryLimit() {
  constexpr uint64_t kMostAtOnce = uint64_t(64) << 20;
  rlimit limit;
  std::optional<uint64_t> held = getAddressSpace();
  return held && getrlimit(RLIMIT_AS, &limit) == 0 &&
         limit.rlim_cur != RLIM_INFINITY &&
         *held + kMostAtOnce > limit.rlim_cur;
}

/// Where this process writes its last words, if it is a child. Handlers of
/// signals get no argument.
static LastWords *ownWords = nullptr;

/// Ends the process by `signal` without the stack trace that LLVM's handlers
/// print. Removes temporary files, as those handlers do. MLIR writes to the
/// memory of an operation without asking whether there is any: such a fault is
/// an allocation that failed.
static void endQuietly(int signal) {
  if (signal == SIGSEGV && ownWords && isNearMemoryLimit())
    std::strcpy(ownWords->text, kNoMemory);
  llvm::sys::RunInterruptHandlers();
  std::signal(signal, SIG_DFL);
  raise(signal);
}

/// Ends the process by a signal on every fatal error, whether LLVM treats it as
/// a crash or as an exit.
static void noteLastWords(void *words, const char *reason, bool) {
  std::snprintf(static_cast<LastWords *>(words)->text, sizeof(LastWords::text),
                "%s", reason);
  endQuietly(SIGABRT);
}

EndsKept::EndsKept() {
  sigaction(SIGCHLD, nullptr, &before);
  if (before.sa_handler == SIG_IGN)
    std::signal(SIGCHLD, SIG_DFL);
}

pid_t engine::makeChild(LastWords &words) {
  // Otherwise both processes would print the buffered text.
  llvm::outs().flush();
  std::fflush(nullptr);
  pid_t parent = getpid();
  pid_t child = fork();
  if (child != 0)
    return child;
#ifdef __linux__
  // When the parent is gone, nobody waits for this child.
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (getppid() != parent)
    raise(SIGTERM);
#endif
  ownWords = &words;
  struct sigaction quiet = {};
  quiet.sa_handler = endQuietly;
  // LLVM has set up an alternate stack for handling stack overflows.
  quiet.sa_flags = SA_ONSTACK;
  for (const SignalName &fault : kFaults)
    if (fault.signal != SIGKILL)
      sigaction(fault.signal, &quiet, nullptr);
  llvm::remove_fatal_error_handler();
  llvm::install_fatal_error_handler(noteLastWords, &words);
  llvm::remove_bad_alloc_error_handler();
  llvm::install_bad_alloc_error_handler(noteLastWords, &words);
  std::set_new_handler([] { llvm::report_bad_alloc_error(kNoMemory); });
  return 0;
}

std::optional<std::chrono::steady_clock::time_point>
engine::getDeadline(const ChildLimits &limits) {
  std::optional<std::chrono::steady_clock::time_point> deadline =
      limits.deadline;
  if (limits.time.count() == 0)
    return deadline;
  auto own = std::chrono::steady_clock::now() + limits.time;
  return deadline ? std::min(*deadline, own) : own;
}

bool engine::isTooLate(const ChildLimits &limits) {
  return limits.deadline &&
         *limits.deadline <= std::chrono::steady_clock::now();
}

void engine::dropOutput() {
  int nowhere = open("/dev/null", O_WRONLY);
  dup2(nowhere, STDOUT_FILENO);
  dup2(nowhere, STDERR_FILENO);
  close(nowhere);
}

static void setLimit(int resource, uint64_t most) {
  rlimit limit;
  if (getrlimit(resource, &limit) != 0)
    return;
  // Keep the hard limit: only a change of the hard limit can be refused.
  limit.rlim_cur = std::min<rlim_t>(most, limit.rlim_max);
  setrlimit(resource, &limit);
}

void engine::setLimits(const ChildLimits &limits) {
  setpgid(0, 0);
  setLimit(RLIMIT_CORE, 0);
  if (limits.memory != 0)
    if (std::optional<uint64_t> held = getAddressSpace())
      setLimit(RLIMIT_AS, *held + limits.memory);
  // In case the parent cannot watch the clock.
  if (limits.time.count() != 0)
    setLimit(RLIMIT_CPU, limits.time.count() / 1000 + 2);
  if (limits.fileSize) {
    // A write beyond the limit then fails instead of killing the child.
    std::signal(SIGXFSZ, SIG_IGN);
    setLimit(RLIMIT_FSIZE, *limits.fileSize);
  }
}

void engine::endChild(pid_t child) {
  // The child may not have made its process group yet.
  kill(-child, SIGKILL);
  kill(child, SIGKILL);
}

ssize_t engine::readUntil(
    int fd, void *buffer, size_t size,
    std::optional<std::chrono::steady_clock::time_point> deadline) {
  while (true) {
    int left = -1;
    if (deadline) {
      auto time = std::chrono::duration_cast<std::chrono::milliseconds>(
          *deadline - std::chrono::steady_clock::now());
      if (time.count() <= 0)
        return -1;
      left = static_cast<int>(
          std::min<int64_t>(time.count() + 1, std::numeric_limits<int>::max()));
    }
    pollfd wanted = {fd, POLLIN, 0};
    int ready = poll(&wanted, 1, left);
    if (ready < 0 && errno != EINTR)
      return 0;
    if (ready <= 0)
      continue;
    ssize_t got = read(fd, buffer, size);
    if (got >= 0)
      return got;
    if (errno != EINTR)
      return 0;
  }
}

ChildLimit engine::findLimit(const ChildEnd &end, const ChildLimits &limits) {
  if (end.signal == SIGXCPU)
    return ChildLimit::Time;
  bool isOutOfMemory =
      end.crashed() && llvm::StringRef(end.lastWords).contains(kNoMemory);
  return limits.memory != 0 && isOutOfMemory ? ChildLimit::Memory
                                             : ChildLimit::None;
}

bool engine::watchUntilEnd(pid_t child, const std::function<bool()> &isOverdue,
                           std::chrono::milliseconds period) {
  std::mutex mutex;
  std::condition_variable changed;
  bool hasEnded = false, wasOverdue = false;
  std::thread watch([&] {
    std::unique_lock<std::mutex> lock(mutex);
    auto endsWithin = [&](std::chrono::milliseconds time) {
      return changed.wait_for(lock, time, [&] { return hasEnded; });
    };
    while (!endsWithin(period)) {
      if (!isOverdue())
        continue;
      wasOverdue = true;
      kill(child, SIGTERM);
      if (!endsWithin(std::chrono::seconds(1)))
        kill(child, SIGKILL);
      return;
    }
  });
  siginfo_t info;
  while (waitid(P_PID, child, &info, WEXITED | WNOWAIT) < 0 && errno == EINTR) {
  }
  {
    std::lock_guard<std::mutex> lock(mutex);
    hasEnded = true;
  }
  changed.notify_one();
  watch.join();
  return wasOverdue;
}

ChildEnd engine::waitFor(pid_t child, const LastWords &words) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  ChildEnd end;
  if (WIFSIGNALED(status))
    end.signal = WTERMSIG(status);
  else
    end.exitCode = WEXITSTATUS(status);
  end.succeeded = WIFEXITED(status) && end.exitCode == 0;
  end.lastWords = words.text;
  return end;
}

ChildEnd engine::explainNoChild(const char *what) {
  ChildEnd end;
  end.exitCode = 1;
  end.lastWords =
      std::string("there is no ") + what + " for it: " + std::strerror(errno);
  return end;
}
