//===- NormalizeBench.cpp - Normalization against stock MLIR ----*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two schedules with the same rules on the same payload in one process: one
// that normalizes to @loops.invariants_hoisted, and stock apply_patterns with
// CSE and LICM. Both run through the interpreter, so that the figures are the
// cost of a schedule. Payload of 1, 100 and 1000 functions is normal and
// unchanged, or ten functions of it are changed, or it is met for the first
// time. At the end stand the ratios, stock by Formwork.
//
//===----------------------------------------------------------------------===//

#include "normalforms/FormLibrary.h"
#include "normalforms/IR/NormalFormOps.h"
#include "test/lib/generator/PayloadGenerator.h"
#include "transforms/Registration.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/Dialect/Transform/Transforms/TransformInterpreterUtils.h"
#include "mlir/IR/Builders.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/Format.h"

#include <benchmark/benchmark.h>

#include <map>

using namespace mlir;
using namespace formwork;

namespace {

constexpr llvm::StringLiteral kFormwork = R"(
  transform.normalform.normalize %f to @loops.invariants_hoisted
      : !transform.any_op)";
constexpr llvm::StringLiteral kStock = R"(
  transform.apply_patterns to %f {
    transform.apply_patterns.canonicalization
  } {apply_cse} : !transform.any_op
  %loops = transform.structured.match interface{LoopLikeInterface} in %root
      : (!transform.any_op) -> !transform.any_op
  transform.foreach %loops : !transform.any_op {
  ^bb0(%loop: !transform.any_op):
    transform.apply_licm to %loop : !transform.any_op
  })";

/// One context with payload of `functions` functions and one schedule.
class Setup {
public:
  Setup(unsigned functions, bool stock) {
    DialectRegistry registry;
    registerFormwork(registry);
    formwork::testing::registerPayloadDialects(registry);
    context.appendDialectRegistry(registry);
    context.disableMultithreading();
    formwork::testing::GeneratorOptions options;
    options.functions = functions;
    // MLIR makes an invalid tensor.insert_slice of some with hidden sizes.
    options.dynamic = 0;
    payload = formwork::testing::generatePayload(&context, /*seed=*/1, options);
    std::string text =
        "module attributes {transform.with_named_sequence} {\n"
        "transform.named_sequence @__transform_main("
        "%root: !transform.any_op) {\n"
        "%f = transform.structured.match ops{[\"func.func\"]} in "
        "%root : (!transform.any_op) -> !transform.any_op\n";
    text += stock ? kStock : kFormwork;
    text += "\ntransform.yield\n}\n}";
    schedule = parseSourceString<ModuleOp>(text, ParserConfig(&context));
    entry =
        schedule->lookupSymbol<transform::NamedSequenceOp>("__transform_main");
    (void)normalforms::FormLibrary::get(&context);
  }

  bool run(ModuleOp module) {
    return succeeded(transform::applyTransformNamedSequence(
        module, entry, *schedule, transform::TransformOptions()));
  }

  /// Makes the caches of Formwork what they are in a new process.
  void forget() {
    auto *dialect = context.getLoadedDialect<normalforms::NormalFormDialect>();
    dialect->getNormalCache().clear();
    dialect->getRuleSetCache().clear();
  }

  /// Adds an op that folds to ten functions, or to all when there are fewer.
  void change() {
    unsigned count = 10;
    for (auto function : payload->getOps<func::FuncOp>()) {
      if (function.isDeclaration() || count-- == 0)
        continue;
      OpBuilder builder = OpBuilder::atBlockBegin(&function.front());
      Location loc = function.getLoc();
      Value one = arith::ConstantIndexOp::create(builder, loc, 1);
      (void)arith::AddIOp::create(builder, loc, one, one);
      if (count == 0)
        break;
    }
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> payload;
  OwningOpRef<ModuleOp> schedule;
  transform::NamedSequenceOp entry;
};

void unchanged(benchmark::State &state, bool stock) {
  Setup setup(state.range(0), stock);
  // Stock needs more than one run to come to rest.
  for (int i = 0; i < 3; ++i)
    if (!setup.run(*setup.payload))
      return state.SkipWithError("the schedule failed");
  for (auto _ : state)
    if (!setup.run(*setup.payload))
      return state.SkipWithError("the schedule failed");
}

void tenChanged(benchmark::State &state, bool stock) {
  Setup setup(state.range(0), stock);
  for (int i = 0; i < 3; ++i)
    if (!setup.run(*setup.payload))
      return state.SkipWithError("the schedule failed");
  for (auto _ : state) {
    state.PauseTiming();
    setup.change();
    state.ResumeTiming();
    if (!setup.run(*setup.payload))
      return state.SkipWithError("the schedule failed");
  }
}

void cold(benchmark::State &state, bool stock) {
  Setup setup(state.range(0), stock);
  for (auto _ : state) {
    state.PauseTiming();
    OwningOpRef<ModuleOp> copy = setup.payload->clone();
    setup.forget();
    state.ResumeTiming();
    if (!setup.run(*copy))
      return state.SkipWithError("the schedule failed");
    state.PauseTiming();
    copy = nullptr;
    state.ResumeTiming();
  }
}

BENCHMARK_CAPTURE(unchanged, stock, true)->Arg(1)->Arg(100)->Arg(1000);
BENCHMARK_CAPTURE(unchanged, formwork, false)->Arg(1)->Arg(100)->Arg(1000);
BENCHMARK_CAPTURE(tenChanged, stock, true)->Arg(1000);
BENCHMARK_CAPTURE(tenChanged, formwork, false)->Arg(1000);
BENCHMARK_CAPTURE(cold, stock, true)->Arg(1)->Arg(100)->Arg(1000);
BENCHMARK_CAPTURE(cold, formwork, false)->Arg(1)->Arg(100)->Arg(1000);

/// Prints the usual table, then stock's time by Formwork's.
class RatioReporter : public benchmark::ConsoleReporter {
public:
  void ReportRuns(const std::vector<Run> &runs) override {
    ConsoleReporter::ReportRuns(runs);
    for (const Run &run : runs)
      if (run.run_type == Run::RT_Iteration && run.iterations) {
        double &best =
            times[run.run_name.function_name + "/" + run.run_name.args];
        // One thread each; processor time is less noisy on a shared machine.
        double time = run.cpu_accumulated_time / double(run.iterations);
        best = best == 0 ? time : std::min(best, time);
      }
  }
  void Finalize() override {
    ConsoleReporter::Finalize();
    for (const auto &[name, time] : times) {
      llvm::StringRef key = name;
      auto [what, rest] = key.split("/stock/");
      auto other = times.find((what + "/formwork/" + rest).str());
      if (!rest.empty() && other != times.end())
        llvm::outs() << what << ", functions: " << rest << ": "
                     << llvm::format("%.2f", time / other->second) << "x\n";
    }
    llvm::outs().flush();
  }

private:
  /// The best of all repetitions: noise only adds.
  std::map<std::string, double> times;
};

} // namespace

int main(int argc, char **argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv))
    return 3;
  RatioReporter reporter;
  benchmark::RunSpecifiedBenchmarks(&reporter);
  return 0;
}
