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

/// While the schedule with `plan` fails, adds an insertion that gets the run
/// past the failing step. It is a normalization before a match, or other
/// navigation, that the step's handles come from. The lightest form is taken,
/// and of several places the first, so that the match finds its ops in the
/// result. Nothing is inserted before the step itself, because its ops could be
/// gone then. Only forms that a plan may insert, and that all payload can
/// reach, are tried. An insertion is required by the step that failed (clause
/// `run`), with its error. All are added or, if the schedule does not run in
/// the end, none. Nothing is added where `isFixed` holds. Does nothing if the
/// schedule runs. Cost: at most 128 runs.
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
