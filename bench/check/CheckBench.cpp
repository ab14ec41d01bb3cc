//===- CheckBench.cpp - Time of the check and of plans ----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The check of schedules of 10 to 10 000 ops, with and without a payload: one
// nest of tilings, and matches, tilings and clean-up by turns, also in one
// foreach, in sequences that include the next, and in alternatives; of 2000
// handles that are all live at the end; and of steps on one after another of
// 1000 functions, or of 1000 ops of one.
//
// Planning on schedules of 10 to 1000 ops, every fifth of which needs a form:
// `plain`, where the plan is the least cover; and `conflicts`, where each
// insertion harms the last step, so that the search runs to its end. `exact`
// and `inserted` are counters. Parsing is not measured.
//
//===----------------------------------------------------------------------===//

#include "normalforms/Libraries.h"
#include "normalforms/predicates/Predicates.h"
#include "verifier/Verifier.h"
#include "verifier/plan/Plan.h"

#include "mlir/IR/OwningOpRef.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Parser/Parser.h"

#include <benchmark/benchmark.h>

using namespace mlir;
using namespace formwork;
using namespace formwork::verifier;

//===----------------------------------------------------------------------===//
// Schedules
//===----------------------------------------------------------------------===//

/// `text` so many times. In each copy stands for `$.` its number, counted from
/// `first`, for `$<` the number of the one before, for `$>` of the one behind,
/// and for `$%` the rest of its division by 1000.
static std::string repeat(int64_t number, StringRef text, int64_t first = 0) {
  std::string result;
  for (int64_t i = first; i < first + number; ++i)
    for (size_t at = 0; at < text.size(); ++at) {
      if (text[at] != '$') {
        result += text[at];
        continue;
      }
      char which = text[++at];
      result += std::to_string(which == '<'   ? i - 1
                               : which == '>' ? i + 1
                               : which == '%' ? i % 1000
                                              : i);
    }
  return result;
}

/// The schedule of `body`, behind which `others` stand. `!op` is a handle to
/// ops, and `root` the one to the payload.
static std::string makeSchedule(const Twine &body, const Twine &others = "",
                                StringRef root = "%m: !op") {
  return ("!op = !transform.any_op\n"
          "module attributes {transform.with_named_sequence} {\n"
          "transform.named_sequence @__transform_main(" +
          root + ") {\n" + body + "transform.yield\n}\n" + others + "}\n")
      .str();
}

/// Tilings of the tile before.
static std::string makeNest(int64_t numOps) {
  return makeSchedule(R"(
    %a = transform.structured.match ops{["linalg.matmul"]} in %m : (!op) -> !op
    %t1:2 = transform.structured.tile_using_for %a tile_sizes [8]
        : (!op) -> (!op, !op)
  )" + repeat(numOps - 2, R"(
    %t$.:2 = transform.structured.tile_using_for %t$<#0 tile_sizes [8]
        : (!op) -> (!op, !op)
  )",
              /*first=*/2));
}

/// A match, a tiling, another match and clean-up, by turns.
static std::string makeMix(int64_t numOps) {
  return makeSchedule(repeat(numOps / 4, R"(
    %a$. = transform.structured.match ops{["linalg.matmul"]} in %m : (!op) -> !op
    %t$.:2 = transform.structured.tile_using_for %a$. tile_sizes [8]
        : (!op) -> (!op, !op)
    %f$. = transform.structured.match ops{["func.func"]} in %m : (!op) -> !op
    transform.apply_patterns to %f$. {
      transform.apply_patterns.canonicalization
    } : !op
  )"));
}

/// Such steps in what %s holds.
static constexpr StringLiteral kMixInScope = R"(
    %a$. = transform.structured.match ops{["linalg.matmul"]} in %s : (!op) -> !op
    %t$.:2 = transform.structured.tile_using_for %a$. tile_sizes [8]
        : (!op) -> (!op, !op)
    %f$. = transform.structured.match ops{["func.func"]} in %s : (!op) -> !op
    transform.apply_cse to %f$. : !op
  )";

