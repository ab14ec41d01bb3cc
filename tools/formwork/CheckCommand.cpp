//===- CheckCommand.cpp - formwork check ------------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "engine/Progress.h"
#include "engine/SourcePlace.h"
#include "tools/formwork/Command.h"
#include "tools/formwork/Libraries.h"
#include "tools/formwork/Pipeline.h"
#include "tools/formwork/Session.h"
#include "tools/formwork/VerdictSummary.h"
#include "tools/formwork/Warnings.h"
#include "tools/report/Catalogue.h"
#include "tools/report/Screen.h"
#include "tools/trace/HtmlTrace.h"
#include "transforms/gpu/Lowering.h"
#include "transforms/schedule/CheckPair.h"
#include "transforms/schedule/Prepare.h"
#include "transforms/schedule/Repair.h"
#include "transforms/settle/Settle.h"
#include "transforms/strategies/Strategies.h"
#include "verifier/plan/Steps.h"
#include "verifier/report/StateTable.h"
#include "verifier/solver/SolverRun.h"

#include "llvm/ADT/ScopeExit.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::tools;
using transforms::LoweredRun;
using transforms::ScheduleInput;
using transforms::Settlement;
using verifier::CheckResult;
using verifier::StateTable;
using verifier::Verdict;
namespace cl = llvm::cl;

namespace {
class CheckCommand : public Command {
  InputOptions input;
  OutputOptions output;
  TargetOption target;
  Option<bool> strict{
      "strict",
      "Exit with 2 when a step is neither proved nor runs on the payload"};
  Option<bool> isStatic{
      "static", "Run nothing: a step that is not proved stays open; with "
                "--strict, only proofs pass"};
  Option<std::string> goal{"goal", "The form that the payload must end in",
                           cl::value_desc("form")};
  Option<std::string> loweringFile{
      "lowering",
      "With --target: file with the sequences that lower to the "
      "target, instead of the shipped ones",
      cl::value_desc("filename")};
  Option<bool> noNormalize{
      "no-normalize", "A required form that no step establishes is an error"};
  Option<ReportFormat> format{
      "format", "How the findings are printed", cl::init(ReportFormat::Text),
      cl::values(clEnumValN(ReportFormat::Text, "text",
                            "for people, on standard error (the default)"),
                 clEnumValN(ReportFormat::Json, "json",
                            "one JSON document, on standard output"),
                 clEnumValN(ReportFormat::Sarif, "sarif",
                            "SARIF 2.1.0, on standard output"))};
  Option<bool> fix{"fix", "Print the schedule with its fix-its carried out"};
  Option<bool> inPlace{"in-place",
                       "With --fix: rewrite the file of the schedule"};
  Option<bool> diff{"diff", "With --fix: print a unified diff instead"};
  Option<bool> verbose{
      "verbose",
      "Print every reason why a step is not proved, and every call of "
      "the program that wrote the step"};
  TraceOption trace;

public:
  CheckCommand() {
    trace.kind.getParser().addLiteralOption("html", Trace::Html,
                                            "an HTML page to step through");
  }
  ExitCode run() override;

private:
  ExitCode checkUsage();
  ExitCode process(ScheduleInput pair, const Libraries &libraries,
                   llvm::raw_ostream &os);
  /// The findings are complete, sorted and not emitted.
  FailureOr<CheckResult> check(const ScheduleInput &pair, ModuleOp payload,
                               const Libraries &libraries,
                               verifier::StateObserver *observer = nullptr);
  /// Settles by a run on `payload`, if there is one, what `result` leaves open;
  /// the findings stay sorted. `page`, if given, shows the run, or why there is
  /// none.
  Settlement settle(const ScheduleInput &pair, ModuleOp payload,
                    const Libraries &libraries, CheckResult &result,
                    HtmlTrace *page = nullptr) const;
  /// The normalizations that `compile` would insert.
  FailureOr<verifier::Plan> plan(const ScheduleInput &pair, ModuleOp payload,
                                 const Libraries &libraries) const;
  engine::ChildLimits getRunLimits() const;
  /// Prints the findings, on a screen without repetition, and ends the page.
  void emit(const CheckResult &result, HtmlTrace *page);
  /// Whether a step was reported that has no effect on some target.
  bool isIdle = false;
  /// Does `process`, and writes the page step by step to -o.
  ExitCode writePage(ScheduleInput pair, const Libraries &libraries);
  ExitCode repair(const ScheduleInput &pair, CheckResult before,
                  const Libraries &libraries, llvm::raw_ostream &os);
  ExitCode getExitCode(const Verdict &verdict,
                       const Settlement &settlement = {}) const;

