//===- Effects.cpp - Steps without effect: who says so, and what helps ----===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Breaks schedules that run so that steps lose their effect, and counts who
// tells.
//
// Enablers: each clean-up step is dropped, one at a time. Of the decisions that
// become idle: does a search (findEnablers) make them effective, and is the
// result the one of the schedule as written?
//
// Mutants: steps are dropped, swapped and changed by the kinds of
// formwork-mutants. Of the decisions that leave the payload as it is, byte for
// byte: does the run report them, and does the static check? Of those that are
// reported: is the result the same without them? A step that stands twice is
// counted apart.
//
// usage: effects [--kinds=A,B|none] [--seed=N] [--verbose] PATH...
//        (FILE, PAYLOAD:SCHEDULE, or a folder of these; with --generated=N,
//        N generated pairs as well)
//
//===----------------------------------------------------------------------===//

#include "engine/Fingerprint.h"
#include "test/lib/schedules/CleanUp.h"
#include "test/lib/schedules/ScheduleFiles.h"
#include "test/lib/schedules/ScheduleGenerator.h"
#include "test/lib/schedules/mutants/Mutation.h"
#include "transforms/Registration.h"
#include "transforms/schedule/Prepare.h"
#include "transforms/settle/EnableIdle.h"
#include "transforms/settle/WatchedRun.h"
#include "verifier/plan/Enablers.h"
#include "verifier/walk/StaticEffects.h"

#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/xxhash.h"

#include <map>

using namespace mlir;
using namespace formwork;
using namespace formwork::transforms;
namespace cl = llvm::cl;
namespace json = llvm::json;

static cl::list<std::string> paths(cl::Positional, cl::desc("PATH..."));
static cl::list<std::string>
    kinds("kinds", cl::CommaSeparated,
          cl::desc("Of mutants; 'none', or all for development"));
static cl::opt<uint64_t> seed("seed", cl::desc("Decides all mutants"),
                              cl::init(1));
static cl::opt<unsigned> generated("generated",
                                   cl::desc("So many generated pairs as well"),
                                   cl::init(0));
static cl::opt<unsigned> perKind("mutants",
                                 cl::desc("So many of each kind and schedule"),
                                 cl::init(1));
static cl::opt<bool> verbose("verbose", cl::desc("Print each miss"));

namespace {
/// How often something was so, of how often it was looked at.
struct Share {
  unsigned part = 0, whole = 0;
  void add(bool holds) {
    part += holds;
    ++whole;
  }
};

/// The counts of one operation.
struct Line {
  Share byRun, byCheck;
};

/// One schedule, and what a run and a check say of it.
struct Verdicts {
  bool runs = false;
  SmallVector<StepEffect> effects;
  /// The decisions that ran and left the payload as it was.
  SmallVector<Operation *> didNothing;
  /// Where the static check reports a step without effect, or one that may fail
  /// silently, and where it proves the effect.
  llvm::DenseSet<Location> reported, hidden, proved;

  const StepEffect *lookup(Location loc) const {
    const auto *it = llvm::find_if(effects, [&](const StepEffect &effect) {
      return effect.step->getLoc() == loc;
    });
    return it == effects.end() ? nullptr : it;
  }
};

class Bench {
public:
  explicit Bench(MLIRContext &context) : context(context) {}
  int run();

private:
  void tryPair(StringRef pair);
  void tryInput(StringRef name, ScheduleInput &input);
  void tryMutants(StringRef name, ScheduleInput &input);
  void tryEnablers(StringRef name, ScheduleInput &input);
  void judgeMutant(StringRef name, ModuleOp schedule, StringRef entryName,
                   ModuleOp payload);
  Verdicts look(ModuleOp schedule, StringRef entryName, ModuleOp payload);
  std::string digest(transform::NamedSequenceOp entry, ModuleOp payload,
                     const verifier::Plan &plan = {},
                     StringRef form = "canonical");
  void print();

