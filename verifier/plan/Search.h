//===- Search.h - The least plan of a problem -------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds the set of candidates with the least objective (DESIGN §7). Layer:
// verifier.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_PLAN_SEARCH_H
#define FORMWORK_VERIFIER_PLAN_SEARCH_H

#include "verifier/plan/Problem.h"

namespace formwork::verifier {

struct SearchResult {
  CandidateSet set;
  PlanProblem::Outcome outcome;
  /// Whether no set is better. If false, no candidate of `set` can be left out.
  bool exact = true;
  /// To meet all that can be met by itself takes at least so many candidates.
  unsigned lowerBound = 0;
};

/// First the least cover of the needs by what each candidate meets by itself,
/// which is a lower bound: no side effect makes a set cheaper. If one
/// propagation shows that the cover has none, it is the answer. Otherwise
/// branch and bound: at the first unmet need, over the candidates for it and
/// over leaving it, each node a propagation, or one for each order of what is
/// before one op. It ends with the answer on
/// problems of up to `maxExact` candidates, and on larger ones within `budget`
/// interpreted ops or with the best set found, without candidates that it does
/// not need.
SearchResult searchPlan(const PlanProblem &problem, unsigned maxExact = 12,
                        uint64_t budget = 3000);

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_PLAN_SEARCH_H
