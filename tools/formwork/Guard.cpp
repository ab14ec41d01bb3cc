//===- Guard.cpp - An error where MLIR would end the process ----*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/formwork/Guard.h"

#include "engine/Progress.h"
#include "transforms/schedule/FailingStep.h"
#include "transforms/schedule/Trial.h"

#include "llvm/Support/FormatVariadic.h"

#include <csignal>

using namespace mlir;
using namespace formwork;
using namespace formwork::tools;
using engine::Finding;

/// How often this process looks at what the child does.
static constexpr std::chrono::milliseconds kClockPeriod{100};

std::function<bool()> Guard::makeClock() const {
  // Looks are counted, so that time in which both processes are stopped does
  // not count.
  uint64_t most =
      uint64_t(option.timeLimit) *
      (std::chrono::milliseconds(std::chrono::seconds(1)) / kClockPeriod);
  return [this, most, last = uint64_t(0), looks = uint64_t(0)]() mutable {
    uint64_t now = work->number;
    if (now != last || !work->isLimited)
      looks = 0;
    last = now;
    return ++looks > most;
  };
}

void Guard::enter(Phase phase) {
  work->phase = phase;
  work->isLimited = phase == Phase::Lowering || phase == Phase::Code;
  ++work->number;
}

void Guard::enterStep(Operation *step) {
  work->phase = Phase::Schedule;
  work->step = step;
  work->isLimited = true;
  ++work->number;
}

LogicalResult Guard::begin(transforms::ScheduleInput &pair, bool unchecked) {
  if (option.stackTrace)
    return success();
  std::optional<engine::ChildEnd> end;
  {
    engine::ThreadsStopped alone(*pair.schedule->getContext());
    end = option.timeLimit == 0
              ? engine::continueInChild()
              : engine::continueInChild(makeClock(), kClockPeriod);
  }
  return end ? report(pair, unchecked, *end) : success();
}

/// The error for a crash in the schedule, at the step in which it was, if a run
/// with observers crashes, too.
static Finding blameStep(transforms::ScheduleInput &pair, bool unchecked,
                         const engine::ChildEnd &end) {
  transforms::FailingStep last;
  // A process that was killed for want of memory would run out of memory again.
  if (end.signal != SIGKILL)
    last = transforms::findFailingStep(*pair.payload, pair.entry, unchecked);
  if (!last.step || !last.end.crashed())
    return Finding(pair.entry.getLoc(), "fw-step-crashes",
                   "requires MLIR to run this schedule but MLIR crashes");
  return Finding(last.step->getLoc(), "fw-step-crashes",
                 std::string("requires MLIR to ") +
                     (last.isDone ? "go on after '" : "carry out '") +
                     last.step->getName().getStringRef() +
                     "' but MLIR crashes");
}

Finding Guard::blameTime(transforms::ScheduleInput &pair) const {
  std::string wanted =
      llvm::formatv("requires {0} that ends within {1} "
                    "seconds but ",
                    work->phase == Phase::Schedule   ? "a step"
                    : work->phase == Phase::Lowering ? "a lowering"
                                                     : "generation of code",
                    option.timeLimit.getValue());
  // The op is there if it was when the child was made.
  bool isKnown = false;
  transforms::getWholeSchedule(pair.entry)->walk([&](Operation *op) {
    isKnown |= op == work->step && !isa<transform::NamedSequenceOp>(op);
  });
  bool isStep = work->phase == Phase::Schedule && isKnown;
  Operation *place = isStep ? work->step : pair.entry.getOperation();
  std::string what = "it runs for longer";
  if (isStep)
    what = "'" + place->getName().getStringRef().str() + "' runs for longer";
  Finding finding(place->getLoc(), "fw-takes-too-long", wanted + what);
  finding.note(engine::NoteKind::FixIt, place->getLoc(),
               "if more time helps, use '--time-limit=" +
                   std::to_string(uint64_t(option.timeLimit) * 4) +
                   "', or 0 for no limit");
  return finding;
}

LogicalResult Guard::report(transforms::ScheduleInput &pair, bool unchecked,
                            const engine::ChildEnd &end) {
  engine::Progress::eraseLeft();
  if (end.limit == engine::ChildLimit::Time)
    return emitFinding(blameTime(pair));
  Location loc = pair.entry.getLoc();
  auto blame = [&]() -> Finding {
    switch (work->phase) {
    case Phase::Schedule:
      return blameStep(pair, unchecked, end);
    case Phase::Lowering:
      return Finding(loc, "fw-lowering-crashes",
                     "requires MLIR to lower the payload that this schedule "
                     "leaves but MLIR crashes");
    case Phase::Code:
      return Finding(loc, "fw-lowering-crashes",
                     "requires LLVM to generate code from the payload that "
                     "this schedule leaves but LLVM crashes");
    case Phase::Program:
      return Finding(loc, "fw-program-crashes",
                     "requires a program that runs but the program crashes");
    }
    llvm_unreachable("all phases are listed");
  };
  Finding finding = blame();
  finding.note(engine::NoteKind::Evidence, finding.loc,
               "the process was " + end.explain());
  return emitFinding(std::move(finding));
}
