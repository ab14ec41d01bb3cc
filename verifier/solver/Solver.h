//===- Solver.h - Deciding problems -----------------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Feasibility, unsat cores, and properties for all values. Layer: verifier; the
// entry point of the solver. See Counting.h, Sampler.h and NearestFeasible.h
// for what else can be asked.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_SOLVER_SOLVER_H
#define FORMWORK_VERIFIER_SOLVER_SOLVER_H

#include "verifier/solver/Verdict.h"

#include <memory>

namespace formwork::verifier::solver {

class SolverRun;

struct SolverOptions {
  /// Z3's deterministic limit for each query; 0 for none. About a second's
  /// work.
  unsigned rlimit = 20'000'000;
  /// Wall clock for a whole check, the second line of defence; 0 for none.
  unsigned timeoutMs = 60'000;
  /// A component with at most this many points is searched exhaustively.
  uint64_t exactBound = 10'000'000;
  /// How many values the search may try in a larger component before Z3 is
  /// asked.
  uint64_t searchNodes = 200'000;
  /// Never search: for cross-checking the two.
  bool alwaysZ3 = false;
  /// Where each question is written as NAME.smt2; empty for nowhere.
  std::string dumpDirectory;
  /// State that several checks share, if any.
  std::shared_ptr<SolverRun> run;
};

struct SolverStats {
  uint64_t checks = 0;
  uint64_t searches = 0;
  uint64_t searchNodes = 0;
  uint64_t z3Queries = 0;
  /// Z3 contexts that were made.
  uint64_t z3Contexts = 0;
  /// Wall clock in Z3.
  double z3Seconds = 0;
  /// The part of Z3's deterministic count that the queries used.
  uint64_t z3Spent = 0;
  /// Constraints that were always true, and never became part of a question.
  uint64_t folded = 0;
  /// Questions that could not be written to `dumpDirectory`.
  uint64_t dumpsFailed = 0;
};

/// Decides one problem. Independent components are decided on their own: small
/// ones by exhaustive search, large ones by a bounded search and then Z3. Each
/// model is evaluated again by our own evaluator; a mismatch makes the answer
/// Unknown(Internal). Constraints without variables never reach Z3. All answers
/// are deterministic unless the wall clock ends them.
///
/// The problem must outlive the solver and not change meanwhile. Not safe for
/// use from several threads (terms are built on the way), nor while another
/// solver works on the same TermContext.
class Solver {
public:
  explicit Solver(const Problem &problem, SolverOptions options = {});

  /// Whether the constraints can all hold. `name` names the query in dumps.
  /// Sat takes the values nearest to 0 where a choice is free. The core of
  /// Unsat is found by deletion, last constraint first, so that of several
  /// minimal cores the one with early constraints is reported.
  Verdict checkSat(llvm::StringRef name);

  /// Whether `property` is defined and true whenever the constraints hold. Its
  /// variables must be declared.
  Proof proveForAll(BoolTerm property, llvm::StringRef name);

  const SolverStats &getStats() const { return stats; }

private:
  void dump(const Problem &question, llvm::StringRef name);

  const Problem &problem;
  SolverOptions options;
  SolverStats stats;
};

} // namespace formwork::verifier::solver

#endif // FORMWORK_VERIFIER_SOLVER_SOLVER_H
