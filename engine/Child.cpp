//===- Child.cpp - Work in a process of its own -----------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "engine/Child.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/Signals.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>
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

/// What LLVM says when it gives up.
struct LastWords {
  char text[2048];
};
} // namespace

/// The signals of faults; the last is that of a system without memory.
static constexpr SignalName kFaults[] = {
    {SIGABRT, "SIGABRT"}, {SIGBUS, "SIGBUS"},   {SIGFPE, "SIGFPE"},
    {SIGILL, "SIGILL"},   {SIGSEGV, "SIGSEGV"}, {SIGSYS, "SIGSYS"},
    {SIGTRAP, "SIGTRAP"}, {SIGKILL, "SIGKILL"}};

static const SignalName *lookupFault(int signal) {
  const auto *fault = llvm::find_if(
      kFaults, [&](const SignalName &known) { return known.signal == signal; });
  return fault == std::end(kFaults) ? nullptr : fault;
}

bool ChildEnd::crashed() const { return lookupFault(signal); }

std::string ChildEnd::explain() const {
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

SharedMemory::SharedMemory(size_t size) : size(size) {
  memory = mmap(nullptr, size, PROT_READ | PROT_WRITE,
                MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    llvm::report_bad_alloc_error("no memory to share with a child");
}

SharedMemory::~SharedMemory() { munmap(memory, size); }

ThreadsStopped::ThreadsStopped(mlir::MLIRContext &context)
    : context(context), hadThreads(context.isMultithreadingEnabled()) {
  if (hadThreads)
    context.disableMultithreading();
}

ThreadsStopped::~ThreadsStopped() {
  if (hadThreads)
    context.enableMultithreading();
}

/// Ends the process by `signal`, without the stack that LLVM's handlers print,
/// but, as they do, without leaving temporary files.
static void endQuietly(int signal) {
  llvm::sys::RunInterruptHandlers();
  std::signal(signal, SIG_DFL);
  raise(signal);
}

/// A fatal error is an end by a signal, whether LLVM takes it for a crash or
/// calls exit.
static void noteLastWords(void *words, const char *reason, bool) {
  std::snprintf(static_cast<LastWords *>(words)->text, sizeof(LastWords::text),
                "%s", reason);
  endQuietly(SIGABRT);
}

namespace {
/// As long as this lives, a child that ended waits until it is asked how; where
/// SIGCHLD is ignored, as by some that start programs, none does.
class EndsKept {
public:
  EndsKept() {
    sigaction(SIGCHLD, nullptr, &before);
    if (before.sa_handler == SIG_IGN)
      std::signal(SIGCHLD, SIG_DFL);
  }
  ~EndsKept() { sigaction(SIGCHLD, &before, nullptr); }
  EndsKept(const EndsKept &) = delete;
  EndsKept &operator=(const EndsKept &) = delete;

private:
  struct sigaction before;
};
} // namespace

/// Makes a child whose last words go to `words`; like fork(2), but for what has
/// to be done on both sides.
static pid_t makeChild(LastWords &words) {
  // What is in the buffers would come out twice.
  llvm::outs().flush();
  std::fflush(nullptr);
  pid_t parent = getpid();
  pid_t child = fork();
  if (child != 0)
    return child;
#ifdef __linux__
  // Nobody waits for it when the parent is gone.
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (getppid() != parent)
    raise(SIGTERM);
#endif
  struct sigaction quiet = {};
  quiet.sa_handler = endQuietly;
  // LLVM has made another stack, for those that overflow.
  quiet.sa_flags = SA_ONSTACK;
  for (const SignalName &fault : kFaults)
    if (fault.signal != SIGKILL)
      sigaction(fault.signal, &quiet, nullptr);
  llvm::remove_fatal_error_handler();
  llvm::install_fatal_error_handler(noteLastWords, &words);
  llvm::remove_bad_alloc_error_handler();
  llvm::install_bad_alloc_error_handler(noteLastWords, &words);
  return 0;
}

static ChildEnd waitFor(pid_t child, const LastWords &words) {
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

/// The end of a child that never was.
static ChildEnd explainNoChild(const char *what) {
  ChildEnd end;
  end.exitCode = 1;
  end.lastWords =
      std::string("there is no ") + what + " for it: " + std::strerror(errno);
  return end;
}

ChildEnd engine::runInChild(llvm::function_ref<bool(llvm::raw_ostream &)> work,
                            ChildOutput output) {
  int ends[2];
  if (pipe(ends) != 0)
    return explainNoChild("pipe");
  EndsKept kept;
  Shared<LastWords> words;
  pid_t child = makeChild(*words);
  if (child < 0) {
    ChildEnd end = explainNoChild("process");
    close(ends[0]);
    close(ends[1]);
    return end;
  }
  if (child == 0) {
    close(ends[0]);
    if (output == ChildOutput::Dropped) {
      int nowhere = open("/dev/null", O_WRONLY);
      dup2(nowhere, STDOUT_FILENO);
      dup2(nowhere, STDERR_FILENO);
      close(nowhere);
    }
    llvm::raw_fd_ostream os(ends[1], /*shouldClose=*/false);
    bool succeeded = work(os);
    os.flush();
    llvm::outs().flush();
    _exit(succeeded ? 0 : 1);
  }
  close(ends[1]);
  std::string text;
  char buffer[4096];
  ssize_t size;
  while ((size = read(ends[0], buffer, sizeof(buffer))) > 0 ||
         (size < 0 && errno == EINTR))
    if (size > 0)
      text.append(buffer, size);
  close(ends[0]);
  ChildEnd end = waitFor(child, *words);
  end.text = std::move(text);
  return end;
}

std::optional<ChildEnd> engine::continueInChild() {
  EndsKept kept;
  // In the child, it is needed to the end.
  auto *words = new Shared<LastWords>();
  pid_t child = makeChild(**words);
  if (child == 0)
    return std::nullopt;
  std::unique_ptr<Shared<LastWords>> owned(words);
  if (child < 0)
    return std::nullopt;
  ChildEnd end = waitFor(child, **words);
  if (end.crashed())
    return end;
  // What is to be cleaned up, flushed or timed, the child has.
  if (end.signal != 0) {
    std::signal(end.signal, SIG_DFL);
    raise(end.signal);
  }
  _exit(end.exitCode);
}
