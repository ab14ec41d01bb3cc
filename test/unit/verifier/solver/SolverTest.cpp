//===- SolverTest.cpp - Tests of verdicts and proofs ------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verifier/solver/Solver.h"

#include "Oracle.h"

#include "verifier/solver/AssignmentWriter.h"
#include "verifier/solver/Evaluator.h"
#include "verifier/solver/SmtLib.h"
#include "verifier/solver/SolverVersion.h"
#include "verifier/solver/Z3Backend.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <chrono>
#include <cmath>

using namespace formwork::verifier::solver;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {
class SolverTest : public testing::Test {
protected:
  IntTerm c(int64_t value) { return t.constant(value); }
  std::string describeAll(const Assignment &assignment,
                          llvm::ArrayRef<VarId> variables) {
    return describe(problem, assignment, variables);
  }

  TermContext t;
  Problem problem{t};
};
} // namespace

TEST_F(SolverTest, NamesTheVersion) {
  EXPECT_THAT(formwork::verifier::getSolverVersion(), HasSubstr("."));
}

TEST_F(SolverTest, ProblemWithoutConstraintsIsSat) {
  problem.addVariable("@a", Domain::range(3, 9));
  Verdict verdict = Solver(problem).checkSat("free");
  ASSERT_TRUE(std::holds_alternative<Sat>(verdict));
  EXPECT_EQ(std::get<Sat>(verdict).model.get(0), 3);
}

TEST_F(SolverTest, CoreIsMinimalAndPrefersEarlyConstraints) {
  IntTerm a = problem.addVariable("@a", Domain::range(1, 100));
  IntTerm b = problem.addVariable("@b", Domain::range(1, 100));
  int op = 0;
  problem.addConstraint("small", t.lessEqual(a, c(10)), &op, "a is small");
  problem.addConstraint("related", t.equal(b, t.mul(a, c(2))));
  problem.addConstraint("large", t.less(c(20), b));
  problem.addConstraint("larger", t.less(c(30), b));
  for (bool alwaysZ3 : {false, true}) {
    SolverOptions options;
    options.alwaysZ3 = alwaysZ3;
    Verdict verdict = Solver(problem, options).checkSat("core");
    ASSERT_TRUE(std::holds_alternative<Unsat>(verdict));
    EXPECT_THAT(std::get<Unsat>(verdict).core, ElementsAre(0, 1, 2));
    EXPECT_TRUE(std::get<Unsat>(verdict).minimal);
  }
  EXPECT_EQ(problem.getConstraints()[0].source, &op);
  EXPECT_EQ(problem.getConstraints()[0].text, "a is small");
  EXPECT_EQ(problem.getConstraints()[1].text, "@b = @a * 2");
}

