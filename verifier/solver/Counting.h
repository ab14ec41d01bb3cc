//===- Counting.h - How many assignments there are --------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Counts and enumerates the valid choices of knob values. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_SOLVER_COUNTING_H
#define FORMWORK_VERIFIER_SOLVER_COUNTING_H

#include "verifier/solver/Solver.h"

#include "llvm/ADT/APInt.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace formwork::verifier::solver {

/// How many combinations of knob values can be extended to an assignment.
struct Count {
  /// As wide as it needs to be; unsigned.
  llvm::APInt number{64, 0};
  /// Otherwise it is a lower bound, and the reason says what ended the count.
  bool exact = true;
  std::optional<Unknown> inexact;
  /// Something that must hold has no term, so the number counts what meets the
  /// modelled constraints, which may be more than what is valid.
  std::optional<Unknown> unmodelled;

  /// "1399680", "at least 1399680".
  std::string toString() const;
};

/// Counts component by component and multiplies. Exact for components with at
/// most `exactBound` points, and for larger ones where the search ends within
/// twice as many nodes.
Count countAssignments(const Problem &problem,
                       const SolverOptions &options = {});

enum class EnumerationEnd : uint8_t {
  /// Each valid combination of knob values was reported.
  Complete,
  /// The callback stopped it.
  Stopped,
  /// A limit, a huge domain or an overflow: some may be missing.
  Partial,
};

/// Reports each valid combination of knob values once, as an assignment of all
/// variables, in a deterministic order, until `found` returns false. Ignores
/// terms that are not modelled.
EnumerationEnd
enumerateAssignments(const Problem &problem, const SolverOptions &options,
                     llvm::function_ref<bool(const Assignment &)> found);

} // namespace formwork::verifier::solver

#endif // FORMWORK_VERIFIER_SOLVER_COUNTING_H
