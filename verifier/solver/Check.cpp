//===- Check.cpp - One question, decided step by step -----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verifier/solver/Check.h"

#include "llvm/ADT/STLExtras.h"

#include <climits>

using namespace formwork::verifier::solver;

/// In a component that is not searched to the end, only so many values of each
/// domain are tried.
static constexpr uint64_t MaxValuesTried = 1 << 14;

static std::chrono::milliseconds getMilliseconds(unsigned count) {
  return std::chrono::milliseconds(count);
}

Check::Check(const Problem &problem, const SolverOptions &options,
             SolverStats &stats)
    : problem(problem), options(options),
      stats(options.run ? options.run->getStats() : stats) {
  ++this->stats.checks;
  if (options.timeoutMs != 0)
    deadline =
        std::chrono::steady_clock::now() + getMilliseconds(options.timeoutMs);
  if (!options.run)
    return;
  budget = &options.run->getBudget();
  if (const Deadline &last = budget->getDeadline())
    deadline = deadline ? std::min(*deadline, *last) : *last;
}

Unknown Check::explainEnd(UnknownReason reason, llvm::StringRef detail) const {
  if (budget && budget->isSpent())
    return {UnknownReason::ResourceLimit, kBudgetIsSpent.str()};
  return {reason, detail.str()};
}

Unknown Check::makeTimeOut() const {
  return explainEnd(UnknownReason::TimeOut, "the wall-clock limit was reached");
}

SearchEnd
Check::runSearch(Search &search, SearchLimits limits,
                 llvm::function_ref<bool(llvm::ArrayRef<int64_t>)> found) {
  if (budget)
    limits.nodes = std::min(limits.nodes, budget->getValuesLeft());
  SearchEnd end = search.run(limits, found);
  ++stats.searches;
  stats.searchNodes += search.getNumNodes();
  if (budget)
    budget->spend(Budget::workPerValue * search.getNumNodes());
  return end;
}

static Unknown makeOverflow(llvm::StringRef id) {
  return {UnknownReason::Overflow,
          "'" + id.str() + "' does not fit in 128 bits for some values"};
}

Evaluator &Check::getEvaluator(ConstraintId id) {
  std::unique_ptr<Evaluator> &evaluator = evaluators[id];
  if (!evaluator)
    evaluator = std::make_unique<Evaluator>(
        problem.getConstraints()[id].term.getNode());
  return *evaluator;
}

bool Check::isSmall(const Component &component, const Assignment &fixed) const {
  return !options.alwaysZ3 &&
         countPoints(problem, component, fixed) <= options.exactBound;
}

std::optional<Unknown> Check::findFault(llvm::ArrayRef<VarId> variables,
                                        llvm::ArrayRef<ConstraintId> active,
                                        const Assignment &model) {
  std::vector<int64_t> table(problem.getContext().getNumVariables());
  for (VarId var : variables) {
    std::optional<int64_t> value = model.get(var);
    if (!value || !problem.getVariable(var).domain.contains(*value))
      return Unknown{UnknownReason::Internal,
                     "the model has no value in the domain of '" +
                         problem.getName(var).str() + "'"};
    table[var] = *value;
  }
  for (ConstraintId id : active) {
    TruthValue truth = getEvaluator(id).decide(table);
    const std::string &name = problem.getConstraints()[id].id;
    if (truth == TruthValue::Overflow)
      return makeOverflow(name);
    if (truth != TruthValue::True)
      return Unknown{UnknownReason::Internal,
                     "the model does not satisfy '" + name + "'"};
  }
  return std::nullopt;
}

static Assignment extract(const Component &component,
                          llvm::ArrayRef<int64_t> table) {
  Assignment model;
  for (VarId var : component.variables)
    model.set(var, table[var]);
  return model;
}

Decision Check::search(Search &search, const Component &component,
                       const SearchLimits &limits) {
  Assignment model;
  SearchEnd end = runSearch(search, limits, [&](llvm::ArrayRef<int64_t> table) {
    model = extract(component, table);
    return false;
  });
  switch (end) {
  case SearchEnd::Stopped:
    return Sat{std::move(model)};
  case SearchEnd::TimeOut:
    return makeTimeOut();
  case SearchEnd::NodeLimit:
    return explainEnd(UnknownReason::ResourceLimit,
                      "the search limit was reached");
  case SearchEnd::Exhausted:
    break;
  }
  if (search.isClipped())
    return Unknown{UnknownReason::ResourceLimit, "not all values were tried"};
  if (search.sawOverflow())
    return Unknown{UnknownReason::Overflow,
                   "a constraint does not fit in 128 bits for some values"};
  return Unsat{search.getUsedConstraints(), /*minimal=*/false, std::nullopt};
}

