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
#include "verifier/report/Reasons.h"
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

std::string formwork::transforms::getReason(StringRef message) {
  std::string reason;
  unsigned depth = 0; // of shaped types
  for (size_t i = 0; i < message.size(); ++i) {
    char c = message[i];
    StringRef sofar = reason;
    bool opens =
        c == '<' && (depth != 0 || sofar.ends_with("tensor") ||
                     sofar.ends_with("memref") || sofar.ends_with("vector"));
    bool isArrow = c == '>' && i != 0 && message[i - 1] == '-';
    if (opens && depth++ == 0)
      reason += c;
    if (depth == 0 && !llvm::isDigit(c))
      reason += c;
    else if (depth == 0 && (i == 0 || !llvm::isDigit(message[i - 1]))) {
      bool isSign =
          sofar.ends_with("-") &&
          (sofar.size() == 1 || !llvm::isAlnum(sofar.drop_back().back()));
      if (isSign)
        reason.pop_back();
      reason += '#';
    }
    if (c == '>' && depth != 0 && !isArrow && --depth == 0)
      reason += c;
    // A list of numbers is one.
    if (StringRef(reason).ends_with("#, #"))
      reason.resize(reason.size() - 3);
  }
  return reason;
}

/// The names of ops in quotes.
static std::string getNamedOps(StringRef message) {
  std::string names;
  while (!message.empty()) {
    auto [before, rest] = message.split('\'');
    auto [quoted, behind] = rest.split('\'');
    if (quoted.contains('.') && !quoted.contains(' '))
      names += quoted.str() + ' ';
    message = behind;
  }
  return names;
}

std::vector<std::string>
Oracle::findInCheck(ModuleOp payload, const verifier::ScheduleModel &model) {
  verifier::CheckOptions check;
  check.nameOf = nameValue;
  verifier::CheckResult result =
      verifier::checkParameters(model, payload, libraries, check, {});
  if (payload && way != StaticCheck) {
    SettleOptions settling;
    settling.isError = options.isError;
    settling.nameOf = nameValue;
    settling.limits = options.limits;
    (void)settle(model, payload, *libraries.contracts, result, settling);
  }
  verifier::addReasons(result);
  std::vector<std::string> symptoms;
  for (const engine::Finding &finding : result.findings.get())
    if (finding.id == options.keep)
      symptoms.push_back(nameStep(model.getModule(), finding.loc) + ' ' +
                         getReason(finding.message));
  return symptoms;
}

std::vector<std::string>
Oracle::findCrash(ModuleOp payload, const verifier::ScheduleModel &model) {
  ObservedRun run =
      runObserved(model, payload, *libraries.contracts, options.limits);
  if (run.end != ObservedRun::Crashed)
    return {};
  return {run.step ? run.step->getName().getStringRef().str() : std::string()};
}

std::vector<std::string>
Oracle::findInExecution(ModuleOp payload,
                        const verifier::ScheduleModel &model) {
  transform::NamedSequenceOp entry = model.getEntry();
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
    return {};
  std::string symptom =
      report.faulty ? report.faulty->step->getName().getStringRef().str()
                    : std::string();
  return {symptom + ' ' + getNamedOps(report.fault->message)};
}

std::vector<std::string> Oracle::find(ModuleOp payload, ModuleOp schedule) {
  FailureOr<verifier::ScheduleModel> model =
      verifier::ScheduleModel::create(schedule, options.entryPoint);
  if (failed(model))
    return {};
  if (way == Check || way == StaticCheck)
    return findInCheck(payload, *model);
  if (!payload)
    return {};
  return way == Crash ? findCrash(payload, *model)
                      : findInExecution(payload, *model);
}

bool Oracle::shows(ModuleOp payload, ModuleOp schedule) {
  engine::ThreadsStopped alone(*schedule.getContext());
  engine::ChildLimits limits = options.limits;
  // A trial runs several things one after the other, each with the limits of
  // the options: allow more time for the whole.
  limits.time *= 4;
  engine::ChildEnd end = engine::runInChild(
      [&](llvm::raw_ostream &os) {
        ScopedDiagnosticHandler silent(schedule.getContext(),
                                       [](Diagnostic &) {});
        std::vector<std::string> found = find(payload, schedule);
        bool isSame = symptom && !symptom->empty();
        if (found.empty() || (isSame && !llvm::is_contained(found, *symptom)))
          return false;
        os << (isSame ? *symptom : found.front());
        return true;
      },
      engine::ChildOutput::Dropped, limits);
  if (end.succeeded && !symptom)
    symptom = end.text;
  return end.succeeded;
}

bool Oracle::begin(ModuleOp payload, ModuleOp schedule) {
  SmallVector<Way> ways = {Check, StaticCheck, Execution};
  if (options.keep == "crash")
    ways = {Crash};
  else if (options.keep == "difference")
    ways = {Execution};
  for (Way candidate : ways) {
    way = candidate;
    if (shows(payload, schedule))
      return true;
  }
  return false;
}
