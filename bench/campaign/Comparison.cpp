//===- Comparison.cpp - What check says, and what is so -------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bench/campaign/Comparison.h"

#include "engine/AnyBelow.h"
#include "normalforms/PayloadFeatures.h"
#include "transforms/Registration.h"
#include "transforms/schedule/FatalInput.h"
#include "transforms/schedule/RunSchedule.h"
#include "transforms/validate/Instrument.h"
#include "transforms/validate/Validate.h"
#include "verifier/solver/Budget.h"
#include "verifier/solver/SolverRun.h"
#include "verifier/solving/ParameterCheck.h"

#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/Dialect/Transform/Transforms/TransformInterpreterUtils.h"
#include "mlir/Dialect/Transform/TuneExtension/TuneExtensionOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"

#include <set>

using namespace mlir;
using namespace formwork;
using namespace formwork::campaign;

StringRef formwork::campaign::getName(Truth truth) {
  static constexpr StringLiteral names[] = {
      "none", "runs", "fails", "leaves invalid IR", "crashes MLIR", "hangs"};
  return names[static_cast<unsigned>(truth)];
}

StringRef formwork::campaign::getName(Claim claim) {
  static constexpr StringLiteral names[] = {"none",    "proved",  "unproved",
                                            "refuted", "crashed", "hung"};
  return names[static_cast<unsigned>(claim)];
}

StringRef formwork::campaign::getName(Wrong wrong) {
  static constexpr StringLiteral names[] = {
      "no",         "proved-fails",  "refuted-runs",
      "false-fact", "check-crashes", "check-hangs"};
  return names[static_cast<unsigned>(wrong)];
}

Wrong Outcome::getWrong() const {
  if (claim == Claim::Crashed)
    return Wrong::CheckCrashes;
  if (claim == Claim::Hung)
    return Wrong::CheckHangs;
  if (truth == Truth::None)
    return Wrong::No;
  // A claim about all payload is one about ordinary payload; and an error there
  // may be one that happens only where the schedule finds something.
  if (withoutPayload && (claim == Claim::Refuted ||
                         features != std::vector<std::string>{"ordinary"}))
    return Wrong::No;
  if (claim == Claim::Proved && truth != Truth::Runs)
    return Wrong::ProvedFails;
  if (claim == Claim::Refuted && truth == Truth::Runs)
    return Wrong::RefutedRuns;
  return falseFact.empty() ? Wrong::No : Wrong::FalseFact;
}

//===----------------------------------------------------------------------===//
// Comparison
//===----------------------------------------------------------------------===//

static std::vector<std::string> list(const std::set<std::string> &names) {
  return {names.begin(), names.end()};
}

static void describeSchedule(ModuleOp schedule, Outcome &outcome) {
  std::set<std::string> names, attributes;
  schedule.walk([&](Operation *op) {
    StringRef name = op->getName().getStringRef();
    if (!name.consume_front("transform.") || name == "yield" ||
        name == "named_sequence")
      return;
    names.insert(name.str());
    if (auto pass = dyn_cast<transform::ApplyRegisteredPassOp>(op))
      names.insert("pass:" + pass.getPassName().str());
    for (NamedAttribute attribute : op->getAttrs())
      if (op->getInherentAttr(attribute.getName()) && attribute.getValue() &&
          !attribute.getName().strref().ends_with("segmentSizes") &&
          !attribute.getName().strref().ends_with("segment_sizes"))
        attributes.insert((name + "." + attribute.getName().strref()).str());
  });
  outcome.steps = list(names);
  outcome.attributes = list(attributes);
}

static void describe(ModuleOp payload, Outcome &outcome) {
  normalforms::FeatureSet features;
  std::set<std::string> names;
  payload.walk([&](Operation *op) {
    features |= normalforms::getFeatures(op);
    names.insert(op->getName().getStringRef().str());
  });
  for (StringRef name : features.getNames())
    outcome.features.push_back(name.str());
  if (features.empty())
    outcome.features.push_back("ordinary");
  outcome.payloadOps = list(names);
}

//===----------------------------------------------------------------------===//
// Judge
//===----------------------------------------------------------------------===//

static DialectRegistry makeRegistry() {
  DialectRegistry registry;
  registerFormwork(registry);
  registerFormworkPasses();
  return registry;
}

