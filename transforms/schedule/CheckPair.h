//===- CheckPair.h - The check that users see -------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One entry to the check for all front ends: the command, the editor and the
// check service, the pass, and the tools that measure them. Layer: transforms.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_SCHEDULE_CHECKPAIR_H
#define FORMWORK_TRANSFORMS_SCHEDULE_CHECKPAIR_H

#include "normalforms/Libraries.h"
#include "transforms/schedule/ScheduleInput.h"
#include "verifier/solving/ParameterCheck.h"

namespace formwork::transforms {

/// The parts of a check that a front end shows.
struct Shown {
  /// Fix-its have edits of the text.
  bool edits = true;
  /// A warning for each step that is not proved.
  bool reasons = true;
};

/// Checks the schedule of `input` on `payload` (null: on any payload), for all
/// values of open knobs. Findings are in the order of the text. The function
/// sets the members of `options` that depend on `input`. Errors: those of the
/// model, emitted; findings are not emitted.
llvm::FailureOr<verifier::CheckResult>
checkPair(const ScheduleInput &input, mlir::Operation *payload,
          const normalforms::Libraries &libraries,
          verifier::CheckOptions options,
          const verifier::solver::SolverOptions &solver, Shown shown = {});

} // namespace formwork::transforms

#endif // FORMWORK_TRANSFORMS_SCHEDULE_CHECKPAIR_H