  const verifier::Target *gpu = nullptr;
  /// That of the pair that is checked; null without a target.
  OwningOpRef<ModuleOp> lowering;
  std::optional<normalforms::AtomId> goalForm;
  SessionReport report;
  SolverLimitOptions limits{kCheckBudget};
  verifier::solver::SolverOptions solverOptions;
};
} // namespace

ExitCode CheckCommand::getExitCode(const Verdict &verdict,
                                   const Settlement &settlement) const {
  if (strict && verdict.kind != Verdict::Refuted &&
      (isIdle ||
       (settlement.lowering && *settlement.lowering != LoweredRun::Compiles)))
    return ExitCode::Unproved;
  switch (verdict.kind) {
  case Verdict::Refuted:
    return ExitCode::Refuted;
  case Verdict::Unknown:
    return strict && !settlement.runs() ? ExitCode::Unproved
                                        : ExitCode::Success;
  case Verdict::Proved:
    return ExitCode::Success;
  }
  llvm_unreachable("a verdict is one of three");
}

ExitCode CheckCommand::checkUsage() {
  bool toFile = output.output != "-";
  if ((inPlace || diff) && !fix)
    return failUsage("--in-place and --diff require --fix");
  if (inPlace)
    if (ExitCode code = checkInPlace(input, output, diff); failed(code))
      return code;
  if (format != ReportFormat::Text && trace.kind != Trace::None)
    return failUsage("--trace excludes another --format than text");
  if (trace.kind == Trace::Html && (fix || input.splitInputFile))
    return failUsage("--trace=html excludes --fix and --split-input-file");
  if (format != ReportFormat::Text && fix && !inPlace && !toFile)
    return failUsage("--fix with another --format than text requires "
                     "--in-place or -o, since standard output has the report");
  return ExitCode::Success;
}

ExitCode CheckCommand::run() {
  if (ExitCode code = checkUsage(); failed(code))
    return code;
  input.writesSchedule = fix;
  if (target.name.empty() && !loweringFile.empty())
    return failUsage("--lowering requires --target");
  if (!target.name.empty() && !(gpu = resolveTarget(target.name)))
    return ExitCode::Usage;
  FailureOr<verifier::solver::SolverOptions> resolved = limits.resolve();
  if (failed(resolved))
    return ExitCode::Usage;
  solverOptions = *resolved;
  report.format = format;
  if (!fix)
    report.path = output.output;
  return runSession(
      input,
      [&](ScheduleInput pair, const Libraries &libraries,
          llvm::raw_ostream &os) {
        if (fix || format != ReportFormat::Text || output.output == "-")
          return process(std::move(pair), libraries, os);
        if (trace.kind == Trace::Html)
          return writePage(std::move(pair), libraries);
        std::string text;
        llvm::raw_string_ostream buffer(text);
        ExitCode code = process(std::move(pair), libraries, buffer);
        return std::max(code, writeOutput(output.output, text, os));
      },
      // A document is one, whatever it is of.
      format != ReportFormat::Text && !fix ? StringRef("-")
                                           : StringRef(output.output),
      &report);
}

ExitCode CheckCommand::writePage(ScheduleInput pair,
                                 const Libraries &libraries) {
  std::error_code error;
  llvm::raw_fd_ostream page(output.output, error);
  if (error)
    return failUsage("cannot write '" + output.output +
                     "': " + error.message());
  ExitCode code = process(std::move(pair), libraries, page);
  page.close();
  if (!page.has_error())
    return code;
  error = page.error();
  page.clear_error();
  return failUsage("cannot write '" + output.output + "': " + error.message());
}

FailureOr<CheckResult> CheckCommand::check(const ScheduleInput &pair,
                                           ModuleOp payload,
                                           const Libraries &libraries,
                                           verifier::StateObserver *observer) {
  verifier::CheckOptions options;
  options.target = gpu;
  options.requireForms = noNormalize;
  options.goal = goalForm;
  options.observer = observer;
  bool wantsEdits = fix || format != ReportFormat::Text ||
                    input.diagnosticsFormat != ReportFormat::Text;
  FailureOr<CheckResult> result = [&] {
    engine::Progress progress("checking");
    return transforms::checkPair(pair, payload, libraries, options,
                                 solverOptions, {.edits = wantsEdits});
  }();
  limits.print(solverOptions);
  return result;
}

FailureOr<verifier::Plan> CheckCommand::plan(const ScheduleInput &pair,
                                             ModuleOp payload,
                                             const Libraries &libraries) const {
  transforms::PrepareOptions prepare;
  prepare.explain = false;
  prepare.target = gpu;
  return transforms::makePlan(pair.entry, payload, libraries, prepare);
}

engine::ChildLimits CheckCommand::getRunLimits() const {
  // All that a check tries has one budget.
  std::chrono::milliseconds time(0);
  if (auto deadline = solverOptions.run->getBudget().getDeadline())
    time = std::max<std::chrono::milliseconds>(
        std::chrono::seconds(1),
        std::chrono::duration_cast<std::chrono::milliseconds>(
            *deadline - std::chrono::steady_clock::now()));
  return transforms::getSettleLimits(time);
}