  MLIRContext &context;
  normalforms::Libraries libraries;
  unsigned numSchedules = 0, numMutants = 0, numDropped = 0;
  std::map<std::string, Line> lines;
  Share byRun, byCheck, falselyByRun, falselyByCheck, doubled;
  Share proved, falselyProved;
  Share enabled, restored;
};
} // namespace

static bool isIdle(const StepEffect &effect) {
  return effect.numTargets == 0 || effect.numWithout != 0;
}

/// Whether `op` stands right behind an equal one.
static bool isDoubled(Operation *op) {
  Operation *before = op->getPrevNode();
  return before && before->getName() == op->getName() &&
         before->getAttrDictionary() == op->getAttrDictionary();
}

std::string Bench::digest(transform::NamedSequenceOp entry, ModuleOp payload,
                          const verifier::Plan &plan, StringRef form) {
  Trial trial = runTrial(
      payload, entry, *libraries.forms,
      [&] { applyPlan(plan, *libraries.forms); }, getTrialLimits(), form);
  return trial.runs ? trial.digest : "";
}

Verdicts Bench::look(ModuleOp schedule, StringRef entryName, ModuleOp payload) {
  Verdicts verdicts;
  ScopedDiagnosticHandler quiet(&context, [](Diagnostic &) {});
  FailureOr<verifier::ScheduleModel> model =
      verifier::ScheduleModel::create(schedule, entryName);
  if (failed(model))
    return verdicts;
  ObservedRun run =
      runObserved(*model, payload, *libraries.contracts, getTrialLimits());
  verdicts.runs = run.end == ObservedRun::Ran;
  if (!verdicts.runs)
    return verdicts;
  verdicts.effects = std::move(run.effects);

  // Which steps change a byte is asked of the payload, not of a clause.
  std::optional<json::Object> answer =
      answerInChild(&context, [&] {
        llvm::MapVector<Operation *, bool> changes;
        engine::Fingerprinter fingerprinter;
        OwningOpRef<ModuleOp> copy = payload.clone();
        llvm::DenseMap<Operation *, engine::Fingerprint> before;
        (void)runWatched(
            *copy, model->getEntry(), *libraries.contracts,
            [](Value) { return std::string(); },
            [&](Operation *step, bool isDone,
                const transform::TransformState &) {
              if (!verifier::isDecision(step, *libraries.contracts) ||
                  step->getNumRegions() != 0 ||
                  step->getParentOfType<transform::AlternativesOp>() ||
                  isa<transform::IncludeOp, transform::ForeachMatchOp,
                      transform::MatchOp>(step))
                return;
              engine::Fingerprint now = fingerprinter.ofBody(*copy);
              if (!isDone) {
                before[step] = now;
                return;
              }
              changes[step] |= before[step] != now;
            });
        json::Array nothing;
        for (auto [step, doesChange] : changes)
          if (!doesChange)
            nothing.push_back(reinterpret_cast<intptr_t>(step));
        return json::Object{{"nothing", std::move(nothing)}};
      }).object;
  if (answer)
    for (const json::Value &value : *answer->getArray("nothing"))
      verdicts.didNothing.push_back(reinterpret_cast<Operation *>(
          static_cast<intptr_t>(*value.getAsInteger())));
  verifier::CheckResult check =
      verifier::checkSchedule(*model, payload, libraries);
  for (const engine::Finding &finding : check.findings.get())
    if (finding.id == "fw-step-idle" || finding.id == "fw-step-partial" ||
        finding.id == "fw-empty-match")
      verdicts.reported.insert(finding.loc);
    else if (finding.id == "fw-hidden-failure")
      verdicts.hidden.insert(finding.loc);
  for (Operation *step : check.effective)
    verdicts.proved.insert(step->getLoc());
  return verdicts;
}

namespace {
/// A schedule without one of its steps.
struct Without {
  OwningOpRef<ModuleOp> module;
  transform::NamedSequenceOp entry;
};
} // namespace

