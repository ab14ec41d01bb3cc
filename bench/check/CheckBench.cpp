//===- CheckBench.cpp - How long a check takes ------------------*- C++ -*-===//
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
// 1000 functions, or of 1000 ops of one. Parsing is not measured.
//
//===----------------------------------------------------------------------===//

#include "normalforms/Libraries.h"
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

/// Step `i` of the mix on what %`scope` holds.
static std::string mixStep(const llvm::Twine &i, llvm::StringRef scope) {
  auto matchIn = [&](const llvm::Twine &name, llvm::StringRef kind) {
    return ("%" + name + " = transform.structured.match ops{[\"" + kind +
            "\"]} in %" + scope + " : (" + anyOp + ") -> " + anyOp + "\n")
        .str();
  };
  return matchIn("a" + i, "linalg.matmul") + tile("t" + i, "a" + i) +
         matchIn("f" + i, "func.func") + "transform.apply_cse to %f" + i.str() +
         " : " + anyOp.str() + "\n";
}

/// The mix, around it one foreach.
static std::string makeForeach(int64_t numOps) {
  std::string body = match("fs", "func.func") +
                     "transform.foreach %fs : " + anyOp.str() +
                     " {\n^bb0(%f: " + anyOp.str() + "):\n";
  for (int64_t i = 0; i < numOps / 4; ++i)
    body += mixStep(llvm::Twine(i), "f");
  return makeSchedule(body + "}\n");
}

/// Sequences of one step each, of which each includes the next, 100 deep.
static std::string makeChain(int64_t numOps) {
  std::string chain;
  int64_t length = numOps / 4;
  for (int64_t i = 0; i < length; ++i) {
    std::string number = std::to_string(i), next = std::to_string(i + 1);
    chain += "transform.named_sequence @s" + number + "(%m: " + anyOp.str() +
             " {transform.readonly}) {\n" + match("a", "linalg.matmul") +
             tile("t", "a");
    if (i + 1 < length && (i + 1) % 100 != 0)
      chain += "transform.include @s" + next + " failures(propagate) (%m) : (" +
               anyOp.str() + ") -> ()\n";
    chain += "transform.yield\n}\n";
  }
  std::string body;
  for (int64_t i = 0; i < length; i += 100)
    body += "transform.include @s" + std::to_string(i) +
            " failures(propagate) (%m) : (" + anyOp.str() + ") -> ()\n";
  std::string text = makeSchedule(body);
  return text.insert(text.rfind('}'), chain);
}

/// Alternatives by turns, each with a step of the mix and an empty way out.
static std::string makeAlternatives(int64_t numOps) {
  std::string body;
  for (int64_t i = 0; i < numOps / 6; ++i)
    body += match("s" + llvm::Twine(i), "func.func") +
            "transform.alternatives %s" + std::to_string(i) + " : " +
            anyOp.str() + " {\n^bb0(%f: " + anyOp.str() + "):\n" +
            mixStep(llvm::Twine(i), "f") + "}, {\n" +
            "^bb0(%f: " + anyOp.str() + "):\n}\n";
  return makeSchedule(body);
}

/// A match of a function or op with the attribute `n = i`, and steps there.
static std::string makeSites(int64_t numOps, llvm::StringRef kind,
                             llvm::StringRef rest) {
  std::string body;
  for (int64_t i = 0; i < numOps / 4; ++i) {
    std::string number = std::to_string(i % 1000);
    body += "%s" + std::to_string(i) + " = transform.structured.match ops{[\"" +
            kind.str() + "\"]} attributes {n = " + number + "} in %m : (" +
            anyOp.str() + ") -> " + anyOp.str() + "\n" + rest.str();
    for (size_t at; (at = body.find('$')) != std::string::npos;)
      body.replace(at, 1, std::to_string(i));
  }
  return makeSchedule(body);
}

/// Matches and tilings in one of 1000 functions after another, with clean-up.
static std::string makeFunctions(int64_t numOps) {
  return makeSites(
      numOps, "func.func",
      "%a$ = transform.structured.match ops{[\"linalg.matmul\"]} in %s$ : "
      "(!transform.any_op) -> !transform.any_op\n" +
          tile("t$", "a$") + "transform.apply_cse to %s$ : " + anyOp.str() +
          "\n");
}

