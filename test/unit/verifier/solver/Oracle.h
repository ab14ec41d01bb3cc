//===- Oracle.h - Constraint problems, decided the slow way -----*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An evaluator written from the definitions, and enumeration of all points:
// what the solver is compared with. Knows nothing of the solver but its inputs.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TEST_UNIT_VERIFIER_SOLVER_ORACLE_H
#define FORMWORK_TEST_UNIT_VERIFIER_SOLVER_ORACLE_H

#include "verifier/solver/Problem.h"

#include <random>

namespace formwork::verifier::solver {

/// The value of an integer or boolean term at a point; none if undefined. By
/// recursion, for small terms whose values stay far below 128 bits.
std::optional<Wide> evaluateSlowly(const TermNode *node,
                                   const Assignment &point);

/// All points of a problem with at most 32 constraints, each with the set of
/// constraints that hold there.
class Oracle {
public:
  explicit Oracle(const Problem &problem);

  /// Whether some point meets all of these constraints.
  bool isSat(llvm::ArrayRef<ConstraintId> constraints) const;
  bool isSat() const;
  /// The distinct combinations of knob values among the points that meet all.
  uint64_t countKnobs() const;
  /// Visits the points that meet all constraints.
  void
  forEachSolution(llvm::function_ref<void(const Assignment &)> visit) const;
  uint64_t getNumPoints() const { return masks.size(); }

private:
  Assignment getPoint(uint64_t index) const;

  const Problem &problem;
  std::vector<uint32_t> masks;
};

/// A random problem with one to six variables, some of them auxiliary, at most
/// `maxPoints` points, and one to eight constraints.
Problem makeRandomProblem(TermContext &context, std::mt19937_64 &random,
                          uint64_t maxPoints);
/// A random boolean term over the variables of the problem.
BoolTerm makeRandomProperty(const Problem &problem, std::mt19937_64 &random);

/// The problem as a reader would write it, for failure messages.
std::string toText(const Problem &problem);

/// The seed of a randomized test: FORMWORK_TEST_SEED, else a fixed one.
/// Printed.
uint64_t getSeed();

} // namespace formwork::verifier::solver

#endif // FORMWORK_TEST_UNIT_VERIFIER_SOLVER_ORACLE_H
