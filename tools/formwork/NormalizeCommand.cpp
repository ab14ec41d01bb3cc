//===- NormalizeCommand.cpp - formwork normalize ----------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "engine/Check.h"
#include "engine/DiscreetProgress.h"
#include "tools/formwork/Command.h"
#include "tools/formwork/Session.h"
#include "tools/formwork/VerdictSummary.h"
#include "transforms/schedule/AllowedSteps.h"
#include "transforms/schedule/Expand.h"
#include "transforms/schedule/Minimize.h"
#include "transforms/schedule/Recheck.h"
#include "transforms/settle/EnableIdle.h"
#include "transforms/settle/Settle.h"
#include "verifier/plan/Enablers.h"
#include "verifier/plan/SourceEdits.h"
#include "verifier/report/StateTable.h"

#include "mlir/Parser/Parser.h"
#include <functional>

using namespace mlir;
using namespace formwork;
using namespace formwork::tools;
using verifier::SourceEdit;
namespace cl = llvm::cl;

/// The form that the lowering of every GPU target requires of the payload.
static constexpr llvm::StringLiteral kTargetGoal = "gpu.launchable";
/// The most steps of `--allow` that are inserted for the effect of others.
static constexpr unsigned kMaxEnablingSteps = 16;

namespace {
enum class Only { Wanted, Required };

class NormalizeCommand : public Command {
  InputOptions input;
  FileAccessOption fileAccess;
  OutputOptions output;
  TargetOption target;
  Option<bool> inPlace{"in-place", "Rewrite the file that holds the schedule"};
  Option<bool> diff{"diff", "Print a unified diff instead"};
  Option<bool> why{"why",
                   "Say for each insertion which step needs it, and what for"};
  Option<bool> minimize{"minimize", "Remove enabling steps that nothing needs, "
                                    "or that fewer insertions replace"};
  Option<bool> keepIdle{"keep-idle",
                        "Plan for any payload: keep insertions that "
                        "make no difference on this one"};
  Option<bool> expand{"expand",
                      "Write only MLIR's own operations, for stock mlir-opt"};
  AllowOption allow;
  Option<std::string> goal{"goal", "The form in which the payload must end",
                           cl::value_desc("form")};
  Option<Only> only{
      "only", "Which needs to meet", cl::init(Only::Wanted),
      cl::values(
          clEnumValN(Only::Wanted, "wanted",
                     "the forms that steps require or want (the default)"),
          clEnumValN(Only::Required, "required",
                     "only the forms without which steps fail"))};

  TraceOption trace;

public:
  ExitCode run() override;

private:
  /// The options as values; fails where one is wrong.
  FailureOr<transforms::PrepareOptions> readOptions(const Libraries &libraries);
  /// Whether steps without effect are enabled.
  bool enables(const transforms::PrepareOptions &options) const;
  /// Inserts the steps of `--allow` that give others an effect.
  void takeEnablingSteps(transforms::ScheduleInput &pair,
                         transforms::EnablerSearch &search,
                         transforms::PrepareOptions &options);
  /// The insertions, and with `--minimize` the removals.
  FailureOr<transforms::Minimized> plan(transforms::ScheduleInput &pair,
                                        const Libraries &libraries,
                                        transforms::PrepareOptions &options);
  /// The text of the schedule as `minimized` has it.
  FailureOr<std::string> edit(transforms::ScheduleInput &pair,
                              const Libraries &libraries,
                              transforms::Minimized &minimized,
                              const verifier::SourceNames &names);
  /// For `--why`: how many steps `written` has, and `text`.
  void reportWhy(transforms::ScheduleInput &pair, const Libraries &libraries,
                 StringRef written, StringRef text, bool exact);
  /// Prints the states of what `text` says to standard error.
  LogicalResult traceStates(const transforms::ScheduleInput &pair,
                            StringRef text, const Libraries &libraries);
  ExitCode normalize(transforms::ScheduleInput pair, const Libraries &libraries,
                     llvm::raw_ostream &os);

  const verifier::Target *gpu = nullptr;
};
} // namespace

/// Emits how many enablers are left of those that were written.
static void reportMinimized(const transforms::Minimized &minimized,
                            Location loc) {
  size_t inserted = minimized.plan.insertions.size();
  std::string ratio;
  if (minimized.before != 0)
    ratio = llvm::formatv(" ({0}% as many)",
                          100 * (minimized.kept + inserted) / minimized.before);
  engine::Findings findings;
  engine::Finding &finding = findings.add(engine::Finding(
      loc, "fw-minimized",
      llvm::formatv("keeps {0} of {1} enabling steps and inserts {2}{3}",
                    minimized.kept, minimized.before,
                    plural(inserted, "normalization"), ratio)
          .str(),
      DiagnosticSeverity::Remark));
  for (Operation *op : minimized.removed)
    finding.note(engine::NoteKind::Evidence, op->getLoc(),
                 "'" + op->getName().getStringRef() + "' is taken out");
  findings.emit();
}

