//===- SolverRun.h - What the questions of one run share --------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A Z3 context that goes from question to question, and counts of what was
// asked. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_SOLVER_SOLVERRUN_H
#define FORMWORK_VERIFIER_SOLVER_SOLVERRUN_H

#include "verifier/solver/Solver.h"
#include "verifier/solver/Z3Backend.h"

#include "llvm/Support/raw_ostream.h"

namespace formwork::verifier::solver {

/// Given to the questions about one schedule, they share what Z3 has been told
/// and has learned. Not safe for use from several threads.
class SolverRun {
public:
  SolverStats &getStats() { return stats; }
  /// Null until Z3 is needed.
  std::unique_ptr<Z3Session> &getSession() { return session; }
  /// What is asked from here on is about other terms.
  void forgetTerms() { session.reset(); }

  /// Prints the counts, a line each.
  void print(llvm::raw_ostream &os) const;

private:
  SolverStats stats;
  std::unique_ptr<Z3Session> session;
};

} // namespace formwork::verifier::solver

#endif // FORMWORK_VERIFIER_SOLVER_SOLVERRUN_H
