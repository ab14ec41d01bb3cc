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

/// What a front end shows of a check.
struct Shown {
  /// Fix-its have edits of the text.
  bool edits = true;
  /// A warning for each step that is not proved.
  bool reasons = true;
};

/// Checks the schedule of `input` on `payload`, or, when that is null, on any,
/// for all values of open knobs; findings are in the order of the text. Of
/// `options`, what depends on `input` is filled in. Errors: those of the model,
/// emitted; findings are not.
llvm::FailureOr<verifier::CheckResult>
checkPair(const ScheduleInput &input, mlir::Operation *payload,
          const normalforms::Libraries &libraries,
          verifier::CheckOptions options,
          const verifier::solver::SolverOptions &solver, Shown shown = {});

} // namespace formwork::transforms

#endif // FORMWORK_TRANSFORMS_SCHEDULE_CHECKPAIR_H