/// The mix, around it one foreach.
static std::string makeForeach(int64_t numOps) {
  return makeSchedule(R"(
    %fs = transform.structured.match ops{["func.func"]} in %m : (!op) -> !op
    transform.foreach %fs : !op {
    ^bb0(%s: !op):
  )" + repeat(numOps / 4, kMixInScope) +
                      "}\n");
}

/// Sequences of one step each, of which each includes the next, 100 deep.
static std::string makeChain(int64_t numOps) {
  std::string sequences, starts;
  int64_t length = numOps / 4;
  for (int64_t i = 0; i < length; ++i) {
    bool isLast = i + 1 == length || (i + 1) % 100 == 0;
    std::string sequence = R"(
      transform.named_sequence @s$.(%m: !op {transform.readonly}) {
        %a = transform.structured.match ops{["linalg.matmul"]} in %m : (!op) -> !op
        %t:2 = transform.structured.tile_using_for %a tile_sizes [8]
            : (!op) -> (!op, !op)
    )";
    if (!isLast)
      sequence += "transform.include @s$> failures(propagate) (%m) : (!op) -> "
                  "()\n";
    sequences += repeat(1, sequence + "transform.yield\n}\n", i);
    if (i % 100 == 0)
      starts += repeat(
          1, "transform.include @s$. failures(propagate) (%m) : (!op) -> ()\n",
          i);
  }
  return makeSchedule(starts, sequences);
}

