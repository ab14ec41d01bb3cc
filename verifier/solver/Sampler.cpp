//===- Sampler.cpp - Assignments that differ --------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verifier/solver/Sampler.h"

#include "verifier/solver/Check.h"
#include "verifier/solver/Counting.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/xxhash.h"

#include <set>

using namespace formwork::verifier::solver;

/// Values tried by one random walk, and walks before a full search or Z3.
static constexpr uint64_t NodesPerWalk = 20'000;
static constexpr unsigned WalksPerPart = 8;
/// Values of one domain that a random walk chooses from.
static constexpr uint64_t MaxValuesTried = 1 << 14;
/// Earlier assignments that one question to Z3 keeps away from.
static constexpr size_t MaxBlocks = 32;
/// Assignments looked at in order when random ones do not suffice.
static constexpr uint64_t MaxListed = 2'000'000;

namespace {
/// Points that pairwise differ in two coordinates or more. Two points differ in
/// at most one exactly if they agree once that coordinate is left out, so each
/// point is remembered once for each coordinate. The memory holds 128-bit
/// hashes: a collision would only turn a point away.
class DiverseSet {
public:
  /// Adds the point unless it is too close to one that is there.
  bool insert(llvm::ArrayRef<int64_t> point) {
    std::vector<Key> keys;
    std::vector<int64_t> masked(point);
    masked.push_back(0);
    for (size_t i = 0; i < point.size(); ++i) {
      masked[i] = 0;
      masked.back() = static_cast<int64_t>(i);
      auto hash = llvm::xxh3_128bits(
          llvm::ArrayRef(reinterpret_cast<const uint8_t *>(masked.data()),
                         masked.size() * sizeof(int64_t)));
      keys.push_back({hash.high64, hash.low64});
      masked[i] = point[i];
    }
    if (keys.empty() && !std::exchange(hasOrigin, true))
      return true;
    if (keys.empty() ||
        llvm::any_of(keys, [&](const Key &key) { return seen.count(key); }))
      return false;
    seen.insert(keys.begin(), keys.end());
    return true;
  }

private:
  using Key = std::pair<uint64_t, uint64_t>;
  std::set<Key> seen;
  bool hasOrigin = false;
};

/// A component from which assignments are drawn.
struct Part {
  Component component;
  /// None where no constraint restricts it.
  std::optional<Search> search;
  bool small;
  /// The last assignments from Z3.
  std::vector<Assignment> drawn;
};

class Sampler {
public:
  Sampler(const Problem &problem, uint64_t seed, const SolverOptions &options)
      : problem(problem), options(options), check(problem, options, stats),
        random(seed) {
    for (const Variable &variable : problem.getVariables())
      if (variable.role == Role::Knob)
        knobs.push_back(variable.id);
    for (Component &component :
         splitComponents(problem, getAllConstraints(problem))) {
      Search::Options searchOptions;
      searchOptions.maxValues = MaxValuesTried;
      bool small = countPoints(problem, component) <= options.exactBound;
      if (small)
        searchOptions.maxValues = UINT64_MAX;
      std::optional<Search> search;
      if (!component.constraints.empty())
        search.emplace(problem, component, searchOptions);
      parts.push_back({std::move(component), std::move(search), small, {}});
    }
  }

  Sample run(size_t number);

private:
  bool add(const Assignment &assignment);
  bool draw(Assignment &assignment);
  bool drawPart(Part &part, Assignment &assignment);
  bool walk(Part &part, uint64_t nodes, Assignment &assignment);
  bool drawByZ3(Part &part, Assignment &assignment);

  const Problem &problem;
  const SolverOptions &options;
  SolverStats stats;
  Check check;
  std::mt19937_64 random;
  llvm::SmallVector<VarId> knobs;
  std::vector<Part> parts;
  DiverseSet diverse;
  Sample sample;
};
} // namespace

bool Sampler::add(const Assignment &assignment) {
  llvm::SmallVector<int64_t> point;
  for (VarId knob : knobs)
    point.push_back(*assignment.get(knob));
  if (!diverse.insert(point))
    return false;
  sample.assignments.push_back(assignment);
  return true;
}

bool Sampler::walk(Part &part, uint64_t nodes, Assignment &assignment) {
  part.search->shuffle(random);
  SearchEnd end = check.runSearch(*part.search, {nodes, check.getDeadline()},
                                  [&](llvm::ArrayRef<int64_t> table) {
                                    for (VarId var : part.component.variables)
                                      assignment.set(var, table[var]);
                                    return false;
                                  });
  return end == SearchEnd::Stopped;
}