/// Emits how many steps there were and are, and how many of them are enablers.
static void reportCounts(ModuleOp before, ModuleOp after,
                         const normalforms::ContractLibrary &contracts,
                         bool exact, Location loc) {
  auto describe = [&](ModuleOp schedule) {
    unsigned enablers = verifier::getEnablers(schedule, contracts).size();
    return llvm::formatv("{0}, of which {1} only enable{2} others",
                         plural(verifier::countSteps(schedule), "step"),
                         enablers, enablers == 1 ? "s" : "")
        .str();
  };
  engine::Findings findings;
  findings
      .add(engine::Finding(loc, "fw-plan-counts",
                           "the schedule has " + describe(after),
                           DiagnosticSeverity::Remark))
      .note(engine::NoteKind::Established, loc,
            "as written, it has " + describe(before))
      .note(engine::NoteKind::Evidence, loc,
            exact ? "no plan that meets as much inserts less"
                  : "whether less would do was not decided");
  findings.emit();
}

/// The places where nothing can be inserted, because the text of `pair` does
/// not have them.
static std::function<bool(Location)>
findFixed(const transforms::ScheduleInput &pair) {
  std::optional<verifier::SourceNames> names = pair.getNames();
  // Sequences of libraries are in files of their own. A terminator that is not
  // written is at the place of its parent, which may be in this one.
  llvm::DenseSet<Location> fixed;
  pair.schedule.get()->walk([&](Operation *op) {
    bool isImplied = op->hasTrait<OpTrait::IsTerminator>() &&
                     op->getLoc() == op->getParentOp()->getLoc();
    if (!names->getOffset(op) && !isImplied)
      fixed.insert(op->getLoc());
  });
  return
      [fixed = std::move(fixed)](Location loc) { return fixed.contains(loc); };
}

ExitCode NormalizeCommand::run() {
  input.writesSchedule = true;
  if (!target.name.empty() && !(gpu = resolveTarget(target.name)))
    return ExitCode::Usage;
  if (inPlace)
    if (ExitCode code = checkInPlace(input, output, diff); failed(code))
      return code;
  return runSession(input, std::bind_front(&NormalizeCommand::normalize, this),
                    output.output);
}

FailureOr<transforms::PrepareOptions>
NormalizeCommand::readOptions(const Libraries &libraries) {
  transforms::PrepareOptions options;
  options.target = gpu;
  options.onlyRequired = only == Only::Required;
  options.explain = why;
  options.fitToPayload = !keepIdle;
  if (!goal.empty()) {
    const normalforms::Form *form =
        lookupNamedForm(*libraries.forms, goal, "--goal");
    if (!form)
      return failure();
    options.goal = form->atom;
  } else if (gpu) {
    const normalforms::Form *form = libraries.forms->lookup(kTargetGoal);
    FW_CHECK(form, "the built-in library declares the goal of GPU targets");
    options.goal = form->atom;
    options.isTargetsGoal = true;
  }
  auto allowed = allow.resolve();
  if (failed(allowed))
    return failure();
  options.allowed = std::move(*allowed);
  return options;
}

bool NormalizeCommand::enables(
    const transforms::PrepareOptions &options) const {
  // Where enablers are taken out, what is idle without them tells nothing.
  return !minimize && !keepIdle && !options.onlyRequired;
}

void NormalizeCommand::takeEnablingSteps(transforms::ScheduleInput &pair,
                                         transforms::EnablerSearch &search,
                                         transforms::PrepareOptions &options) {
  if (!enables(options) || !pair.payload || options.allowed.empty())
    return;
  search.steps = options.allowed;
  search.input = &pair;
  search.prepare = &options;
  for (unsigned i = 0;
       i < kMaxEnablingSteps && transforms::takeEnablingStep(pair, search); ++i)
    search.isFixed = options.isFixed = findFixed(pair);
  search.steps = {};
}

FailureOr<transforms::Minimized>
NormalizeCommand::plan(transforms::ScheduleInput &pair,
                       const Libraries &libraries,
                       transforms::PrepareOptions &options) {
  if (minimize) {
    FailureOr<transforms::Minimized> found =
        transforms::minimizeSchedule(pair, libraries, options);
    if (succeeded(found))
      reportMinimized(*found, pair.entry.getLoc());
    return found;
  }
  FailureOr<verifier::Plan> plan =
      transforms::planSchedule(pair, libraries, options);
  if (failed(plan))
    return failure();
  transforms::Minimized unchanged;
  unchanged.plan = std::move(*plan);
  return unchanged;
}

FailureOr<std::string> NormalizeCommand::edit(
    transforms::ScheduleInput &pair, const Libraries &libraries,
    transforms::Minimized &minimized, const verifier::SourceNames &names) {
  FailureOr<SmallVector<SourceEdit>> removals =
      verifier::planRemovalEdits(minimized.removed, names);
  if (failed(removals))
    return failure();
  FailureOr<SmallVector<SourceEdit>> edits =
      expand
          ? transforms::planExpansion(pair, minimized.plan, *removals,
                                      *libraries.forms)
          : verifier::planSourceEdits(minimized.plan, *libraries.forms, names);
  if (failed(edits))
    return failure();
  edits->append(*removals);
  return verifier::applySourceEdits(names.getText(), *edits);
}

