//===- ParameterFindings.h - What is said of a solved schedule --*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The solver's answers about the parameters of a schedule as findings at its
// ops. Layer: verifier; it asks and explains, and emits nothing.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_SOLVING_PARAMETERFINDINGS_H
#define FORMWORK_VERIFIER_SOLVING_PARAMETERFINDINGS_H

#include "engine/Diagnostics.h"
#include "verifier/parameters/ParameterModel.h"
#include "verifier/solver/Solver.h"

namespace formwork::verifier {

/// The op of the schedule that `constraint` comes from.
mlir::Operation *getSource(const solver::Constraint &constraint);

/// The parts of the schedule that an answer does not cover: fw-param-opaque (a
/// remark for each knob that takes its first option) and fw-param-unmodelled (a
/// warning for each assertion without a term).
engine::Findings explainUncovered(const ParameterModel &model);

/// fw-param-unknown: the solver has no answer about the schedule `entry`.
engine::Finding explainUnknown(mlir::transform::NamedSequenceOp entry,
                               const solver::Unknown &unknown);

/// fw-param-infeasible: one note for each knob and for each constraint of the
/// core, at its op; then, where one selected knob alone is to blame, the
/// nearest value that works. `problem` is what `unsat` is the answer to. Cost:
/// one more question to the solver when knobs are selected.
engine::Finding explainInfeasible(mlir::transform::NamedSequenceOp entry,
                                  const ParameterModel &model,
                                  const solver::Problem &problem,
                                  const solver::Unsat &unsat,
                                  const solver::SolverOptions &options);

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_SOLVING_PARAMETERFINDINGS_H