/// The schedule of `entry` without `step`, which had no effect: its first
/// result is the target, cast to its type, and the others hold nothing. None if
/// a result that is used is no handle to ops.
static std::optional<Without> leaveOut(transform::NamedSequenceOp entry,
                                       Operation *step) {
  IRMapping mapping;
  Without without;
  without.module = cast<ModuleOp>(getWholeSchedule(entry)->clone(mapping));
  without.entry =
      cast<transform::NamedSequenceOp>(mapping.lookup(entry.getOperation()));
  Operation *copy = mapping.lookup(step);
  OpBuilder builder(copy);
  for (OpResult result : copy->getResults()) {
    if (result.use_empty())
      continue;
    auto holdsOps = [](Value value) {
      return isa<transform::TransformHandleTypeInterface>(value.getType());
    };
    if (copy->getNumOperands() == 0 || !holdsOps(copy->getOperand(0)) ||
        !holdsOps(result))
      return std::nullopt;
    Value target = copy->getOperand(0);
    if (result.getResultNumber() == 0 && target.getType() != result.getType())
      target = transform::CastOp::create(builder, copy->getLoc(),
                                         result.getType(), target);
    else if (result.getResultNumber() != 0)
      target = transform::MatchOp::create(
          builder, copy->getLoc(), result.getType(), target,
          builder.getStrArrayAttr({"formwork.nothing"}),
          transform::MatchInterfaceEnumAttr(), DictionaryAttr(), TypeAttr(),
          ArrayAttr());
    result.replaceAllUsesWith(target);
  }
  copy->erase();
  return without;
}

void Bench::judgeMutant(StringRef name, ModuleOp schedule, StringRef entryName,
                        ModuleOp payload) {
  Verdicts verdicts = look(schedule, entryName, payload);
  if (!verdicts.runs)
    return;
  ++numMutants;
  auto entry = cast<transform::NamedSequenceOp>(
      SymbolTable::lookupSymbolIn(schedule, entryName));
  auto miss = [&](StringRef what, Operation *step) {
    if (!verbose)
      return;
    const StepEffect *effect = verdicts.lookup(step->getLoc());
    llvm::outs() << what << ": mutant " << numMutants << ", " << name << ": "
                 << step->getName() << " with "
                 << (effect ? effect->numTargets : 0) << " targets at "
                 << step->getLoc() << ": "
                 << OpWithFlags(step, OpPrintingFlags().skipRegions()) << "\n";
  };
  for (Operation *step : verdicts.didNothing) {
    // An operation that changes nothing by definition, and says so, is no
    // decision about payload.
    auto interface = dyn_cast<transform::TransformOpInterface>(step);
    if (!interface || !transform::doesModifyPayload(interface))
      continue;
    const StepEffect *effect = verdicts.lookup(step->getLoc());
    bool isSaid = effect && isIdle(*effect);
    if (isDoubled(step)) {
      doubled.add(isSaid);
      continue;
    }
    Line &line = lines[step->getName().getStringRef().str()];
    byRun.add(isSaid);
    line.byRun.add(isSaid);
    if (!isSaid)
      miss("not said by the run", step);
  }
  std::optional<std::string> whole;
  auto changesWithout = [&](Operation *step) {
    std::optional<Without> without = leaveOut(entry, step);
    if (!without)
      return false;
    // Some clean up as well, which is not what they are for.
    constexpr StringLiteral clean = "loops.invariants_hoisted";
    if (!whole)
      whole = digest(entry, payload, {}, clean);
    std::string rest = digest(without->entry, payload, {}, clean);
    return !rest.empty() && rest != *whole;
  };
  for (const StepEffect &effect : verdicts.effects) {
    bool isReported = verdicts.reported.contains(effect.step->getLoc());
    bool isAllIdle = effect.numTargets == 0 || effect.isIdle();
    bool isProved = verdicts.proved.contains(effect.step->getLoc());
    if (isProved && isIdle(effect))
      miss("falsely proved by the check", effect.step);
    if (effect.holds())
      proved.add(isProved);
    else if (isIdle(effect))
      falselyProved.add(isProved);
    if (!isDoubled(effect.step) && isAllIdle) {
      bool isSaid =
          isReported || verdicts.hidden.contains(effect.step->getLoc());
      byCheck.add(isSaid);
      lines[effect.step->getName().getStringRef().str()].byCheck.add(isSaid);
      if (!isSaid)
        miss("not said by the check", effect.step);
      // In the place of an empty match stands what is searched.
      if (isa<transform::MatchOp>(effect.step))
        continue;
      bool isFalse = changesWithout(effect.step);
      falselyByRun.add(isFalse);
      if (isFalse)
        miss("the result differs without", effect.step);
    }
    if (isReported && !isIdle(effect)) {
      bool isFalse = changesWithout(effect.step);
      falselyByCheck.add(isFalse);
      miss(isFalse ? "falsely said by the check" : "said by the check alone",
           effect.step);
    }
  }
}