void NormalizeCommand::reportWhy(transforms::ScheduleInput &pair,
                                 const Libraries &libraries, StringRef written,
                                 StringRef text, bool exact) {
  MLIRContext *context = pair.schedule->getContext();
  OwningOpRef<ModuleOp> before, after;
  {
    // The schedule itself may hold libraries by now. Its warnings were
    // given when it was read first.
    ScopedDiagnosticHandler quiet(context, [](Diagnostic &) {});
    before = parseSourceString<ModuleOp>(written, ParserConfig(context),
                                         pair.sourceName);
    after = parseSourceString<ModuleOp>(text, ParserConfig(context),
                                        pair.sourceName);
  }
  reportCounts(*before, *after, *libraries.contracts, exact,
               pair.entry.getLoc());
}

ExitCode NormalizeCommand::normalize(transforms::ScheduleInput pair,
                                     const Libraries &libraries,
                                     llvm::raw_ostream &os) {
  if (!pair.getNames())
    return failUsage("'" + pair.sourceName +
                     "' is bytecode; 'normalize' edits text");
  if (failed(fileAccess.check(pair)))
    return ExitCode::Refuted;
  FailureOr<transforms::PrepareOptions> read = readOptions(libraries);
  if (failed(read))
    return ExitCode::Usage;
  transforms::PrepareOptions &options = *read;
  // From here on, `pair` holds the schedule with the steps that are allowed;
  // differences are shown to the text that was read.
  std::string written = pair.getNames()->getText().str();
  transforms::takeAllowedSteps(pair, libraries, options);
  options.isFixed = findFixed(pair);
  transforms::EnablerSearch search{
      *libraries.forms, *libraries.contracts,
      transforms::getSettleLimits(std::chrono::seconds(10)), options.isFixed};
  takeEnablingSteps(pair, search, options);
  std::optional<verifier::SourceNames> names = pair.getNames();
  if (enables(options))
    options.enable = [&](transform::NamedSequenceOp entry, ModuleOp payload,
                         verifier::Plan &plan,
                         const std::function<std::string(Value)> &nameOf) {
      transforms::enableIdle(entry, payload, search, plan, nameOf);
    };
  std::optional<engine::DiscreetProgress> progress(
      std::in_place, pair.schedule->getContext(), "normalizing the schedule");
  FailureOr<transforms::Minimized> minimized = plan(pair, libraries, options);
  if (failed(minimized))
    return ExitCode::Refuted;
  FailureOr<std::string> text = edit(pair, libraries, *minimized, *names);
  if (failed(text))
    return ExitCode::Refuted;

  // The written text has been parsed, checked, and run again.
  transforms::RecheckOptions recheck;
  recheck.provesAsMuch = !expand && !minimize;
  recheck.runs = !keepIdle;
  recheck.leaves = minimized->leaves;
  if (failed(
          transforms::recheckEdited(pair, *text, libraries, options, recheck)))
    return ExitCode::Refuted;
  progress.reset();
  if (trace.kind != Trace::None && failed(traceStates(pair, *text, libraries)))
    return ExitCode::Refuted;
  if (why)
    reportWhy(pair, libraries, written, *text, minimized->plan.exact);
  if (diff)
    return writeOutput(output.output, printScheduleDiff(pair, written, *text),
                       os);
  // A file that needs nothing is left as it is.
  if (inPlace && *text == written)
    return ExitCode::Success;
  return writeOutput(inPlace ? pair.sourceName : output.output.getValue(),
                     getWrittenText(pair, *text), os);
}

LogicalResult
NormalizeCommand::traceStates(const transforms::ScheduleInput &pair,
                              StringRef text, const Libraries &libraries) {
  FailureOr<transforms::ScheduleInput> edited =
      transforms::replaceSchedule(pair, text);
  if (failed(edited))
    return failure();
  FailureOr<verifier::ScheduleModel> model = transforms::getModel(*edited);
  if (failed(model))
    return failure();
  std::optional<verifier::SourceNames> names = edited->getNames();
  verifier::StateTable table(
      *libraries.forms, names ? &*names : nullptr,
      [&](Value value) { return edited->getName(value); },
      trace.kind == Trace::Full ? verifier::StateTable::All
                                : verifier::StateTable::Changed,
      llvm::errs());
  verifier::CheckOptions options;
  options.observer = &table;
  (void)verifier::checkSchedule(*model, transforms::getPayload(*edited),
                                libraries, options);
  return success();
}

std::unique_ptr<Command> formwork::tools::createNormalizeCommand() {
  return std::make_unique<NormalizeCommand>();
}
