//===- Settle.h - Settles open verdicts of a check by a run -----*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs a schedule to settle the verdicts that a check leaves open. A schedule
// that runs on its payload is not refuted, and one that fails is. Layer:
// transforms.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_SETTLE_SETTLE_H
#define FORMWORK_TRANSFORMS_SETTLE_SETTLE_H

#include "transforms/schedule/ScheduleInput.h"
#include "transforms/settle/LoweredRun.h"
#include "transforms/settle/ObservedRun.h"
#include "verifier/Verifier.h"
#include "verifier/plan/Plan.h"
#include "verifier/plan/Steps.h"
#include "verifier/source/SourceNames.h"

#include <string>

namespace formwork::transforms {

struct SettleOptions {
  engine::ChildLimits limits;
  /// Whether a diagnostic with this id is an error when the check is certain.
  /// If so, a warning with the same id says that a step may fail.
  std::function<bool(llvm::StringRef id)> isError;
  /// Returns the name of a value in the schedule text.
  std::function<std::string(mlir::Value)> nameOf;
  /// Plans the normalizations that will be inserted; null if none will be.
  std::function<llvm::FailureOr<verifier::Plan>()> plan;
  /// Whether trials search for normalizations that make idle steps effective
  /// (findEnablers).
  bool searchesEnablers = false;
  /// The steps of `--allow` that such trials try, in the text of `input`.
  llvm::ArrayRef<const verifier::StepKind *> steps = {};
  const ScheduleInput *input = nullptr;
  /// The text of the schedule. If given, fix-its contain edits of it.
  const verifier::SourceNames *source = nullptr;
  /// Hears of the run; of the normalized schedule if that is what runs. If
  /// null, nothing does.
  const RunListener *listener = nullptr;
  /// Lowers the payload that the schedule leaves; empty if no target is known.
  LowerPayload lower;
};

/// The outcome of a run, besides its verdict.
struct Settlement {
  /// How the run ended; none if the schedule was not run.
  std::optional<ObservedRun::End> end;
  /// How the child of the run ended, and what the listener wrote.
  engine::ChildEnd child;
  /// The number of findings that were removed because the run disproves them.
  unsigned numDisproved = 0;
  /// The number of decisions that ran, and of those whose effect holds for
  /// every target. Counted only if the schedule runs.
  unsigned numDecisions = 0, numEffective = 0;

  /// Whether the schedule runs only after it is normalized.
  bool needsForms = false;

  /// How the lowering ended; none if the payload was not lowered.
  std::optional<LoweredRun::End> lowering;

  bool runs() const { return end == ObservedRun::Ran; }
};

/// Runs `schedule` on a copy of `payload`, and updates `result` with the
/// outcome. Does nothing if a knob is open, or if checkFileAccess refuses the
/// schedule. The outcome is one of these:
///
///  - The schedule runs. Errors and warnings that a step fails, or may fail,
///    are removed, and so are the reasons why the schedule is not proved
///    (fw-unproved). The schedule stays refuted only because of a limit of the
///    target or a form. Steps without effect are reported, with the
///    normalizations that make them effective.
///  - The schedule fails, but runs when normalized. The result changes in the
///    same way, but the schedule is not proved. A warning says where it fails
///    as written.
///  - The schedule fails. It is refuted, with MLIR's message at the step,
///    unless the check already reports an error.
///  - MLIR crashes. The schedule is refuted if the step is known, and else
///    unproved.
///  - A limit stops the run. The verdict stays. If the schedule is unproved, a
///    warning says why. The same warning is given if checkFileAccess refuses
///    the schedule.
///
/// If the schedule runs and is not refuted, its payload is lowered, too. The
/// schedule is normalized first if it lacks forms that will be inserted. If the
/// lowering fails, the schedule is refuted, with the error at the step that is
/// to blame. If a limit stops the lowering, a warning says so.
///
/// Errors: fw-run-fails, fw-step-crashes, fw-lowering-crashes, and those of
/// runLowered. Warnings: fw-run-unsettled, fw-step-idle, fw-step-partial,
/// fw-fused-again, and those of runLowered. The findings are neither sorted nor
/// emitted. Cost: that of runObserved, of runLowered and, if steps are idle, of
/// findEnablers.
Settlement settle(const verifier::ScheduleModel &schedule,
                  mlir::ModuleOp payload,
                  const normalforms::ContractLibrary &contracts,
                  verifier::CheckResult &result, const SettleOptions &options);

/// The limits of a run that settles a check: `time`, or a minute if `time` is
/// zero, 4 GiB of memory, 16 MiB of output, and no file output.
engine::ChildLimits getSettleLimits(std::chrono::milliseconds time);

} // namespace formwork::transforms

#endif // FORMWORK_TRANSFORMS_SETTLE_SETTLE_H
