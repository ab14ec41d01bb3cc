//===- Search.cpp - The least plan of a problem -----------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verifier/plan/Search.h"

#include "verifier/plan/Cover.h"

using namespace mlir;
using namespace formwork::normalforms;
using namespace formwork::verifier;

namespace {
class BranchAndBound {
public:
  BranchAndBound(const PlanProblem &problem, SearchResult &best,
                 const Objective &bound, uint64_t limit)
      : problem(problem), best(best), bound(bound), limit(limit) {}

  /// Whether all sets were looked at, or could not be better.
  bool run() {
    CandidateSet set, excluded;
    SmallVector<Need> given;
    search(set, excluded, given);
    return !isOut;
  }

private:
  void search(const CandidateSet &set, CandidateSet &excluded,
              SmallVectorImpl<Need> &given);
  /// The best possible value of a larger set than `set` that leaves `given`
  /// unmet.
  Objective getBound(const CandidateSet &set, ArrayRef<Need> given) const;
  SmallVector<unsigned> getChoices(const Need &need, const CandidateSet &set,
                                   const CandidateSet &excluded) const;

  const PlanProblem &problem;
  SearchResult &best;
  const Objective &bound;
  uint64_t limit;
  bool isOut = false;
};
} // namespace

SmallVector<unsigned>
BranchAndBound::getChoices(const Need &need, const CandidateSet &set,
                           const CandidateSet &excluded) const {
  SmallVector<unsigned> choices;
  const FormLattice &lattice = problem.getForms().lattice();
  for (auto [i, candidate] : llvm::enumerate(problem.getCandidates())) {
    if (!lattice.refines(candidate.form, need.form) ||
        llvm::is_contained(set, i) || llvm::is_contained(excluded, i) ||
        problem.isBehind(candidate, need))
      continue;
    choices.push_back(i);
  }
  // Where it is latest, it is likely to be best.
  llvm::stable_sort(choices, [&](unsigned a, unsigned b) {
    return problem.getCandidates()[a].point > problem.getCandidates()[b].point;
  });
  return choices;
}

Objective BranchAndBound::getBound(const CandidateSet &set,
                                   ArrayRef<Need> given) const {
  Objective least;
  for (const Need &need : given)
    ++(need.isRequired() ? least.unmetRequired : least.unmetWanted);
  least.unmetRequired = std::max(least.unmetRequired, bound.unmetRequired);
  least.unmetWanted = std::max(least.unmetWanted, bound.unmetWanted);
  least.insertions = set.size() + 1;
  for (unsigned index : set)
    least.weight +=
        problem.getCandidates()[index].getWeight(problem.getForms());
  least.earliness = std::numeric_limits<int64_t>::min();
  return least;
}

void BranchAndBound::search(const CandidateSet &set, CandidateSet &excluded,
                            SmallVectorImpl<Need> &given) {
  if (problem.getSpent() > limit) {
    isOut = true;
    return;
  }
  PlanProblem::Outcome outcome = problem.evaluate(set);
  if (std::pair(outcome.objective, set) <
      std::pair(best.outcome.objective, best.set)) {
    best.outcome = outcome;
    best.set = set;
  }
  if (!(getBound(set, given) < best.outcome.objective))
    return;
  size_t numExcluded = excluded.size(), numGiven = given.size();
  // In another order, something that has nothing to do with a need can be what
  // meets it; and where an insertion makes a step fail, as in a loop over ops
  // that it replaces, one before it can leave it nothing to do.
  if (outcome.objective.doubted != 0 || problem.dependsOnOrder(set)) {
    for (unsigned i = 0; i < problem.getCandidates().size(); ++i) {
      if (llvm::is_contained(set, i) || llvm::is_contained(excluded, i))
        continue;
      CandidateSet next = set;
      next.insert(llvm::upper_bound(next, i), i);
      search(next, excluded, given);
      excluded.push_back(i);
    }
    excluded.resize(numExcluded);
    return;
  }
  // Any better set has a candidate for the first need, or leaves it unmet and
  // has one for the next.
  for (const Need &need : outcome.unmet) {
    if (llvm::is_contained(given, need))
      continue;
    for (unsigned choice : getChoices(need, set, excluded)) {
      CandidateSet next = set;
      next.insert(llvm::upper_bound(next, choice), choice);
      search(next, excluded, given);
      excluded.push_back(choice);
    }
    given.push_back(need);
    if (!(getBound(set, given) < best.outcome.objective))
      break;
  }
  excluded.resize(numExcluded);
  given.truncate(numGiven);
}

/// Without what it does not need.
static void dropRedundant(const PlanProblem &problem, SearchResult &result) {
  for (size_t i = 0; i < result.set.size();) {
    CandidateSet fewer = result.set;
    fewer.erase(fewer.begin() + i);
    PlanProblem::Outcome outcome = problem.evaluate(fewer);
    if (outcome.objective < result.outcome.objective) {
      result.set = std::move(fewer);
      result.outcome = std::move(outcome);
    } else {
      ++i;
    }
  }
}

SearchResult formwork::verifier::searchPlan(const PlanProblem &problem,
                                            unsigned maxExact,
                                            uint64_t budget) {
  SearchResult result;
  result.outcome = problem.getBase();
  ArrayRef<Candidate> candidates = problem.getCandidates();
  SmallVector<CoverSet> sets;
  for (auto [i, candidate] : llvm::enumerate(candidates)) {
    sets.push_back({problem.getCovers()[i],
                    candidate.getWeight(problem.getForms()), candidate.point});
  }
  Cover cover = solveCover(problem.getElements().size(), sets);
  result.lowerBound = cover.lowerBound;
  if (result.outcome.unmet.empty())
    return result;

  // A need without a candidate stays unmet, whatever is inserted.
  Objective bound;
  SmallVector<Need> hopeless;
  for (unsigned element : cover.uncoverable) {
    const Need &need = problem.getElements()[element].need;
    if (llvm::is_contained(hopeless, need))
      continue;
    hopeless.push_back(need);
    ++(need.isRequired() ? bound.unmetRequired : bound.unmetWanted);
  }
  if (!hopeless.empty()) {
    // Nor need what else such a need lacks be met.
    for (CoverSet &set : sets)
      llvm::erase_if(set.elements, [&](unsigned element) {
        return llvm::is_contained(hopeless,
                                  problem.getElements()[element].need);
      });
    cover = solveCover(problem.getElements().size(), sets);
    result.lowerBound = cover.lowerBound;
  }

  PlanProblem::Outcome outcome = problem.evaluate(cover.chosen);
  Objective least = bound;
  least.insertions = outcome.objective.insertions;
  least.weight = outcome.objective.weight;
  least.earliness = outcome.objective.earliness;
  bool isLeast = cover.exact && outcome.objective == least;
  if (outcome.objective < result.outcome.objective) {
    result.set = std::move(cover.chosen);
    result.outcome = std::move(outcome);
  }
  if (isLeast)
    return result;

  uint64_t limit = candidates.size() <= maxExact
                       ? std::numeric_limits<uint64_t>::max()
                       : problem.getSpent() + budget;
  result.exact = BranchAndBound(problem, result, bound, limit).run();
  if (!result.exact)
    dropRedundant(problem, result);
  return result;
}