Settlement CheckCommand::settle(const ScheduleInput &pair, ModuleOp payload,
                                const Libraries &libraries, CheckResult &result,
                                HtmlTrace *page) const {
  if (!payload)
    return {};
  if (isStatic) {
    if (page)
      page->explainNoRun("--static runs nothing");
    return {};
  }
  FailureOr<verifier::ScheduleModel> model = transforms::getModel(pair);
  if (failed(model))
    return {};
  transforms::SettleOptions options;
  options.isError = isErrorId;
  options.nameOf = [&](Value value) { return pair.getName(value); };
  std::optional<FailureOr<verifier::Plan>> known;
  if (!noNormalize)
    options.plan = [&] {
      if (!known)
        known = plan(pair, payload, libraries);
      return *known;
    };
  options.searchesEnablers = true;
  // `--fix` leaves these steps to the author.
  auto steps =
      llvm::to_vector(llvm::make_pointer_range(verifier::getStepKinds()));
  if (!fix) {
    options.steps = steps;
    options.input = &pair;
  }
  std::optional<verifier::SourceNames> names = pair.getNames();
  if (names)
    options.source = &*names;
  transforms::LaunchAssumptions assumptions;
  if (lowering) {
    assumptions.byValue = transforms::findByValueArguments(payload);
    options.lower = [&](ModuleOp result, engine::Findings &slow) {
      return lowerToCode(result, libraries, *lowering, *gpu, assumptions,
                         transforms::findToolkit({}), slow);
    };
  }
  options.limits = getRunLimits();
  transforms::RunListener listener;
  if (page) {
    listener = page->listen();
    options.listener = &listener;
  }
  engine::Progress progress("running the steps");
  Settlement settlement = transforms::settle(
      *model, payload, *libraries.contracts, result, options);
  result.findings.sort();
  if (page && settlement.end)
    page->append(settlement.child);
  else if (page)
    page->explainNoRun("a knob is open, or a step may open files");
  return settlement;
}

/// `findings` with the calls that made the step of each, as notes.
static engine::Findings addCalls(const engine::Findings &findings) {
  engine::Findings result;
  for (engine::Finding finding : findings.get()) {
    Location shown = finding.loc;
    // The session says so of all findings.
    std::optional<engine::CallFrame> strategy =
        transforms::findStrategyStep(finding.loc);
    if (mlir::FileLineColLoc place = engine::findSourcePlace(finding.loc))
      shown = place;
    for (const engine::CallFrame &call : engine::getCallFrames(finding.loc)) {
      bool isStrategy = strategy && call.place == strategy->place;
      if (call.place == shown || isStrategy)
        continue;
      StringRef how = engine::isLibraryFile(call.place.getFilename().strref())
                          ? "made by library code"
                          : "called from";
      finding.note(engine::NoteKind::Established, call.place,
                   call.name.empty() ? how + Twine(" here")
                                     : how + Twine(" '") + call.name + "'");
    }
    result.add(std::move(finding));
  }
  return result;
}

void CheckCommand::emit(const CheckResult &result, HtmlTrace *page) {
  bool isForPeople = format == ReportFormat::Text &&
                     input.diagnosticsFormat == ReportFormat::Text &&
                     !input.verifyDiagnostics;
  engine::Findings kept = report.warnings->apply(result.findings);
  if (page)
    page->finish(result, kept);
  isIdle = llvm::any_of(kept.get(), [](const engine::Finding &finding) {
    return finding.id == "fw-step-idle" || finding.id == "fw-step-partial";
  });
  report.isJudged = true;
  if (verbose)
    kept = addCalls(kept);
  (isForPeople && !verbose ? shortenForScreen(kept) : kept).emit();
  report.isJudged = false;
}

