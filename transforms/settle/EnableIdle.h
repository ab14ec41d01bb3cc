//===- EnableIdle.h - What makes idle steps do their job --------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds, by trials on a payload, the normalizations with which steps have the
// effect that they lack: those that a contract wants, and others that no
// contract knows of. Layer: transforms; it runs schedules in child processes
// and changes plans, no IR.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_SETTLE_ENABLEIDLE_H
#define FORMWORK_TRANSFORMS_SETTLE_ENABLEIDLE_H

#include "transforms/settle/ObservedRun.h"
#include "verifier/plan/Plan.h"

namespace formwork::transforms {

/// One normalization, and the step that has its effect with it.
struct Enabled {
  /// Idle or partial without.
  mlir::Operation *step;
  /// Of `findEnablers`, its clause is that of a `wants`, or
  /// Insertion::forEffect.
  verifier::Insertion insertion;
};

/// What trials may take, and what they may try.
struct EnablerSearch {
  const normalforms::FormLibrary &forms;
  const normalforms::ContractLibrary &contracts;
  /// Of each run.
  engine::ChildLimits limits;
  /// Whether nothing can be inserted at a place; null: everything can.
  std::function<bool(mlir::Location)> isFixed = nullptr;
  /// So many runs for one step, and in all; none is begun after so much time.
  unsigned runsPerStep = 64, runs = 160;
  std::chrono::milliseconds time = std::chrono::seconds(20);
};

/// For each step of `effects`, which a run of `schedule` with the insertions of
/// `plan` had, that is idle or partial: the first insertion with which it has
/// its effect on every target. `wanted` are tried first, those for that step
/// alone. Then the forms that a plan may insert, the lightest first, each in
/// front of the step and of the steps that its handles come from, the last place
/// first. With it the schedule must run, and no other step may lose the effect
/// that it has. Steps on an empty handle that another such step returned are
/// left out. What is found is added to `plan` before the next step is looked at,
/// and returned for each step that it serves. Emits nothing. Cost: a run for each
/// trial.
llvm::SmallVector<Enabled>
findEnablers(const verifier::ScheduleModel &schedule, mlir::ModuleOp payload,
             llvm::ArrayRef<StepEffect> effects,
             llvm::ArrayRef<verifier::Insertion> wanted,
             const EnablerSearch &search, verifier::Plan &plan);

/// Runs `entry` with `plan`, and adds to it what makes idle steps effective
/// (findEnablers). Does nothing where it does not run. For
/// PrepareOptions::enable. Cost: a run, and those of findEnablers.
void enableIdle(mlir::transform::NamedSequenceOp entry, mlir::ModuleOp payload,
                const EnablerSearch &search, verifier::Plan &plan);

} // namespace formwork::transforms

#endif // FORMWORK_TRANSFORMS_SETTLE_ENABLEIDLE_H
