//===- Solver.cpp - Deciding problems ---------------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verifier/solver/Solver.h"

#include "verifier/solver/Check.h"
#include "verifier/solver/SmtLib.h"

#include "llvm/ADT/STLExtras.h"

using namespace formwork::verifier::solver;

Solver::Solver(const Problem &problem, SolverOptions options)
    : problem(problem), options(std::move(options)) {}

void Solver::dump(const Problem &question, llvm::StringRef name) {
  if (!options.dumpDirectory.empty() &&
      !dumpQuery(question, name, options.dumpDirectory))
    ++stats.dumpsFailed;
}

/// The reason why an assignment is no answer: a demand without a term.
static std::optional<Unknown> findUnmodelled(const Problem &problem) {
  if (problem.getUnmodelled().empty())
    return std::nullopt;
  const Unmodelled &first = problem.getUnmodelled().front();
  return Unknown{UnknownReason::Unmodelled,
                 "'" + first.id + "': " + first.reason};
}

Verdict Solver::checkSat(llvm::StringRef name) {
  dump(problem, name);
  Check check(problem, options, stats);
  llvm::SmallVector<ConstraintId> active = getAllConstraints(problem);
  Decision decision = check.decide(active);
  if (auto *unsat = std::get_if<Unsat>(&decision))
    return check.minimizeCore(active, *unsat);
  if (std::holds_alternative<Sat>(decision))
    if (auto unknown = findUnmodelled(problem))
      return *unknown;
  return decision;
}

/// The component that the constraint is in.
static const Component *findComponent(llvm::ArrayRef<Component> components,
                                      ConstraintId id) {
  for (const Component &component : components)
    if (llvm::is_contained(component.constraints, id))
      return &component;
  return nullptr;
}

/// The variables of the term in order of declaration.
static llvm::SmallVector<VarId> getDeclared(const Problem &problem,
                                            BoolTerm term) {
  llvm::SmallVector<VarId> used = collectVariables(term.getNode());
  llvm::SmallVector<VarId> declared;
  for (const Variable &variable : problem.getVariables())
    if (llvm::is_contained(used, variable.id))
      declared.push_back(variable.id);
  return declared;
}

/// Drops the variables without whose values the property is refuted as well:
/// auxiliaries first, and of the same role the last first.
static void findDecisive(const Problem &problem, BoolTerm property,
                         const SolverOptions &options, SolverStats &stats,
                         Refuted &refuted) {
  Problem confirming = problem;
  confirming.addConstraint("property", property);
  Check check(confirming, options, stats);
  llvm::SmallVector<ConstraintId> active = getAllConstraints(confirming);

  Assignment fixed;
  for (VarId var : refuted.decisive)
    fixed.set(var, *refuted.model.get(var));
  llvm::SmallVector<VarId> candidates;
  for (Role role : {Role::Auxiliary, Role::Knob})
    for (VarId var : llvm::reverse(refuted.decisive))
      if (problem.getVariable(var).role == role)
        candidates.push_back(var);
  for (VarId var : candidates) {
    fixed.erase(var);
    Decision decision = check.decide(active, fixed);
    if (std::holds_alternative<Unsat>(decision)) {
      llvm::erase(refuted.decisive, var);
      continue;
    }
    if (std::holds_alternative<Unknown>(decision))
      refuted.minimal = false;
    fixed.set(var, *refuted.model.get(var));
  }
}

Proof Solver::proveForAll(BoolTerm property, llvm::StringRef name) {
  TermContext &context = problem.getContext();
  Problem refuting = problem;
  ConstraintId negated = refuting.addConstraint(
      "negated-property", context.logicalNot(context.holds(property)));
  dump(refuting, name);

  Check check(refuting, options, stats);
  llvm::SmallVector<ConstraintId> active = getAllConstraints(refuting);
  Decision decision = check.decide(active);
  if (auto *unknown = std::get_if<Unknown>(&decision))
    return *unknown;
  if (auto *unsat = std::get_if<Unsat>(&decision)) {
    if (!llvm::is_contained(unsat->core, negated))
      return Proved{/*vacuous=*/true};
    active.pop_back();
    return Proved{std::holds_alternative<Unsat>(check.decide(active))};
  }
  if (auto unknown = findUnmodelled(problem))
    return *unknown;

  Refuted refuted{std::get<Sat>(decision).model,
                  getDeclared(problem, property)};
  std::vector<Component> components = splitComponents(refuting, active);
  if (const Component *component = findComponent(components, negated)) {
    llvm::SmallVector<VarId> order = refuted.decisive;
    for (VarId var : component->variables)
      if (!llvm::is_contained(order, var))
        order.push_back(var);
    refuted.minimal = check.minimizeModel(*component, order, refuted.model);
    findDecisive(problem, property, options, stats, refuted);
  } else {
    refuted.decisive.clear();
  }
  return refuted;
}
