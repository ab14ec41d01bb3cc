//===- Trial.cpp - What the tools say of a schedule, and the truth --------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/lib/schedules/Trial.h"

#include "engine/AnyBelow.h"
#include "engine/Child.h"
#include "transforms/schedule/ResolveParameters.h"
#include "transforms/validate/Validate.h"
#include "verifier/solving/ParameterCheck.h"
#include "verifier/source/ScheduleModel.h"

#include "mlir/Dialect/Transform/SMTExtension/SMTExtensionOps.h"
#include "mlir/Dialect/Transform/Transforms/Passes.h"
#include "mlir/Dialect/Transform/TuneExtension/TuneExtensionOps.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringExtras.h"

#include <sys/resource.h>
#include <unistd.h>

using namespace mlir;
using namespace formwork;
using namespace formwork::testing;

/// Runs `part` in a process of its own, and hands each line that it prints to
/// `line` as key and value. False when it did not end by itself.
static bool
runApart(llvm::function_ref<void(llvm::raw_ostream &)> part,
         llvm::function_ref<void(StringRef key, StringRef value)> line) {
  engine::ChildEnd end = engine::runInChild([&](llvm::raw_ostream &os) {
  // A payload that grows without end must not take the machine along. The
  // sanitizers reserve more than any limit.
#if !__has_feature(address_sanitizer)
    constexpr rlim_t maxBytes = rlim_t(4) << 30;
    rlimit memory{maxBytes, maxBytes};
    setrlimit(RLIMIT_DATA, &memory);
#endif
    alarm(20);
    part(os);
    return true;
  });
  SmallVector<StringRef> lines;
  StringRef(end.text).split(lines, '\n', -1, /*KeepEmpty=*/false);
  for (StringRef each : lines)
    line(each.split(' ').first, each.split(' ').second);
  return end.succeeded;
}

static std::string oneLine(StringRef text) {
  std::string flat = text.str();
  llvm::replace(flat, '\n', ' ');
  return flat;
}

static void addOnce(std::vector<std::string> &list, StringRef text) {
  if (!llvm::is_contained(list, text))
    list.push_back(text.str());
}

static Truth classify(StringRef failure) {
  return failure.contains("invalidated by a previously executed")
             ? Truth::Invalidation
             : Truth::Failure;
}

/// Gives each open knob the last of its options, and takes the last of open
/// alternatives: what is proved is so for every choice, and upstream runs none
/// that is open.
static void takeLastChoices(ModuleOp schedule) {
  schedule.walk([](transform::tune::KnobOp knob) {
    auto options = dyn_cast<ArrayAttr>(knob.getOptions());
    if (!knob.getSelectedAttr() && options && !options.empty())
      knob.setSelectedAttr(options.getValue().back());
  });
  Builder builder(schedule.getContext());
  schedule.walk([&](transform::tune::AlternativesOp alternatives) {
    if (!alternatives.getSelectedRegionAttr() &&
        !alternatives.getSelectedRegionParam())
      alternatives.setSelectedRegionAttrAttr(
          builder.getIndexAttr(alternatives->getNumRegions() - 1));
  });
}

/// Leaves no choice open in `input`. The author's constraints, which upstream
/// cannot run, become constants, and the choices then meet them; what is proved
/// says nothing of others. Fails where nothing meets them.
static LogicalResult closeChoices(transforms::ScheduleInput &input,
                                  const normalforms::Libraries &libraries) {
  bool isConstrained =
      engine::holdsAny<transform::smt::ConstrainParamsOp>(*input.schedule);
  if (isConstrained) {
    auto resolve = [&] {
      return transforms::resolveParameters(input, libraries, /*target=*/nullptr,
                                           /*options=*/{});
    };
    if (succeeded(resolve()))
      return success();
    // Steps require more of a good value, but nothing where there is no
    // payload.
    OwningOpRef<ModuleOp> given = std::move(input.payload);
    input.payload = ModuleOp::create(given->getLoc());
    LogicalResult found = resolve();
    input.payload = std::move(given);
    return found;
  }
  takeLastChoices(*input.schedule);
  return success();
}

