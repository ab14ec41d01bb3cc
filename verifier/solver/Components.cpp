//===- Components.cpp - Independent parts of a problem ----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verifier/solver/Components.h"

#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace formwork::verifier::solver;

std::vector<Component> formwork::verifier::solver::splitComponents(
    const Problem &problem, llvm::ArrayRef<ConstraintId> active) {
  llvm::EquivalenceClasses<VarId> classes;
  for (const Variable &variable : problem.getVariables())
    classes.insert(variable.id);
  std::vector<std::pair<ConstraintId, VarId>> placed;
  for (ConstraintId id : active) {
    auto variables =
        collectVariables(problem.getConstraints()[id].term.getNode());
    if (variables.empty())
      continue;
    placed.push_back({id, variables.front()});
    for (VarId var : variables)
      classes.unionSets(variables.front(), var);
  }

  std::vector<Component> components;
  llvm::DenseMap<VarId, unsigned> indexOfLeader;
  for (const Variable &variable : problem.getVariables()) {
    auto [it, isNew] = indexOfLeader.try_emplace(
        classes.getLeaderValue(variable.id), components.size());
    if (isNew)
      components.emplace_back();
    components[it->second].variables.push_back(variable.id);
  }
  llvm::sort(placed);
  for (auto [id, var] : placed)
    components[indexOfLeader.lookup(classes.getLeaderValue(var))]
        .constraints.push_back(id);
  return components;
}

uint64_t formwork::verifier::solver::countPoints(const Problem &problem,
                                                 const Component &component,
                                                 const Assignment &fixed) {
  uint64_t points = 1;
  for (VarId var : component.variables)
    if (!fixed.has(var))
      points = llvm::SaturatingMultiply(points,
                                        problem.getVariable(var).domain.size());
  return points;
}

llvm::SmallVector<ConstraintId>
formwork::verifier::solver::getAllConstraints(const Problem &problem) {
  llvm::SmallVector<ConstraintId> ids(problem.getConstraints().size());
  std::iota(ids.begin(), ids.end(), 0);
  return ids;
}
