//===- GeneratedTest.cpp - The solver against enumeration -------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Oracle.h"

#include "verifier/solver/Components.h"
#include "verifier/solver/Counting.h"
#include "verifier/solver/SmtLib.h"
#include "verifier/solver/Z3Backend.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

#include <algorithm>
#include <set>

using namespace formwork::verifier::solver;

namespace {
/// How the answers were distributed, so that a test cannot pass on one kind.
struct Tally {
  unsigned sat = 0, unsat = 0, unknown = 0;
  unsigned proved = 0, refuted = 0;
};

class GeneratedTest : public testing::Test {
protected:
  void expectVerdict(const Problem &problem, const Oracle &oracle,
                     const SolverOptions &options, Tally &tally);
  void expectProof(const Problem &problem, BoolTerm property,
                   const SolverOptions &options, Tally &tally);
};
} // namespace

void GeneratedTest::expectVerdict(const Problem &problem, const Oracle &oracle,
                                  const SolverOptions &options, Tally &tally) {
  Verdict verdict = Solver(problem, options).checkSat("generated");
  if (auto *unknown = std::get_if<Unknown>(&verdict)) {
    EXPECT_NE(unknown->reason, UnknownReason::Internal) << unknown->detail;
    ++tally.unknown;
    return;
  }
  if (auto *sat = std::get_if<Sat>(&verdict)) {
    ++tally.sat;
    for (const Variable &variable : problem.getVariables()) {
      auto value = sat->model.get(variable.id);
      ASSERT_TRUE(value.has_value());
      EXPECT_TRUE(variable.domain.contains(*value));
    }
    for (const Constraint &constraint : problem.getConstraints())
      EXPECT_EQ(evaluateSlowly(constraint.term.getNode(), sat->model), 1)
          << constraint.id;
    return;
  }
  ++tally.unsat;
  const Unsat &unsat = std::get<Unsat>(verdict);
  EXPECT_FALSE(oracle.isSat());
  EXPECT_FALSE(oracle.isSat(unsat.core));
  EXPECT_TRUE(llvm::is_sorted(unsat.core));
  if (!unsat.minimal)
    return;
  for (ConstraintId id : unsat.core) {
    llvm::SmallVector<ConstraintId> rest(unsat.core);
    llvm::erase(rest, id);
    EXPECT_TRUE(oracle.isSat(rest)) << "the core needs no " << id;
  }
}

/// Where a value comes among those that minimization prefers.
static std::pair<int64_t, bool> getPreference(int64_t value) {
  return {std::abs(value), value < 0};
}

void GeneratedTest::expectProof(const Problem &problem, BoolTerm property,
                                const SolverOptions &options, Tally &tally) {
  Oracle oracle(problem);
  auto holdsAt = [&](const Assignment &point) {
    return evaluateSlowly(property.getNode(), point).value_or(0) != 0;
  };
  std::vector<Assignment> refuting, confirming;
  oracle.forEachSolution([&](const Assignment &point) {
    (holdsAt(point) ? confirming : refuting).push_back(point);
  });

  Proof proof = Solver(problem, options).proveForAll(property, "generated");
  if (auto *unknown = std::get_if<Unknown>(&proof)) {
    EXPECT_NE(unknown->reason, UnknownReason::Internal) << unknown->detail;
    ++tally.unknown;
    return;
  }
  if (auto *proved = std::get_if<Proved>(&proof)) {
    ++tally.proved;
    EXPECT_TRUE(refuting.empty());
    EXPECT_EQ(proved->vacuous, confirming.empty());
    return;
  }
  ++tally.refuted;
  const Refuted &refuted = std::get<Refuted>(proof);
  ASSERT_FALSE(refuting.empty());
  for (const Constraint &constraint : problem.getConstraints())
    EXPECT_EQ(evaluateSlowly(constraint.term.getNode(), refuted.model), 1);
  EXPECT_FALSE(holdsAt(refuted.model));
  if (!refuted.minimal)
    return;

  // The values of the property's variables come first of all that refute it.
  llvm::SmallVector<VarId> used = collectVariables(property.getNode());
  auto getKey = [&](const Assignment &point) {
    std::vector<std::pair<int64_t, bool>> key;
    for (const Variable &variable : problem.getVariables())
      if (llvm::is_contained(used, variable.id))
        key.push_back(getPreference(*point.get(variable.id)));
    return key;
  };
  for (const Assignment &point : refuting)
    EXPECT_LE(getKey(refuted.model), getKey(point));

  // The decisive ones suffice, and none can be left out.
  auto isConfirmed = [&](llvm::ArrayRef<VarId> fixed) {
    return llvm::any_of(confirming, [&](const Assignment &point) {
      return llvm::all_of(fixed, [&](VarId var) {
        return point.get(var) == refuted.model.get(var);
      });
    });
  };
  EXPECT_FALSE(isConfirmed(refuted.decisive));
  for (VarId var : refuted.decisive) {
    llvm::SmallVector<VarId> rest(refuted.decisive);
    llvm::erase(rest, var);
    EXPECT_TRUE(isConfirmed(rest));
  }
}

