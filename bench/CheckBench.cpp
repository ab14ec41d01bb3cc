//===- CheckBench.cpp - How long a check takes ------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The check of schedules of 10 to 10 000 ops, with and without a payload: one
// nest of tilings, and matches, tilings and clean-up by turns; and of 2000
// handles that are all live at the end. Parsing is not measured.
//
//===----------------------------------------------------------------------===//

#include "normalforms/predicates/Predicates.h"
#include "verifier/Verifier.h"

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
          "transform.named_sequence @__transform_main(%m: !transform.any_op) "
          "{\n" +
          body + "transform.yield\n}\n}\n")
      .str();
}

static std::string match(const llvm::Twine &name, llvm::StringRef kind) {
  return ("%" + name + " = transform.structured.match ops{[\"" + kind +
          "\"]} in %m : (" + anyOp + ") -> " + anyOp + "\n")
      .str();
}

static std::string tile(const llvm::Twine &name, const llvm::Twine &target) {
  return ("%" + name + ":2 = transform.structured.tile_using_for %" + target +
          " tile_sizes [8] : (" + anyOp + ") -> (" + anyOp + ", " + anyOp +
          ")\n")
      .str();
}

/// Tilings of the tile before.
static std::string makeNest(int64_t numOps) {
  std::string body = match("t0", "linalg.matmul");
  for (int64_t i = 1; i < numOps; ++i)
    body += tile("t" + llvm::Twine(i),
                 "t" + llvm::Twine(i - 1) + (i > 1 ? "#0" : ""));
  return makeSchedule(body);
}

/// A match, a tiling, another match and clean-up, by turns.
static std::string makeMix(int64_t numOps) {
  std::string body;
  for (int64_t i = 0; i < numOps / 4; ++i) {
    body += match("a" + llvm::Twine(i), "linalg.matmul");
    body += tile("t" + llvm::Twine(i), "a" + llvm::Twine(i));
    body += match("f" + llvm::Twine(i), "func.func");
    body += ("transform.apply_patterns to %f" + llvm::Twine(i) +
             " { transform.apply_patterns.canonicalization } : " + anyOp + "\n")
                .str();
  }
  return makeSchedule(body);
}

/// Handles that are all used at the end.
static std::string makeLive(int64_t numHandles) {
  std::string body = match("f", "func.func");
  for (int64_t i = 0; i < numHandles; ++i)
    body += match("a" + llvm::Twine(i), "linalg.matmul");
  body += ("transform.apply_cse to %f : " + anyOp + "\n").str();
  for (int64_t i = 0; i < numHandles; ++i)
    body +=
        ("transform.print %a" + llvm::Twine(i) + " : " + anyOp + "\n").str();
  return makeSchedule(body);
}

static constexpr llvm::StringLiteral payload = R"(
func.func @matmul(%A: tensor<1048576x64xf32>, %B: tensor<64x96xf32>,
                  %C: tensor<1048576x96xf32>) -> tensor<1048576x96xf32> {
  %D = linalg.matmul ins(%A, %B : tensor<1048576x64xf32>, tensor<64x96xf32>)
      outs(%C : tensor<1048576x96xf32>) -> tensor<1048576x96xf32>
  return %D : tensor<1048576x96xf32>
})";

static void runCheck(benchmark::State &state, const std::string &text,
                     bool hasPayload) {
  DialectRegistry registry;
  registerAllDialects(registry);
  registerAllExtensions(registry);
  formwork::normalforms::registerNormalForms(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  auto forms = normalforms::FormLibrary::load(&context);
  auto contracts = normalforms::ContractLibrary::load(&context, **forms);
  ParserConfig config(&context);
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, config);
  OwningOpRef<ModuleOp> root = parseSourceString<ModuleOp>(payload, config);
  if (!module || !root)
    return state.SkipWithError("expected a schedule that can be parsed");
  auto schedule = ScheduleModel::create(*module);
  unsigned numOps = 0;
  for (auto _ : state)
    numOps = checkSchedule(*schedule, hasPayload ? *root : nullptr, **forms,
                           **contracts)
                 .numOps;
  state.SetComplexityN(numOps);
}

static void nest(benchmark::State &state) {
  runCheck(state, makeNest(state.range(0)), state.range(1));
}
static void mix(benchmark::State &state) {
  runCheck(state, makeMix(state.range(0)), state.range(1));
}
static void live(benchmark::State &state) {
  runCheck(state, makeLive(state.range(0)), state.range(1));
}
BENCHMARK(nest)
    ->ArgNames({"ops", "payload"})
    ->ArgsProduct({{10, 100, 1000, 10000}, {0, 1}})
    ->Unit(benchmark::kMillisecond);
BENCHMARK(mix)
    ->ArgNames({"ops", "payload"})
    ->ArgsProduct({{12, 100, 1000, 10000}, {0, 1}})
    ->Unit(benchmark::kMillisecond);
BENCHMARK(live)
    ->ArgNames({"handles", "payload"})
    ->ArgsProduct({{2000}, {0, 1}})
    ->Unit(benchmark::kMillisecond);

BENCHMARK_MAIN();
