//===- Guard.cpp - An error where MLIR would end the process ----*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/formwork/Guard.h"

#include "engine/Diagnostics.h"
#include "transforms/schedule/FailingStep.h"

#include <csignal>

using namespace mlir;
using namespace formwork;
using namespace formwork::tools;
using engine::Finding;

LogicalResult Guard::begin(transforms::ScheduleInput &pair, bool unchecked) {
  if (option.stackTrace)
    return success();
  std::optional<engine::ChildEnd> end;
  {
    engine::ThreadsStopped alone(*pair.schedule->getContext());
    end = engine::continueInChild();
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

LogicalResult Guard::report(transforms::ScheduleInput &pair, bool unchecked,
                            const engine::ChildEnd &end) {
  Location loc = pair.entry.getLoc();
  auto blame = [&]() -> Finding {
    switch (*current) {
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
