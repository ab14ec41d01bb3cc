//===- Points.h - Which assignments are tried -------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Assignments that the solver calls valid, and neighbours of them that violate
// exactly one constraint. Bench.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_BENCH_STUDY_POINTS_H
#define FORMWORK_BENCH_STUDY_POINTS_H

#include "verifier/parameters/ParameterModel.h"
#include "verifier/solver/Solver.h"

namespace formwork::bench {

/// An assignment, and what is predicted of it.
struct Point {
  verifier::solver::Assignment assignment;
  /// The one constraint that it violates; none when it is predicted to run.
  std::optional<verifier::solver::ConstraintId> violated;
  /// In how many knobs it differs from the valid assignment beside it.
  unsigned distance = 0;
  /// The reason why the solver could not decide it; empty when it could.
  std::string undecided;
};

/// Whether what violates the constraint runs, and its threads race.
bool claimsRace(const verifier::ParameterModel &model,
                verifier::solver::ConstraintId id);

/// Up to `number` valid assignments, pairwise two knobs apart as far as there
/// are so many.
std::vector<Point> drawValid(const verifier::ParameterModel &model,
                             size_t number, uint64_t seed);

/// Up to `number` assignments that meet every constraint but one, as evenly
/// over the kinds of constraint, and within each over the constraints, as they
/// allow. One knob of an assignment in `valid` is
/// changed; two knobs where no change of one violates a constraint alone.
/// Constraints that claim neither a failure (that are not Required) nor a race
/// are met by all, but for what states the same condition.
std::vector<Point> drawNeighbours(const verifier::ParameterModel &model,
                                  llvm::ArrayRef<Point> valid, size_t number,
                                  uint64_t seed);

} // namespace formwork::bench

#endif // FORMWORK_BENCH_STUDY_POINTS_H