TEST_F(GeneratedTest, AgreesWithEnumeration) {
  uint64_t seed = getSeed();
  Tally tally;
  for (unsigned i = 0; i < 500; ++i) {
    std::mt19937_64 random(seed + i);
    TermContext context;
    Problem problem = makeRandomProblem(context, random, 100'000);
    SCOPED_TRACE("problem " + std::to_string(i) + "\n" + toText(problem));
    Oracle oracle(problem);
    expectVerdict(problem, oracle, {}, tally);
    Count count = countAssignments(problem);
    EXPECT_TRUE(count.exact);
    EXPECT_EQ(count.number.getZExtValue(), oracle.countKnobs());

    BoolTerm property = makeRandomProperty(problem, random);
    expectProof(problem, property, {}, tally);
    if (HasFailure())
      break;
  }
  EXPECT_EQ(tally.unknown, 0u);
  EXPECT_GT(tally.sat, 100u);
  EXPECT_GT(tally.unsat, 100u);
  EXPECT_GT(tally.proved, 50u);
  EXPECT_GT(tally.refuted, 50u);
  llvm::outs() << tally.sat << " sat, " << tally.unsat << " unsat, "
               << tally.proved << " proved, " << tally.refuted << " refuted\n";
}

/// The enumeration visits each valid combination of knobs once.
TEST_F(GeneratedTest, EnumerationIsCompleteAndDistinct) {
  uint64_t seed = getSeed();
  for (unsigned i = 0; i < 200; ++i) {
    std::mt19937_64 random(seed + i);
    TermContext context;
    Problem problem = makeRandomProblem(context, random, 2'000);
    SCOPED_TRACE("problem " + std::to_string(i) + "\n" + toText(problem));
    Oracle oracle(problem);
    std::set<std::vector<int64_t>> seen;
    EnumerationEnd end =
        enumerateAssignments(problem, {}, [&](const Assignment &point) {
          std::vector<int64_t> knobs;
          for (const Variable &variable : problem.getVariables())
            if (variable.role == Role::Knob)
              knobs.push_back(*point.get(variable.id));
          EXPECT_TRUE(seen.insert(knobs).second);
          for (const Constraint &constraint : problem.getConstraints())
            EXPECT_EQ(evaluateSlowly(constraint.term.getNode(), point), 1);
          return true;
        });
    EXPECT_EQ(end, EnumerationEnd::Complete);
    EXPECT_EQ(seen.size(), oracle.countKnobs());
    if (HasFailure())
      break;
  }
}

/// Z3 alone, which the search would keep from all of these.
TEST_F(GeneratedTest, Z3AgreesWithEnumeration) {
  uint64_t seed = getSeed();
  SolverOptions options;
  options.alwaysZ3 = true;
  options.rlimit = 2'000'000;
  Tally tally;
  for (unsigned i = 0; i < 150; ++i) {
    std::mt19937_64 random(seed + 1000 + i);
    TermContext context;
    Problem problem = makeRandomProblem(context, random, 3'000);
    SCOPED_TRACE("problem " + std::to_string(i) + "\n" + toText(problem));
    expectVerdict(problem, Oracle(problem), options, tally);
    expectProof(problem, makeRandomProperty(problem, random), options, tally);
    if (HasFailure())
      break;
  }
  // An Unknown is no wrong answer, but many would make the test empty.
  llvm::outs() << tally.sat << " sat, " << tally.unsat << " unsat, "
               << tally.proved << " proved, " << tally.refuted << " refuted, "
               << tally.unknown << " unknown\n";
  EXPECT_LT(tally.unknown, 30u);
  EXPECT_GT(tally.sat, 20u);
  EXPECT_GT(tally.unsat, 20u);
}

/// The dumped query is the question that was asked.
TEST_F(GeneratedTest, DumpedQueriesMeanTheSame) {
  uint64_t seed = getSeed();
  unsigned unknown = 0;
  for (unsigned i = 0; i < 100; ++i) {
    std::mt19937_64 random(seed + 2000 + i);
    TermContext context;
    Problem problem = makeRandomProblem(context, random, 1'000);
    SCOPED_TRACE("problem " + std::to_string(i) + "\n" + toText(problem));
    std::string answer =
        answerSmtLib(toSmtLib(problem, "generated"), {2'000'000, 0});
    if (answer == "unknown") {
      ++unknown;
      continue;
    }
    EXPECT_EQ(answer, Oracle(problem).isSat() ? "sat" : "unsat")
        << toSmtLib(problem, "generated");
    if (HasFailure())
      break;
  }
  EXPECT_LT(unknown, 20u);
}

/// Two runs give the same models, cores and counterexamples.
TEST_F(GeneratedTest, IsDeterministic) {
  uint64_t seed = getSeed();
  for (bool alwaysZ3 : {false, true}) {
    SolverOptions options;
    options.alwaysZ3 = alwaysZ3;
    options.rlimit = 2'000'000;
    for (unsigned i = 0; i < 40; ++i) {
      std::string answers[2];
      for (std::string &answer : answers) {
        std::mt19937_64 random(seed + 3000 + i);
        TermContext context;
        Problem problem = makeRandomProblem(context, random, 1'000);
        BoolTerm property = makeRandomProperty(problem, random);
        llvm::SmallVector<VarId> variables;
        for (const Variable &variable : problem.getVariables())
          variables.push_back(variable.id);
        llvm::raw_string_ostream os(answer);
        Solver solver(problem, options);
        Verdict verdict = solver.checkSat("run");
        if (auto *sat = std::get_if<Sat>(&verdict))
          os << describe(problem, sat->model, variables) << "\n";
        if (auto *unsat = std::get_if<Unsat>(&verdict))
          llvm::interleaveComma(unsat->core, os << "core ");
        Proof proof = solver.proveForAll(property, "run");
        if (auto *refuted = std::get_if<Refuted>(&proof)) {
          os << describe(problem, refuted->model, variables) << "\n";
          llvm::interleaveComma(refuted->decisive, os);
        }
        os << solver.getStats().searchNodes << " "
           << solver.getStats().z3Queries;
      }
      EXPECT_EQ(answers[0], answers[1]);
      EXPECT_FALSE(answers[0].empty());
    }
  }
}
