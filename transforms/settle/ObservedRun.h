//===- ObservedRun.h - A run that is watched, step by step ------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs the steps of a schedule on a copy of the payload, in a child process
// with limits, with every include inlined and observers around each step.
// Layer: transforms; it decides nothing about the schedule.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_SETTLE_OBSERVEDRUN_H
#define FORMWORK_TRANSFORMS_SETTLE_OBSERVEDRUN_H

#include "engine/Child.h"
#include "engine/Diagnostics.h"
#include "transforms/schedule/Trial.h"
#include "transforms/settle/StepEffects.h"
#include "verifier/source/ScheduleModel.h"

#include <optional>

namespace formwork::transforms {

/// What a run came to.
struct ObservedRun {
  enum End {
    Ran,     ///< to its end, and left IR that verifies
    Failed,  ///< with `failure`
    Crashed, ///< in MLIR
    Stopped  ///< by a limit, or there was no child
  };
  End end = Stopped;
  /// MLIR's first error, at the step; or a finding of a step of ours.
  std::optional<engine::Finding> failure;
  /// The last step that was begun, as it is written; null if none was, or if
  /// that is not known.
  mlir::Operation *step = nullptr;
  /// That step came to its end, so that what is around it or behind it failed
  /// or crashed.
  bool isDone = false;
  /// How the child ended.
  engine::ChildEnd child;
  /// Of the decisions that ran, if the run came to its end.
  llvm::SmallVector<StepEffect> effects;
  /// What it shows to be computed again, if the run came to its end.
  std::vector<engine::Finding> recomputations;
};

/// Runs the entry of `schedule` with expensive checks on a copy of `payload`.
/// Both stay as they are, nothing is emitted or printed, and no file is
/// written. A schedule with includes runs a second time as it is written,
/// because a call looks at what it gives back. No knob of the schedule may be
/// open. `prepare` changes the schedule in the child before. Cost: a process
/// and the run.
ObservedRun runObserved(const verifier::ScheduleModel &schedule,
                        mlir::ModuleOp payload,
                        const normalforms::ContractLibrary &contracts,
                        const engine::ChildLimits &limits,
                        PrepareRun prepare = nullptr);

} // namespace formwork::transforms

#endif // FORMWORK_TRANSFORMS_SETTLE_OBSERVEDRUN_H
