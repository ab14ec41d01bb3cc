//===- Batches.cpp - Many inputs in one process -----------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bench/fuzz/Batches.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Demangle/Demangle.h"

#include <csignal>
#include <cstring>
#include <ctime>
#include <dlfcn.h>
#include <execinfo.h>
#include <sys/time.h>
#include <unistd.h>

using namespace formwork;
using namespace formwork::fuzz;
using llvm::StringRef;

void Counts::add(const Counts &other) {
  for (auto [mine, others] : llvm::zip(made, other.made))
    mine += others;
  refusedByParser += other.refusedByParser;
  refused += other.refused;
  done += other.done;
  if (other.slowest > slowest) {
    slowest = other.slowest;
    slowestIndex = other.slowestIndex;
  }
}

StringRef formwork::fuzz::getName(Fault fault) {
  static constexpr llvm::StringLiteral names[] = {"none", "making", "parser",
                                                  "crash", "overtime"};
  return names[static_cast<unsigned>(fault)];
}

std::string Found::getClass() const {
  std::string key = getName(fault).str();
  if (fault == Fault::Overtime)
    return key;
  for (const std::string &name : llvm::ArrayRef(stack).take_front(4))
    key += "|" + name;
  return key;
}

//===----------------------------------------------------------------------===//
// In the child
//===----------------------------------------------------------------------===//

namespace {
/// The trail that a child leaves, however it ends.
struct Trail {
  static constexpr size_t maxText = 1 << 20;
  static constexpr int maxFrames = 48;

  uint64_t index;
  Fault phase;
  bool isOverTime;
  Counts counts;
  int numFrames;
  void *frames[maxFrames];
  size_t payloadSize, scheduleSize;
  char text[maxText];
};
} // namespace

static Trail *trail = nullptr;

/// Notes where a fault happened. The C library's functions here are good
/// enough in a process that ends.
static void noteStack(int signal) {
  trail->numFrames = backtrace(trail->frames, Trail::maxFrames);
  std::signal(signal, SIG_DFL);
  raise(signal);
}

static void endOverTime(int) {
  trail->isOverTime = true;
  trail->numFrames = backtrace(trail->frames, Trail::maxFrames);
  // With the children that a command has.
  kill(0, SIGKILL);
}

static void watch() {
  // The first call loads a library.
  void *frame;
  backtrace(&frame, 1);
  struct sigaction action = {};
  action.sa_handler = noteStack;
  action.sa_flags = SA_ONSTACK;
  for (int signal : {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP})
    sigaction(signal, &action, nullptr);
  action.sa_handler = endOverTime;
  sigaction(SIGPROF, &action, nullptr);
  sigaction(SIGALRM, &action, nullptr);
}

/// From now on, this process may take so long: by its own work, and by the
/// clock, which children need. 0 is no limit.
static void setTimer(unsigned seconds) {
  itimerval timer = {};
  timer.it_value.tv_sec = seconds;
  setitimer(ITIMER_PROF, &timer, nullptr);
  alarm(12 * seconds);
}

static double getSeconds() { return double(std::clock()) / CLOCKS_PER_SEC; }

static uint64_t getBytesHeld() {
  FILE *file = std::fopen("/proc/self/statm", "r");
  unsigned long long all = 0, resident = 0;
  int found = file ? std::fscanf(file, "%llu %llu", &all, &resident) : 0;
  if (file)
    std::fclose(file);
  return found == 2 ? resident * sysconf(_SC_PAGESIZE) : 0;
}

static void keep(const Input &input) {
  trail->payloadSize = std::min(input.payload.size(), Trail::maxText / 2);
  trail->scheduleSize = std::min(input.schedule.size(), Trail::maxText / 2);
  std::memcpy(trail->text, input.payload.data(), trail->payloadSize);
  std::memcpy(trail->text + trail->payloadSize, input.schedule.data(),
              trail->scheduleSize);
}

