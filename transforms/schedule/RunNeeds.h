//===- RunNeeds.h - What a schedule fails without ---------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds normalizations with which a schedule runs on a payload that it fails on
// without: needs that no contract knows of. Layer: transforms; it runs
// schedules and changes plans, no IR.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_SCHEDULE_RUNNEEDS_H
#define FORMWORK_TRANSFORMS_SCHEDULE_RUNNEEDS_H

#include "normalforms/Libraries.h"
#include "transforms/schedule/FitPlan.h"

namespace formwork::transforms {

/// While the schedule with `plan` fails, adds what gets it past the step that
/// fails: a normalization in front of a match or other navigation that its
/// handles come from, of what is navigated there. Of these the one to the
/// lightest form is taken, and of those the first, so that what is found is
/// found in its result; none in front of the step itself, as what was found
/// before could be gone then. Only forms that a plan may insert, and that all
/// payload can reach, are tried. What is added is required, by the step that
/// failed (clause `run`), with its error. All is added or, if the schedule does
/// not run in the end, nothing. Nothing is added where `isFixed` holds. Does
/// nothing when it runs. Cost: at most 128 runs.
void meetRunNeeds(PlanTrials &trials, verifier::Plan &plan,
                  const std::function<bool(mlir::Location)> &isFixed = nullptr);

/// For a variant of the schedule of `input` that the check of `plan` refutes,
/// and that fails on its payload: finds with what it runs there
/// (`meetRunNeeds`), and plans for the variant with that. Returns nothing where
/// this leads nowhere, or is refuted, too. Emits nothing.
std::optional<verifier::Plan>
planAroundFailure(ScheduleInput &input, const ScheduleVariant &variant,
                  const verifier::Plan &plan,
                  const normalforms::Libraries &libraries,
                  const PrepareOptions &options);

} // namespace formwork::transforms

#endif // FORMWORK_TRANSFORMS_SCHEDULE_RUNNEEDS_H
