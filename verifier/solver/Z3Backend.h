//===- Z3Backend.h - Z3, behind a wall --------------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The questions that Z3 is asked, without its headers. Layer: verifier; private
// to the solver.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_SOLVER_Z3BACKEND_H
#define FORMWORK_VERIFIER_SOLVER_Z3BACKEND_H

#include "verifier/solver/Verdict.h"

#include <memory>

namespace formwork::verifier::solver {

struct Z3Limits {
  /// Z3's own deterministic count; 0 for none.
  unsigned rlimit = 0;
  unsigned timeoutMs = 0;
};

/// Z3's answer, which is not trusted until it is verified.
struct Z3Answer {
  enum Kind : uint8_t { Sat, Unsat, Unknown };
  Kind kind = Unknown;
  /// Sat: values of the variables asked for.
  Assignment model;
  /// Unsat: constraints that took part, ascending.
  llvm::SmallVector<ConstraintId> core;
  /// Unknown: why.
  UnknownReason reason = UnknownReason::Internal;
  std::string detail;
  /// The part of Z3's deterministic count that the query used.
  uint64_t spent = 0;
};

/// One incremental Z3 context for the questions of one check. Constraints are
/// translated when first asked for, each behind an assumption literal, also
/// when several problems have it. Nothing that Z3 throws leaves it; after a
/// failure, every answer is Unknown. The context of the terms must outlive it.
class Z3Session {
public:
  explicit Z3Session(TermContext &terms);
  ~Z3Session();

  /// Whether it can be asked about `problem`: its terms are of the context, and
  /// its variables have the domains that they had in problems before.
  bool accepts(const Problem &problem) const;

  /// Asks for values of `variables` in their domains such that the constraints
  /// `active` and the terms `scoped` hold. `scoped` counts for this call only,
  /// and never shows in a core. The variables of both must be in `variables`.
  Z3Answer check(const Problem &problem, llvm::ArrayRef<VarId> variables,
                 llvm::ArrayRef<ConstraintId> active,
                 llvm::ArrayRef<BoolTerm> scoped, const Z3Limits &limits);

private:
  struct State;
  std::unique_ptr<State> state;
};

/// Z3's answer to an SMT-LIB script: "sat", "unsat", "unknown", or an error
/// message. Replays a query that `--dump-queries` wrote.
std::string answerSmtLib(const std::string &script, const Z3Limits &limits);

} // namespace formwork::verifier::solver

#endif // FORMWORK_VERIFIER_SOLVER_Z3BACKEND_H
