//===- Minimize.h - Fewer enablers in a schedule ----------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds hand-written enablers that a schedule does not need, or that fewer
// normalizations replace. Layer: transforms.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_SCHEDULE_MINIMIZE_H
#define FORMWORK_TRANSFORMS_SCHEDULE_MINIMIZE_H

#include "normalforms/Libraries.h"
#include "transforms/schedule/Prepare.h"

namespace formwork::transforms {

struct Minimized {
  /// Steps to take out: enablers, and navigation that only they used.
  llvm::SmallVector<mlir::Operation *> removed;
  /// The plan for what is left, in terms of the schedule as written.
  verifier::Plan plan;
  /// Enablers as written; and those of them that are left.
  unsigned before = 0;
  unsigned kept = 0;
  /// With a payload: what the schedule as written, normalized, leaves of it
  /// (`Trial::digest`), and so does the one without `removed` and with `plan`.
  std::optional<std::string> leaves;
};

/// With a payload: the schedule as written, normalized, is run; any other must
/// agree with it after normalization to @canonical. Tried are the schedule
/// without all of its enablers, and then without one after the other, until
/// none can go, each with the plan for it, fitted to the payload where
/// `options` say so (`fitVariant`); kept is what has fewer enablers and
/// insertions in sum. Without a payload, an enabler goes only if a form that is
/// known to hold wherever it runs has all of its rules and procedures, so that
/// it changes nothing.
///
/// Emits of the result what `planSchedule` emits, what was left out because it
/// makes no difference included. Fails when its check refutes it, and with
/// fw-minimize-failed when the schedule as written does not run. Cost: a plan
/// and its runs for each enabler, as often as one goes in a round.
llvm::FailureOr<Minimized>
minimizeSchedule(ScheduleInput &input, const normalforms::Libraries &libraries,
                 const PrepareOptions &options);

} // namespace formwork::transforms

#endif // FORMWORK_TRANSFORMS_SCHEDULE_MINIMIZE_H