/// Alternatives by turns, each with a step of the mix and an empty way out.
static std::string makeAlternatives(int64_t numOps) {
  return makeSchedule(repeat(numOps / 6, R"(
    %g$. = transform.structured.match ops{["func.func"]} in %m : (!op) -> !op
    transform.alternatives %g$. : !op {
    ^bb0(%s: !op):
  )" + kMixInScope.str() + R"(
    }, {
    ^bb0(%s: !op):
    }
  )"));
}

/// Matches and tilings in one of 1000 functions after another, with clean-up.
static std::string makeFunctions(int64_t numOps) {
  return makeSchedule(repeat(numOps / 4, R"(
    %s$. = transform.structured.match ops{["func.func"]} attributes {n = $%} in %m : (!op) -> !op
    %a$. = transform.structured.match ops{["linalg.matmul"]} in %s$. : (!op) -> !op
    %t$.:2 = transform.structured.tile_using_for %a$. tile_sizes [8]
        : (!op) -> (!op, !op)
    transform.apply_cse to %s$. : !op
  )"));
}

/// Tilings of one of 1000 ops of a function after another.
static std::string makeOps(int64_t numOps) {
  return makeSchedule(repeat(numOps / 4, R"(
    %s$. = transform.structured.match ops{["linalg.matmul"]} attributes {n = $%} in %m : (!op) -> !op
    %t$.:2 = transform.structured.tile_using_for %s$. tile_sizes [8]
        : (!op) -> (!op, !op)
    %u$.:2 = transform.structured.tile_using_for %t$.#0 tile_sizes [0, 8]
        : (!op) -> (!op, !op)
    transform.annotate %u$.#0 "done" : !op
  )"));
}

/// Handles that are all used at the end.
static std::string makeLive(int64_t numHandles) {
  return makeSchedule(R"(
    %f = transform.structured.match ops{["func.func"]} in %m : (!op) -> !op
  )" + repeat(numHandles, R"(
    %a$. = transform.structured.match ops{["linalg.matmul"]} in %m : (!op) -> !op
  )") + "transform.apply_cse to %f : !op\n" +
                      repeat(numHandles, "transform.print %a$. : !op\n"));
}

/// Matches, a tiling, rules that may make ops of unknown sizes, and a
/// vectorization, by turns.
static std::string makePlain(int64_t numOps) {
  return makeSchedule(repeat(numOps / 5, R"(
    %a$. = transform.structured.match ops{["linalg.matmul"]} in %m : (!op) -> !op
    %t$.:2 = transform.structured.tile_using_for %a$. tile_sizes [8]
        : (!op) -> (!op, !op)
    %f$. = transform.structured.match ops{["func.func"]} in %m : (!op) -> !op
    transform.apply_patterns to %f$. {
      transform.apply_patterns.linalg.decompose_pad
    } : !op
    %v$. = transform.structured.vectorize_children_and_apply_patterns %f$.
        : (!op) -> !op
  )"),
                      "", "%m: !op {transform.consumed}");
}

/// Bufferizations and matches, by turns, and a split that relies on counts.
static std::string makeConflicts(int64_t numOps) {
  int64_t number = numOps / 5;
  return makeSchedule(repeat(number, R"(
    %m$> = transform.bufferization.one_shot_bufferize %m$.
        {bufferize_function_boundaries = true} : (!op) -> !op
    %a$. = transform.structured.match ops{["linalg.fill"]} in %m$> : (!op) -> !op
    %b$. = transform.structured.match ops{["linalg.fill"]} in %m$> : (!op) -> !op
    %c$. = transform.structured.match ops{["linalg.fill"]} in %m$> : (!op) -> !op
    %d$. = transform.structured.match ops{["linalg.fill"]} in %m$> : (!op) -> !op
  )") + repeat(1,
               "%x, %y = transform.split_handle %d$. : (!op) -> (!op, !op)\n",
               number - 1),
                      "", "%m0: !op {transform.consumed}");
}

//===----------------------------------------------------------------------===//
// Payloads
//===----------------------------------------------------------------------===//

/// 1000 matmuls, each in a function of its own, marked `n = i`.
static std::string makeManyFunctions() {
  return repeat(1000, R"(
    func.func @f$.(%A: tensor<1024x64xf32>, %B: tensor<64x96xf32>,
                   %C: tensor<1024x96xf32>) -> tensor<1024x96xf32>
        attributes {n = $. : i64} {
      %D = linalg.matmul ins(%A, %B : tensor<1024x64xf32>, tensor<64x96xf32>)
          outs(%C : tensor<1024x96xf32>) -> tensor<1024x96xf32>
      return %D : tensor<1024x96xf32>
    }
  )");
}

/// 1000 matmuls in one function, marked `n = i`.
static std::string makeManyOps() {
  return R"(
    func.func @f(%A: tensor<1024x64xf32>, %B: tensor<64x96xf32>,
                 %r0: tensor<1024x96xf32>) -> tensor<1024x96xf32> {
  )" + repeat(1000, R"(
      %r$> = linalg.matmul {n = $. : i64}
          ins(%A, %B : tensor<1024x64xf32>, tensor<64x96xf32>)
          outs(%r$. : tensor<1024x96xf32>) -> tensor<1024x96xf32>
  )") + "return %r1000 : tensor<1024x96xf32>\n}\n";
}

static constexpr StringLiteral kOneMatmul = R"(
func.func @matmul(%A: tensor<1048576x64xf32>, %B: tensor<64x96xf32>,
                  %C: tensor<1048576x96xf32>) -> tensor<1048576x96xf32> {
  %D = linalg.matmul ins(%A, %B : tensor<1048576x64xf32>, tensor<64x96xf32>)
      outs(%C : tensor<1048576x96xf32>) -> tensor<1048576x96xf32>
  return %D : tensor<1048576x96xf32>
})";

