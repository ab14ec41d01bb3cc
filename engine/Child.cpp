//===- Child.cpp - Work in a process of its own -----------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "engine/Child.h"

#include "engine/ChildProcess.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/ErrorHandling.h"

#include <csignal>
#include <deque>
#include <sys/mman.h>
#include <unistd.h>

using namespace formwork;
using namespace formwork::engine;

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

ChildEnd engine::runInChild(llvm::function_ref<bool(llvm::raw_ostream &)> work,
                            ChildOutput output, const ChildLimits &limits) {
  if (isTooLate(limits)) {
    ChildEnd end;
    end.limit = ChildLimit::Time;
    return end;
  }
  int ends[2];
  if (pipe(ends) != 0)
    return explainNoChild("pipe");
  std::optional<std::chrono::steady_clock::time_point> deadline =
      getDeadline(limits);
  bool isLimited =
      deadline || limits.memory != 0 || limits.output != 0 || limits.fileSize;
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
    if (isLimited)
      setLimits(limits);
    if (output == ChildOutput::Dropped)
      dropOutput();
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
  ChildLimit limit = ChildLimit::None;
  while ((size = readUntil(ends[0], buffer, sizeof(buffer), deadline)) > 0) {
    text.append(buffer, size);
    if (limits.output == 0 || text.size() <= limits.output)
      continue;
    limit = ChildLimit::Output;
    break;
  }
  if (size < 0)
    limit = ChildLimit::Time;
  close(ends[0]);
  if (limit != ChildLimit::None)
    endChild(child);
  ChildEnd end = waitFor(child, *words);
  end.text = std::move(text);
  if (limit == ChildLimit::None)
    limit = findLimit(end, limits);
  end.limit = limit;
  return end;
}

std::optional<ChildEnd>
engine::continueInChild(const std::function<bool()> &isOverdue,
                        std::chrono::milliseconds period) {
  EndsKept kept;
  // A child needs its words until it ends, and may go on in one of its own.
  // Objects that a static variable holds are no leak.
  static auto &living = *new std::deque<Shared<LastWords>>;
  Shared<LastWords> &words = living.emplace_back();
  pid_t child = makeChild(*words);
  if (child == 0)
    return std::nullopt;
  llvm::scope_exit drop([] { living.pop_back(); });
  if (child < 0)
    return std::nullopt;
  bool isEnded = isOverdue && watchUntilEnd(child, isOverdue, period);
  ChildEnd end = waitFor(child, *words);
  if (isEnded)
    end.limit = ChildLimit::Time;
  if (isEnded || end.crashed())
    return end;
  // The child already did the clean-up, flushing and timing reports.
  if (end.signal != 0) {
    std::signal(end.signal, SIG_DFL);
    raise(end.signal);
  }
  _exit(end.exitCode);
}
