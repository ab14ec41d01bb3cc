//===- NearestFeasible.h - Which knob to change, and to what ----*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Values that a fix-it proposes where those of the user do not work. Layer:
// verifier.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_SOLVER_NEARESTFEASIBLE_H
#define FORMWORK_VERIFIER_SOLVER_NEARESTFEASIBLE_H

#include "verifier/solver/Solver.h"

namespace formwork::verifier::solver {

/// Setting one knob from one value to another.
struct KnobChange {
  VarId knob;
  int64_t from;
  int64_t to;
  /// All variables after the change.
  Assignment result;
};

struct NearestFeasible {
  /// Each knob whose change alone makes all constraints hold, with the nearest
  /// such value; the smallest change first, then by declaration. One entry:
  /// that knob is to blame. Empty when the values work, or no single knob
  /// helps.
  std::vector<KnobChange> changes;
  /// The given values can be extended to a valid assignment as they are.
  bool feasible = false;
  /// Set when some knob could not be decided, or something is not modelled.
  std::optional<Unknown> unknown;
};

/// Looks for the smallest change of one knob that has a value in `chosen`.
/// Variables without a value there are free. If two values have the same
/// distance, the larger one is taken. A chosen value need not be in its domain.
NearestFeasible findNearestFeasible(const Problem &problem,
                                    const Assignment &chosen,
                                    const SolverOptions &options = {});

} // namespace formwork::verifier::solver

#endif // FORMWORK_VERIFIER_SOLVER_NEARESTFEASIBLE_H
