//===- SpaceTest.cpp - Counting, sampling, nearest values -------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GemmSpace.h"
#include "Oracle.h"

#include "verifier/solver/Components.h"
#include "verifier/solver/Counting.h"
#include "verifier/solver/Evaluator.h"
#include "verifier/solver/NearestFeasible.h"
#include "verifier/solver/Sampler.h"

#include "llvm/ADT/STLExtras.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace formwork::verifier::solver;

namespace {
class SpaceTest : public testing::Test {
protected:
  IntTerm c(int64_t value) { return t.constant(value); }

  /// The number of knobs in which two assignments differ.
  unsigned getDistance(const Assignment &a, const Assignment &b) {
    return llvm::count_if(problem.getVariables(), [&](const Variable &v) {
      return v.role == Role::Knob && a.get(v.id) != b.get(v.id);
    });
  }
  void expectValid(const Assignment &assignment) {
    for (const Variable &variable : problem.getVariables())
      EXPECT_TRUE(variable.domain.contains(*assignment.get(variable.id)));
    for (const Constraint &constraint : problem.getConstraints())
      EXPECT_EQ(decide(constraint.term, assignment), TruthValue::True)
          << constraint.text;
  }
  void expectDiverse(const Sample &sample) {
    for (size_t i = 0; i < sample.assignments.size(); ++i) {
      expectValid(sample.assignments[i]);
      for (size_t j = 0; j < i; ++j)
        ASSERT_GE(getDistance(sample.assignments[i], sample.assignments[j]),
                  2u);
    }
  }

  TermContext t;
  Problem problem{t};
};
} // namespace

TEST_F(SpaceTest, SplitsWhereNothingConnects) {
  IntTerm a = problem.addVariable("@a", Domain::range(1, 10));
  problem.addVariable("@free", Domain::range(1, 7));
  IntTerm b = problem.addVariable("@b", Domain::range(1, 10));
  IntTerm d = problem.addVariable("@c", Domain::range(1, 10));
  problem.addConstraint("ab", t.less(a, b));
  problem.addConstraint("c", t.divides(c(5), d));
  std::vector<Component> components =
      splitComponents(problem, getAllConstraints(problem));
  ASSERT_EQ(components.size(), 3u);
  EXPECT_THAT(components[0].variables, testing::ElementsAre(0, 2));
  EXPECT_EQ(countPoints(problem, components[0]), 100u);
  EXPECT_TRUE(components[1].constraints.empty());
  Count count = countAssignments(problem);
  EXPECT_TRUE(count.exact);
  EXPECT_EQ(count.toString(), "630"); // 45 * 7 * 2
}

TEST_F(SpaceTest, CountsProjectedOnKnobs) {
  IntTerm a = problem.addVariable("@a", Domain::range(1, 10));
  IntTerm b = problem.addVariable("%b", Domain::range(1, 10), Role::Auxiliary);
  problem.addConstraint("twice", t.divides(t.mul(a, c(3)), b));
  EXPECT_EQ(countAssignments(problem).toString(), "3");
}

TEST_F(SpaceTest, CountsBeyond64Bits) {
  for (int i = 0; i < 40; ++i)
    problem.addVariable("@x" + std::to_string(i), Domain::range(1, 10));
  Count count = countAssignments(problem);
  EXPECT_EQ(count.toString(), "1" + std::string(40, '0'));
}

TEST_F(SpaceTest, LargeComponentsGiveALowerBound) {
  IntTerm sum = c(0);
  for (int i = 0; i < 8; ++i)
    sum = t.add(sum, problem.addVariable("@x" + std::to_string(i),
                                         Domain::range(1, 100)));
  problem.addConstraint("sum", t.lessEqual(sum, c(700)));
  SolverOptions options;
  options.exactBound = 10'000;
  Count count = countAssignments(problem, options);
  EXPECT_FALSE(count.exact);
  EXPECT_TRUE(count.number.ugt(1000));
  EXPECT_THAT(count.toString(), testing::StartsWith("at least "));
  ASSERT_TRUE(count.inexact.has_value());
  EXPECT_EQ(count.inexact->reason, UnknownReason::ResourceLimit);
}

TEST_F(SpaceTest, OneImpossiblePartMakesTheCountExactlyZero) {
  IntTerm a = problem.addVariable("@a", Domain::range(1, 10));
  IntTerm huge = problem.addVariable("@huge", Domain::integers());
  problem.addConstraint("huge", t.less(c(5), huge));
  problem.addConstraint("never", t.less(a, c(1)));
  Count count = countAssignments(problem);
  EXPECT_TRUE(count.exact);
  EXPECT_EQ(count.toString(), "0");
}

TEST_F(SpaceTest, UnmodelledIsToldWithTheCount) {
  problem.addVariable("@a", Domain::range(1, 10));
  EXPECT_FALSE(countAssignments(problem).unmodelled.has_value());
  problem.addUnmodelled("bits", nullptr, "a bit vector");
  EXPECT_TRUE(countAssignments(problem).unmodelled.has_value());
}