Decision Check::askZ3(const Component &component, const Assignment &fixed,
                      llvm::ArrayRef<BoolTerm> scoped) {
  TermContext &context = problem.getContext();
  llvm::SmallVector<BoolTerm> terms(scoped);
  for (VarId var : component.variables)
    if (std::optional<int64_t> value = fixed.get(var))
      terms.push_back(context.equal(context.variable(problem.getName(var)),
                                    context.constant(*value)));

  Z3Limits limits{allowance ? allowance->each : options.rlimit, 0};
  if (allowance && allowance->all < limits.rlimit)
    return Unknown{
        UnknownReason::ResourceLimit,
        "the limit for finding constraints that exclude each other is reached"};
  if (budget) {
    uint64_t left = budget->getWorkLeft();
    if (left == 0)
      return explainEnd(UnknownReason::ResourceLimit, "");
    if (left != UINT64_MAX && (limits.rlimit == 0 || left < limits.rlimit))
      limits.rlimit = static_cast<unsigned>(std::min<uint64_t>(left, UINT_MAX));
  }
  if (deadline) {
    auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        *deadline - std::chrono::steady_clock::now());
    if (left.count() <= 0)
      return makeTimeOut();
    // Rounded up, so that Z3 is not the first to stop.
    limits.timeoutMs = static_cast<unsigned>(left.count()) + 1;
  }
  std::unique_ptr<Z3Session> &shared =
      options.run ? options.run->getSession() : session;
  if (!shared || !shared->accepts(problem)) {
    shared = std::make_unique<Z3Session>(context);
    ++stats.z3Contexts;
  }
  ++stats.z3Queries;
  auto start = std::chrono::steady_clock::now();
  Z3Answer answer = shared->check(problem, component.variables,
                                  component.constraints, terms, limits);
  stats.z3Seconds +=
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
          .count();
  stats.z3Spent += answer.spent;
  if (allowance)
    allowance->all -= std::min<uint64_t>(allowance->all, answer.spent);
  if (budget)
    budget->spend(answer.spent);
  switch (answer.kind) {
  case Z3Answer::Sat:
    if (auto fault =
            findFault(component.variables, component.constraints, answer.model))
      return *fault;
    return Sat{std::move(answer.model)};
  case Z3Answer::Unsat:
    return Unsat{answer.core, /*minimal=*/false, std::nullopt};
  case Z3Answer::Unknown:
    break;
  }
  // Z3 reports an interruption in the same words whatever caused it.
  if (hasPassed(deadline))
    return makeTimeOut();
  return explainEnd(answer.reason, answer.detail);
}

Decision Check::decideComponent(const Component &component,
                                const Assignment &fixed) {
  if (component.constraints.empty()) {
    Assignment model;
    for (VarId var : component.variables) {
      const Domain &domain = problem.getVariable(var).domain;
      std::optional<int64_t> value = fixed.get(var);
      if (domain.empty() || (value && !domain.contains(*value)))
        return Unsat{{}, /*minimal=*/true, std::nullopt};
      model.set(var, value ? *value : domain.getValuesNear(0, 1).front());
    }
    return Sat{std::move(model)};
  }
  if (options.alwaysZ3)
    return askZ3(component, fixed, {});

  Search::Options searchOptions;
  searchOptions.fixed = fixed;
  SearchLimits limits{UINT64_MAX, deadline};
  bool small = isSmall(component, fixed);
  if (!small) {
    searchOptions.maxValues = MaxValuesTried;
    limits.nodes = options.searchNodes;
  }
  Search walker(problem, component, searchOptions);
  Decision decision = search(walker, component, limits);
  if (small || !std::holds_alternative<Unknown>(decision))
    return decision;
  return askZ3(component, fixed, {});
}

Decision Check::decide(llvm::ArrayRef<ConstraintId> active,
                       const Assignment &fixed) {
  for (const Variable &variable : problem.getVariables())
    if (variable.domain.empty())
      return Unsat{{}, /*minimal=*/true, variable.id};

  std::optional<Unknown> open;
  for (ConstraintId id : active) {
    if (!getEvaluator(id).getVariables().empty())
      continue;
    TruthValue truth = getEvaluator(id).decide({});
    if (truth == TruthValue::Overflow && !open)
      open = makeOverflow(problem.getConstraints()[id].id);
    if (truth == TruthValue::False || truth == TruthValue::Undefined)
      return Unsat{{id}, /*minimal=*/true, std::nullopt};
  }

  std::vector<Component> components = splitComponents(problem, active);
  // Quick decisions may make the rest unnecessary.
  std::stable_sort(components.begin(), components.end(),
                   [&](const Component &a, const Component &b) {
                     return countPoints(problem, a, fixed) <
                            countPoints(problem, b, fixed);
                   });
  Assignment model;
  for (const Component &component : components) {
    Decision decision = decideComponent(component, fixed);
    if (auto *unknown = std::get_if<Unknown>(&decision)) {
      if (!open)
        open = *unknown;
      continue;
    }
    if (std::holds_alternative<Unsat>(decision))
      return decision;
    model.merge(std::get<Sat>(decision).model);
  }
  if (open)
    return *open;

  llvm::SmallVector<VarId> variables;
  for (const Variable &variable : problem.getVariables())
    variables.push_back(variable.id);
  if (auto fault = findFault(variables, active, model))
    return *fault;
  return Sat{std::move(model)};
}

