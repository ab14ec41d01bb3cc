//===- Validate.h - The verifier against a run ------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Checks a schedule, runs it on a clone of the payload with expensive checks
// and every include inlined, and looks for a fact that the check inferred and
// the run refutes (DESIGN §6). Layer: transforms.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_VALIDATE_VALIDATE_H
#define FORMWORK_TRANSFORMS_VALIDATE_VALIDATE_H

#include "normalforms/Libraries.h"
#include "verifier/Verifier.h"

namespace formwork::transforms {

/// One execution of a step, as it is left.
struct SeenStep {
  /// A step of the validated schedule.
  mlir::Operation *step;
  mlir::Operation *payload;
  /// The inferred state that was compared; null if there was none.
  const verifier::State *inferred;
  /// How many facts were compared here.
  uint64_t numFacts;
};

struct ValidationOptions {
  verifier::CheckOptions check;
  /// Whether facts are compared; else only the verdict is.
  bool compareFacts = true;
  /// Whether facts are compared also behind a step that is outside of the
  /// envelope of its contract, which claims nothing there.
  bool compareUntested = true;
  /// Told of each execution of a step, behind the comparison, if given.
  std::function<void(const SeenStep &)> observer;
};

struct Validation {
  /// The result of the check.
  verifier::CheckResult check;
  /// Whether the run succeeded and left IR that verifies.
  bool ran = false;
  /// The failure of the run, if there is one.
  std::string failure;
  /// fw-false-fact, at most one: what was inferred and is not so. Nothing is
  /// inferred behind a step that is refuted, or, unless the schedule is proved,
  /// of IR that is not valid.
  engine::Findings falseFacts;
  /// How much was compared: executions of steps, and facts.
  uint64_t numSteps = 0;
  uint64_t numFacts = 0;
};

/// Whether an error with this id says that the schedule fails when it runs, and
/// not that its result breaks a limit of the target or lacks a form, or that
/// its behaviour is undefined.
bool claimsFailure(llvm::StringRef id);

/// Validates the check of `schedule` on `payload`, which stays as it is. The
/// diagnostics of the run are swallowed. Upstream has ways to crash on
/// schedules that the check refutes: those are for callers that can stand it.
/// Cost: that of a check, a run, and per step of the copy of the payload model
/// and of the facts in it.
Validation validateSchedule(const verifier::ScheduleModel &schedule,
                            mlir::ModuleOp payload,
                            const normalforms::Libraries &libraries,
                            const ValidationOptions &options = {});

} // namespace formwork::transforms

#endif // FORMWORK_TRANSFORMS_VALIDATE_VALIDATE_H