TEST_F(SolverTest, WhatIsHardToDecideIsNoReasonForALargerCore) {
  IntTerm x = problem.addVariable("@x", Domain::range(2, 100'000));
  IntTerm y = problem.addVariable("@y", Domain::range(2, 100'000));
  IntTerm z = problem.addVariable("@z", Domain::range(2, 100'000));
  problem.addConstraint("first", t.less(x, y));
  problem.addConstraint(
      "hard", t.equal(t.add(t.mul(t.mul(x, y), z), z), c(1'000'000'007)));
  problem.addConstraint("second", t.less(y, z));
  problem.addConstraint("third", t.less(z, x));
  problem.addConstraint("besides", t.equal(t.mod(x, c(5)), t.mod(y, c(5))));
  SolverOptions options;
  options.rlimit = 400'000;
  options.searchNodes = 1000;
  options.timeoutMs = 0;
  Solver solver(problem, options);
  Verdict verdict = solver.checkSat("core");
  ASSERT_TRUE(std::holds_alternative<Unsat>(verdict));
  EXPECT_THAT(std::get<Unsat>(verdict).core, ElementsAre(0, 2, 3));
  EXPECT_TRUE(std::get<Unsat>(verdict).minimal);
  // The first answer, and two rounds.
  EXPECT_LT(solver.getStats().z3Spent, 3u * options.rlimit);
}

TEST_F(SolverTest, EmptyDomainIsNamed) {
  problem.addVariable("@a", Domain::range(1, 2));
  IntTerm b = problem.addVariable("@b", Domain());
  problem.addConstraint("any", t.less(b, c(3)));
  Verdict verdict = Solver(problem).checkSat("empty");
  ASSERT_TRUE(std::holds_alternative<Unsat>(verdict));
  EXPECT_EQ(std::get<Unsat>(verdict).emptyDomain, b.getVariable());
  EXPECT_TRUE(std::get<Unsat>(verdict).core.empty());
}

TEST_F(SolverTest, ConstantConstraintsNeverReachZ3) {
  problem.addVariable("@a", Domain::integers());
  problem.addConstraint("true", t.divides(c(32), c(320)));
  SolverOptions options;
  options.alwaysZ3 = true;
  Solver solver(problem, options);
  EXPECT_TRUE(std::holds_alternative<Sat>(solver.checkSat("constant")));
  problem.addConstraint("false", t.divides(c(48), c(320)));
  Verdict verdict = solver.checkSat("constant");
  ASSERT_TRUE(std::holds_alternative<Unsat>(verdict));
  EXPECT_THAT(std::get<Unsat>(verdict).core, ElementsAre(1));
  EXPECT_EQ(solver.getStats().z3Queries, 0u);
}

TEST_F(SolverTest, DivisionByZeroDoesNotHold) {
  IntTerm a = problem.addVariable("@a", Domain::range(0, 0));
  problem.addConstraint("quotient", t.lessEqual(t.floorDiv(c(4), a), c(4)));
  for (bool alwaysZ3 : {false, true}) {
    SolverOptions options;
    options.alwaysZ3 = alwaysZ3;
    EXPECT_TRUE(std::holds_alternative<Unsat>(
        Solver(problem, options).checkSat("zero")));
  }
}

/// The translation of divisions, for all signs, by asking Z3 for a point where
/// it would differ from what our evaluator computes.
TEST_F(SolverTest, DivisionsMeanTheSameToZ3) {
  SolverOptions options;
  options.alwaysZ3 = true;
  for (int64_t b : {-4, -3, -1, 0, 1, 3, 4})
    for (int64_t a = -9; a <= 9; ++a) {
      TermContext context;
      Problem point(context);
      // Wide domains, so that nothing is spelled out value by value.
      IntTerm x = point.addVariable("@x", Domain::range(-1000, 1000));
      IntTerm y = point.addVariable("@y", Domain::range(-1000, 1000));
      IntTerm q = point.addVariable("@q", Domain::range(-1000, 1000));
      IntTerm r = point.addVariable("@r", Domain::range(-1000, 1000));
      IntTerm s = point.addVariable("@s", Domain::range(-1000, 1000));
      point.addConstraint("x", context.equal(x, context.constant(a)));
      point.addConstraint("y", context.equal(y, context.constant(b)));
      point.addConstraint("q", context.equal(q, context.floorDiv(x, y)));
      point.addConstraint("r", context.equal(r, context.mod(x, y)));
      point.addConstraint("s", context.equal(s, context.ceilDiv(x, y)));
      Verdict verdict = Solver(point, options).checkSat("division");
      if (b == 0) {
        EXPECT_TRUE(std::holds_alternative<Unsat>(verdict));
        continue;
      }
      ASSERT_TRUE(std::holds_alternative<Sat>(verdict)) << a << " " << b;
      const Assignment &model = std::get<Sat>(verdict).model;
      double exact = static_cast<double>(a) / static_cast<double>(b);
      EXPECT_EQ(model.get(q.getVariable()),
                static_cast<int64_t>(std::floor(exact)));
      EXPECT_EQ(model.get(s.getVariable()),
                static_cast<int64_t>(std::ceil(exact)));
      EXPECT_EQ(model.get(r.getVariable()),
                ((a % b) + std::abs(b)) % std::abs(b));
    }
}

TEST_F(SolverTest, RefutesWithTheSmallestValuesInTheUsersNames) {
  IntTerm m = problem.addVariable("@tile_m", Domain::multiples(16, 16, 64));
  IntTerm n = problem.addVariable("@tile_n", Domain::multiples(16, 16, 64));
  problem.addConstraint("fits", t.lessEqual(t.mul(m, n), c(2048)));
  BoolTerm property =
      t.logicalAnd(t.divides(m, c(320)), t.lessEqual(n, c(128)));
  for (bool alwaysZ3 : {false, true}) {
    SolverOptions options;
    options.alwaysZ3 = alwaysZ3;
    Proof proof = Solver(problem, options).proveForAll(property, "divides");
    ASSERT_TRUE(std::holds_alternative<Refuted>(proof));
    const Refuted &refuted = std::get<Refuted>(proof);
    EXPECT_TRUE(refuted.minimal);
    EXPECT_EQ(describeAll(refuted.model, refuted.decisive), "@tile_m = 48");
    EXPECT_EQ(refuted.model.get(n.getVariable()), 16);
  }
}

TEST_F(SolverTest, ProvesForSymbolicSizes) {
  IntTerm tile = problem.addVariable("@tile", Domain::list({16, 32, 64}));
  IntTerm size = problem.addVariable("%d0", Domain::range(1, Domain::Limit),
                                     Role::Auxiliary);
  problem.addConstraint("aligned", t.divides(c(64), size));
  Solver solver(problem);
  Proof proof = solver.proveForAll(t.divides(tile, size), "aligned");
  ASSERT_TRUE(std::holds_alternative<Proved>(proof));
  EXPECT_FALSE(std::get<Proved>(proof).vacuous);

  Proof other = solver.proveForAll(t.divides(t.mul(tile, c(2)), size), "twice");
  ASSERT_TRUE(std::holds_alternative<Refuted>(other));
  const Refuted &refuted = std::get<Refuted>(other);
  EXPECT_EQ(describeAll(refuted.model, refuted.decisive),
            "@tile = 64, %d0 = 64");
}

TEST_F(SolverTest, ProvedIsVacuousWithoutAssignments) {
  IntTerm a = problem.addVariable("@a", Domain::range(1, 9));
  IntTerm b = problem.addVariable("@b", Domain::range(1, 9));
  problem.addConstraint("never", t.less(b, c(0)));
  Proof proof = Solver(problem).proveForAll(t.less(a, c(5)), "vacuous");
  ASSERT_TRUE(std::holds_alternative<Proved>(proof));
  EXPECT_TRUE(std::get<Proved>(proof).vacuous);
  proof = Solver(problem).proveForAll(t.truth(true), "vacuous");
  EXPECT_TRUE(std::get<Proved>(proof).vacuous);
}

TEST_F(SolverTest, UndefinedPropertyIsRefuted) {
  IntTerm a = problem.addVariable("@a", Domain::range(0, 4));
  Proof proof = Solver(problem).proveForAll(t.lessEqual(t.mod(c(12), a), c(12)),
                                            "undefined");
  ASSERT_TRUE(std::holds_alternative<Refuted>(proof));
  EXPECT_EQ(std::get<Refuted>(proof).model.get(a.getVariable()), 0);
}

TEST_F(SolverTest, FalsePropertyNeedsNoVariable) {
  problem.addVariable("@a", Domain::range(0, 4));
  Proof proof = Solver(problem).proveForAll(t.truth(false), "false");
  ASSERT_TRUE(std::holds_alternative<Refuted>(proof));
  EXPECT_TRUE(std::get<Refuted>(proof).decisive.empty());
}

TEST_F(SolverTest, UnmodelledWeakensOnlyWhatItCanChange) {
  IntTerm a = problem.addVariable("@a", Domain::range(1, 9));
  problem.addUnmodelled("bits", nullptr, "a bit vector operation");
  Solver solver(problem);
  Verdict verdict = solver.checkSat("open");
  ASSERT_TRUE(std::holds_alternative<Unknown>(verdict));
  EXPECT_EQ(std::get<Unknown>(verdict).reason, UnknownReason::Unmodelled);
  EXPECT_THAT(std::get<Unknown>(verdict).detail, HasSubstr("bits"));
  EXPECT_TRUE(std::holds_alternative<Proved>(
      solver.proveForAll(t.less(a, c(10)), "proved")));
  EXPECT_TRUE(std::holds_alternative<Unknown>(
      solver.proveForAll(t.less(a, c(9)), "refuted")));
  problem.addConstraint("never", t.less(a, c(0)));
  EXPECT_TRUE(std::holds_alternative<Unsat>(solver.checkSat("closed")));
}

TEST_F(SolverTest, OverflowIsUnknownAndNeverAWrongAnswer) {
  IntTerm a = problem.addVariable("@a", Domain::range(1 << 20, 1 << 21));
  IntTerm power = a;
  for (int i = 0; i < 3; ++i)
    power = t.mul(power, power);
  problem.addConstraint("negative", t.less(power, c(0)));
  Verdict verdict = Solver(problem).checkSat("overflow");
  ASSERT_TRUE(std::holds_alternative<Unknown>(verdict));
  EXPECT_EQ(std::get<Unknown>(verdict).reason, UnknownReason::Overflow);
}

namespace {
/// Sums of three cubes that are 33 or 42: out of Z3's reach.
class HardTest : public SolverTest {
protected:
  void SetUp() override {
    IntTerm sum = c(0);
    for (llvm::StringRef name : {"@a", "@b", "@c"}) {
      IntTerm a = problem.addVariable(
          name, Domain::range(-(int64_t(1) << 40), int64_t(1) << 40));
      sum = t.add(sum, t.mul(a, t.mul(a, a)));
    }
    problem.addConstraint("cubes", t.equal(sum, c(42)));
  }
};
} // namespace

TEST_F(HardTest, TimeOutIsUnknown) {
  SolverOptions options;
  options.rlimit = 0;
  options.timeoutMs = 300;
  options.alwaysZ3 = true;
  auto start = std::chrono::steady_clock::now();
  Verdict verdict = Solver(problem, options).checkSat("cubes");
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
  ASSERT_TRUE(std::holds_alternative<Unknown>(verdict));
  EXPECT_EQ(std::get<Unknown>(verdict).reason, UnknownReason::TimeOut);
}

TEST_F(HardTest, ResourceLimitIsUnknownAndDeterministic) {
  SolverOptions options;
  options.rlimit = 200'000;
  options.timeoutMs = 0;
  options.searchNodes = 1000;
  std::string details[2];
  for (std::string &detail : details) {
    Verdict verdict = Solver(problem, options).checkSat("cubes");
    ASSERT_TRUE(std::holds_alternative<Unknown>(verdict));
    EXPECT_EQ(std::get<Unknown>(verdict).reason, UnknownReason::ResourceLimit);
    detail = std::get<Unknown>(verdict).detail;
  }
  EXPECT_EQ(details[0], details[1]);
}

TEST_F(HardTest, TimeOutOfTheSearchIsUnknown) {
  TermContext context;
  Problem wide(context);
  IntTerm sum = context.constant(0);
  for (int i = 0; i < 8; ++i)
    sum = context.add(
        sum, wide.addVariable("@x" + std::to_string(i), Domain::range(0, 20)));
  wide.addConstraint("odd",
                     context.equal(context.mod(sum, context.constant(1000)),
                                   context.constant(999)));
  SolverOptions options;
  options.exactBound = UINT64_MAX;
  options.timeoutMs = 50;
  Verdict verdict = Solver(wide, options).checkSat("wide");
  ASSERT_TRUE(std::holds_alternative<Unknown>(verdict));
  EXPECT_EQ(std::get<Unknown>(verdict).reason, UnknownReason::TimeOut);
}

TEST_F(SolverTest, DumpsNamedQueriesThatReplay) {
  llvm::SmallString<128> directory;
  ASSERT_FALSE(
      llvm::sys::fs::createUniqueDirectory("formwork-queries", directory));
  IntTerm a = problem.addVariable("tile|odd\\name", Domain::powersOfTwo(1, 64));
  problem.addConstraint("tile.divides", t.divides(a, c(320)));
  SolverOptions options;
  options.dumpDirectory = directory.str().str();
  Solver solver(problem, options);
  EXPECT_TRUE(std::holds_alternative<Sat>(solver.checkSat("fits / sm_90")));
  EXPECT_TRUE(std::holds_alternative<Sat>(solver.checkSat("fits / sm_90")));
  EXPECT_TRUE(std::holds_alternative<Proved>(
      solver.proveForAll(t.lessEqual(a, c(64)), "bounded")));
  EXPECT_EQ(solver.getStats().dumpsFailed, 0u);

  auto replay = [&](llvm::StringRef file) -> std::string {
    llvm::SmallString<128> path(directory);
    llvm::sys::path::append(path, file);
    auto buffer = llvm::MemoryBuffer::getFile(path);
    if (!buffer)
      return "missing";
    return answerSmtLib((*buffer)->getBuffer().str(), {});
  };
  EXPECT_EQ(replay("fits___sm_90.smt2"), "sat");
  EXPECT_EQ(replay("fits___sm_90-1.smt2"), "sat");
  EXPECT_EQ(replay("bounded.smt2"), "unsat");
  llvm::sys::fs::remove_directories(directory);
}

TEST_F(SolverTest, UnwritableDumpDirectoryIsCounted) {
  problem.addVariable("@a", Domain::range(1, 2));
  SolverOptions options;
  options.dumpDirectory = "/dev/null/queries";
  Solver solver(problem, options);
  EXPECT_TRUE(std::holds_alternative<Sat>(solver.checkSat("a")));
  EXPECT_EQ(solver.getStats().dumpsFailed, 1u);
}

TEST_F(SolverTest, ScriptNamesConstraintsAndShowsTheirText) {
  IntTerm a = problem.addVariable("@a", Domain::range(2, 8, 2));
  problem.addConstraint("even", t.equal(t.mod(a, c(4)), c(0)), nullptr,
                        "first line\nsecond line");
  EXPECT_EQ(toSmtLib(problem, "query"),
            "; query\n"
            "(set-logic QF_NIA)\n"
            "(declare-const |@a| Int)\n"
            "(assert (and (<= 2 |@a|) (<= |@a| 8) (= (mod (- |@a| 2) 2) 0)))\n"
            "; first line\n"
            "; second line\n"
            "(assert (! (= (mod |@a| 4) 0) :named |even 0|))\n"
            "(check-sat)\n");
}

TEST_F(SolverTest, BrokenScriptIsAnErrorMessage) {
  EXPECT_THAT(answerSmtLib("(assert (> undeclared 1))", {}),
              HasSubstr("undeclared"));
}

TEST_F(SolverTest, WritesTextAndJsonLines) {
  IntTerm a = problem.addVariable("@tile \"m\"", Domain::range(1, 9));
  IntTerm b = problem.addVariable("%d", Domain::range(1, 9), Role::Auxiliary);
  IntTerm flag = problem.addVariable("@fuse", Domain::boolean());
  Assignment assignment;
  assignment.set(a.getVariable(), 4);
  assignment.set(b.getVariable(), 5);
  assignment.set(flag.getVariable(), 1);
  std::string text;
  llvm::raw_string_ostream os(text);
  writeText(os, problem, assignment);
  writeJsonLine(os, problem, assignment);
  EXPECT_EQ(text, "@tile \"m\" = 4, @fuse = 1\n"
                  "{\"@tile \\\"m\\\"\":4,\"@fuse\":1}\n");
}
