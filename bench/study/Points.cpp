//===- Points.cpp - Which assignments are tried -----------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bench/study/Points.h"

#include "verifier/solver/Counting.h"
#include "verifier/solver/Evaluator.h"
#include "verifier/solver/Sampler.h"

#include "llvm/ADT/MapVector.h"

#include <map>
#include <random>
#include <set>

using namespace formwork;
using namespace formwork::bench;
using namespace formwork::verifier::solver;
using verifier::Knob;
using verifier::ParameterModel;

/// Values of one domain that are tried beside the one that an assignment has.
static constexpr uint64_t maxValuesTried = 64;
/// Valid assignments listed where drawing finds too few.
static constexpr size_t maxListed = 100'000;
/// Neighbours kept for one constraint before some are drawn.
static constexpr size_t maxKept = 20'000;

/// Whether a schedule that violates the constraint fails: for sure, or because
/// a step finds what it is for, which it does in each of the families.
static bool claimsFailure(const ParameterModel &model, ConstraintId id) {
  llvm::StringRef name = model.problem->getConstraints()[id].id;
  return model.kinds[id] == verifier::ConstraintKind::Required ||
         (model.kinds[id] == verifier::ConstraintKind::Conditional &&
          (name == "workgroup.bytes" || name == "pipeline.steps" ||
           name == "copies.depth" || name.starts_with("tensor.") ||
           name.starts_with("stage.")));
}

/// Whether no assignment violates the constraint alone: of nothing, no part can
/// be a tile, and a tile size of 0 makes no number of tiles.
static bool bringsOthers(const ParameterModel &model, ConstraintId id) {
  llvm::StringRef name = model.problem->getConstraints()[id].id;
  return name == "split.positive" || name == "tile.mapped";
}

bool formwork::bench::claimsRace(const ParameterModel &model, ConstraintId id) {
  return model.problem->getConstraints()[id].id == "pipeline.depth";
}

namespace {
/// Judges points, each constraint compiled once.
class Judge {
public:
  explicit Judge(const ParameterModel &model) : model(model) {
    for (const Constraint &constraint : model.problem->getConstraints())
      evaluators.push_back(
          std::make_unique<Evaluator>(constraint.term.getNode()));
  }

  /// The constraint that alone does not hold; none when all hold, or several
  /// do not. Two steps may state one condition, which counts once, as the first
  /// that fails for sure. One that brings others with it is the only one where
  /// these have no value, or only thin assignments out (canonical).
  std::optional<ConstraintId> findOnlyViolated(llvm::ArrayRef<int64_t> values) {
    auto constraints = model.problem->getConstraints();
    std::optional<ConstraintId> only;
    llvm::SmallVector<ConstraintId> brought;
    for (auto [id, evaluator] : llvm::enumerate(evaluators)) {
      TruthValue truth = evaluator->decide(values);
      if (truth == TruthValue::True)
        continue;
      if (truth == TruthValue::Undefined ||
          model.kinds[id] == verifier::ConstraintKind::Canonical) {
        brought.push_back(id);
        continue;
      }
      if (only && constraints[*only].term != constraints[id].term)
        return std::nullopt;
      if (!only || (!claimsFailure(model, *only) && claimsFailure(model, id)))
        only = id;
    }
    bool isAlone = only && llvm::all_of(brought, [&](ConstraintId id) {
                     return constraints[id].term == constraints[*only].term;
                   });
    return isAlone || (only && bringsOthers(model, *only)) ? only
                                                           : std::nullopt;
  }

private:
  const ParameterModel &model;
  std::vector<std::unique_ptr<Evaluator>> evaluators;
};

class NeighbourSearch {
public:
  NeighbourSearch(const ParameterModel &model, llvm::ArrayRef<Point> valid)
      : model(model), valid(valid), judge(model) {
    numVariables = model.context->getNumVariables();
    for (const Knob &knob : model.knobs)
      if (!knob.selected)
        knobs.push_back(&knob);
  }

  /// Changes `distance` knobs of each valid point in every way, as far as that
  /// reaches a constraint that nothing has violated alone before.
  void search(unsigned distance);
  std::vector<Point> draw(size_t number, std::mt19937_64 &random);

private:
  using Values = std::vector<int64_t>;

  void change(Values &values, unsigned firstKnob, unsigned distance,
              unsigned changed);
  void consider(const Values &values, unsigned distance);

  const ParameterModel &model;
  llvm::ArrayRef<Point> valid;
  Judge judge;
  unsigned numVariables;
  llvm::SmallVector<const Knob *> knobs;
  /// For each constraint, the points that violate it alone, each once.
  std::map<ConstraintId, std::map<Values, unsigned>> found;
  std::set<ConstraintId> closed;
};
} // namespace