static constexpr StringLiteral kTwoFills = R"(
func.func @f(%A: tensor<1048576x64xf32>, %B: tensor<64x96xf32>,
             %C: tensor<1048576x96xf32>, %s: f32, %t: tensor<8xf32>)
    -> (tensor<1048576x96xf32>, tensor<8xf32>, tensor<8xf32>) {
  %D = linalg.matmul ins(%A, %B : tensor<1048576x64xf32>, tensor<64x96xf32>)
      outs(%C : tensor<1048576x96xf32>) -> tensor<1048576x96xf32>
  %0 = linalg.fill ins(%s : f32) outs(%t : tensor<8xf32>) -> tensor<8xf32>
  %1 = linalg.fill ins(%s : f32) outs(%t : tensor<8xf32>) -> tensor<8xf32>
  return %D, %0, %1 : tensor<1048576x96xf32>, tensor<8xf32>, tensor<8xf32>
})";

//===----------------------------------------------------------------------===//
// Measurements
//===----------------------------------------------------------------------===//

/// Calls `measure` with the schedule of `text`, the payload if there is one,
/// and the libraries.
static void run(benchmark::State &state, const std::string &text,
                const std::string &payload, bool hasPayload,
                llvm::function_ref<void(const ScheduleModel &, Operation *,
                                        const normalforms::Libraries &)>
                    measure) {
  DialectRegistry registry;
  registerAllDialects(registry);
  registerAllExtensions(registry);
  formwork::normalforms::registerNormalForms(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  auto libraries = normalforms::Libraries::load(&context);
  ParserConfig config(&context);
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, config);
  OwningOpRef<ModuleOp> root = parseSourceString<ModuleOp>(payload, config);
  if (!module || !root)
    return state.SkipWithError("expected a schedule that can be parsed");
  measure(*ScheduleModel::create(*module), hasPayload ? *root : nullptr,
          *libraries);
}

static void check(benchmark::State &state, std::string (*makeText)(int64_t),
                  const std::string &payload) {
  run(state, makeText(state.range(0)), payload, state.range(1),
      [&](const ScheduleModel &schedule, Operation *root,
          const normalforms::Libraries &libraries) {
        unsigned numOps = 0;
        for (auto _ : state)
          numOps = checkSchedule(schedule, root, libraries).numOps;
        state.SetComplexityN(numOps);
      });
}

static void plan(benchmark::State &state, std::string (*makeText)(int64_t)) {
  run(state, makeText(state.range(0)), kTwoFills.str(), state.range(1),
      [&](const ScheduleModel &schedule, Operation *root,
          const normalforms::Libraries &libraries) {
        Plan plan;
        for (auto _ : state)
          plan = planNormalization(schedule, root, libraries);
        state.counters["exact"] = plan.exact;
        state.counters["inserted"] = plan.insertions.size();
      });
}

int main(int argc, char **argv) {
  auto add = [](const char *name, auto &&...arguments) {
    return benchmark::RegisterBenchmark(name, arguments...)
        ->ArgNames({"ops", "payload"})
        ->Unit(benchmark::kMillisecond);
  };
  const std::vector<int64_t> either = {0, 1};
  std::string matmul = kOneMatmul.str();
  add("nest", check, makeNest, matmul)
      ->ArgsProduct({{10, 100, 1000, 10000}, either});
  add("mix", check, makeMix, matmul)
      ->ArgsProduct({{12, 100, 1000, 10000}, either});
  add("live", check, makeLive, matmul)->ArgsProduct({{2000}, either});
  add("foreach", check, makeForeach, matmul)
      ->ArgsProduct({{100, 1000, 10000}, either});
  add("chain", check, makeChain, matmul)
      ->ArgsProduct({{100, 1000, 10000}, either});
  add("alternatives", check, makeAlternatives, matmul)
      ->ArgsProduct({{100, 1000, 10000}, either});
  add("functions", check, makeFunctions, makeManyFunctions())
      ->ArgsProduct({{4, 100, 1000, 4000}, {1}});
  add("ops", check, makeOps, makeManyOps())
      ->ArgsProduct({{4, 100, 1000, 4000}, {1}});
  add("plain", plan, makePlain)->ArgsProduct({{10, 100, 1000}, either});
  add("conflicts", plan, makeConflicts)->ArgsProduct({{10, 100, 1000}, {1}});

  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv))
    return 3;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