Judge::Judge(ArrayRef<std::string> contractFiles, bool comparesFacts)
    : context(makeRegistry(), MLIRContext::Threading::DISABLED),
      comparesFacts(comparesFacts) {
  context.loadDialect<transform::TransformDialect>();
  // Loads once what children would load again and again.
  context.loadAllAvailableDialects();
  context.allowUnregisteredDialects();
  context.printOpOnDiagnostic(false);
  if (failed(normalforms::FormLibrary::install(&context)))
    llvm::report_fatal_error("the built-in forms do not load");
  libraries.forms = normalforms::FormLibrary::get(&context);
  auto loaded = normalforms::ContractLibrary::load(
      &context, *libraries.forms, contractFiles, /*mayReplace=*/true);
  if (failed(loaded))
    llvm::report_fatal_error("the contracts do not load");
  libraries.contracts = std::move(*loaded);
}

Judge::~Judge() = default;

std::string formwork::campaign::print(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream os(text);
  module.print(os);
  return text;
}

/// Keeps the first line of the first error in `error`.
static void keepFirst(Diagnostic &diagnostic, std::string &error) {
  if (diagnostic.getSeverity() == DiagnosticSeverity::Error && error.empty())
    error = StringRef(diagnostic.str()).split('\n').first.str();
}

OwningOpRef<ModuleOp> Judge::parse(StringRef text, std::string *error) {
  ScopedDiagnosticHandler quiet(&context, [&](Diagnostic &diagnostic) {
    if (error)
      keepFirst(diagnostic, *error);
  });
  return parseSourceString<ModuleOp>(text, ParserConfig(&context));
}

/// Runs `entry` on `payload`, which it changes.
static bool runs(ModuleOp payload, transform::NamedSequenceOp entry,
                 Outcome &outcome) {
  ScopedDiagnosticHandler handler(
      payload.getContext(),
      [&](Diagnostic &diagnostic) { keepFirst(diagnostic, outcome.failure); });
  if (failed(transforms::checkSteps(entry))) {
    outcome.truth = Truth::Fails;
    return false;
  }
  auto options = transform::TransformOptions().enableExpensiveChecks(true);
  if (failed(transform::applyTransformNamedSequence(payload, entry, ModuleOp(),
                                                    options))) {
    outcome.truth = Truth::Fails;
    return false;
  }
  outcome.truth = succeeded(verify(payload)) ? Truth::Runs : Truth::Invalid;
  return outcome.truth == Truth::Runs;
}

/// Also with what it includes inlined: the interpreter's tracking of handles
/// stops at a sequence that is included.
static bool runWithIncludes(ModuleOp payload, ModuleOp schedule,
                            const verifier::ScheduleModel &model,
                            Outcome &outcome) {
  outcome.failure.clear();
  bool includes = engine::holdsAny<transform::IncludeOp>(schedule);
  if (includes) {
    transforms::InstrumentedSchedule inlined(model,
                                             transforms::Observe::Nothing);
    OwningOpRef<ModuleOp> copy = payload.clone();
    if (!runs(*copy, inlined.getEntry(), outcome))
      return false;
  }
  return runs(payload, model.getEntry(), outcome);
}

namespace {
/// The knobs and alternatives of a schedule that are open, and the ways to
/// choose among them.
class OpenChoices {
public:
  explicit OpenChoices(ModuleOp schedule) {
    schedule.walk([&](Operation *op) {
      unsigned count = 0;
      if (auto knob = dyn_cast<transform::tune::KnobOp>(op)) {
        auto options = dyn_cast<ArrayAttr>(knob.getOptions());
        count = options && !knob.getSelected() ? options.size() : 0;
      } else if (auto choice = dyn_cast<transform::tune::AlternativesOp>(op)) {
        bool isOpen =
            !choice.getSelectedRegionAttr() && !choice.getSelectedRegionParam();
        count = isOpen ? choice->getNumRegions() : 0;
      }
      if (count != 0)
        open.push_back({op, count});
    });
  }

  /// At most `kMostWays`, the first ones; 1 where nothing is open.
  unsigned getNumWays() const {
    unsigned ways = 1;
    for (const Choice &choice : open)
      ways = std::min(kMostWays, ways * choice.count);
    return ways;
  }

  void choose(unsigned way) const {
    for (const Choice &choice : open) {
      unsigned selected = way % choice.count;
      way /= choice.count;
      if (auto knob = dyn_cast<transform::tune::KnobOp>(choice.op))
        knob.setSelectedAttr(cast<ArrayAttr>(knob.getOptions())[selected]);
      else
        cast<transform::tune::AlternativesOp>(choice.op)
            .setSelectedRegionAttrAttr(
                Builder(choice.op->getContext()).getI64IntegerAttr(selected));
    }
  }

private:
  static constexpr unsigned kMostWays = 9;
  struct Choice {
    Operation *op;
    unsigned count;
  };
  SmallVector<Choice> open;
};
} // namespace