ExitCode CheckCommand::process(ScheduleInput pair, const Libraries &libraries,
                               llvm::raw_ostream &os) {
  limits.startBudget(solverOptions);
  if (gpu) {
    lowering = openLowering(pair.schedule->getContext(), loweringFile);
    if (!lowering)
      return ExitCode::Usage;
  }
  // It must not outlive the context.
  auto release = llvm::make_scope_exit([&] { lowering = nullptr; });
  if (!goal.empty()) {
    const normalforms::Form *form =
        lookupNamedForm(*libraries.forms, goal, "--goal");
    if (!form)
      return ExitCode::Usage;
    goalForm = form->atom;
  }
  std::optional<verifier::SourceNames> names = pair.getNames();
  if (!names && (fix || trace.kind == Trace::Html))
    return failUsage("'" + pair.sourceName + "' is bytecode; 'check " +
                     (fix ? "--fix' edits text" : "--trace=html' shows text"));
  std::optional<StateTable> table;
  std::optional<HtmlTrace> page;
  auto nameOf = [&](Value value) { return pair.getName(value); };
  if (trace.kind == Trace::Html)
    page.emplace(*libraries.forms, *names, pair.sourceName, nameOf, os);
  else if (trace.kind != Trace::None)
    table.emplace(
        *libraries.forms, names ? &*names : nullptr, nameOf,
        trace.kind == Trace::Full ? StateTable::All : StateTable::Changed, os);
  verifier::StateObserver *observer = nullptr;
  if (page)
    observer = &*page;
  else if (table)
    observer = &*table;
  FailureOr<CheckResult> result = check(
      pair, pair.payload ? *pair.payload : ModuleOp(), libraries, observer);
  if (failed(result))
    return ExitCode::Refuted;
  // `--fix` carries nothing out before it repairs.
  Settlement settlement;
  if (!fix && pair.payload)
    settlement = settle(pair, *pair.payload, libraries, *result,
                        page ? &*page : nullptr);
  emit(*result, page ? &*page : nullptr);
  report.summary = summarizeVerdict(*result, settlement);
  if (fix)
    return repair(pair, std::move(*result), libraries, os);
  if (format == ReportFormat::Text) {
    StringRef name = input.transform.empty() ? input.file : input.transform;
    printVerdict(*result, settlement, bool(pair.payload), gpu,
                 report.warnings->getCounts(), name == "-" ? "<stdin>" : name,
                 page ? llvm::errs() : os);
  }
  return getExitCode(result->verdict, settlement);
}

/// Whether an idle step of `result` comes with edits that give it its effect.
static bool hasFixOfRun(const CheckResult &result) {
  return llvm::any_of(
      result.findings.get(), [](const engine::Finding &finding) {
        return llvm::is_contained(
                   {"fw-step-idle", "fw-step-partial", "fw-empty-match"},
                   StringRef(finding.id)) &&
               llvm::any_of(finding.notes, [](const engine::Note &note) {
                 return !note.edits.empty();
               });
      });
}

ExitCode CheckCommand::repair(const ScheduleInput &pair, CheckResult before,
                              const Libraries &libraries,
                              llvm::raw_ostream &os) {
  transforms::Repair repair = transforms::repairSchedule(
      pair, std::move(before),
      [&](const ScheduleInput &again, ModuleOp payload) {
        return check(again, payload, libraries);
      });
  // Then what a run adds, so that idle steps have their effect.
  std::optional<ScheduleInput> repaired;
  ModuleOp payload = pair.payload ? *pair.payload : ModuleOp();
  if (payload && !isStatic) {
    // Its warnings were emitted when the schedule was read first.
    ScopedDiagnosticHandler quiet(payload.getContext(), [](Diagnostic &) {});
    if (FailureOr<ScheduleInput> again =
            transforms::reloadSchedule(pair, repair.text);
        succeeded(again))
      repaired = std::move(*again);
  }
  if (repaired) {
    auto checkByRun = [&](const ScheduleInput &again,
                          ModuleOp) -> FailureOr<CheckResult> {
      FailureOr<CheckResult> result = check(again, payload, libraries);
      if (succeeded(result))
        settle(again, payload, libraries, *result);
      return result;
    };
    FailureOr<CheckResult> result = checkByRun(*repaired, payload);
    if (succeeded(result) && hasFixOfRun(*result)) {
      transforms::Repair more =
          transforms::repairSchedule(*repaired, std::move(*result), checkByRun);
      repair.text = std::move(more.text);
      repair.numFixes += more.numFixes;
      repair.result = std::move(more.result);
    }
  }
  StringRef text = pair.getNames()->getText();
  std::string written =
      diff ? printScheduleDiff(pair, text, repair.text) : repair.text;
  // A file that needs no repair is left as it is.
  if (!inPlace || repair.numFixes != 0)
    if (ExitCode code = writeOutput(
            inPlace ? pair.sourceName : output.output.getValue(), written, os);
        failed(code))
      return code;
  report.summary = summarizeVerdict(repair.result);
  report.summary["fixes"] = repair.numFixes;
  if (format == ReportFormat::Text) {
    llvm::errs() << pair.sourceName << ": " << plural(repair.numFixes, "fix-it")
                 << " carried out"
                 << (repair.numFixes == 0 ? ", nothing is changed" : "")
                 << "\n";
    printVerdict(repair.result, /*settlement=*/{}, bool(pair.payload), gpu,
                 /*counts=*/{}, pair.sourceName, llvm::errs());
  }
  return getExitCode(repair.result.verdict);
}

std::unique_ptr<Command> formwork::tools::createCheckCommand() {
  return std::make_unique<CheckCommand>();
}
