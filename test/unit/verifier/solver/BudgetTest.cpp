//===- BudgetTest.cpp - Tests of what all questions may take ----*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verifier/solver/Budget.h"
#include "verifier/solver/Counting.h"
#include "verifier/solver/Sampler.h"
#include "verifier/solver/SolverRun.h"

#include "gtest/gtest.h"

using namespace formwork::verifier::solver;

namespace {
/// Numbers that must differ, of which there is one too many.
class BudgetTest : public testing::Test {
protected:
  BudgetTest() : problem(context) {
    std::vector<IntTerm> variables;
    for (int i = 0; i < numVariables; ++i)
      variables.push_back(problem.addVariable(
          "v" + std::to_string(i), Domain::range(1, numVariables - 1)));
    for (int i = 0; i < numVariables; ++i)
      for (int j = 0; j < i; ++j)
        problem.addConstraint("differ",
                              context.notEqual(variables[i], variables[j]));
  }
  static SolverOptions withBudget(double seconds) {
    SolverOptions options;
    options.run =
        std::make_shared<SolverRun>(std::make_shared<Budget>(seconds));
    return options;
  }
  static constexpr int numVariables = 12;
  TermContext context;
  Problem problem;
};
} // namespace

TEST_F(BudgetTest, CountsWork) {
  Budget none;
  EXPECT_FALSE(none.isSpent());
  none.spend(UINT64_MAX);
  EXPECT_FALSE(none.isSpent()) << "without a limit";
  EXPECT_EQ(none.getDeadline(), std::nullopt);

  Budget budget(2);
  EXPECT_EQ(budget.getWorkLeft(), 2 * Budget::workPerSecond);
  budget.spend(Budget::workPerSecond);
  EXPECT_EQ(budget.getValuesLeft(),
            Budget::workPerSecond / Budget::workPerValue);
  budget.spend(Budget::workPerSecond + 1);
  EXPECT_TRUE(budget.isSpent());
  EXPECT_FALSE(Budget(0).getDeadline().has_value());
  EXPECT_FALSE(Budget(1e300).getDeadline().has_value());
}

TEST_F(BudgetTest, EndsAllQuestionsTogether) {
  SolverOptions options = withBudget(0.5);
  auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < 3; ++i) {
    Verdict verdict = Solver(problem, options).checkSat("pigeons");
    auto *unknown = std::get_if<Unknown>(&verdict);
    ASSERT_TRUE(unknown);
    EXPECT_EQ(unknown->detail, kBudgetIsSpent);
  }
  EXPECT_TRUE(isBudgetSpent(options));
  EXPECT_TRUE(isBudgetSpent(forOtherTerms(options)));
  EXPECT_FALSE(isBudgetSpent({}));
  // A question that is asked then takes nothing.
  Count count = countAssignments(problem, options);
  EXPECT_FALSE(count.exact);
  EXPECT_TRUE(
      sampleDiverse(problem, 3, /*seed=*/0, options).assignments.empty());
  EXPECT_EQ(enumerateAssignments(problem, options,
                                 [](const Assignment &) { return true; }),
            EnumerationEnd::Partial);
  // Nothing of this waits for the limits of single questions, of a minute.
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(30));
}

TEST_F(BudgetTest, IsNoProof) {
  SolverOptions options = withBudget(0.2);
  Proof proof =
      Solver(problem, options).proveForAll(context.truth(false), "false");
  EXPECT_TRUE(std::holds_alternative<Unknown>(proof));
}

TEST_F(BudgetTest, IsTheSamePointEachTime) {
  // Values are counted, so that the clock has no part in it.
  uint64_t tried[2];
  for (uint64_t &number : tried) {
    SolverOptions options = withBudget(5);
    Budget &budget = options.run->getBudget();
    budget.spend(budget.getWorkLeft() - 100'000);
    EXPECT_EQ(enumerateAssignments(problem, options,
                                   [](const Assignment &) { return true; }),
              EnumerationEnd::Partial);
    EXPECT_TRUE(budget.isSpent());
    number = options.run->getStats().searchNodes;
  }
  EXPECT_EQ(tried[0], tried[1]);
}
