//===- Oracle.cpp - Whether a pair still shows a finding --------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/reduce/Oracle.h"

#include "transforms/results/StepResults.h"
#include "transforms/schedule/Prepare.h"
#include "transforms/settle/Settle.h"
#include "transforms/settle/WatchedRun.h"
#include "verifier/solving/ParameterCheck.h"

using namespace mlir;
using namespace formwork::transforms;

/// The name of the step of `schedule` at `loc`; empty if there is none.
static std::string nameStep(ModuleOp schedule, Location loc) {
  auto place = loc->findInstanceOf<FileLineColRange>();
  std::string name;
  if (!place)
    return name;
  schedule->walk([&](Operation *op) {
    auto own = op->getLoc()->findInstanceOf<FileLineColRange>();
    if (!own || own.getFilename() != place.getFilename() ||
        own.getStartLine() != place.getStartLine() ||
        own.getStartColumn() != place.getStartColumn())
      return WalkResult::advance();
    name = op->getName().getStringRef().str();
    return WalkResult::interrupt();
  });
  return name;
}

static std::string nameValue(Value) { return "it"; }

std::optional<std::string> Oracle::findInCheck(ModuleOp payload,
                                               ModuleOp schedule) {
  FailureOr<verifier::ScheduleModel> model =
      verifier::ScheduleModel::create(schedule, options.entryPoint);
  if (failed(model))
    return std::nullopt;
  verifier::CheckOptions check;
  check.nameOf = nameValue;
  verifier::CheckResult result =
      verifier::checkParameters(*model, payload, libraries, check, {});
  if (payload) {
    SettleOptions settling;
    settling.isError = options.isError;
    settling.nameOf = nameValue;
    settling.limits = options.limits;
    (void)settle(*model, payload, *libraries.contracts, result, settling);
  }
  for (const engine::Finding &finding : result.findings.get())
    if (finding.id == options.keep)
      return nameStep(schedule, finding.loc);
  return std::nullopt;
}

std::optional<std::string> Oracle::findCrash(ModuleOp payload,
                                             ModuleOp schedule) {
  if (!payload)
    return std::nullopt;
  FailureOr<verifier::ScheduleModel> model =
      verifier::ScheduleModel::create(schedule, options.entryPoint);
  if (failed(model))
    return std::nullopt;
  ObservedRun run =
      runObserved(*model, payload, *libraries.contracts, options.limits);
  if (run.end != ObservedRun::Crashed)
    return std::nullopt;
  return run.step ? run.step->getName().getStringRef().str() : std::string();
}

std::optional<std::string> Oracle::findInExecution(ModuleOp payload,
                                                   ModuleOp schedule) {
  if (!payload)
    return std::nullopt;
  FailureOr<verifier::ScheduleModel> model =
      verifier::ScheduleModel::create(schedule, options.entryPoint);
  if (failed(model))
    return std::nullopt;
  transform::NamedSequenceOp entry = model->getEntry();
  PrepareOptions prepare;
  prepare.explain = false;
  FailureOr<verifier::Plan> plan = makePlan(entry, payload, libraries, prepare);
  if (succeeded(plan))
    applyPlan(*plan, *libraries.forms);
  OwningOpRef<ModuleOp> copy = payload.clone();
  Snapshots snapshots(*copy);
  (void)runWatched(*copy, entry, *libraries.contracts, nameValue,
                   [&](Operation *op, bool isDone, const auto &) {
                     if (isDone)
                       snapshots.take(op, *copy);
                   });
  StepResultOptions execution;
  execution.entry = options.entry;
  execution.limits = options.limits;
  StepResultReport report = compareResults(snapshots, execution);
  StringRef id = options.keep == "difference" ? StringRef("fw-result-differs")
                                              : StringRef(options.keep);
  if (!report.fault || report.fault->id != id)
    return std::nullopt;
  return report.faulty ? report.faulty->step->getName().getStringRef().str()
                       : std::string();
}

std::optional<std::string> Oracle::find(Way way, ModuleOp payload,
                                        ModuleOp schedule) {
  switch (way) {
  case Check:
    return findInCheck(payload, schedule);
  case Crash:
    return findCrash(payload, schedule);
  case Execution:
    return findInExecution(payload, schedule);
  }
  llvm_unreachable("all ways are listed");
}

bool Oracle::ask(Way way, ModuleOp payload, ModuleOp schedule) {
  engine::ThreadsStopped alone(*schedule.getContext());
  engine::ChildLimits limits = options.limits;
  // A trial runs several things one after the other, each with the limits of
  // the options: allow more time for the whole.
  limits.time *= 4;
  engine::ChildEnd end = engine::runInChild(
      [&](llvm::raw_ostream &os) {
        ScopedDiagnosticHandler silent(schedule.getContext(),
                                       [](Diagnostic &) { return success(); });
        std::optional<std::string> found = find(way, payload, schedule);
        if (!found || (step && !step->empty() && *found != *step))
          return false;
        os << *found;
        return true;
      },
      engine::ChildOutput::Dropped, limits);
  if (end.succeeded && !step)
    step = end.text;
  return end.succeeded;
}

bool Oracle::begin(ModuleOp payload, ModuleOp schedule) {
  SmallVector<Way> ways = {Check, Execution};
  if (options.keep == "crash")
    ways = {Crash};
  else if (options.keep == "difference")
    ways = {Execution};
  for (Way candidate : ways) {
    way = candidate;
    if (ask(way, payload, schedule))
      return true;
  }
  return false;
}

bool Oracle::shows(ModuleOp payload, ModuleOp schedule) {
  return ask(way, payload, schedule);
}
