//===- Counting.cpp - How many assignments there are ------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verifier/solver/Counting.h"

#include "verifier/solver/Check.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"

using namespace formwork::verifier::solver;

/// In a component that is too large to exhaust, values of one domain beyond
/// this are not enumerated: they would only take memory.
static constexpr uint64_t MaxValuesListed = uint64_t(1) << 20;

std::string Count::toString() const {
  llvm::SmallString<32> digits;
  number.toStringUnsigned(digits);
  return (exact ? "" : "at least ") + digits.str().str();
}

static llvm::APInt multiply(const llvm::APInt &a, const llvm::APInt &b) {
  unsigned width = std::max(64u, a.getActiveBits() + b.getActiveBits());
  return a.zextOrTrunc(width) * b.zextOrTrunc(width);
}

static bool isKnob(const Problem &problem, VarId var) {
  return problem.getVariable(var).role == Role::Knob;
}

/// Counts one component; a component without constraints needs no search.
static Count countComponent(const Problem &problem, const Component &component,
                            Check &check, const SolverOptions &options) {
  Count count;
  if (component.constraints.empty()) {
    count.number = llvm::APInt(64, 1);
    for (VarId var : component.variables) {
      uint64_t size = problem.getVariable(var).domain.size();
      if (isKnob(problem, var) || size == 0)
        count.number = multiply(count.number, llvm::APInt(64, size));
    }
    return count;
  }

  bool small = countPoints(problem, component) <= options.exactBound;
  Search::Options searchOptions;
  searchOptions.projectOnKnobs = true;
  if (!small)
    searchOptions.maxValues = MaxValuesListed;
  SearchLimits limits{small ? UINT64_MAX : 2 * options.exactBound,
                      check.getDeadline()};
  Search search(problem, component, searchOptions);
  uint64_t number = 0;
  SearchEnd end = check.runSearch(search, limits, [&](llvm::ArrayRef<int64_t>) {
    ++number;
    return true;
  });
  count.number = llvm::APInt(64, number);

  auto fallShort = [&](UnknownReason reason, llvm::StringRef detail) {
    count.exact = false;
    count.inexact = check.explainEnd(reason, detail);
  };
  if (end == SearchEnd::TimeOut)
    fallShort(UnknownReason::TimeOut, "the wall-clock limit was reached");
  else if (end == SearchEnd::NodeLimit || search.isClipped())
    fallShort(UnknownReason::ResourceLimit, "too many points to count");
  else if (search.sawOverflow())
    fallShort(UnknownReason::Overflow, "a constraint does not fit in 128 bits");
  if (count.exact || number != 0)
    return count;

  // Z3 may still know one, or that there is none.
  Decision decision = check.decideComponent(component);
  if (std::holds_alternative<Sat>(decision))
    count.number = llvm::APInt(64, 1);
  if (std::holds_alternative<Unsat>(decision))
    count = Count();
  return count;
}

Count formwork::verifier::solver::countAssignments(
    const Problem &problem, const SolverOptions &options) {
  SolverStats own;
  SolverStats &stats = options.run ? options.run->getStats() : own;
  Check check(problem, options, stats);
  Count total;
  total.number = llvm::APInt(64, 1);
  auto finish = [&](Count count) {
    if (!problem.getUnmodelled().empty()) {
      const Unmodelled &first = problem.getUnmodelled().front();
      count.unmodelled = Unknown{UnknownReason::Unmodelled,
                                 "'" + first.id + "': " + first.reason};
    }
    return count;
  };

  llvm::SmallVector<ConstraintId> active = getAllConstraints(problem);
  for (ConstraintId id : active) {
    BoolTerm term = problem.getConstraints()[id].term;
    if (!collectVariables(term.getNode()).empty())
      continue;
    TruthValue truth = decide(term, {});
    if (truth == TruthValue::True)
      continue;
    Count none;
    if (truth == TruthValue::Overflow) {
      none.exact = false;
      none.inexact = Unknown{UnknownReason::Overflow,
                             "a constraint does not fit in 128 bits"};
    }
    return finish(none);
  }
  for (const Component &component : splitComponents(problem, active)) {
    Count count = countComponent(problem, component, check, options);
    // One impossible part decides, however little is known of the others.
    if (count.exact && count.number.isZero())
      return finish(count);
    total.number = multiply(total.number, count.number);
    if (!count.exact && total.exact) {
      total.exact = false;
      total.inexact = count.inexact;
    }
  }
  return finish(total);
}

namespace {
/// Nests the searches of the components.
class Enumeration {
public:
  Enumeration(const Problem &problem, const SolverOptions &options,
              llvm::function_ref<bool(const Assignment &)> found)
      : found(found), check(problem, options, stats) {
    limits.deadline = check.getDeadline();
    components = splitComponents(problem, getAllConstraints(problem));
    for (const Component &component : components) {
      Search::Options searchOptions;
      searchOptions.projectOnKnobs = true;
      if (countPoints(problem, component) > options.exactBound)
        searchOptions.maxValues = MaxValuesListed;
      searches.emplace_back(problem, component, searchOptions);
    }
  }

  EnumerationEnd run() {
    walk(0);
    if (stopped)
      return EnumerationEnd::Stopped;
    bool complete = !isCutOff && llvm::none_of(searches, [](Search &search) {
      return search.isClipped() || search.sawOverflow();
    });
    return complete ? EnumerationEnd::Complete : EnumerationEnd::Partial;
  }

private:
  /// Whether to go on.
  bool walk(unsigned depth) {
    if (depth == components.size()) {
      stopped = !found(current);
      return !stopped;
    }
    SearchEnd end = check.runSearch(
        searches[depth], limits, [&](llvm::ArrayRef<int64_t> table) {
          for (VarId var : components[depth].variables)
            current.set(var, table[var]);
          return walk(depth + 1);
        });
    isCutOff |= end == SearchEnd::TimeOut || end == SearchEnd::NodeLimit;
    return end == SearchEnd::Exhausted;
  }

  llvm::function_ref<bool(const Assignment &)> found;
  SolverStats stats;
  Check check;
  SearchLimits limits;
  std::vector<Component> components;
  std::vector<Search> searches;
  Assignment current;
  bool stopped = false;
  bool isCutOff = false;
};
} // namespace

EnumerationEnd formwork::verifier::solver::enumerateAssignments(
    const Problem &problem, const SolverOptions &options,
    llvm::function_ref<bool(const Assignment &)> found) {
  for (const Constraint &constraint : problem.getConstraints()) {
    if (!collectVariables(constraint.term.getNode()).empty())
      continue;
    TruthValue truth = decide(constraint.term, {});
    if (truth == TruthValue::Overflow)
      return EnumerationEnd::Partial;
    if (truth != TruthValue::True)
      return EnumerationEnd::Complete;
  }
  return Enumeration(problem, options, found).run();
}
