//===- StepComparison.cpp - run --after-each-step ---------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/formwork/StepComparison.h"

#include "tools/formwork/Pipeline.h"
#include "tools/trace/HtmlTrace.h"
#include "transforms/reduce/SmallerSizes.h"
#include "transforms/results/Execution.h"
#include "transforms/schedule/Prepare.h"
#include "transforms/schedule/Trial.h"
#include "transforms/settle/WatchedRun.h"
#include "verifier/Verifier.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::tools;
using engine::Finding;

/// A payload that computes more elements is executed with smaller sizes.
static constexpr uint64_t manyElements = uint64_t(1) << 19;
/// Smaller sizes that show a fault are looked for if the payload computes more
/// elements.
static constexpr uint64_t fewElements = uint64_t(1) << 14;
/// How long they are looked for, and the limit of each execution for that.
static constexpr std::chrono::seconds sizeBudget(10);
static constexpr std::chrono::milliseconds executionTime(5000);

void StepComparison::shrinkPayload() {
  if (options.hasFullSize ||
      transforms::countElements(*pair.payload) <= manyElements)
    return;
  transforms::SmallerSizes smaller = transforms::findSmallerSizes(
      *pair.payload, pair.entry, *libraries.contracts, manyElements);
  sizes = std::move(smaller.text);
  if (smaller.payload)
    pair.payload = std::move(smaller.payload);
}

void StepComparison::collectKnown() {
  FailureOr<verifier::ScheduleModel> model = transforms::getModel(pair);
  if (failed(model))
    return;
  verifier::CheckResult result = verifier::checkSchedule(
      *model, *pair.payload, libraries, verifier::CheckOptions());
  for (const Finding &finding : result.findings.get())
    if (finding.id == "fw-step-miscompiles" ||
        finding.id == "fw-parallel-reduction")
      known.push_back(finding);
}

transforms::StepResultOptions
StepComparison::makeOptions(StringRef entry) const {
  transforms::StepResultOptions made;
  made.entry = entry.str();
  made.seed = options.seed;
  made.tolerance = options.tolerance;
  made.limits = options.limits;
  made.bisect = options.isBisected;
  if (options.openSize)
    made.openSize = *options.openSize;
  made.sizes = sizes;
  made.known = known;
  return made;
}

LogicalResult StepComparison::runSteps(ModuleOp payload,
                                       transforms::Snapshots &taken) {
  return transforms::runWatched(
      payload, pair.entry, *libraries.contracts,
      [&](Value value) { return pair.getName(value); },
      [&](Operation *step, bool isDone, const auto &) {
        if (isDone)
          taken.take(step, payload);
      });
}

bool StepComparison::showsFault(ModuleOp payload, StringRef entry,
                                const transforms::StepResultReport &report) {
  std::optional<llvm::json::Object> answer =
      transforms::answerInChild(payload.getContext(), [&] {
        ScopedDiagnosticHandler quiet(payload.getContext(),
                                      [](Diagnostic &) {});
        transforms::Snapshots smaller(payload);
        (void)runSteps(payload, smaller);
        const transforms::Snapshot &faulty = *report.faulty;
        if (!smaller.keepOnly(faulty.step, faulty.visit))
          return llvm::json::Object();
        transforms::StepResultOptions few = makeOptions(entry);
        few.limits.time = std::min(few.limits.time, executionTime);
        transforms::StepResultReport again =
            transforms::compareResults(smaller, few);
        return llvm::json::Object{
            {"shows", again.fault && again.faulty &&
                          again.fault->id == report.fault->id &&
                          again.faulty->step == faulty.step &&
                          again.faulty->visit == faulty.visit}};
      }).object;
  if (!answer)
    return false;
  return answer->getBoolean("shows").value_or(false);
}

void StepComparison::noteSizes(transforms::StepResultReport &report,
                               StringRef entry) {
  ModuleOp original = snapshots->getOriginal();
  if (!report.faulty || transforms::countElements(original) <= fewElements)
    return;
  transforms::SmallerSizes smaller = transforms::findSizesThatShow(
      original,
      [&](ModuleOp payload) { return showsFault(payload, entry, report); },
      sizeBudget);
  if (smaller.payload)
    report.fault->note(engine::NoteKind::Evidence, report.fault->loc,
                       "smaller sizes show it, too: " + smaller.text);
}