void Bench::tryMutants(StringRef name, ScheduleInput &input) {
  ModuleOp original = *input.schedule;
  // Kinds of mutants may come to the same.
  llvm::StringSet<> tried;
  for (auto [number, kind] :
       llvm::enumerate(formwork::testing::getMutationKinds())) {
    bool isWanted = kinds.empty() ? !kind.heldOut
                                  : llvm::is_contained(kinds, kind.name.str());
    if (!isWanted)
      continue;
    for (unsigned i = 0; i < perKind; ++i) {
      auto random = formwork::testing::Random::forStream(
          seed, llvm::xxh3_64bits(llvm::sys::path::filename(name)) * 1000003 +
                    number * 101 + i);
      ScopedDiagnosticHandler quiet(&context, [](Diagnostic &) {});
      IRMapping mapping;
      OwningOpRef<ModuleOp> clone = cast<ModuleOp>(original->clone(mapping));
      auto entry = cast<transform::NamedSequenceOp>(
          mapping.lookup(input.entry.getOperation()));
      if (!kind.apply(entry, random) || failed(verify(*clone)))
        continue;
      // So that each step has a place of its own.
      std::string text;
      llvm::raw_string_ostream(text) << *clone;
      if (!tried.insert(text).second)
        continue;
      OwningOpRef<ModuleOp> mutant = parseSourceString<ModuleOp>(
          text, ParserConfig(&context), "mutant.mlir");
      if (mutant)
        judgeMutant((name + " " + kind.name).str(), *mutant,
                    input.entry.getSymName(), *input.payload);
    }
  }
}

void Bench::tryEnablers(StringRef name, ScheduleInput &input) {
  Verdicts written =
      look(*input.schedule, input.entry.getSymName(), *input.payload);
  if (!written.runs)
    return;
  std::string result = digest(input.entry, *input.payload);
  for (Operation *enabler :
       verifier::getEnablers(*input.schedule, *libraries.contracts)) {
    if (!formwork::testing::isCleanUp(enabler, libraries))
      continue;
    std::optional<ScheduleVariant> variant =
        ScheduleVariant::create(input.entry, {enabler});
    if (!variant)
      continue;
    transform::NamedSequenceOp entry = variant->getEntry();
    Verdicts without =
        look(variant->getModule(), entry.getSymName(), *input.payload);
    if (!without.runs)
      continue;
    ++numDropped;
    SmallVector<StepEffect> idle;
    for (const StepEffect &effect : without.effects) {
      const StepEffect *before = written.lookup(effect.step->getLoc());
      if (isIdle(effect) && before && !isIdle(*before))
        idle.push_back(effect);
    }
    if (idle.empty())
      continue;
    FailureOr<verifier::ScheduleModel> model = verifier::ScheduleModel::create(
        variant->getModule(), entry.getSymName());
    PrepareOptions options;
    FailureOr<verifier::Plan> planned =
        makePlan(entry, *input.payload, libraries, options);
    verifier::Plan plan;
    SmallVector<Enabled> found = findEnablers(
        *model, *input.payload, without.effects,
        succeeded(planned) ? ArrayRef<verifier::Insertion>(planned->insertions)
                           : ArrayRef<verifier::Insertion>(),
        {*libraries.forms, *libraries.contracts, getTrialLimits()}, plan);
    bool isBack = !plan.insertions.empty() &&
                  digest(entry, *input.payload, plan) == result;
    for (const StepEffect &effect : idle) {
      bool isEnabled = llvm::any_of(
          found, [&](const Enabled &one) { return one.step == effect.step; });
      enabled.add(isEnabled);
      restored.add(isEnabled && isBack);
      if (verbose)
        llvm::outs() << (!isEnabled ? "not enabled"
                         : isBack   ? "restored"
                                    : "another result")
                     << ": " << name << ": " << effect.step->getName() << " at "
                     << effect.step->getLoc() << " without "
                     << enabler->getName() << " at " << enabler->getLoc()
                     << "\n";
    }
  }
}

