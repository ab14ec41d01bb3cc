//===- CheckShare.cpp - A check, beside a run -------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How long the check of a schedule takes, as a share of the time in which
// MLIR's interpreter runs it with expensive checks: in one process, the best of
// several turns each. Of the schedules that run, the median is printed, too.
//
// usage: check-share (FILE | PAYLOAD:SCHEDULE)...
//
//===----------------------------------------------------------------------===//

#include "engine/Child.h"
#include "normalforms/Libraries.h"
#include "test/lib/schedules/ScheduleFiles.h"
#include "transforms/Registration.h"
#include "transforms/schedule/RunSchedule.h"
#include "verifier/Verifier.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Path.h"

#include <ctime>
#include <sys/resource.h>

using namespace mlir;
using namespace formwork;
using namespace formwork::transforms;

namespace {
/// In seconds.
struct Times {
  double check = 0, run = 0;
};
} // namespace

/// The best of several turns was not interrupted, and of processor time some
/// machines tell no more than milliseconds.
static double getSeconds() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec + now.tv_nsec * 1e-9;
}

/// The least that any of `numTurns` turns takes. What a turn needs is made by
/// `prepare`, which is not measured; none if a turn fails.
template <typename PrepareFn, typename WorkFn>
static std::optional<double> measure(unsigned numTurns, PrepareFn prepare,
                                     WorkFn work) {
  std::optional<double> best;
  for (unsigned i = 0; i < numTurns; ++i) {
    auto input = prepare();
    double start = getSeconds();
    bool succeeds = work(input);
    double taken = getSeconds() - start;
    if (!succeeds)
      return std::nullopt;
    best = best ? std::min(*best, taken) : taken;
  }
  return best;
}

static std::optional<Times> study(StringRef pair) {
  DialectRegistry registry;
  registerFormwork(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.allowUnregisteredDialects();
  ScopedDiagnosticHandler quiet(&context, [](Diagnostic &) {});
  auto libraries = normalforms::Libraries::load(&context);
  FailureOr<ScheduleInput> input = testing::loadSchedule(&context, pair);
  if (failed(libraries) || failed(input))
    return std::nullopt;
  auto schedule = verifier::ScheduleModel::create(*input->schedule);
  if (failed(schedule))
    return std::nullopt;

  constexpr unsigned numTurns = 15;
  std::optional<double> run = measure(
      numTurns, [&] { return OwningOpRef<ModuleOp>(input->payload->clone()); },
      [&](OwningOpRef<ModuleOp> &payload) {
        return succeeded(
            runSchedule(*payload, input->entry, /*unchecked=*/false));
      });
  if (!run)
    return std::nullopt;
  std::optional<double> check = measure(
      numTurns, [] { return 0; },
      [&](int) {
        (void)verifier::checkSchedule(*schedule, *input->payload, *libraries);
        return true;
      });
  return Times{*check, *run};
}

/// Measures in a process of its own: MLIR has ways to crash.
static std::optional<Times> studyApart(StringRef pair) {
  engine::ChildEnd end = engine::runInChild([&](llvm::raw_ostream &os) {
    const rlimit oneMinute = {60, 61};
    if (setrlimit(RLIMIT_CPU, &oneMinute) != 0)
      return false;
    std::optional<Times> times = study(pair);
    if (times)
      os << llvm::format("%.9f %.9f", times->check, times->run);
    return times.has_value();
  });
  Times times;
  auto [check, run] = StringRef(end.text).split(' ');
  if (!end.succeeded || check.getAsDouble(times.check) ||
      run.getAsDouble(times.run))
    return std::nullopt;
  return times;
}

int main(int argc, char **argv) {
  registerFormworkPasses();
  std::vector<double> shares;
  for (int i = 1; i < argc; ++i) {
    StringRef pair = argv[i];
    std::optional<Times> times = studyApart(pair);
    if (!times)
      continue;
    StringRef name = llvm::sys::path::filename(pair.split(':').first);
    if (name == "payload.mlir")
      name = pair.split(':').second;
    shares.push_back(times->check / times->run);
    llvm::outs() << llvm::format("%5.1f %%  %8.3f ms of %8.3f ms  ",
                                 100 * shares.back(), 1000 * times->check,
                                 1000 * times->run)
                 << name << "\n";
  }
  if (shares.empty())
    return 1;
  llvm::sort(shares);
  llvm::outs() << llvm::format("median of %zu that run: %.1f %%\n",
                               shares.size(), 100 * shares[shares.size() / 2]);
  return 0;
}
