//===- Guard.h - An error where MLIR would end the process ------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// MLIR has ways to crash in a step that no check excludes. From the run of the
// schedule on a command goes on in a child, and this process is the spare that
// says what happened if the child crashes (docs/design/016). Layer: tools.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TOOLS_FORMWORK_GUARD_H
#define FORMWORK_TOOLS_FORMWORK_GUARD_H

#include "engine/Child.h"
#include "engine/Diagnostics.h"
#include "tools/formwork/Options.h"
#include "transforms/schedule/ScheduleInput.h"

#include <atomic>

namespace formwork::tools {

/// The work that a command does when it crashes.
enum class Phase {
  Schedule, ///< running the schedule
  Lowering, ///< lowering what it leaves
  Code,     ///< generating code from that
  Program   ///< running the program
};

/// --stack-trace, --time-limit.
struct GuardOption {
  DebugOption<bool> stackTrace{
      "stack-trace", "Let a crash of MLIR end the command with a stack trace, "
                     "for a debugger or a report"};
  Option<unsigned> timeLimit{
      "time-limit",
      "Most seconds for one step of the schedule, for the lowering and for "
      "generating code (600 by default); 0: no limit",
      llvm::cl::value_desc("seconds"), llvm::cl::init(600)};
};

/// Guards the part of a command after `begin`.
class Guard {
public:
  explicit Guard(const GuardOption &option) : option(option) {}

  /// Lets all that follows happen in a child. Returns success there, to go on;
  /// in this process only if the child crashes or does not end in time, which
  /// is a failure: the error is emitted, and nothing was written. The payload
  /// and the schedule of `pair` must be as they are to be run, `unchecked` or
  /// not. Errors: fw-step-crashes, fw-lowering-crashes, fw-program-crashes,
  /// fw-takes-too-long. Cost: some ten milliseconds; and a run of the schedule
  /// where it crashed.
  llvm::LogicalResult begin(transforms::ScheduleInput &pair, bool unchecked);

  /// Tells what is done from here on. In the lowering, and while code is
  /// generated, the limit of time counts.
  void enter(Phase phase);
  /// Tells which step of the schedule runs from here on. The limit of time
  /// counts.
  void enterStep(mlir::Operation *step);

private:
  /// The present work of the child, as it tells this process.
  struct Work {
    Phase phase = Phase::Schedule;
    /// The op at the same address here; null: none yet.
    mlir::Operation *step = nullptr;
    /// Counts what was entered.
    std::atomic<uint64_t> number{0};
    std::atomic<bool> isLimited{false};
  };

  llvm::LogicalResult report(transforms::ScheduleInput &pair, bool unchecked,
                             const engine::ChildEnd &end);

  std::function<bool()> makeClock() const;
  engine::Finding blameTime(transforms::ScheduleInput &pair) const;

  const GuardOption &option;
  engine::SharedMemory memory{sizeof(Work)};
  Work *const work = new (memory.get()) Work();
};

} // namespace formwork::tools

#endif // FORMWORK_TOOLS_FORMWORK_GUARD_H