TEST_F(SpaceTest, GemmSpaceIsCountedExactly) {
  addGemmLayer(problem, "@");
  uint64_t points = 1;
  for (const Variable &variable : problem.getVariables())
    points *= variable.domain.size();
  EXPECT_EQ(points, 1'399'680u);

  // The plain loop over all points, with the evaluator that each model meets.
  std::vector<Evaluator> evaluators;
  for (const Constraint &constraint : problem.getConstraints())
    evaluators.emplace_back(constraint.term.getNode());
  uint64_t expected = 0;
  std::vector<int64_t> table(problem.getVariables().size());
  for (uint64_t i = 0; i < points; ++i) {
    uint64_t rest = i;
    for (const Variable &variable : problem.getVariables()) {
      table[variable.id] = variable.domain.at(rest % variable.domain.size());
      rest /= variable.domain.size();
    }
    expected += llvm::all_of(evaluators, [&](Evaluator &evaluator) {
      return evaluator.holds(table);
    });
  }
  EXPECT_GT(expected, 1000u);
  Count one = countAssignments(problem);
  EXPECT_EQ(one.toString(), std::to_string(expected));

  addGemmLayer(problem, "@second_");
  addGemmLayer(problem, "@third_");
  Count three = countAssignments(problem);
  EXPECT_TRUE(three.exact);
  EXPECT_EQ(three.number.zextOrTrunc(128), llvm::APInt(128, expected) *
                                               llvm::APInt(128, expected) *
                                               llvm::APInt(128, expected));
}

TEST_F(SpaceTest, ThreeGemmLayersGiveAThousandDiverseAssignments) {
  for (llvm::StringRef prefix : {"@l0_", "@l1_", "@l2_"})
    addGemmLayer(problem, prefix);
  Sample sample = sampleDiverse(problem, 1000, 1);
  ASSERT_EQ(sample.assignments.size(), 1000u);
  EXPECT_FALSE(sample.unknown.has_value());
  expectDiverse(sample);
}

TEST_F(SpaceTest, InfeasibleGemmLayerNamesItsConstraints) {
  addGemmLayer(problem, "@l0_");
  addGemmLayer(problem, "@l1_", /*registers=*/500);
  addGemmLayer(problem, "@l2_");
  // Tiles of 16 x 16 are all that the registers allow.
  IntTerm area = t.mul(t.variable("@l1_wg_m"), t.variable("@l1_wg_n"));
  problem.addConstraint("@l1_area", t.lessEqual(c(16384), area));
  Verdict verdict = Solver(problem).checkSat("gemm");
  ASSERT_TRUE(std::holds_alternative<Unsat>(verdict));
  const Unsat &unsat = std::get<Unsat>(verdict);
  EXPECT_TRUE(unsat.minimal);
  std::vector<std::string> names;
  for (ConstraintId id : unsat.core)
    names.push_back(problem.getConstraints()[id].id);
  EXPECT_THAT(names, testing::UnorderedElementsAre(
                         "@l1_threads.most", "@l1_registers", "@l1_area"));
}

TEST_F(SpaceTest, SampleIsTheSameForTheSameSeed) {
  addGemmLayer(problem, "@");
  auto draw = [&](uint64_t seed) {
    std::string text;
    llvm::SmallVector<VarId> variables;
    for (const Variable &variable : problem.getVariables())
      variables.push_back(variable.id);
    for (const Assignment &point : sampleDiverse(problem, 20, seed).assignments)
      text += describe(problem, point, variables) + "\n";
    return text;
  };
  EXPECT_EQ(draw(7), draw(7));
  EXPECT_NE(draw(7), draw(8));
}

TEST_F(SpaceTest, SmallSpaceIsExhausted) {
  // At most 3 of 3 x 3 points differ pairwise in both knobs.
  problem.addVariable("@a", Domain::range(1, 3));
  problem.addVariable("@b", Domain::range(1, 3));
  Sample sample = sampleDiverse(problem, 10, 1);
  EXPECT_TRUE(sample.exhausted);
  EXPECT_FALSE(sample.unknown.has_value());
  EXPECT_GE(sample.assignments.size(), 2u);
  EXPECT_LE(sample.assignments.size(), 3u);
  expectDiverse(sample);
}

TEST_F(SpaceTest, InfeasibleSpaceHasNoSample) {
  IntTerm a = problem.addVariable("@a", Domain::range(1, 3));
  problem.addConstraint("never", t.less(a, c(1)));
  Sample sample = sampleDiverse(problem, 10, 1);
  EXPECT_TRUE(sample.exhausted);
  EXPECT_TRUE(sample.assignments.empty());
}

