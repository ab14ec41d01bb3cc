//===- BeyondDomain.h - Values that a knob might have -----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where nothing works that one knob can be, and that knob alone is to blame:
// the nearest value that would. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_SOLVING_BEYONDDOMAIN_H
#define FORMWORK_VERIFIER_SOLVING_BEYONDDOMAIN_H

#include "engine/Diagnostics.h"
#include "normalforms/Libraries.h"
#include "verifier/solver/Verdict.h"
#include "verifier/solving/ParameterCheck.h"

namespace formwork::verifier {

/// Adds to `finding`, which says that `model` is infeasible, the fix-it that
/// lets the one knob that the core mentions be the nearest value that works;
/// nothing where several knobs take part, where one is selected (see
/// explainInfeasible), or where no such value is near. Constraints are derived
/// for the values that knobs can be, so what is suggested is derived and solved
/// again, on a copy of the schedule in which the knob is that value. Cost: a
/// question for each option, at most 16, and that of collectParameters; no more
/// than the budget of `options` has left.
void suggestBeyondDomain(engine::Finding &finding,
                         mlir::transform::NamedSequenceOp entry,
                         mlir::Operation *payload,
                         const normalforms::Libraries &libraries,
                         const Target *target, const ParameterModel &model,
                         const solver::Unsat &unsat,
                         const solver::SolverOptions &options);

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_SOLVING_BEYONDDOMAIN_H
