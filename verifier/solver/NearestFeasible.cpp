//===- NearestFeasible.cpp - Which knob to change, and to what --*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verifier/solver/NearestFeasible.h"

#include "verifier/solver/Check.h"

#include "llvm/ADT/STLExtras.h"

using namespace formwork::verifier::solver;

static unsigned __int128 getDistance(const KnobChange &change) {
  Wide difference = static_cast<Wide>(change.to) - change.from;
  return difference < 0 ? -difference : difference;
}

NearestFeasible
formwork::verifier::solver::findNearestFeasible(const Problem &problem,
                                                const Assignment &chosen,
                                                const SolverOptions &options) {
  NearestFeasible nearest;
  if (!problem.getUnmodelled().empty()) {
    const Unmodelled &first = problem.getUnmodelled().front();
    nearest.unknown = Unknown{UnknownReason::Unmodelled,
                              "'" + first.id + "': " + first.reason};
  }
  SolverStats stats;
  Check check(problem, options, stats);
  llvm::SmallVector<ConstraintId> active = getAllConstraints(problem);
  if (std::holds_alternative<Sat>(check.decide(active, chosen))) {
    nearest.feasible = true;
    return nearest;
  }

  std::vector<Component> components = splitComponents(problem, active);
  for (const Variable &variable : problem.getVariables()) {
    std::optional<int64_t> from = chosen.get(variable.id);
    if (variable.role != Role::Knob || !from)
      continue;
    Assignment fixed = chosen;
    fixed.erase(variable.id);
    Decision decision = check.decide(active, fixed);
    if (auto *unknown = std::get_if<Unknown>(&decision))
      nearest.unknown = *unknown;
    auto *sat = std::get_if<Sat>(&decision);
    if (!sat)
      continue;
    Assignment centers;
    centers.set(variable.id, *from);
    for (const Component &component : components)
      if (llvm::is_contained(component.variables, variable.id) &&
          !check.minimizeModel(component, variable.id, sat->model, fixed,
                               centers))
        nearest.unknown =
            Unknown{UnknownReason::ResourceLimit, "a nearer value may exist"};
    nearest.changes.push_back({variable.id, *from, *sat->model.get(variable.id),
                               std::move(sat->model)});
  }
  std::stable_sort(nearest.changes.begin(), nearest.changes.end(),
                   [](const KnobChange &a, const KnobChange &b) {
                     return getDistance(a) < getDistance(b);
                   });
  return nearest;
}
