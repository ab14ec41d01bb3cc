//===- Check.h - One question, decided step by step -------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The engine below Solver: decides subsets of a problem's constraints under
// fixed values, over and over, with one Z3 session. Layer: verifier; private to
// the solver.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_SOLVER_CHECK_H
#define FORMWORK_VERIFIER_SOLVER_CHECK_H

#include "verifier/solver/Search.h"
#include "verifier/solver/Solver.h"
#include "verifier/solver/SolverRun.h"
#include "verifier/solver/Z3Backend.h"

namespace formwork::verifier::solver {

/// The answer to one step: a model of all declared variables, a core that is
/// not minimal yet, or why there is neither.
using Decision = std::variant<Sat, Unsat, Unknown>;

class Check {
public:
  Check(const Problem &problem, const SolverOptions &options,
        SolverStats &stats);

  /// Decides the constraints `active` with some variables fixed.
  Decision decide(llvm::ArrayRef<ConstraintId> active,
                  const Assignment &fixed = {});
  /// Decides one component, of the constraints in it. The model has its
  /// variables only.
  Decision decideComponent(const Component &component,
                           const Assignment &fixed = {});

  /// Decides one component by Z3, with further terms over its variables.
  Decision askZ3(const Component &component, const Assignment &fixed,
                 llvm::ArrayRef<BoolTerm> scoped);

  /// Deletes from `active`, which `unsat` was decided for, whatever is not
  /// needed, the last first. All its questions together take as much of Z3 as
  /// one may, each a quarter of that, and a twentieth of the time: what is left
  /// open then stays. Where something is, the same is done with a core that was
  /// found on the way, which may be without the constraints that are hard to
  /// decide; if that does not help, the core is not called minimal.
  Unsat minimizeCore(llvm::ArrayRef<ConstraintId> active, Unsat unsat);

  /// Moves the values of `variables`, which are in `component`, in turn as near
  /// to `centers` (or 0) as the constraints and the earlier choices allow, by
  /// changing `model` within the component. False when a limit ended it; the
  /// model is one in any case.
  bool minimizeModel(const Component &component,
                     llvm::ArrayRef<VarId> variables, Assignment &model,
                     const Assignment &fixed = {},
                     const Assignment &centers = {});

  const Deadline &getDeadline() const { return deadline; }
  /// Runs `search`, with no more values than the budget has left, and counts
  /// the values that it took.
  SearchEnd runSearch(Search &search, SearchLimits limits,
                      llvm::function_ref<bool(llvm::ArrayRef<int64_t>)> found);
  /// Why a question came to no end: `reason`, unless the budget ended it.
  Unknown explainEnd(UnknownReason reason, llvm::StringRef detail) const;

private:
  bool isSmall(const Component &component, const Assignment &fixed) const;
  Decision search(Search &search, const Component &component,
                  const SearchLimits &limits);
  /// Judges values by our own evaluator.
  std::optional<Unknown> findFault(llvm::ArrayRef<VarId> variables,
                                   llvm::ArrayRef<ConstraintId> active,
                                   const Assignment &model);
  std::optional<bool> minimizeBySearch(const Component &component, VarId var,
                                       Assignment &model,
                                       const Assignment &fixed,
                                       const Assignment &centers);
  std::optional<bool> minimizeByZ3(const Component &component, VarId var,
                                   Assignment &model, const Assignment &fixed,
                                   int64_t center);
  /// One round of `minimizeCore`; `unsat` becomes a core that is known.
  Unsat deleteUnneeded(llvm::ArrayRef<ConstraintId> active, Unsat &unsat);
  Evaluator &getEvaluator(ConstraintId id);

  const Problem &problem;
  const SolverOptions &options;
  SolverStats &stats;
  Deadline deadline;
  /// That of `options`, or null.
  Budget *budget = nullptr;
  /// Why the clock ended a question: its own limit, or that of all questions.
  Unknown makeTimeOut() const;
  /// Z3's limit for each query, and for all queries from now on.
  struct Allowance {
    unsigned each;
    uint64_t all;
  };
  std::optional<Allowance> allowance;
  /// Made when it is first needed, unless `options` has one for several checks.
  std::unique_ptr<Z3Session> session;
  llvm::DenseMap<ConstraintId, std::unique_ptr<Evaluator>> evaluators;
};

} // namespace formwork::verifier::solver

#endif // FORMWORK_VERIFIER_SOLVER_CHECK_H