Unsat Check::deleteUnneeded(llvm::ArrayRef<ConstraintId> active, Unsat &unsat) {
  Deadline whole = deadline;
  if (options.timeoutMs != 0)
    deadline = std::min(*whole, std::chrono::steady_clock::now() +
                                    getMilliseconds(options.timeoutMs / 20));
  if (options.rlimit != 0)
    allowance = Allowance{std::max(options.rlimit / 4, 1u), options.rlimit};
  // The constraints that are left, and a part of them that is known to suffice.
  // Constraints outside of that part are removed without a query. So the result
  // depends only on the order of deletion, and not on the first core.
  llvm::SmallVector<ConstraintId> left(active);
  bool minimal = true;
  for (ConstraintId id : llvm::reverse(active)) {
    llvm::SmallVector<ConstraintId> rest(left);
    llvm::erase(rest, id);
    if (llvm::is_contained(unsat.core, id)) {
      Decision decision = decide(rest);
      minimal &= !std::holds_alternative<Unknown>(decision);
      auto *smaller = std::get_if<Unsat>(&decision);
      if (!smaller)
        continue;
      unsat.core = smaller->core;
    }
    left = std::move(rest);
  }
  allowance.reset();
  deadline = whole;
  return {left, minimal, std::nullopt};
}

Unsat Check::minimizeCore(llvm::ArrayRef<ConstraintId> active, Unsat unsat) {
  if (unsat.emptyDomain)
    return unsat;
  Unsat first = deleteUnneeded(active, unsat);
  if (first.minimal)
    return first;
  llvm::SmallVector<ConstraintId> known(unsat.core);
  llvm::sort(known);
  Unsat second = deleteUnneeded(known, unsat);
  bool isBetter = second.minimal || second.core.size() < first.core.size();
  return isBetter ? second : first;
}

std::optional<bool> Check::minimizeBySearch(const Component &component,
                                            VarId var, Assignment &model,
                                            const Assignment &fixed,
                                            const Assignment &centers) {
  if (!isSmall(component, fixed))
    return std::nullopt;
  Search::Options searchOptions;
  searchOptions.fixed = fixed;
  searchOptions.leading.push_back(var);
  searchOptions.centers = centers;
  Search walker(problem, component, searchOptions);
  Decision decision = search(walker, component, {UINT64_MAX, deadline});
  auto *sat = std::get_if<Sat>(&decision);
  // Points with an overflow are skipped, so a nearer value may have been
  // missed.
  if (sat)
    model.merge(sat->model);
  return sat && !walker.sawOverflow();
}

/// The distance, which 64 bits need not hold.
static Wide getDistance(int64_t a, int64_t b) {
  Wide difference = static_cast<Wide>(a) - b;
  return difference < 0 ? -difference : difference;
}

std::optional<bool> Check::minimizeByZ3(const Component &component, VarId var,
                                        Assignment &model,
                                        const Assignment &fixed,
                                        int64_t center) {
  TermContext &context = problem.getContext();
  const Domain &domain = problem.getVariable(var).domain;
  IntTerm variable = context.variable(problem.getName(var));
  auto clamp = [&](Wide value) {
    return context.constant(static_cast<int64_t>(
        std::clamp<Wide>(value, static_cast<Wide>(domain.min()) - 1,
                         static_cast<Wide>(domain.max()) + 1)));
  };
  // Whether a value in [lo, hi] is possible; none if that stays open.
  auto ask = [&](Wide lo, Wide hi) -> std::optional<bool> {
    BoolTerm within =
        context.logicalAnd(context.lessEqual(clamp(lo), variable),
                           context.lessEqual(variable, clamp(hi)));
    Decision decision = askZ3(component, fixed, within);
    if (std::holds_alternative<Unknown>(decision))
      return std::nullopt;
    auto *sat = std::get_if<Sat>(&decision);
    if (sat)
      model.merge(sat->model);
    return sat != nullptr;
  };

  Wide nearest = 0;
  auto current = [&] { return getDistance(*model.get(var), center); };
  while (nearest < current()) {
    Wide middle = nearest + (current() - nearest) / 2;
    std::optional<bool> possible = ask(center - middle, center + middle);
    if (!possible)
      return false;
    if (!*possible)
      nearest = middle + 1;
  }
  // If two values have the same distance, take the larger one.
  if (*model.get(var) < center)
    return ask(center + nearest, center + nearest).has_value();
  return true;
}

bool Check::minimizeModel(const Component &component,
                          llvm::ArrayRef<VarId> variables, Assignment &model,
                          const Assignment &fixed, const Assignment &centers) {
  Assignment pinned = fixed;
  bool complete = true;
  for (VarId var : variables) {
    int64_t center = centers.get(var).value_or(0);
    int64_t ideal =
        problem.getVariable(var).domain.getValuesNear(center, 1).front();
    if (!pinned.has(var) && *model.get(var) != ideal) {
      std::optional<bool> done =
          minimizeBySearch(component, var, model, pinned, centers);
      if (!done)
        done = minimizeByZ3(component, var, model, pinned, center);
      complete &= *done;
    }
    pinned.set(var, *model.get(var));
  }
  return complete;
}
