//===- Verdict.h - What the solver answers ----------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The answers of the solver, as values. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_SOLVER_VERDICT_H
#define FORMWORK_VERIFIER_SOLVER_VERDICT_H

#include "verifier/solver/Problem.h"

#include <variant>

namespace formwork::verifier::solver {

enum class UnknownReason : uint8_t {
  /// The wall-clock limit, the second line of defence.
  TimeOut,
  /// The deterministic limit.
  ResourceLimit,
  /// Something that must hold has no term.
  Unmodelled,
  /// A decisive intermediate result does not fit in 128 bits.
  Overflow,
  /// Z3 gave up on a theory that it cannot decide.
  Incomplete,
  /// Z3 failed, or returned a model that our own evaluation refuses.
  Internal,
};

/// "time-out", "resource limit", ...
llvm::StringRef toString(UnknownReason reason);

struct Unknown {
  UnknownReason reason;
  /// Details beyond the reason; may be empty.
  std::string detail;
};

/// There is an assignment; this one has a value for each declared variable, and
/// our own evaluator agrees.
struct Sat {
  Assignment model;
};

/// There is none: these constraints (ascending) exclude all values by
/// themselves. Empty when a variable has no value to begin with.
struct Unsat {
  llvm::SmallVector<ConstraintId> core;
  /// Whether without any one of them there would be an assignment; false when a
  /// limit ended the minimization.
  bool minimal = true;
  /// The first variable without values, if that is the reason.
  std::optional<VarId> emptyDomain;
};

using Verdict = std::variant<Sat, Unsat, Unknown>;

/// The property holds for every assignment that meets the constraints.
struct Proved {
  /// No assignment meets them.
  bool vacuous = false;
};

/// It does not: a counterexample. Its values are minimal: the variables of the
/// property first, then the others of the same component, each in order of
/// declaration, take the value nearest to 0 that earlier choices permit.
struct Refuted {
  Assignment model;
  /// The variables that suffice to refute the property at these values,
  /// whatever values the others have; none can be left out. Ascending by
  /// declaration.
  llvm::SmallVector<VarId> decisive;
  /// False when a limit ended the minimization.
  bool minimal = true;
};

using Proof = std::variant<Proved, Refuted, Unknown>;

/// "@tile_m = 48, @tile_n = 16": those variables, in the user's names.
std::string describe(const Problem &problem, const Assignment &assignment,
                     llvm::ArrayRef<VarId> variables);

} // namespace formwork::verifier::solver

#endif // FORMWORK_VERIFIER_SOLVER_VERDICT_H
