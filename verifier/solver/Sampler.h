//===- Sampler.h - Assignments that differ ----------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Picks valid assignments that are far from each other. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_SOLVER_SAMPLER_H
#define FORMWORK_VERIFIER_SOLVER_SAMPLER_H

#include "verifier/solver/Solver.h"

namespace formwork::verifier::solver {

struct Sample {
  /// Values of all variables; pairwise at least two knobs differ.
  std::vector<Assignment> assignments;
  /// There are fewer than asked for because each valid assignment is at most
  /// one knob away from one of these. (Another choice might have been larger.)
  bool exhausted = false;
  /// There are fewer for another reason, or what is here may not be valid.
  std::optional<Unknown> unknown;
};

/// Up to `number` valid assignments, pairwise at least two knobs apart. Random
/// ones first, then, if those do not suffice, all in order. The same seed and
/// options give the same sample, unless the wall clock ends it.
Sample sampleDiverse(const Problem &problem, size_t number, uint64_t seed,
                     const SolverOptions &options = {});

} // namespace formwork::verifier::solver

#endif // FORMWORK_VERIFIER_SOLVER_SAMPLER_H