/// Tilings of one of 1000 ops of a function after another.
static std::string makeOps(int64_t numOps) {
  return makeSites(numOps, "linalg.matmul",
                   tile("t$", "s$") +
                       "%u$:2 = transform.structured.tile_using_for %t$#0 "
                       "tile_sizes [0, 8] : (!transform.any_op) -> "
                       "(!transform.any_op, !transform.any_op)\n"
                       "transform.annotate %u$#0 \"done\" : "
                       "!transform.any_op\n");
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

/// As many matmuls, marked `n = i`: one a function, or all in one.
static std::string makePayload(unsigned number, bool inOne) {
  static constexpr llvm::StringLiteral arguments =
      "(%A: tensor<1024x64xf32>, %B: tensor<64x96xf32>, "
      "%C: tensor<1024x96xf32>) -> tensor<1024x96xf32>";
  std::string text;
  for (unsigned i = 0; i < number; ++i) {
    std::string mark = "{n = " + std::to_string(i) + " : i64}";
    if (i == 0 || !inOne)
      text += "func.func @f" + std::to_string(i) + arguments.str() +
              (inOne ? "" : " attributes " + mark) + " {\n";
    std::string init = i == 0 || !inOne ? "%C" : "%" + std::to_string(i - 1);
    std::string result = "%" + std::to_string(inOne ? i : 0);
    text += result + " = linalg.matmul " + (inOne ? mark : "") +
            " ins(%A, %B : tensor<1024x64xf32>, tensor<64x96xf32>) outs(" +
            init + " : tensor<1024x96xf32>) -> tensor<1024x96xf32>\n";
    if (i + 1 == number || !inOne)
      text += "return " + result + " : tensor<1024x96xf32>\n}\n";
  }
  return text;
}

static constexpr llvm::StringLiteral onePayload = R"(
func.func @matmul(%A: tensor<1048576x64xf32>, %B: tensor<64x96xf32>,
                  %C: tensor<1048576x96xf32>) -> tensor<1048576x96xf32> {
  %D = linalg.matmul ins(%A, %B : tensor<1048576x64xf32>, tensor<64x96xf32>)
      outs(%C : tensor<1048576x96xf32>) -> tensor<1048576x96xf32>
  return %D : tensor<1048576x96xf32>
})";

static void runCheck(benchmark::State &state, const std::string &text,
                     bool hasPayload,
                     const std::string &payload = onePayload.str()) {
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
  unsigned numOps = 0;
  for (auto _ : state)
    numOps = checkSchedule(*schedule, hasPayload ? *root : nullptr, *libraries)
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
static void foreach (benchmark::State &state) {
  runCheck(state, makeForeach(state.range(0)), state.range(1));
}
static void chain(benchmark::State &state) {
  runCheck(state, makeChain(state.range(0)), state.range(1));
}
static void alternatives(benchmark::State &state) {
  runCheck(state, makeAlternatives(state.range(0)), state.range(1));
}
static void functions(benchmark::State &state) {
  runCheck(state, makeFunctions(state.range(0)), /*hasPayload=*/true,
           makePayload(1000, /*inOne=*/false));
}
static void ops(benchmark::State &state) {
  runCheck(state, makeOps(state.range(0)), /*hasPayload=*/true,
           makePayload(1000, /*inOne=*/true));
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

BENCHMARK(foreach)
    ->ArgNames({"ops", "payload"})
    ->ArgsProduct({{100, 1000, 10000}, {0, 1}})
    ->Unit(benchmark::kMillisecond);
BENCHMARK(chain)
    ->ArgNames({"ops", "payload"})
    ->ArgsProduct({{100, 1000, 10000}, {0, 1}})
    ->Unit(benchmark::kMillisecond);
BENCHMARK(alternatives)
    ->ArgNames({"ops", "payload"})
    ->ArgsProduct({{100, 1000, 10000}, {0, 1}})
    ->Unit(benchmark::kMillisecond);
BENCHMARK(functions)
    ->ArgName("ops")
    ->Args({4})
    ->Args({100})
    ->Args({1000})
    ->Args({4000})
    ->Unit(benchmark::kMillisecond);
BENCHMARK(ops)
    ->ArgName("ops")
    ->Args({4})
    ->Args({100})
    ->Args({1000})
    ->Args({4000})
    ->Unit(benchmark::kMillisecond);

BENCHMARK_MAIN();
