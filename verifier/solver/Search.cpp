//===- Search.cpp - Exact search by backtracking ----------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verifier/solver/Search.h"

#include "llvm/ADT/STLExtras.h"

#include <cmath>

using namespace formwork::verifier::solver;

Search::Search(const Problem &problem, const Component &component)
    : Search(problem, component, Options()) {}

Search::Search(const Problem &problem, const Component &component,
               const Options &options)
    : project(options.projectOnKnobs) {
  table.resize(problem.getContext().getNumVariables());
  for (VarId var : component.variables) {
    Level level{var, {}, {}};
    const Domain &domain = problem.getVariable(var).domain;
    if (std::optional<int64_t> value = options.fixed.get(var)) {
      if (domain.contains(*value))
        level.values.push_back(*value);
    } else {
      level.values = domain.getValuesNear(options.centers.get(var).value_or(0),
                                          options.maxValues);
      clipped |= level.values.size() < domain.size();
    }
    levels.push_back(std::move(level));
  }
  for (ConstraintId id : component.constraints)
    checks.push_back(
        {id, Evaluator(problem.getConstraints()[id].term.getNode())});
  filterDomains();
  chooseOrder(problem, options.leading);
  placeChecks();
}

bool Search::passes(Check &check) {
  TruthValue truth = check.evaluator.decide(table);
  if (truth == TruthValue::True)
    return true;
  overflow |= truth == TruthValue::Overflow;
  check.used = true;
  return false;
}

void Search::filterDomains() {
  for (Check &check : checks) {
    if (check.evaluator.getVariables().size() != 1)
      continue;
    VarId var = check.evaluator.getVariables().front();
    for (Level &level : levels) {
      if (level.variable != var)
        continue;
      llvm::erase_if(level.values, [&](int64_t value) {
        table[var] = value;
        return !passes(check);
      });
      table[var] = 0;
    }
  }
}

void Search::chooseOrder(const Problem &problem,
                         llvm::ArrayRef<VarId> leading) {
  llvm::DenseMap<VarId, unsigned> levelOf;
  for (auto [i, level] : llvm::enumerate(levels))
    levelOf[level.variable] = i;
  std::vector<bool> placed(levels.size());
  std::vector<unsigned> order;
  auto place = [&](unsigned i) {
    if (!placed[i])
      order.push_back(i);
    placed[i] = true;
  };

  for (unsigned i = 0; i < levels.size(); ++i)
    if (levels[i].values.size() <= 1)
      place(i);
  for (VarId var : leading)
    if (auto it = levelOf.find(var); it != levelOf.end())
      place(it->second);

  llvm::SmallVector<unsigned> degree(levels.size());
  for (Check &check : checks)
    for (VarId var : check.evaluator.getVariables())
      ++degree[levelOf.lookup(var)];

  for (Role role : {Role::Knob, Role::Auxiliary}) {
    // Without projection, the roles are one group.
    auto belongs = [&](unsigned i) {
      return !project || problem.getVariable(levels[i].variable).role == role;
    };
    while (true) {
      // The constraint that can be made decidable at the least cost. One that
      // also needs variables of the later group comes after those that do not.
      double best = std::numeric_limits<double>::infinity();
      llvm::SmallVector<unsigned> chosen;
      for (Check &check : checks) {
        double cost = 0;
        llvm::SmallVector<unsigned> open;
        for (VarId var : check.evaluator.getVariables()) {
          unsigned i = levelOf.lookup(var);
          if (placed[i])
            continue;
          double size = std::log2(static_cast<double>(levels[i].values.size()));
          cost += belongs(i) ? size : size + 1000;
          if (belongs(i))
            open.push_back(i);
        }
        if (!open.empty() && cost < best) {
          best = cost;
          chosen = open;
        }
      }
      if (chosen.empty())
        break;
      llvm::sort(chosen, [&](unsigned a, unsigned b) {
        return std::tuple(-static_cast<int>(degree[a]), levels[a].values.size(),
                          a) < std::tuple(-static_cast<int>(degree[b]),
                                          levels[b].values.size(), b);
      });
      for (unsigned i : chosen)
        place(i);
    }
    for (unsigned i = 0; i < levels.size(); ++i)
      if (belongs(i))
        place(i);
  }

  std::vector<Level> ordered;
  for (unsigned i : order)
    ordered.push_back(std::move(levels[i]));
  levels = std::move(ordered);

  if (!project)
    return;
  unsigned depth = 0;
  for (auto [i, level] : llvm::enumerate(levels))
    if (problem.getVariable(level.variable).role == Role::Knob)
      depth = i + 1;
  projection = depth;
}

void Search::placeChecks() {
  llvm::DenseMap<VarId, unsigned> depthOf;
  for (auto [i, level] : llvm::enumerate(levels))
    depthOf[level.variable] = i;
  for (auto [i, check] : llvm::enumerate(checks)) {
    // Those over one variable have done their work.
    if (check.evaluator.getVariables().size() < 2)
      continue;
    unsigned depth = 0;
    for (VarId var : check.evaluator.getVariables())
      depth = std::max(depth, depthOf.lookup(var));
    levels[depth].checks.push_back(i);
  }
}

SearchEnd
Search::run(const SearchLimits &newLimits,
            llvm::function_ref<bool(llvm::ArrayRef<int64_t>)> callback) {
  limits = newLimits;
  nodes = 0;
  end = SearchEnd::Exhausted;
  found = callback;
  // A variable without values, wherever it stands, means that there is nothing
  // to enumerate, and that only the thinning-out was needed to see it.
  if (llvm::all_of(levels,
                   [](const Level &level) { return !level.values.empty(); }))
    walk(0);
  found = nullptr;
  return end;
}

Search::Walk Search::walk(unsigned depth) {
  if (depth == levels.size()) {
    if (!found(table)) {
      end = SearchEnd::Stopped;
      return Walk::Stop;
    }
    return projection ? Walk::NextProjection : Walk::Done;
  }
  Level &level = levels[depth];
  for (int64_t value : level.values) {
    if (++nodes > limits.nodes) {
      end = SearchEnd::NodeLimit;
      return Walk::Stop;
    }
    if (nodes % 4096 == 0 && hasPassed(limits.deadline)) {
      end = SearchEnd::TimeOut;
      return Walk::Stop;
    }
    table[level.variable] = value;
    if (!llvm::all_of(level.checks,
                      [&](unsigned i) { return passes(checks[i]); }))
      continue;
    Walk walked = walk(depth + 1);
    if (walked == Walk::Stop)
      return Walk::Stop;
    // One extension is enough for a combination of knobs.
    if (walked == Walk::NextProjection && depth >= *projection)
      return Walk::NextProjection;
  }
  return Walk::Done;
}

void Search::shuffle(std::mt19937_64 &random) {
  for (Level &level : levels)
    for (size_t i = level.values.size(); i > 1; --i)
      std::swap(level.values[i - 1], level.values[random() % i]);
}

llvm::SmallVector<ConstraintId> Search::getUsedConstraints() const {
  llvm::SmallVector<ConstraintId> used;
  for (const Check &check : checks)
    if (check.used)
      used.push_back(check.id);
  return used;
}
