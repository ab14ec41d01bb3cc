//===- ParameterModel.cpp - Parameters of a schedule ------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verifier/parameters/ParameterModel.h"

#include "verifier/solver/Evaluator.h"

#include "verifier/solver/SolverRun.h"

using namespace mlir;
using namespace formwork::verifier;

/// How many points are tried to see that something always holds.
static constexpr uint64_t kTried = 4096;

ParameterModel::ParameterModel()
    : context(std::make_unique<solver::TermContext>()),
      problem(std::make_unique<solver::Problem>(*context)) {}

void ParameterModel::add(StringRef id, solver::BoolTerm term, Operation *op,
                         const Twine &text, ConstraintKind kind,
                         Operation *step) {
  // Two loops, or two visits of a step, can ask for the same.
  bool isKnown = term.isTrue() ||
                 llvm::any_of(problem->getConstraints(), [&](const auto &old) {
                   return old.term == term && old.source == op && old.id == id;
                 });
  if (isKnown)
    return;
  problem->addConstraint(id, term, op, text.str());
  kinds.push_back(kind);
  steps.push_back(step ? step : op);
}

solver::IntTerm ParameterModel::addKnob(Operation *op, StringRef name,
                                        solver::Domain domain,
                                        std::optional<int64_t> selected) {
  auto known = knobTerms.find(op);
  if (known != knobTerms.end())
    return known->second;
  // Each op is a choice of its own, also when two share a name.
  unsigned number = ++numOfName[name];
  std::string unique =
      number == 1 ? name.str() : (name + "#" + Twine(number)).str();
  solver::IntTerm term = problem->addVariable(unique, std::move(domain));
  knobTerms.try_emplace(op, term);
  knobs.push_back({op, term, selected});
  return term;
}

const Knob *ParameterModel::findKnob(solver::VarId variable) const {
  auto knob = llvm::find_if(knobs, [&](const Knob &candidate) {
    return candidate.term.getVariable() == variable;
  });
  return knob == knobs.end() ? nullptr : knob;
}

solver::Assignment ParameterModel::getSelected() const {
  solver::Assignment selected;
  for (const Knob &knob : knobs)
    if (knob.selected)
      selected.set(knob.term.getVariable(), *knob.selected);
  return selected;
}

solver::Problem ParameterModel::fixSelected() const {
  solver::Problem fixed = *problem;
  for (const Knob &knob : knobs)
    if (knob.selected)
      fixed.addConstraint(
          "knob.selected",
          context->equal(knob.term, context->constant(*knob.selected)),
          knob.op);
  return fixed;
}

solver::Problem
ParameterModel::filter(llvm::function_ref<bool(ConstraintKind)> keep) const {
  solver::Problem filtered(*context);
  for (const solver::Variable &variable : problem->getVariables())
    filtered.addVariable(context->getName(variable.id), variable.domain,
                         variable.role);
  for (auto [constraint, kind] : llvm::zip(problem->getConstraints(), kinds))
    if (keep(kind))
      filtered.addConstraint(constraint.id, constraint.term, constraint.source,
                             constraint.text);
  for (const solver::Unmodelled &unmodelled : problem->getUnmodelled())
    filtered.addUnmodelled(unmodelled.id, unmodelled.source, unmodelled.reason);
  return filtered;
}

solver::Problem ParameterModel::trySizes(const solver::Problem &problem) const {
  SmallVector<int64_t> tried;
  // 16 * 9 * 5 * 7 * 11 * 13, times powers of two.
  constexpr int64_t divisible = 720720;
  for (int64_t power = 1; power <= (1 << 20); power *= 2)
    tried.push_back(power);
  for (int64_t size = divisible; size <= std::numeric_limits<int32_t>::max();
       size *= 2)
    tried.push_back(size);
  solver::Problem narrowed(*context);
  for (const solver::Variable &variable : problem.getVariables())
    narrowed.addVariable(context->getName(variable.id),
                         llvm::is_contained(sizes, variable.id)
                             ? solver::Domain::list(tried)
                             : variable.domain,
                         variable.role);
  for (const solver::Constraint &constraint : problem.getConstraints())
    narrowed.addConstraint(constraint.id, constraint.term, constraint.source,
                           constraint.text);
  for (const solver::Unmodelled &unmodelled : problem.getUnmodelled())
    narrowed.addUnmodelled(unmodelled.id, unmodelled.source, unmodelled.reason);
  return narrowed;
}

bool ParameterModel::dependsOnPayload(solver::IntTerm term) const {
  return llvm::any_of(solver::collectVariables(term.getNode()),
                      [&](solver::VarId variable) {
                        return llvm::is_contained(sizes, variable);
                      });
}

void ParameterModel::beginQuestions(
    const solver::SolverOptions &options) const {
  if (!options.run)
    return;
  options.run->forgetTerms();
  options.run->getStats().folded += numFolded;
}

bool ParameterModel::isResolved() const {
  return constrained.empty() &&
         llvm::all_of(
             knobs,
             [](const Knob &knob) { return knob.selected.has_value(); }) &&
         llvm::all_of(opaqueKnobs, [](const OpaqueKnob &knob) {
           return knob.op->hasAttr("selected");
         });
}

bool ParameterModel::isSurely(solver::BoolTerm term) const {
  if (term.isTrue() || term.isFalse())
    return term.isTrue();
  solver::Evaluator evaluator(term.getNode());
  ArrayRef<solver::VarId> variables = evaluator.getVariables();
  uint64_t points = 1;
  for (solver::VarId variable : variables) {
    uint64_t size = problem->getVariable(variable).domain.size();
    if (size == 0)
      return true;
    if (size > kTried / points)
      return false;
    points *= size;
  }
  std::vector<int64_t> values(context->getNumVariables());
  for (uint64_t point = 0; point < points; ++point) {
    uint64_t rest = point;
    for (solver::VarId variable : variables) {
      const solver::Domain &domain = problem->getVariable(variable).domain;
      values[variable] = domain.at(rest % domain.size());
      rest /= domain.size();
    }
    if (!evaluator.holds(values))
      return false;
  }
  return true;
}