void Bench::tryPair(StringRef pair) {
  FailureOr<ScheduleInput> input =
      formwork::testing::loadSchedule(&context, pair);
  if (succeeded(input))
    tryInput(pair, *input);
}

void Bench::tryInput(StringRef name, ScheduleInput &input) {
  if (digest(input.entry, *input.payload).empty())
    return;
  ++numSchedules;
  tryEnablers(name, input);
  if (kinds.empty() || kinds.front() != "none")
    tryMutants(name, input);
}

static std::string show(const Share &share) {
  if (share.whole == 0)
    return "0 of 0";
  return llvm::formatv("{0} of {1} ({2:f1} %)", share.part, share.whole,
                       100.0 * share.part / share.whole)
      .str();
}

void Bench::print() {
  llvm::outs() << numSchedules << " schedules, " << numDropped
               << " with an enabler dropped, " << numMutants
               << " mutants that run, seed " << seed << "\n\n"
               << "| what | share |\n|---|---|\n";
  const std::pair<StringRef, const Share &> shares[] = {
      {"changed nothing, and the run says so", byRun},
      {"doubled, and the run says so", doubled},
      {"idle in the run, and the check says so", byCheck},
      {"idle in the run, and the result differs without", falselyByRun},
      {"said by the check alone, and the result differs without",
       falselyByCheck},
      {"effective in the run, and proved by the check", proved},
      {"idle in the run, and proved by the check", falselyProved},
      {"idle without an enabler, and made effective", enabled},
      {"and the result is back", restored}};
  for (const auto &[what, share] : shares)
    llvm::outs() << "| " << what << " | " << show(share) << " |\n";
  llvm::outs() << "\n"
               << "| operation | said by the run | said by the check |\n"
                  "|---|---|---|\n";
  for (auto &[name, line] : lines)
    llvm::outs() << "| " << name << " | " << show(line.byRun) << " | "
                 << show(line.byCheck) << " |\n";
}

int Bench::run() {
  FailureOr<normalforms::Libraries> loaded =
      normalforms::Libraries::load(&context);
  if (failed(loaded))
    return 3;
  libraries = std::move(*loaded);
  for (const std::string &pair : formwork::testing::findSchedules(paths))
    tryPair(pair);
  for (unsigned i = 0; i < generated; ++i) {
    formwork::testing::GeneratedPair pair =
        formwork::testing::generatePair(&context, seed * 1000003 + i);
    // Each step needs a place of its own.
    std::string text;
    llvm::raw_string_ostream(text) << *pair.schedule;
    ScheduleInput input;
    input.payload = std::move(pair.payload);
    input.schedule = parseSourceString<ModuleOp>(text, ParserConfig(&context),
                                                 "generated.mlir");
    if (!input.schedule)
      continue;
    input.entry = cast<transform::NamedSequenceOp>(
        SymbolTable::lookupSymbolIn(*input.schedule, pair.entry.getSymName()));
    tryInput(("generated-" + Twine(i)).str(), input);
  }
  if (numSchedules == 0) {
    llvm::errs() << "effects: error: there is no schedule that runs\n";
    return 3;
  }
  print();
  return 0;
}

int main(int argc, char **argv) {
  cl::ParseCommandLineOptions(argc, argv, "Steps without effect\n");
  registerFormworkPasses();
  DialectRegistry registry;
  registerFormwork(registry);
  MLIRContext context(registry);
  context.disableMultithreading();
  context.allowUnregisteredDialects();
  return Bench(context).run();
}
