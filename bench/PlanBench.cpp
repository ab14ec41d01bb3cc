//===- PlanBench.cpp - How long planning takes ------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Planning on schedules of 10 to 1000 ops, every fifth of which needs a form:
// `plain`, where the plan is the least cover; and `conflicts`, where what each
// need wants harms the last step, so that the search runs to its end. Parsing
// is not measured. `exact` and `inserted` are counters.
//
//===----------------------------------------------------------------------===//

#include "normalforms/predicates/Predicates.h"
#include "verifier/plan/Plan.h"

#include "mlir/IR/OwningOpRef.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Parser/Parser.h"

#include <benchmark/benchmark.h>

using namespace mlir;
using namespace formwork;
using namespace formwork::verifier;

static constexpr llvm::StringLiteral anyOp = "!transform.any_op";

static std::string makeSchedule(llvm::StringRef body) {
  return ("module attributes {transform.with_named_sequence} {\n"
          "transform.named_sequence @__transform_main(%m0: !transform.any_op "
          "{transform.consumed}) {\n" +
          body + "transform.yield\n}\n}\n")
      .str();
}

static std::string match(const llvm::Twine &name, llvm::StringRef kind,
                         const llvm::Twine &in) {
  return ("%" + name + " = transform.structured.match ops{[\"" + kind +
          "\"]} in %" + in + " : (" + anyOp + ") -> " + anyOp + "\n")
      .str();
}

/// Matches, a tiling, rules that may make ops of unknown sizes, and a
/// vectorization, by turns.
static std::string makePlain(int64_t numOps) {
  std::string body;
  for (int64_t i = 0; i < numOps / 5; ++i) {
    body += match("a" + llvm::Twine(i), "linalg.matmul", "m0");
    body +=
        ("%t" + llvm::Twine(i) + ":2 = transform.structured.tile_using_for %a" +
         llvm::Twine(i) + " tile_sizes [8] : (" + anyOp + ") -> (" + anyOp +
         ", " + anyOp + ")\n")
            .str();
    body += match("f" + llvm::Twine(i), "func.func", "m0");
    body +=
        ("transform.apply_patterns to %f" + llvm::Twine(i) +
         " {transform.apply_patterns.linalg.decompose_pad} : " + anyOp + "\n")
            .str();
    body += ("%v" + llvm::Twine(i) +
             " = transform.structured.vectorize_children_and_apply_patterns "
             "%f" +
             llvm::Twine(i) + " : (" + anyOp + ") -> " + anyOp + "\n")
                .str();
  }
  return makeSchedule(body);
}

/// Bufferizations and matches, by turns, and a split that relies on counts.
static std::string makeConflicts(int64_t numOps) {
  std::string body;
  int64_t last = numOps / 5;
  for (int64_t i = 0; i < last; ++i) {
    body += ("%m" + llvm::Twine(i + 1) +
             " = transform.bufferization.one_shot_bufferize %m" +
             llvm::Twine(i) + " {bufferize_function_boundaries = true} : (" +
             anyOp + ") -> " + anyOp + "\n")
                .str();
    for (llvm::StringRef name : {"a", "b", "c", "d"})
      body +=
          match(name + llvm::Twine(i), "linalg.fill", "m" + llvm::Twine(i + 1));
  }
  body += "%x, %y = transform.split_handle %d" + std::to_string(last - 1) +
          " : (" + anyOp.str() + ") -> (" + anyOp.str() + ", " + anyOp.str() +
          ")\n";
  return makeSchedule(body);
}

static constexpr llvm::StringLiteral payload = R"(
func.func @f(%A: tensor<1048576x64xf32>, %B: tensor<64x96xf32>,
             %C: tensor<1048576x96xf32>, %s: f32, %t: tensor<8xf32>)
    -> (tensor<1048576x96xf32>, tensor<8xf32>, tensor<8xf32>) {
  %D = linalg.matmul ins(%A, %B : tensor<1048576x64xf32>, tensor<64x96xf32>)
      outs(%C : tensor<1048576x96xf32>) -> tensor<1048576x96xf32>
  %0 = linalg.fill ins(%s : f32) outs(%t : tensor<8xf32>) -> tensor<8xf32>
  %1 = linalg.fill ins(%s : f32) outs(%t : tensor<8xf32>) -> tensor<8xf32>
  return %D, %0, %1 : tensor<1048576x96xf32>, tensor<8xf32>, tensor<8xf32>
})";

static void runPlan(benchmark::State &state, const std::string &text,
                    bool hasPayload) {
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
  auto schedule = ScheduleModel::create(*module);
  Plan plan;
  for (auto _ : state)
    plan =
        planNormalization(*schedule, hasPayload ? *root : nullptr, *libraries);
  state.counters["exact"] = plan.exact;
  state.counters["inserted"] = plan.insertions.size();
}

static void plain(benchmark::State &state) {
  runPlan(state, makePlain(state.range(0)), state.range(1));
}
static void conflicts(benchmark::State &state) {
  runPlan(state, makeConflicts(state.range(0)), state.range(1));
}
BENCHMARK(plain)
    ->ArgNames({"ops", "payload"})
    ->ArgsProduct({{10, 100, 1000}, {0, 1}})
    ->Unit(benchmark::kMillisecond);
BENCHMARK(conflicts)
    ->ArgNames({"ops", "payload"})
    ->ArgsProduct({{10, 100, 1000}, {1}})
    ->Unit(benchmark::kMillisecond);

BENCHMARK_MAIN();
