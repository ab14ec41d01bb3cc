//===- EnableIdle.h - Finds forms that idle steps need ----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds, by trials on a payload, the normalizations and the steps of `--allow`
// that give idle steps their missing effect. Some of these come from the
// `wants` clauses of contracts, others from no contract. Layer: transforms. It
// runs schedules in child processes. It changes plans and text, but no IR.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_SETTLE_ENABLEIDLE_H
#define FORMWORK_TRANSFORMS_SETTLE_ENABLEIDLE_H

#include "transforms/schedule/Prepare.h"
#include "transforms/settle/ObservedRun.h"
#include "verifier/plan/Plan.h"
#include "verifier/plan/Steps.h"

#include <variant>

namespace formwork::transforms {

/// One normalization or step of `--allow`, and a step that has its effect
/// because of it.
struct Enabled {
  /// This step is idle or partial without the insertion.
  mlir::Operation *step;
  /// The clause of an insertion is that of a `wants`, or Insertion::forEffect.
  std::variant<verifier::Insertion, verifier::StepProposal> by;
};

/// The limits of the trials, and the forms and steps that they may try.
struct EnablerSearch {
  const normalforms::FormLibrary &forms;
  const normalforms::ContractLibrary &contracts;
  /// The limits of each run.
  engine::ChildLimits limits;
  /// Returns true for a place where nothing can be inserted. If null, a step
  /// can be inserted everywhere.
  std::function<bool(mlir::Location)> isFixed = nullptr;
  /// The steps of `--allow` that may be tried, in the text of `input`, which
  /// holds the schedule. If `prepare` is given, each trial is a run with the
  /// plan for these options, else a run of the schedule as written.
  llvm::ArrayRef<const verifier::StepKind *> steps = {};
  const ScheduleInput *input = nullptr;
  const PrepareOptions *prepare = nullptr;
  /// The most runs for one step, and for all steps together. No run starts
  /// after `time`.
  unsigned runsPerStep = 64, runs = 160;
  std::chrono::milliseconds time = std::chrono::seconds(20);
};

/// Finds, for each idle or partial step of `effects`, the first insertion with
/// which the step has its effect on every target. `effects` are those of a run
/// of `schedule` with the insertions of `plan`. A step that no normalization
/// helps is tried behind each step of `search.steps`; one that wants what such
/// a step reaches is tried behind it first.
///
/// The search first tries those of `wanted` that serve this step. Then it tries
/// the forms that a plan may insert, the lightest first. It tries each form in
/// front of the step and of the steps that the handles of the step come from,
/// the last place first. An insertion is accepted if the schedule runs with it
/// and no other step loses its effect. The search skips a step whose handle is
/// empty because another such step returned it.
///
/// Each normalization found is added to `plan` before the search goes to the
/// next step; steps are only proposed. The result names each step that an
/// insertion serves. Emits nothing. Cost: one run for each trial.
llvm::SmallVector<Enabled>
findEnablers(const verifier::ScheduleModel &schedule, mlir::ModuleOp payload,
             llvm::ArrayRef<StepEffect> effects,
             llvm::ArrayRef<verifier::Insertion> wanted,
             const EnablerSearch &search, verifier::Plan &plan);

/// Runs `entry` with `plan`, and adds to the plan the normalizations that make
/// idle steps effective (findEnablers), and to its findings the steps that stay
/// idle or partial. Does nothing if the schedule does not run. For
/// PrepareOptions::enable. Cost: one run, and the runs of findEnablers.
void enableIdle(mlir::transform::NamedSequenceOp entry, mlir::ModuleOp payload,
                const EnablerSearch &search, verifier::Plan &plan,
                const std::function<std::string(mlir::Value)> &nameOf);

/// Writes a step of `--allow` that makes an idle step of `input` effective
/// (findEnablers) into the text of `input`, and reads it again. `search` names
/// the steps, and has `input` and `prepare`. Returns whether there is such a
/// step. Emits fw-step-allowed if `search.prepare` asks for explanations.
bool takeEnablingStep(ScheduleInput &input, const EnablerSearch &search);

} // namespace formwork::transforms

#endif // FORMWORK_TRANSFORMS_SETTLE_ENABLEIDLE_H
