//===- Ablation.cpp - Are the insertions of plans needed? -------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The ablation of plans on real schedules, as a table: of the normalizations
// that a plan inserts, how many make a difference on the payload. The others
// are dropped until, without any one of the rest, the schedule fails or its
// result is another after normalization to @canonical.
//
// usage: ablation (FILE | PAYLOAD:SCHEDULE)...
//
// Each pair runs in a process of its own, for at most two minutes of processor
// time, and so does each run in it: what else the machine does changes no
// result.
//
//===----------------------------------------------------------------------===//

#include "engine/Child.h"
#include "test/lib/schedules/ScheduleFiles.h"
#include "transforms/Registration.h"
#include "transforms/schedule/FitPlan.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

#include <csignal>
#include <sys/resource.h>

using namespace mlir;
using namespace formwork;
using namespace formwork::transforms;

namespace {
/// One line of the table.
struct Row {
  unsigned planned = 0;   ///< the insertions of the plan
  unsigned effective = 0; ///< of these, those that make a difference
  std::string problem;    ///< why there is nothing to say
};
} // namespace

static Row study(StringRef pair) {
  Row row;
  auto refuse = [&](const Twine &problem) {
    row.problem = problem.str();
    return row;
  };
  DialectRegistry registry;
  registerFormwork(registry);
  MLIRContext context(registry);
  context.disableMultithreading();
  context.allowUnregisteredDialects();
  auto libraries = normalforms::Libraries::load(&context);
  FailureOr<ScheduleInput> input = testing::loadSchedule(&context, pair);
  if (failed(libraries) || failed(input) || !input->payload)
    return refuse("cannot be read");
  Trial written = runTrial(*input->payload, input->entry, *libraries->forms);
  if (!written.runs)
    return refuse("does not run: " + written.error);
  PrepareOptions options;
  options.explain = false;
  std::optional<ScheduleVariant> whole =
      ScheduleVariant::create(input->entry, {});
  FailureOr<verifier::Plan> found =
      makePlan(whole->getEntry(), *input->payload, *libraries, options);
  if (failed(found))
    return refuse("there is no plan");

  verifier::Plan plan = whole->toOriginal(*found);
  fitPlan(*input, plan, *libraries, options);
  PlanTrials trials(*input->payload, input->entry, *libraries->forms);
  if (const Trial &trial = trials.run(plan); !trial.runs)
    return refuse("the plan breaks it: " + trial.error);
  row.planned = plan.insertions.size();
  dropIdleInsertions(trials, plan);
  row.effective = plan.insertions.size();
  return row;
}

/// Runs `study` in a process of its own.
static Row studyApart(StringRef pair) {
  // A schedule may print.
  engine::ChildEnd end = engine::runInChild([&](llvm::raw_ostream &os) {
    const rlimit twoMinutes = {120, 121};
    if (setrlimit(RLIMIT_CPU, &twoMinutes) != 0)
      return false;
    Row row = study(pair);
    os << row.planned << "\n" << row.effective << "\n" << row.problem << "\n";
    return true;
  });
  Row row;
  auto [planned, rest] = StringRef(end.text).split('\n');
  auto [effective, problem] = rest.split('\n');
  if (end.signal == SIGXCPU)
    row.problem = "takes more than two minutes";
  else if (end.signal != 0)
    row.problem = "crashes";
  else if (planned.getAsInteger(10, row.planned) ||
           effective.getAsInteger(10, row.effective))
    row.problem = "says nothing";
  else
    row.problem = problem.split('\n').first.str();
  return row;
}

int main(int argc, char **argv) {
  registerFormworkPasses();
  llvm::outs() << "| schedule | insertions | of which needed |\n"
                  "|---|---|---|\n";
  unsigned studied = 0, planned = 0, effective = 0;
  for (StringRef pair : ArrayRef(argv, argc).drop_front()) {
    Row row = studyApart(pair);
    StringRef name = llvm::sys::path::filename(pair.split(':').first);
    if (name == "payload.mlir")
      name = pair.split(':').second;
    if (!row.problem.empty()) {
      llvm::outs() << "| " << name << " | " << row.problem << " | |\n";
      continue;
    }
    ++studied;
    planned += row.planned;
    effective += row.effective;
    llvm::outs() << "| " << name << " | " << row.planned << " | "
                 << row.effective << " |\n";
  }
  llvm::outs() << "\nschedules: " << studied << "\ninsertions: " << planned
               << ", of which needed: " << effective << "\n";
  return 0;
}