/// Takes inputs until the end, or until this process holds too much.
static bool runHere(Subject &subject, uint64_t begin, uint64_t end,
                    MakeInput make, const BatchOptions &options) {
  watch();
  uint64_t heldBefore = getBytesHeld();
  for (uint64_t i = begin; i < end; ++i) {
    trail->index = i;
    trail->phase = Fault::Making;
    setTimer(options.seconds);
    Level level = Level::Bytes;
    Input input = make(i, level);
    keep(input);
    ++trail->counts.made[static_cast<unsigned>(level)];
    trail->phase = Fault::Parser;
    subject.parse(input);
    trail->phase = Fault::Crash;
    setTimer(options.seconds);
    double start = getSeconds();
    Reached reached = subject.run(input, options.command);
    setTimer(0);
    double taken = getSeconds() - start;
    if (taken > trail->counts.slowest) {
      trail->counts.slowest = taken;
      trail->counts.slowestIndex = i;
    }
    ++(reached == Reached::Nothing   ? trail->counts.refusedByParser
       : reached == Reached::Refused ? trail->counts.refused
                                     : trail->counts.done);
    trail->phase = Fault::None;
    trail->index = i + 1;
    if (i % 64 == 0 && getBytesHeld() > heldBefore + options.memory / 3)
      return true;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// In the parent
//===----------------------------------------------------------------------===//

/// The functions of `trail`, without those that caught the signal, and without
/// arguments.
static std::vector<std::string> nameFrames() {
  std::vector<std::string> names;
  for (int i = 0; i < trail->numFrames; ++i) {
    Dl_info info = {};
    std::string name = "?";
    if (dladdr(trail->frames[i], &info) && info.dli_sname)
      name = llvm::demangle(info.dli_sname);
    if (StringRef(name).contains("fuzz::Subject"))
      break;
    size_t arguments = name.find('(');
    if (name.starts_with("(anonymous namespace)::"))
      arguments = name.find('(', 1);
    names.push_back(name.substr(0, arguments));
  }
  // The first is the handler, the second what the kernel calls it from.
  static constexpr llvm::StringLiteral noise[] = {
      "?", "raise", "abort", "gsignal", "pthread_kill", "__restore_rt"};
  auto first = llvm::find_if(names, [](StringRef name) {
    return !llvm::is_contained(noise, name) && !name.contains("noteStack") &&
           !name.contains("endQuietly") && !name.contains("noteLastWords") &&
           !name.contains("__sanitizer") && !name.contains("__asan") &&
           !name.contains("__ubsan");
  });
  names.erase(names.begin(), first);
  return names;
}

static Found explain(const engine::ChildEnd &end) {
  Found found;
  found.fault = trail->phase;
  found.input.payload.assign(trail->text, trail->payloadSize);
  found.input.schedule.assign(trail->text + trail->payloadSize,
                              trail->scheduleSize);
  found.reason = trail->isOverTime
                     ? "took too long"
                     : StringRef(end.explain()).split('\n').first.str();
  bool isLimit = trail->isOverTime || end.limit != engine::ChildLimit::None;
  if (found.fault == Fault::Crash && isLimit)
    found.fault = Fault::Overtime;
  found.stack = nameFrames();
  // The parser calls verifiers of ours, too, and reading an input calls it.
  auto isOurs = [](StringRef name) { return name.contains("formwork::"); };
  if (found.fault == Fault::Parser && llvm::any_of(found.stack, isOurs))
    found.fault = Fault::Crash;
  auto first = llvm::find_if(found.stack, isOurs);
  if (found.fault == Fault::Crash && first != found.stack.end() &&
      StringRef(*first).ends_with("::loadScheduleInput"))
    found.fault = Fault::Parser;
  return found;
}

Counts formwork::fuzz::runMany(
    Subject &subject, uint64_t begin, uint64_t end, MakeInput make,
    llvm::function_ref<void(uint64_t, const Found &)> report,
    const BatchOptions &options) {
  Counts counts;
  engine::ChildLimits limits;
  limits.fileSize = 0;
#if !__has_feature(address_sanitizer)
  // Its shadow is larger than any limit.
  limits.memory = options.memory;
#endif
  while (begin < end) {
    engine::SharedMemory memory(sizeof(Trail));
    trail = static_cast<Trail *>(memory.get());
    uint64_t last = std::min(end, begin + options.size);
    engine::ChildEnd ended = engine::runInChild(
        [&](llvm::raw_ostream &) {
          return runHere(subject, begin, last, make, options);
        },
        engine::ChildOutput::Dropped, limits);
    counts.add(trail->counts);
    if (ended.succeeded) {
      begin = trail->index;
      continue;
    }
    uint64_t index = trail->index;
    begin = index + 1;
    if (trail->phase != Fault::None)
      report(index, explain(ended));
  }
  return counts;
}

Input formwork::fuzz::shrink(Subject &subject, const Found &found,
                             unsigned trials, const BatchOptions &options) {
  Input input = found.input;
  auto stillFails = [&](const Input &smaller) {
    --trials;
    bool isSame = false;
    runMany(
        subject, 0, 1, [&](uint64_t, Level &) { return smaller; },
        [&](uint64_t, const Found &other) {
          isSame = other.getClass() == found.getClass();
        },
        options);
    return isSame;
  };
  for (std::string Input::*part : {&Input::schedule, &Input::payload}) {
    size_t chunk = StringRef(input.*part).count('\n') / 2;
    for (; chunk > 0; chunk /= 2) {
      for (size_t at = 0; trials != 0;) {
        llvm::SmallVector<StringRef> lines;
        StringRef(input.*part).split(lines, '\n');
        if (at >= lines.size())
          break;
        Input smaller = input;
        lines.erase(lines.begin() + at,
                    lines.begin() + std::min(at + chunk, lines.size()));
        smaller.*part = llvm::join(lines, "\n");
        if (stillFails(smaller))
          input = std::move(smaller);
        else
          at += chunk;
      }
    }
  }
  return input;
}
