//===- Settle.h - What a run says of a check --------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Settles by a run what a check leaves open: a schedule that runs on its
// payload is not refuted, and one that fails is. Layer: transforms.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_SETTLE_SETTLE_H
#define FORMWORK_TRANSFORMS_SETTLE_SETTLE_H

#include "transforms/settle/LoweredRun.h"
#include "transforms/settle/ObservedRun.h"
#include "verifier/Verifier.h"
#include "verifier/plan/Plan.h"
#include "verifier/source/SourceNames.h"

#include <string>

namespace formwork::transforms {

struct SettleOptions {
  engine::ChildLimits limits;
  /// Whether the certain case of a diagnostic with this id is an error, so that
  /// a warning with it says that a step may fail.
  std::function<bool(llvm::StringRef id)> isError;
  /// How the schedule names its values.
  std::function<std::string(mlir::Value)> nameOf;
  /// Plans the normalizations that will be inserted; null where none will be.
  std::function<llvm::FailureOr<verifier::Plan>()> plan;
  /// Whether trials look for what makes idle steps effective (findEnablers).
  bool searchesEnablers = false;
  /// The text of the schedule: fix-its come with edits of it, if given.
  const verifier::SourceNames *source = nullptr;
  /// Lowers what the schedule leaves; empty where no target is known.
  LowerPayload lower;
};

/// What a run came to, beside its verdict.
struct Settlement {
  /// None where the schedule was not run.
  std::optional<ObservedRun::End> end;
  /// How many findings were taken back, because the run disproves them.
  unsigned numDisproved = 0;
  /// How many steps that state a decision ran, and for how many of them the
  /// effect holds for every target; counted where it runs.
  unsigned numDecisions = 0, numEffective = 0;

  /// It runs, but only when it is normalized.
  bool needsForms = false;

  /// What the lowering makes of what the steps leave; none where it was not run.
  std::optional<LoweredRun::End> lowering;

  bool runs() const { return end == ObservedRun::Ran; }
};

/// Runs `schedule` on a copy of `payload` and changes `result` by what comes of
/// it, unless a knob is open or checkFileAccess refuses the schedule:
///
///  - it runs: errors and warnings that say that a step fails, or may fail, are
///    taken back, and so are the reasons why it is not proved (fw-unproved). It
///    is not refuted, unless by a limit of the target or by a form. Steps
///    without effect are reported, with what makes them effective;
///  - it fails, but runs when it is normalized: the same, and it is not proved;
///    a warning says where it fails as it is written;
///  - it fails: it is refuted, with MLIR's message at the step, unless the
///    check says so itself;
///  - MLIR crashes: it is refuted if the step is known, else unproved;
///  - a limit ends it: the verdict stays. A warning says so where the schedule
///    is unproved, and also where file access keeps it from being run.
///
/// What runs and is not refuted is lowered as well, normalized where forms are
/// missing that will be inserted. If that fails, the schedule is refuted, with the
/// error at the step that is to blame; if a limit ends it, a warning says so.
///
/// Errors: fw-run-fails, fw-step-crashes, fw-lowering-crashes, and those of
/// runLowered; warnings: fw-run-unsettled, fw-step-idle, fw-step-partial, and
/// those of runLowered. The findings are neither sorted nor emitted. Cost: that of
/// runObserved, of runLowered and, where steps are idle, of findEnablers.
Settlement settle(const verifier::ScheduleModel &schedule,
                  mlir::ModuleOp payload,
                  const normalforms::ContractLibrary &contracts,
                  verifier::CheckResult &result, const SettleOptions &options);

/// The limits of a run that settles a check: `time`, or a minute if that is
/// zero, and as much memory as any payload of a test takes.
engine::ChildLimits getSettleLimits(std::chrono::milliseconds time);

} // namespace formwork::transforms

#endif // FORMWORK_TRANSFORMS_SETTLE_SETTLE_H
