//===- SolverBench.cpp - How long the solver takes for a GEMM ---*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The tuning space of a matrix multiplication, one layer (1.4 million raw
// points) and three in one schedule (about 10^18): first valid assignment, 1000
// diverse ones, exact count, minimal unsat core. Terms are built inside the
// loop, as a schedule would.
//
//===----------------------------------------------------------------------===//

#include "test/unit/verifier/solver/GemmSpace.h"
#include "verifier/solver/Counting.h"
#include "verifier/solver/Sampler.h"

#include <benchmark/benchmark.h>

using namespace formwork::verifier::solver;

static void addLayers(Problem &problem, int64_t number) {
  for (int64_t i = 0; i < number; ++i)
    addGemmLayer(problem, "@layer" + std::to_string(i) + "_");
}

static void firstAssignment(benchmark::State &state) {
  for (auto _ : state) {
    TermContext context;
    Problem problem(context);
    addLayers(problem, state.range(0));
    if (!std::holds_alternative<Sat>(Solver(problem).checkSat("first")))
      return state.SkipWithError("expected an assignment");
  }
}
BENCHMARK(firstAssignment)->Arg(1)->Arg(3)->Unit(benchmark::kMillisecond);

static void thousandDiverse(benchmark::State &state) {
  for (auto _ : state) {
    TermContext context;
    Problem problem(context);
    addLayers(problem, state.range(0));
    if (sampleDiverse(problem, 1000, 1).assignments.size() != 1000)
      return state.SkipWithError("expected 1000 assignments");
  }
}
BENCHMARK(thousandDiverse)->Arg(1)->Arg(3)->Unit(benchmark::kMillisecond);

static void exactCount(benchmark::State &state) {
  for (auto _ : state) {
    TermContext context;
    Problem problem(context);
    addLayers(problem, state.range(0));
    Count count = countAssignments(problem);
    if (!count.exact)
      return state.SkipWithError("expected an exact count");
    state.counters["assignments"] = count.number.roundToDouble();
  }
}
BENCHMARK(exactCount)->Arg(1)->Arg(3)->Unit(benchmark::kMillisecond);

/// One more demand that no choice of tiles, registers and threads meets.
static void unsatCore(benchmark::State &state) {
  for (auto _ : state) {
    TermContext context;
    Problem problem(context);
    addLayers(problem, state.range(0));
    addGemmLayer(problem, "@last_", /*registers=*/500);
    problem.addConstraint(
        "area", context.lessEqual(context.constant(16384),
                                  context.mul(context.variable("@last_wg_m"),
                                              context.variable("@last_wg_n"))));
    Verdict verdict = Solver(problem).checkSat("core");
    auto *unsat = std::get_if<Unsat>(&verdict);
    if (!unsat || !unsat->minimal || unsat->core.size() != 3)
      return state.SkipWithError("expected a minimal core of three");
  }
}
BENCHMARK(unsatCore)->Arg(0)->Arg(2)->Unit(benchmark::kMillisecond);

BENCHMARK_MAIN();
