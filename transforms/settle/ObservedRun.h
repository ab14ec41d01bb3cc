//===- ObservedRun.h - Runs a schedule in a child, observed -----*- C++ -*-===//
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

/// The values of the schedule as written that a handle of the run stands for,
/// in the sequence of the step.
using WrittenValues =
    llvm::function_ref<llvm::SmallVector<mlir::Value, 1>(mlir::Value handle)>;

/// Hears of a run in the child as well. Its output to the stream, in whole
/// lines, is in front of the text of ObservedRun::child, even if the child
/// dies.
struct RunListener {
  /// In front of the first step; `payload` is the copy that the steps change.
  std::function<void(mlir::ModuleOp payload, llvm::raw_ostream &os)> begin;
  /// In front of `step`, which is as written, and behind it.
  std::function<void(mlir::Operation *step, bool isDone,
                     const mlir::transform::TransformState &state,
                     WrittenValues written)>
      onStep;
};

/// The outcome of a run.
struct ObservedRun {
  enum End {
    Ran,     ///< to its end, and left IR that verifies
    Failed,  ///< with `failure`
    Crashed, ///< MLIR crashed
    Stopped  ///< by a limit, or no child could be started
  };
  End end = Stopped;
  /// MLIR's first error, placed at the step, or a finding of a Formwork step.
  std::optional<engine::Finding> failure;
  /// The last step that began, as written in the schedule. Null if no step
  /// began, or if the step is not known.
  mlir::Operation *step = nullptr;
  /// Whether `step` came to its end. Then an enclosing step, or something
  /// behind `step`, failed or crashed.
  bool isDone = false;
  /// How the child ended.
  engine::ChildEnd child;
  /// The effects of the decisions that ran, if the run came to its end.
  llvm::SmallVector<StepEffect> effects;
  /// Findings about values that are computed more than once, if the run came to
  /// its end.
  std::vector<engine::Finding> recomputations;
};

/// Runs the entry of `schedule` with expensive checks on a copy of `payload`.
/// Both stay as they are, nothing is emitted or printed, and no file is
/// written. The first run has all includes inlined. A schedule with includes
/// then runs a second time as written, because a real call also checks the
/// values that it returns. The schedule may have no open knob. `prepare`, if
/// given, changes the schedule in the child before the run. `listener`, if
/// given, hears of the first run, and the child's output is not limited then.
/// Cost: a process and the run.
ObservedRun runObserved(const verifier::ScheduleModel &schedule,
                        mlir::ModuleOp payload,
                        const normalforms::ContractLibrary &contracts,
                        const engine::ChildLimits &limits,
                        PrepareRun prepare = nullptr,
                        const RunListener *listener = nullptr);

} // namespace formwork::transforms

#endif // FORMWORK_TRANSFORMS_SETTLE_OBSERVEDRUN_H
