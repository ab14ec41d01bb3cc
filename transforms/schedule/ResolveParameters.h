//===- ResolveParameters.h - From open knobs to values ----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Solves for the open parameters of a schedule that is about to run, or refuses
// it. Layer: transforms.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_SCHEDULE_RESOLVEPARAMETERS_H
#define FORMWORK_TRANSFORMS_SCHEDULE_RESOLVEPARAMETERS_H

#include "normalforms/Libraries.h"
#include "transforms/schedule/RankParameters.h"
#include "verifier/solving/ParameterCheck.h"

namespace formwork::transforms {

/// Leaves the schedule in `input` without parameters that the interpreter
/// cannot run: open knobs and alternatives are selected, with one remark each
/// (fw-solved), and constrain_params become constants. The values are the ones
/// that Solver::checkSat gives, which `formwork solve --first` prints; with
/// `ranking` and a payload, they are the best of rankAssignments, and a remark
/// says what they cost (fw-ranked). A schedule that has neither is left alone,
/// and costs one walk.
///
/// The selections of the author are kept, and only values that make the
/// schedule fail on `target` (or null, on any) are refused: a tile that is
/// larger than its dimension is not, when it was selected. Errors:
/// fw-param-infeasible, fw-param-unknown, fw-solve-unwritable, fw-knob-domain;
/// the schedule is then as it was.
llvm::LogicalResult
resolveParameters(ScheduleInput &input, const normalforms::Libraries &libraries,
                  const verifier::Target *target,
                  const verifier::solver::SolverOptions &options,
                  const Ranking *ranking = nullptr);

/// Whether a parameter of `schedule`, of which `result` is the check, has no
/// value yet: the interpreter cannot run it.
bool hasOpenParameters(mlir::Operation *schedule,
                       const verifier::CheckResult &result);

/// Fails with fw-param-open at each parameter that resolveParameters would
/// resolve.
llvm::LogicalResult
refuseOpenParameters(ScheduleInput &input,
                     const normalforms::Libraries &libraries);

} // namespace formwork::transforms

#endif // FORMWORK_TRANSFORMS_SCHEDULE_RESOLVEPARAMETERS_H
