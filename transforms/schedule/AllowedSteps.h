//===- AllowedSteps.h - Steps that a user allows, or not --------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Bufferization, promotion to workgroup memory, and moving allocations out of
// loops are steps that a schedule may need and that its author decides: they
// are written where they are allowed, and proposed elsewhere. Layer:
// transforms.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_SCHEDULE_ALLOWEDSTEPS_H
#define FORMWORK_TRANSFORMS_SCHEDULE_ALLOWEDSTEPS_H

#include "normalforms/Libraries.h"
#include "transforms/schedule/Prepare.h"
#include "verifier/plan/Steps.h"

namespace formwork::transforms {

/// A step that an op needs, as far as is known.
struct NeededStep {
  verifier::StepProposal proposal;
  /// A run on the payload shows that the form does not hold there; else nothing
  /// shows that it does.
  bool isShown = false;
  /// The violation that the run found there.
  std::string violation;

  /// Whether the schedule cannot do without it; it can end without its goal.
  bool isError() const {
    return isShown && proposal.required && proposal.handle;
  }
};

/// The steps that the schedule of `input` needs. With a payload, the schedule
/// is run up to each need, with a check of the form before it: if the form
/// holds, nothing is needed. A wanted form counts if the run shows that it is
/// missing, and `options` do not leave it out. Emits nothing. Cost: two
/// propagations, and a run for each need that the check leaves open.
llvm::SmallVector<NeededStep, 0>
findNeededSteps(ScheduleInput &input, const normalforms::Libraries &libraries,
                const PrepareOptions &options);

/// `input` with the step of `proposal`, read again. Fails, and emits nothing,
/// if the text does not parse.
llvm::FailureOr<ScheduleInput>
insertStep(const ScheduleInput &input, const verifier::StepProposal &proposal);

/// The step of `proposal` as one line of text.
std::string describeInsertion(const verifier::StepProposal &proposal);

/// Writes the needed steps that `options` allow into the text of `input`, one
/// after the other, and reads it again: each has to be one that leaves fewer
/// needs and no more errors. The others stay as they are, to be proposed. Emits
/// a remark for each that is written (fw-step-allowed), if asked to explain.
/// Returns how many were. Locations in a text that was edited have the name of
/// the file with what was done to it. The schedule must be text.
unsigned takeAllowedSteps(ScheduleInput &input,
                          const normalforms::Libraries &libraries,
                          const PrepareOptions &options);

/// Adds what is still needed to the findings of `result`, which is a check of
/// the schedule of `input`: fw-step-proposed, with the edits that carry it out,
/// in the place of what the check says of the same need.
void addProposals(verifier::CheckResult &result, ScheduleInput &input,
                  const normalforms::Libraries &libraries,
                  const PrepareOptions &options);

} // namespace formwork::transforms

#endif // FORMWORK_TRANSFORMS_SCHEDULE_ALLOWEDSTEPS_H