Trial formwork::testing::tryPair(ModuleOp schedule,
                                 transform::NamedSequenceOp entry,
                                 ModuleOp payload,
                                 const normalforms::Libraries &libraries,
                                 const TrialOptions &options) {
  Trial trial;
  auto model = verifier::ScheduleModel::create(schedule, entry.getSymName());
  if (failed(model))
    return trial;

  bool checked = !options.check;
  if (options.check)
    checked = runApart(
        [&](llvm::raw_ostream &os) {
          verifier::CheckResult result =
              verifier::checkParameters(*model, payload, libraries, {}, {});
          os << "verdict " << static_cast<int>(result.verdict.kind) << "\n";
          for (const engine::Finding &finding : result.findings.get()) {
            if (finding.severity == DiagnosticSeverity::Error &&
                transforms::claimsFailure(finding.id))
              os << "error " << finding.id << "\n";
            if (finding.severity == DiagnosticSeverity::Warning)
              os << "warning " << finding.id << "\n";
          }
          for (const verifier::Unproved &unproved : result.verdict.reasons)
            os << "reason " << unproved.op->getName() << ": "
               << oneLine(unproved.reason) << "\n";
        },
        [&](StringRef key, StringRef value) {
          if (key == "verdict")
            trial.claim = value == "0" ? Claim::Proved : Claim::Unproved;
          if (key == "error")
            addOnce(trial.errors, value);
          if (key == "warning")
            addOnce(trial.warnings, value);
          if (key == "reason")
            addOnce(trial.reasons, value);
        });
  trial.checkCrashed = !checked;
  if (!trial.errors.empty())
    trial.claim = Claim::Refuted;

  if (options.check && options.checkUses) {
    bool ended = runApart(
        [&](llvm::raw_ostream &os) {
          ScopedDiagnosticHandler handler(
              schedule.getContext(), [&](Diagnostic &diagnostic) {
                if (StringRef(diagnostic.str()).contains("used after free"))
                  os << "warning\n";
                return success();
              });
          PassManager passes(schedule.getContext());
          passes.addPass(transform::createCheckUsesPass());
          (void)passes.run(schedule);
        },
        [&](StringRef key, StringRef value) { trial.usesWarns = true; });
    trial.usesCrashed = !ended;
  }

  bool ended = runApart(
      [&](llvm::raw_ostream &os) {
        IRMapping mapping;
        transforms::ScheduleInput closed;
        closed.payload = payload.clone();
        closed.schedule = cast<ModuleOp>(schedule->clone(mapping));
        closed.entry = cast<transform::NamedSequenceOp>(
            mapping.lookup(entry.getOperation()));
        std::optional<verifier::ScheduleModel> closedModel;
        if (succeeded(closeChoices(closed, libraries)))
          if (auto found = verifier::ScheduleModel::create(
                  *closed.schedule, closed.entry.getSymName());
              succeeded(found))
            closedModel = std::move(*found);
        if (!closedModel) {
          os << "ran 0 no values meet the constraints\n";
          return;
        }
        transforms::ValidationOptions validation;
        validation.compareFacts = options.validate;
        transforms::Validation result = transforms::validateSchedule(
            *closedModel, payload, libraries, validation);
        for (const engine::Finding &finding : result.falseFacts.get()) {
          os << "false " << oneLine(finding.message);
          for (const engine::Note &note : finding.notes)
            os << "; " << oneLine(note.message);
          os << "\n";
        }
        os << "facts " << result.numFacts << "\n";
        os << "ran " << (result.ran ? 1 : 0) << " "
           << oneLine(StringRef(result.failure).split('\n').first) << "\n";
      },
      [&](StringRef key, StringRef value) {
        if (key == "false")
          trial.falseFact = value.str();
        if (key == "facts")
          (void)value.getAsInteger(10, trial.numFacts);
        if (key != "ran")
          return;
        trial.failure = value.drop_front(1).ltrim().str();
        trial.truth =
            value.starts_with("1") ? Truth::Runs : classify(trial.failure);
      });
  if (!ended)
    trial.truth = Truth::Crash;
  return trial;
}