/// Every valid assignment is near one of an exhausted sample.
TEST_F(SpaceTest, ExhaustedSamplesAreMaximal) {
  uint64_t seed = getSeed();
  unsigned exhausted = 0;
  for (unsigned i = 0; i < 100; ++i) {
    std::mt19937_64 random(seed + i);
    TermContext context;
    problem = makeRandomProblem(context, random, 500);
    SCOPED_TRACE("problem " + std::to_string(i) + "\n" + toText(problem));
    Sample sample = sampleDiverse(problem, 25, seed);
    EXPECT_FALSE(sample.unknown.has_value());
    for (size_t a = 0; a < sample.assignments.size(); ++a)
      for (size_t b = 0; b < a; ++b)
        EXPECT_GE(getDistance(sample.assignments[a], sample.assignments[b]),
                  2u);
    EXPECT_TRUE(sample.exhausted || sample.assignments.size() == 25);
    if (!sample.exhausted)
      continue;
    ++exhausted;
    Oracle(problem).forEachSolution([&](const Assignment &point) {
      EXPECT_TRUE(
          llvm::any_of(sample.assignments, [&](const Assignment &other) {
            return getDistance(point, other) < 2;
          }));
    });
  }
  EXPECT_GT(exhausted, 20u);
}

TEST_F(SpaceTest, LargeDomainsAreSampledThroughZ3) {
  IntTerm a = problem.addVariable("@a", Domain::range(1, int64_t(1) << 40));
  IntTerm b = problem.addVariable("@b", Domain::range(1, int64_t(1) << 40));
  // Far from what the search tries first.
  problem.addConstraint("far", t.less(c(int64_t(1) << 30), a));
  problem.addConstraint("sum", t.equal(t.add(a, b), c(int64_t(1) << 31)));
  Sample sample = sampleDiverse(problem, 3, 1);
  ASSERT_EQ(sample.assignments.size(), 3u);
  expectDiverse(sample);
}

TEST_F(SpaceTest, NearestFeasibleBlamesOneKnob) {
  IntTerm tile = problem.addVariable("@tile", Domain::range(1, 320));
  IntTerm other = problem.addVariable("@other", Domain::range(1, 8));
  problem.addConstraint("divides", t.divides(tile, c(320)));
  problem.addConstraint("other", t.lessEqual(other, c(4)));
  Assignment chosen;
  chosen.set(tile.getVariable(), 48);
  chosen.set(other.getVariable(), 2);
  for (bool alwaysZ3 : {false, true}) {
    SolverOptions options;
    options.alwaysZ3 = alwaysZ3;
    NearestFeasible nearest = findNearestFeasible(problem, chosen, options);
    EXPECT_FALSE(nearest.feasible);
    ASSERT_EQ(nearest.changes.size(), 1u);
    EXPECT_EQ(nearest.changes[0].knob, tile.getVariable());
    EXPECT_EQ(nearest.changes[0].from, 48);
    EXPECT_EQ(nearest.changes[0].to, 40);
    expectValid(nearest.changes[0].result);
    EXPECT_FALSE(nearest.unknown.has_value());
  }

  // A value outside its domain is to blame as well.
  chosen.set(tile.getVariable(), 1000);
  NearestFeasible outside = findNearestFeasible(problem, chosen);
  ASSERT_EQ(outside.changes.size(), 1u);
  EXPECT_EQ(outside.changes[0].to, 320);

  // Two knobs are wrong, so no single change helps.
  chosen.set(other.getVariable(), 7);
  EXPECT_TRUE(findNearestFeasible(problem, chosen).changes.empty());

  chosen.set(other.getVariable(), 4);
  chosen.set(tile.getVariable(), 64);
  EXPECT_TRUE(findNearestFeasible(problem, chosen).feasible);
}

TEST_F(SpaceTest, NearestFeasibleAgreesWithEnumeration) {
  uint64_t seed = getSeed();
  unsigned changed = 0;
  for (unsigned i = 0; i < 400; ++i) {
    std::mt19937_64 random(seed + i);
    TermContext context;
    problem = makeRandomProblem(context, random, 1'000);
    SCOPED_TRACE("problem " + std::to_string(i) + "\n" + toText(problem));
    Assignment chosen;
    for (const Variable &variable : problem.getVariables())
      if (!variable.domain.empty() && random() % 5 != 0)
        chosen.set(variable.id,
                   variable.domain.at(random() % variable.domain.size()));
    NearestFeasible nearest = findNearestFeasible(problem, chosen);

    llvm::DenseMap<VarId, int64_t> best;
    bool feasible = false;
    Oracle(problem).forEachSolution([&](const Assignment &point) {
      llvm::SmallVector<VarId> differing;
      for (const Variable &variable : problem.getVariables())
        if (chosen.has(variable.id) &&
            point.get(variable.id) != chosen.get(variable.id))
          differing.push_back(variable.id);
      feasible |= differing.empty();
      if (differing.size() != 1 ||
          problem.getVariable(differing[0]).role != Role::Knob)
        return;
      VarId var = differing[0];
      int64_t distance = std::abs(*point.get(var) - *chosen.get(var));
      auto [it, isNew] = best.try_emplace(var, distance);
      it->second = std::min(it->second, distance);
    });
    EXPECT_EQ(nearest.feasible, feasible);
    if (feasible)
      continue;
    EXPECT_EQ(nearest.changes.size(), best.size());
    changed += !best.empty();
    for (const KnobChange &change : nearest.changes)
      EXPECT_EQ(std::abs(change.to - change.from), best.lookup(change.knob));
  }
  EXPECT_GT(changed, 20u);
}
