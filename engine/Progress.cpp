//===- Progress.cpp - A progress line for long work -------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "engine/Progress.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"

#include <atomic>
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <string>
#include <thread>

#include <unistd.h>

using namespace formwork::engine;
using Clock = std::chrono::steady_clock;

/// Moves to the first column and erases the line.
static constexpr llvm::StringLiteral kEraseLine = "\r\x1b[K";

ProgressOutput ProgressOutput::forTerminal() {
  ProgressOutput output;
  const char *terminal = std::getenv("TERM");
  if (!llvm::sys::Process::StandardErrIsDisplayed() || !terminal ||
      llvm::StringRef(terminal) == "dumb")
    return output;
  output.os = &llvm::errs();
  if (unsigned columns = llvm::sys::Process::StandardErrColumns())
    output.columns = columns;
  return output;
}

void Progress::eraseLeft() {
  ProgressOutput output = ProgressOutput::forTerminal();
  if (!output.os)
    return;
  *output.os << kEraseLine;
  output.os->flush();
}

struct Progress::Line {
  Line(llvm::StringRef task, uint64_t total, llvm::StringRef unit,
       ProgressOutput output)
      : output(output), total(total), unit(unit), task(task) {}

  /// Draws until `isDone`.
  void run();
  std::string getText() const;

  const ProgressOutput output;
  const uint64_t total;
  const std::string unit;
  const Clock::time_point start = Clock::now();
  const pid_t process = getpid();
  std::atomic<uint64_t> done{0};
  std::mutex mutex;
  std::condition_variable changed;
  // Guarded by the mutex.
  std::string task;
  bool isDone = false;

  std::thread thread;
};

std::string Progress::Line::getText() const {
  auto seconds =
      std::chrono::duration_cast<std::chrono::seconds>(Clock::now() - start);
  std::string text = "formwork: " + task + ": ";
  if (total != 0)
    text += llvm::formatv("{0} of {1} {2}, ", std::min(done.load(), total),
                          total, unit);
  text += llvm::formatv("{0} s", seconds.count());
  // Leave one column for the cursor.
  if (output.columns > 0 && text.size() >= output.columns)
    text.resize(output.columns - 1);
  return text;
}

void Progress::Line::run() {
  std::unique_lock<std::mutex> lock(mutex);
  auto waitFor = [&](std::chrono::milliseconds time) {
    return changed.wait_for(lock, time, [&] { return isDone; });
  };
  bool isDrawn = false;
  for (bool ended = waitFor(output.delay); !ended;
       ended = waitFor(output.period)) {
    *output.os << kEraseLine << getText();
    output.os->flush();
    isDrawn = true;
  }
  if (!isDrawn)
    return;
  *output.os << kEraseLine;
  output.os->flush();
}

Progress::Progress(llvm::StringRef task, uint64_t total, llvm::StringRef unit,
                   ProgressOutput output) {
  if (!output.os)
    return;
  line = std::make_unique<Line>(task, total, unit, output);
  line->thread = std::thread([line = line.get()] { line->run(); });
}

Progress::~Progress() {
  if (!line)
    return;
  if (line->process != getpid()) {
    // The thread, and perhaps the owner of the mutex, are in the parent
    // process.
    (void)line.release();
    return;
  }
  {
    std::lock_guard<std::mutex> lock(line->mutex);
    line->isDone = true;
  }
  line->changed.notify_one();
  line->thread.join();
}

void Progress::advance(uint64_t done) {
  if (line)
    line->done += done;
}

void Progress::enter(const llvm::Twine &task) {
  if (!line || line->process != getpid())
    return;
  std::lock_guard<std::mutex> lock(line->mutex);
  line->task = task.str();
}
