//===- ParameterCheck.h - Check a schedule with open knobs ------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Decides a schedule for every value of its knobs, and collects what a solver
// needs to find values that work (DESIGN §6.3). Layer: verifier; the
// interpreter and the solver meet here.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_SOLVING_PARAMETERCHECK_H
#define FORMWORK_VERIFIER_SOLVING_PARAMETERCHECK_H

#include "normalforms/Libraries.h"
#include "verifier/Verifier.h"
#include "verifier/solver/Solver.h"

namespace formwork::verifier {

struct CollectOptions {
  /// Whether an error that no value of a knob avoids is reported, and is the
  /// end of it; all of those of checkSchedule are.
  bool refuseErrors = false;
  /// As in CheckOptions.
  std::function<std::string(mlir::Value)> nameOf;
  /// How questions on the way are asked, such as their budget.
  solver::SolverOptions solver = {};
};

/// The symbolic values of the schedule from `entry` on `payload` (null: on any
/// payload), and the constraints on them for `target` (null: without limits
/// that depend on the architecture). A `selected` knob is symbolic, too.
///
/// Errors: fw-knob-domain, and those that `collect` asks for. Cost: that of
/// checkSchedule.
llvm::FailureOr<ParameterModel> collectParameters(
    mlir::transform::NamedSequenceOp entry, mlir::Operation *payload,
    const normalforms::Libraries &libraries, const Target *target = nullptr,
    const CollectOptions &collect = {});

/// Does checkSchedule for every value of the knobs that are open, as far as the
/// author's own constraints admit it.
///
/// Proved: it is proved for all of them, because the solver found that each
/// constraint that the steps make holds, or because there are at most
/// `kMaxReplayed` and each of them was proved by itself. Refuted: for some
/// values a step fails, which are named; the schedule was checked again with
/// these values filled in, and its error is the one that is reported; or no
/// values meet the constraints. Unknown otherwise, also when the solver gave
/// up, and where the budget of `solverOptions` is spent.
///
/// Errors: those of checkSchedule, fw-param-refuted, fw-param-infeasible;
/// warnings: fw-param-unwanted.
CheckResult checkParameters(const ScheduleModel &schedule,
                            mlir::Operation *payload,
                            const normalforms::Libraries &libraries,
                            const CheckOptions &options,
                            const solver::SolverOptions &solverOptions);

/// How many values are tried one by one where the solver cannot decide.
inline constexpr unsigned kMaxReplayed = 64;

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_SOLVING_PARAMETERCHECK_H
