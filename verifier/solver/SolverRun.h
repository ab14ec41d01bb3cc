//===- SolverRun.h - What the questions of one run share --------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A Z3 context that goes from question to question, counts of what was asked,
// and what all questions may take together. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_SOLVER_SOLVERRUN_H
#define FORMWORK_VERIFIER_SOLVER_SOLVERRUN_H

#include "verifier/solver/Budget.h"
#include "verifier/solver/Solver.h"
#include "verifier/solver/Z3Backend.h"

#include "llvm/Support/raw_ostream.h"

namespace formwork::verifier::solver {

/// Given to the questions about one schedule, they share what Z3 has been told
/// and has learned. Not safe for use from several threads.
class SolverRun {
public:
  explicit SolverRun(std::shared_ptr<Budget> budget = nullptr)
      : budget(budget ? std::move(budget) : std::make_shared<Budget>()) {}

  /// The limit of all queries together.
  Budget &getBudget() { return *budget; }
  const std::shared_ptr<Budget> &shareBudget() const { return budget; }
  /// Starts another budget, for the next schedule.
  void setBudget(const Budget &next) { *budget = next; }
  SolverStats &getStats() { return stats; }
  /// Null until Z3 is needed.
  std::unique_ptr<Z3Session> &getSession() { return session; }
  /// Later queries are about other terms.
  void forgetTerms() { session.reset(); }

  /// Prints the counts, a line each.
  void print(llvm::raw_ostream &os) const;

private:
  std::shared_ptr<Budget> budget;
  SolverStats stats;
  std::unique_ptr<Z3Session> session;
};

/// Options for questions about the terms of another context, which take from
/// the same budget as those with `options`.
SolverOptions forOtherTerms(const SolverOptions &options);

/// Whether nothing is left of the budget of `options`, if there is one.
bool isBudgetSpent(const SolverOptions &options);

/// The end of that budget by the clock, if it has one.
Deadline getDeadline(const SolverOptions &options);

} // namespace formwork::verifier::solver

#endif // FORMWORK_VERIFIER_SOLVER_SOLVERRUN_H