/// Warns of private functions that no public function calls.
static void warnOfUnreachable(ModuleOp payload, engine::Findings &findings) {
  std::vector<std::string> entries;
  for (auto function : payload.getOps<func::FuncOp>())
    if (function.isPublic())
      entries.push_back(function.getSymName().str());
  auto reached = transforms::findReachable(payload, entries);
  if (!reached)
    return;
  for (auto function : payload.getOps<func::FuncOp>())
    if (!reached->contains(function) && !function.isExternal() &&
        !entries.empty())
      findings.add(Finding(function.getLoc(), "fw-not-executed",
                           "is not checked by execution: no public function "
                           "calls '" +
                               function.getSymName() + "'",
                           DiagnosticSeverity::Warning));
}

engine::Findings StepComparison::compare(Guard &guard) {
  guard.enter(Phase::Program);
  engine::Findings findings;
  warnOfUnreachable(snapshots->getOriginal(), findings);
  for (const std::string &entry : entries) {
    transforms::StepResultReport &report = reports.emplace_back(
        transforms::compareResults(*snapshots, makeOptions(entry)));
    for (const Finding &finding : report.notExecuted.get())
      findings.add(finding);
    if (!report.fault)
      continue;
    noteSizes(report, entry);
    findings.add(*report.fault);
  }
  return findings;
}

bool StepComparison::run(ArrayRef<std::string> names, Guard &guard,
                         llvm::raw_ostream *page) {
  entries.assign(names.begin(), names.end());
  shrinkPayload();
  collectKnown();
  snapshots.emplace(*pair.payload);
  LogicalResult ran = success();
  engine::Findings findings;
  if (page) {
    PageExtras extras;
    extras.onStep = [&](Operation *step) {
      snapshots->take(step, *pair.payload);
    };
    extras.finish = [&](HtmlTrace &trace) {
      findings = compare(guard);
      for (const transforms::Snapshot &snapshot : snapshots->get())
        if (llvm::all_of(reports, [&](const auto &report) {
              return llvm::is_contained(report.same, &snapshot);
            }))
          trace.compare(snapshot.step, snapshot.visit, /*isSame=*/true);
      for (const transforms::StepResultReport &report : reports)
        if (report.faulty)
          trace.compare(report.faulty->step, report.faulty->visit,
                        /*isSame=*/false);
      return findings;
    };
    ran = runOnPage(pair, libraries, *page, extras);
  } else {
    ran = runSteps(*pair.payload, *snapshots);
    findings = compare(guard);
  }
  bool isFaulty = findings.hasErrors();
  findings.emit();
  return succeeded(ran) && !isFaulty;
}

/// "4 of 7 steps change the payload; 4 executed, 4 the same …", of one of
/// several functions if `entry` is not empty.
static void printComparison(const transforms::Snapshots &snapshots,
                            const transforms::StepResultReport &report,
                            StringRef entry, StringRef sizes, bool isBisected,
                            llvm::raw_ostream &os) {
  os << "after each step";
  if (!entry.empty())
    os << ", '" << entry << "'";
  os << llvm::formatv(
      ": {0} of {1} steps change the payload; {2} executed, {3} the same",
      report.numSnapshots, snapshots.getNumSteps(), report.numExecuted,
      report.numSame);
  if (report.isExact)
    os << llvm::formatv(" bit for bit, with integers from -{0} to {0}",
                        report.magnitude);
  else if (!report.why.empty())
    os << llvm::format(" within a relative error of %.3g, because ",
                       report.tolerance)
       << report.why;
  if (!report.dynamicSizes.empty())
    os << "; dynamic sizes are " << report.dynamicSizes;
  if (!sizes.empty())
    os << "; with smaller sizes: " << sizes;
  if (report.numUndefined != 0)
    os << llvm::formatv("; {0} elements that nothing defines are not compared",
                        report.numUndefined);
  if (isBisected)
    os << "; by bisection, which assumes that a wrong result stays wrong";
  os << '\n';
}

void StepComparison::print(llvm::raw_ostream &os) const {
  for (auto [entry, report] : llvm::zip(entries, reports))
    printComparison(*snapshots, report, entries.size() > 1 ? entry : "", sizes,
                    options.isBisected, os);
}