bool Sampler::drawByZ3(Part &part, Assignment &assignment) {
  TermContext &context = problem.getContext();
  llvm::SmallVector<VarId> candidates;
  for (VarId var : part.component.variables)
    if (problem.getVariable(var).role == Role::Knob)
      candidates.push_back(var);
  // Two knobs away from the latest ones; where that cannot be, anything.
  llvm::SmallVector<BoolTerm> blocks;
  for (const Assignment &earlier : part.drawn) {
    IntTerm differing = context.constant(0);
    for (VarId var : candidates) {
      BoolTerm differs =
          context.notEqual(context.variable(problem.getName(var)),
                           context.constant(*earlier.get(var)));
      differing =
          context.add(differing, context.select(differs, context.constant(1),
                                                context.constant(0)));
    }
    blocks.push_back(context.lessEqual(
        context.constant(std::min<int64_t>(candidates.size(), 2)), differing));
  }
  Decision decision = check.askZ3(part.component, {}, blocks);
  if (!std::holds_alternative<Sat>(decision))
    decision = check.decideComponent(part.component);
  auto *sat = std::get_if<Sat>(&decision);
  if (!sat)
    return false;
  part.drawn.push_back(sat->model);
  if (part.drawn.size() > MaxBlocks)
    part.drawn.erase(part.drawn.begin());
  assignment.merge(sat->model);
  return true;
}

bool Sampler::drawPart(Part &part, Assignment &assignment) {
  if (!part.search) {
    for (VarId var : part.component.variables) {
      const Domain &domain = problem.getVariable(var).domain;
      assignment.set(var, domain.at(random() % domain.size()));
    }
    return true;
  }
  for (unsigned i = 0; i < WalksPerPart; ++i)
    if (walk(part, NodesPerWalk, assignment))
      return true;
  return part.small ? walk(part, UINT64_MAX, assignment)
                    : drawByZ3(part, assignment);
}

bool Sampler::draw(Assignment &assignment) {
  return llvm::all_of(parts,
                      [&](Part &part) { return drawPart(part, assignment); });
}

Sample Sampler::run(size_t number) {
  // Decides first, so that what follows knows that there is something to find.
  Decision decision = check.decide(getAllConstraints(problem));
  if (auto *unknown = std::get_if<Unknown>(&decision)) {
    sample.unknown = *unknown;
    return std::move(sample);
  }
  if (std::holds_alternative<Unsat>(decision)) {
    sample.exhausted = number > 0;
    return std::move(sample);
  }
  if (!problem.getUnmodelled().empty()) {
    const Unmodelled &first = problem.getUnmodelled().front();
    sample.unknown = Unknown{UnknownReason::Unmodelled,
                             "'" + first.id + "': " + first.reason};
  }

  // Stops once new ones have become rare.
  uint64_t failures = 0, patience = 200 + 4 * static_cast<uint64_t>(number);
  while (sample.assignments.size() < number && failures < patience &&
         !hasPassed(check.getDeadline()) && !isBudgetSpent(options)) {
    Assignment assignment;
    if (!draw(assignment) || !add(assignment))
      ++failures;
  }
  if (sample.assignments.size() >= number)
    return std::move(sample);

  uint64_t listed = 0;
  EnumerationEnd end =
      enumerateAssignments(problem, options, [&](const Assignment &assignment) {
        add(assignment);
        return ++listed < MaxListed && sample.assignments.size() < number &&
               !hasPassed(check.getDeadline());
      });
  if (sample.assignments.size() >= number)
    return std::move(sample);
  sample.exhausted = end == EnumerationEnd::Complete;
  if (!sample.exhausted && !sample.unknown)
    sample.unknown =
        hasPassed(check.getDeadline())
            ? check.explainEnd(UnknownReason::TimeOut,
                               "the wall-clock limit was reached")
            : check.explainEnd(UnknownReason::ResourceLimit,
                               "too many assignments to look at all");
  return std::move(sample);
}

Sample formwork::verifier::solver::sampleDiverse(const Problem &problem,
                                                 size_t number, uint64_t seed,
                                                 const SolverOptions &options) {
  return Sampler(problem, seed, options).run(number);
}
