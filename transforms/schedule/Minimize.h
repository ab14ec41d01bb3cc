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

#include "transforms/schedule/Prepare.h"
#include "transforms/schedule/Trial.h"

namespace formwork::transforms {

/// Runs `entry` with the insertions of `plan`, which are for it, on a copy of
/// `payload`; `entry` stays as it is.
Trial runInserted(mlir::ModuleOp payload,
                  mlir::transform::NamedSequenceOp entry,
                  const verifier::Plan &plan,
                  const normalforms::FormLibrary &forms);

/// Whether an insertion may be left out, for all but the result; `result` is
/// what the schedule without it leaves.
using MayDrop = llvm::function_ref<bool(const verifier::Insertion &insertion,
                                        const Trial &result)>;

/// Drops insertions that `mayDrop` gives up from `plan`, which is for `entry`,
/// until each of these that is left makes a difference: without it the schedule
/// fails on `payload`, or its result is another. From the last to the first, so
/// that there is one answer; returns what was dropped, in the order of the
/// plan. Nothing goes when the schedule fails with all of them. Cost: a run for
/// each, as often as one goes in a round.
llvm::SmallVector<verifier::Insertion> dropIdleInsertions(
    mlir::ModuleOp payload, mlir::transform::NamedSequenceOp entry,
    verifier::Plan &plan, const normalforms::FormLibrary &forms,
    MayDrop mayDrop = [](const verifier::Insertion &, const Trial &) {
      return true;
    });

/// Drops from the plan of `input` what is merely wanted, or is for the goal,
/// and makes the schedule fail on its payload, on which it runs as written (a
/// warning each in the plan's findings, fw-plan-conflict); then what makes no
/// difference there; a goal must hold of the result all the same. What is
/// required stays, and so does all when the check of the rest proves less: what
/// is written has to be provable again. Emits a remark for each that goes
/// (fw-idle-insertion) if `options` ask for explanations.
void fitPlan(ScheduleInput &input, verifier::Plan &plan,
             const normalforms::FormLibrary &forms,
             const normalforms::ContractLibrary &contracts,
             const PrepareOptions &options);

struct Minimized {
  /// Steps to take out: enablers, and navigation that only they used.
  llvm::SmallVector<mlir::Operation *> removed;
  /// The plan for what is left, in terms of the schedule as written.
  verifier::Plan plan;
  /// Enablers as written; and those that are left, with the insertions.
  unsigned before = 0;
  unsigned after = 0;
};

/// With a payload: the schedule as written, normalized, is run; any other must
/// agree with it after normalization to @canonical. Tried are the schedule
/// without all of its enablers, and then without one after the other, until
/// none can go, each with the plan for it; kept is what has fewer enablers and
/// insertions in sum. Then insertions that make no difference on the payload
/// are dropped, as by `fitPlan`. Without a payload, an enabler goes only if a
/// form that is known to hold wherever it runs has all of its rules and
/// procedures, so that it changes nothing.
///
/// Emits what the check of the result finds. Fails when that refutes it, and
/// with fw-minimize-failed when the schedule as written does not run. Cost: a
/// run for each enabler, as often as one goes in a round.
llvm::FailureOr<Minimized>
minimizeSchedule(ScheduleInput &input, const normalforms::FormLibrary &forms,
                 const normalforms::ContractLibrary &contracts,
                 const PrepareOptions &options);

} // namespace formwork::transforms

#endif // FORMWORK_TRANSFORMS_SCHEDULE_MINIMIZE_H