static void check(const verifier::ScheduleModel &model, Operation *payload,
                  const normalforms::Libraries &libraries, Outcome &outcome) {
  // The options that the command has by default.
  verifier::solver::SolverOptions solver;
  solver.run = std::make_shared<verifier::solver::SolverRun>();
  solver.run->setBudget(verifier::solver::Budget(/*seconds=*/8));
  verifier::CheckResult result =
      verifier::checkParameters(model, payload, libraries, {}, solver);
  outcome.claim = result.verdict.kind == verifier::Verdict::Proved
                      ? Claim::Proved
                      : Claim::Unproved;
  for (const engine::Finding &finding : result.findings.get()) {
    if (finding.severity != DiagnosticSeverity::Error ||
        !transforms::claimsFailure(finding.id))
      continue;
    outcome.claim = Claim::Refuted;
    if (!llvm::is_contained(outcome.errors, finding.id))
      outcome.errors.push_back(StringRef(finding.id).str());
  }
}

/// What was inferred and is not so; empty if all is.
static std::string findFalseFact(const verifier::ScheduleModel &model,
                                 ModuleOp payload,
                                 const normalforms::Libraries &libraries) {
  transforms::ValidationOptions options;
  options.compareUntested = false;
  transforms::Validation validation =
      transforms::validateSchedule(model, payload, libraries, options);
  std::string text;
  for (const engine::Finding &finding : validation.falseFacts.get())
    text = finding.message;
  return text;
}

/// Fails if `schedule` is none that both sides read.
static FailureOr<verifier::ScheduleModel>
readSchedule(OwningOpRef<ModuleOp> &schedule, bool withoutPayload) {
  FailureOr<verifier::ScheduleModel> model = failure();
  if (schedule)
    model = verifier::ScheduleModel::create(*schedule);
  if (failed(model) || model->getEntry().getBody().empty() ||
      model->getEntry().getNumArguments() != 1 ||
      !isa<transform::TransformHandleTypeInterface>(
          model->getEntry().getArgumentTypes()[0]) ||
      // Stock MLIR runs on no payload of another kind.
      (withoutPayload &&
       !isa<transform::AnyOpType>(model->getEntry().getArgumentTypes()[0])) ||
      // `check` refuses to read it.
      failed(transforms::checkSizeLists(*schedule->getBody())))
    return failure();
  return model;
}

Claim Judge::claim(const Pair &pair) {
  OwningOpRef<ModuleOp> payload = parse(pair.payload);
  OwningOpRef<ModuleOp> schedule = parse(pair.schedule);
  ScopedDiagnosticHandler quiet(&context, [](Diagnostic &) {});
  FailureOr<verifier::ScheduleModel> model =
      readSchedule(schedule, pair.withoutPayload);
  if (!payload || failed(model))
    return Claim::None;
  Outcome outcome;
  check(*model, pair.withoutPayload ? nullptr : payload->getOperation(),
        libraries, outcome);
  return outcome.claim;
}

Outcome Judge::judge(const Pair &pair, const Phases &phases) {
  Outcome outcome;
  outcome.withoutPayload = pair.withoutPayload;
  OwningOpRef<ModuleOp> payload = parse(pair.payload, &outcome.failure);
  if (!payload) {
    outcome.rejected = "payload";
    return outcome;
  }
  OwningOpRef<ModuleOp> schedule = parse(pair.schedule, &outcome.failure);
  ScopedDiagnosticHandler quiet(&context, [](Diagnostic &) {});
  FailureOr<verifier::ScheduleModel> model =
      readSchedule(schedule, pair.withoutPayload);
  if (failed(model)) {
    outcome.rejected = "schedule";
    return outcome;
  }
  describe(*payload, outcome);
  describeSchedule(*schedule, outcome);

  phases.beforeCheck(outcome);
  check(*model, pair.withoutPayload ? nullptr : payload->getOperation(),
        libraries, outcome);
  phases.beforeRun(outcome);

  OpenChoices choices(*schedule);
  unsigned numWays = choices.getNumWays();
  for (unsigned way = 0; way < numWays; ++way) {
    choices.choose(way);
    OwningOpRef<ModuleOp> copy = payload->clone();
    // Proved means that every way runs, refuted that one does not.
    if (!runWithIncludes(*copy, *schedule, *model, outcome))
      break;
  }
  // A schedule that is refuted may crash MLIR.
  bool mayCompare = comparesFacts && !pair.withoutPayload && numWays == 1 &&
                    outcome.claim != Claim::Refuted &&
                    outcome.truth != Truth::Invalid;
  if (mayCompare) {
    phases.beforeFacts(outcome);
    outcome.falseFact = findFalseFact(*model, *payload, libraries);
  }
  return outcome;
}