void NeighbourSearch::consider(const Values &values, unsigned distance) {
  std::optional<ConstraintId> violated = judge.findOnlyViolated(values);
  if (!violated || closed.count(*violated) ||
      !(claimsFailure(model, *violated) || claimsRace(model, *violated)))
    return;
  auto &points = found[*violated];
  if (points.size() < maxKept)
    points.try_emplace(values, distance);
}

void NeighbourSearch::change(Values &values, unsigned firstKnob,
                             unsigned distance, unsigned changed) {
  if (changed == distance) {
    consider(values, distance);
    return;
  }
  for (unsigned k = firstKnob; k < knobs.size(); ++k) {
    VarId var = knobs[k]->term.getVariable();
    int64_t before = values[var];
    for (int64_t other : model.problem->getVariable(var).domain.getValuesNear(
             before, maxValuesTried)) {
      if (other == before)
        continue;
      values[var] = other;
      change(values, k + 1, distance, changed + 1);
    }
    values[var] = before;
  }
}

void NeighbourSearch::search(unsigned distance) {
  for (auto &[id, points] : found)
    closed.insert(id);
  if (closed.size() == model.problem->getConstraints().size())
    return;
  for (const Point &point : valid) {
    Values values(numVariables, 0);
    for (const Variable &variable : model.problem->getVariables())
      values[variable.id] = *point.assignment.get(variable.id);
    change(values, 0, distance, 0);
  }
}

std::vector<Point> NeighbourSearch::draw(size_t number,
                                         std::mt19937_64 &random) {
  // Turn about the kinds of constraint, and within a kind about what is of it.
  using Pile = std::vector<std::pair<Values, unsigned>>;
  struct Kind {
    std::vector<std::pair<ConstraintId, Pile>> piles;
    size_t next = 0;
  };
  llvm::MapVector<llvm::StringRef, Kind> kinds;
  for (auto &[id, points] : found) {
    Pile pile(points.begin(), points.end());
    std::shuffle(pile.begin(), pile.end(), random);
    llvm::StringRef kind = model.problem->getConstraints()[id].id;
    kinds[kind].piles.emplace_back(id, std::move(pile));
  }
  std::vector<Point> drawn;
  bool any = true;
  while (any && drawn.size() < number) {
    any = false;
    for (auto &[name, kind] : kinds) {
      llvm::erase_if(kind.piles,
                     [](const auto &entry) { return entry.second.empty(); });
      if (kind.piles.empty() || drawn.size() == number)
        continue;
      any = true;
      auto &[id, pile] = kind.piles[kind.next++ % kind.piles.size()];
      Point point;
      for (const Variable &variable : model.problem->getVariables())
        point.assignment.set(variable.id, pile.back().first[variable.id]);
      point.violated = id;
      point.distance = pile.back().second;
      pile.pop_back();
      drawn.push_back(std::move(point));
    }
  }
  return drawn;
}

std::vector<Point> formwork::bench::drawValid(const ParameterModel &model,
                                              size_t number, uint64_t seed) {
  Problem problem = model.fixSelected();
  Sample sample = sampleDiverse(problem, number, seed);
  // Where there are fewer, the rest is one knob apart.
  if (sample.assignments.size() < number) {
    std::vector<Assignment> all;
    enumerateAssignments(problem, {}, [&](const Assignment &assignment) {
      all.push_back(assignment);
      return all.size() < maxListed;
    });
    std::mt19937_64 random(seed);
    std::shuffle(all.begin(), all.end(), random);
    auto isDrawn = [&](const Assignment &assignment) {
      return llvm::any_of(sample.assignments, [&](const Assignment &drawn) {
        return llvm::all_of(problem.getVariables(), [&](const Variable &v) {
          return drawn.get(v.id) == assignment.get(v.id);
        });
      });
    };
    for (Assignment &assignment : all)
      if (sample.assignments.size() < number && !isDrawn(assignment))
        sample.assignments.push_back(std::move(assignment));
  }
  std::vector<Point> points;
  for (Assignment &assignment : sample.assignments) {
    Point point;
    point.assignment = std::move(assignment);
    if (sample.unknown)
      point.undecided = sample.unknown->detail;
    points.push_back(std::move(point));
  }
  return points;
}

std::vector<Point> formwork::bench::drawNeighbours(const ParameterModel &model,
                                                   llvm::ArrayRef<Point> valid,
                                                   size_t number,
                                                   uint64_t seed) {
  std::mt19937_64 random(seed);
  NeighbourSearch search(model, valid);
  search.search(1);
  search.search(2);
  return search.draw(number, random);
}
