//===- Settle.cpp - Settles open verdicts of a check by a run ---*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/settle/Settle.h"

#include "engine/FileAccess.h"
#include "transforms/schedule/AllowedSteps.h"
#include "transforms/schedule/FitPlan.h"
#include "transforms/schedule/ResolveParameters.h"
#include "transforms/settle/EnableIdle.h"
#include "transforms/validate/Validate.h"
#include "verifier/source/FixIts.h"
#include "verifier/source/StepText.h"

#include "mlir/Support/DebugStringHelper.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::transforms;
using engine::Finding;
using engine::NoteKind;
using verifier::CheckResult;
using verifier::Verdict;

engine::ChildLimits
formwork::transforms::getSettleLimits(std::chrono::milliseconds time) {
  engine::ChildLimits limits;
  limits.time = time.count() == 0 ? std::chrono::minutes(1) : time;
  limits.memory = uint64_t(4) << 30;
  limits.output = uint64_t(16) << 20;
  // The child may not write a single byte to a file.
  limits.fileSize = 0;
  return limits;
}

/// Why the steps may not be run: the first finding of checkFileAccess.
static std::optional<std::string>
explainFileAccess(const verifier::ScheduleModel &schedule) {
  std::optional<std::string> reason;
  ScopedDiagnosticHandler handler(
      schedule.getModule().getContext(), [&](Diagnostic &diagnostic) {
        if (!reason)
          reason = engine::readDiagnostic(diagnostic).message;
        return success();
      });
  (void)engine::checkFileAccess(schedule.getModule());
  return reason;
}

/// Whether `finding` says that a step fails, or may fail.
static bool saysFailure(const Finding &finding, const SettleOptions &options) {
  if (finding.id == "fw-unproved")
    return true;
  bool isCertain = finding.severity == DiagnosticSeverity::Error;
  bool isPossible = finding.severity == DiagnosticSeverity::Warning &&
                    options.isError(finding.id);
  return (isCertain || isPossible) && claimsFailure(finding.id);
}

/// Whether normalization would change the schedule.
static bool lacksForms(const CheckResult &result) {
  return llvm::any_of(result.findings.get(), [](const Finding &finding) {
    return finding.id == "fw-missing-form";
  });
}

/// Adds a note to the finding about an idle step: which step of `--allow` gives
/// the step its effect.
static void explainProposed(const verifier::StepProposal &proposal,
                            Finding &finding) {
  if (proposal.clause != verifier::Insertion::forEffect)
    finding.note(NoteKind::Evidence, finding.loc,
                 "wants form @" + Twine(proposal.step->form) +
                     "; without the form, " + proposal.otherwise + " (" +
                     proposal.clause + ")");
  finding.note(NoteKind::FixIt, proposal.insertBefore->getLoc(),
               "a step that " + proposal.step->does.str() +
                   " is yours to decide: insert '" +
                   describeInsertion(proposal) +
                   "' before this step, or allow 'normalize' to do so: "
                   "--allow=" +
                   proposal.step->name.str() + "; a run shows the effect then",
               proposal.edits);
}

/// Adds notes to the finding about an idle step: which normalization gives the
/// step its effect, and why.
static void explainEnabled(const verifier::Insertion &insertion,
                           const SettleOptions &options, Finding &finding) {
  const normalforms::Form &form =
      normalforms::FormLibrary::get(insertion.before->getContext())
          ->getForm(insertion.form);
  Location before = insertion.before->getLoc();
  if (!insertion.isForEffect())
    finding.note(NoteKind::Evidence, insertion.neededBy->getLoc(),
                 (insertion.required ? "requires form @" : "wants form @") +
                     form.name + "; without the form, " +
                     insertion.consequence + " (" + insertion.clause + ")");
  engine::TextEdits edits;
  std::optional<std::string> handle;
  if (options.source)
    handle = options.source->getName(insertion.handle);
  if (handle) {
    verifier::FixIts fixes(options.source);
    std::string type = debugString(insertion.handle.getType());
    std::string lines;
    if (insertion.viaIsolatedParent) {
      std::string parent = fixes.makeName("%anchor");
      lines = verifier::writeIsolatedParent(parent, *handle, type);
      handle = parent;
      type = "!transform.any_op";
    }
    lines += verifier::writeNormalize(*handle, form.name, type) + "\n";
    edits = fixes.insertBefore(insertion.before, lines);
  }
  finding.note(NoteKind::FixIt, before,
               "normalize " +
                   Twine(insertion.viaIsolatedParent ? "the parent of " : "") +
                   options.nameOf(insertion.handle) + " to @" + form.name +
                   " before this step; a run shows the effect then",
               std::move(edits));
}

/// Adds to the finding about `step` without effect what gives the step one.
static void explainEnabledStep(Operation *step, ArrayRef<Enabled> enabled,
                               const SettleOptions &options, Finding &finding) {
  for (const Enabled &one : enabled) {
    if (one.step != step)
      continue;
    if (auto *proposal = std::get_if<verifier::StepProposal>(&one.by))
      explainProposed(*proposal, finding);
    else
      explainEnabled(std::get<verifier::Insertion>(one.by), options, finding);
  }
}

/// Reports the steps without effect, except for matches that the check already
/// reports as empty, and ops that it already names as not static.
static void addEffects(ArrayRef<StepEffect> effects, CheckResult &result,
                       const SettleOptions &options,
                       ArrayRef<Enabled> enabled = {}) {
  // The run knows more than the check about the steps that ran: drop what the
  // check said of them.
  (void)eraseFindings(result.findings, [&](const Finding &finding) {
    return (finding.id == "fw-step-idle" || finding.id == "fw-step-partial") &&
           llvm::any_of(effects, [&](const StepEffect &effect) {
             return effect.step->getLoc() == finding.loc;
           });
  });
  llvm::DenseSet<Location> empty, dynamic;
  engine::Findings known;
  for (Finding finding : result.findings.get()) {
    if (finding.id == "fw-dynamic-shape")
      dynamic.insert(finding.loc);
    if (finding.id == "fw-empty-match") {
      empty.insert(finding.loc);
      for (const StepEffect &effect : effects)
        if (effect.step->getLoc() == finding.loc)
          explainEnabledStep(effect.step, enabled, options, finding);
    }
    known.add(std::move(finding));
  }
  result.findings = std::move(known);
  SmallVector<StepEffect> others;
  llvm::copy_if(effects, std::back_inserter(others),
                [&](const StepEffect &effect) {
                  Location loc = effect.step->getLoc();
                  return !empty.contains(loc) &&
                         (effect.isIdle() || !dynamic.contains(loc));
                });
  addEffectFindings(others, options.nameOf, result.findings,
                    [&](const StepEffect &effect, Finding &finding) {
                      explainEnabledStep(effect.step, enabled, options,
                                         finding);
                    });
}

/// Searches the normalizations that make the idle steps of `effects` effective.
/// `isNormalized` says that the run had the insertions of the plan.
static SmallVector<Enabled>
searchEnablers(const verifier::ScheduleModel &schedule, ModuleOp payload,
               ArrayRef<StepEffect> effects,
               const normalforms::ContractLibrary &contracts,
               const SettleOptions &options, bool isNormalized) {
  bool areEffective = llvm::all_of(effects, [](const StepEffect &effect) {
    return effect.numTargets != 0 && effect.numWithout == 0;
  });
  if (!options.searchesEnablers || areEffective)
    return {};
  verifier::Plan plan;
  SmallVector<verifier::Insertion> wanted;
  if (options.plan)
    if (FailureOr<verifier::Plan> found = options.plan(); succeeded(found)) {
      if (isNormalized)
        plan = std::move(*found);
      else
        wanted = std::move(found->insertions);
    }
  EnablerSearch search{*normalforms::FormLibrary::get(payload.getContext()),
                       contracts, options.limits};
  // The trials would need a plan for each step.
  if (!isNormalized) {
    search.input = options.input;
    search.steps = options.steps;
  }
  search.time =
      std::min<std::chrono::milliseconds>(search.time, options.limits.time / 4);
  return findEnablers(schedule, payload, effects, wanted, search, plan);
}

static Finding &warnUnsettled(CheckResult &result, Location loc,
                              const Twine &why) {
  return result.findings.add(Finding(loc, "fw-run-unsettled",
                                     "is not settled by a run: " + why,
                                     DiagnosticSeverity::Warning));
}

/// Inserts the planned normalizations into the schedule. Called in a child
/// process.
static void normalizeByPlan(ModuleOp payload, const SettleOptions &options) {
  if (FailureOr<verifier::Plan> plan = options.plan(); succeeded(plan))
    applyPlan(*plan, *normalforms::FormLibrary::get(payload.getContext()));
}

/// Removes what `result` says of forms that steps want if the schedule leaves
/// the same payload with all planned normalizations as without any, which is
/// why `normalize` inserts none of them. Returns the number of these findings.
/// Cost: if a form is missing, a plan and two runs.
static unsigned eraseIdleWants(const verifier::ScheduleModel &schedule,
                               ModuleOp payload, CheckResult &result,
                               const SettleOptions &options) {
  if (!options.plan || !lacksForms(result))
    return 0;
  FailureOr<verifier::Plan> plan = options.plan();
  if (failed(plan) || plan->insertions.empty())
    return 0;
  const auto &forms = *normalforms::FormLibrary::get(payload.getContext());
  engine::ChildLimits limits = options.limits;
  limits.time /= 4;
  PlanTrials trials(payload, schedule.getEntry(), forms, limits);
  if (!trials.run(*plan).agreesWith(trials.run({})))
    return 0;
  return eraseFindings(result.findings, [&](const Finding &finding) {
    return finding.id == "fw-missing-form" &&
           finding.severity == DiagnosticSeverity::Warning &&
           llvm::any_of(plan->insertions, [&](const verifier::Insertion &one) {
             return one.serves(finding.loc) &&
                    forms.getForm(one.form).name == finding.lackedForm;
           });
  });
}

/// Lowers the payload of a schedule that runs and is not refuted.
static void settleLowering(const verifier::ScheduleModel &schedule,
                           ModuleOp payload, CheckResult &result,
                           const SettleOptions &options,
                           Settlement &settlement) {
  auto normalize = [&] { normalizeByPlan(payload, options); };
  LoweredRun run =
      runLowered(schedule, payload, options.lower, options.limits,
                 options.plan && lacksForms(result) ? PrepareRun(normalize)
                                                    : PrepareRun());
  settlement.lowering = run.end;
  for (Finding &finding : run.findings)
    result.findings.add(std::move(finding));
  Location entry = schedule.getEntry().getLoc();
  switch (run.end) {
  case LoweredRun::Compiles:
  case LoweredRun::NoKernel:
    break;
  case LoweredRun::Fails:
    result.verdict.kind = Verdict::Refuted;
    break;
  case LoweredRun::Crashes:
    result.findings
        .add(Finding(entry, "fw-lowering-crashes",
                     "leaves a payload on which the lowering crashes"))
        .note(NoteKind::Evidence, entry,
              "the process was " + run.child.explain());
    result.verdict.kind = Verdict::Refuted;
    break;
  case LoweredRun::Stopped:
    warnUnsettled(result, entry, "the lowering was " + run.child.explain());
    break;
  }
}

Settlement formwork::transforms::settle(
    const verifier::ScheduleModel &schedule, ModuleOp payload,
    const normalforms::ContractLibrary &contracts, CheckResult &result,
    const SettleOptions &options) {
  Settlement settlement;
  Location entry = schedule.getEntry().getLoc();
  if (hasOpenParameters(schedule.getModule(), result))
    return settlement;
  if (std::optional<std::string> why = explainFileAccess(schedule)) {
    if (result.verdict.kind == Verdict::Unknown)
      warnUnsettled(result, entry, *why);
    return settlement;
  }
  ObservedRun run = runObserved(schedule, payload, contracts, options.limits,
                                /*prepare=*/nullptr, options.listener);
  if (run.end == ObservedRun::Failed && options.plan && lacksForms(result)) {
    ObservedRun normalized = runObserved(
        schedule, payload, contracts, options.limits,
        [&] { normalizeByPlan(payload, options); }, options.listener);
    if (normalized.end == ObservedRun::Ran) {
      settlement.needsForms = true;
      normalized.failure = std::move(run.failure);
      run = std::move(normalized);
    }
  }
  settlement.end = run.end;
  Location last = run.step ? run.step->getLoc() : entry;
  bool isRefuted = result.verdict.kind == Verdict::Refuted;
  switch (run.end) {
  case ObservedRun::Ran:
    settlement.numDisproved =
        eraseFindings(result.findings, [&](const Finding &finding) {
          return saysFailure(finding, options);
        });
    if (isRefuted && !result.findings.hasErrors())
      result.verdict.kind = Verdict::Unknown;
    if (settlement.needsForms) {
      run.failure->severity = DiagnosticSeverity::Warning;
      run.failure->note(NoteKind::Evidence, run.failure->loc,
                        "the normalized schedule runs");
      result.findings.add(std::move(*run.failure));
      if (result.verdict.kind == Verdict::Proved)
        result.verdict.kind = Verdict::Unknown;
    }
    settlement.numDecisions = run.effects.size();
    settlement.numEffective = countEffective(run.effects);
    addEffects(run.effects, result, options,
               searchEnablers(schedule, payload, run.effects, contracts,
                              options, settlement.needsForms));
    for (Finding &finding : run.recomputations)
      result.findings.add(std::move(finding));
    if (options.lower && result.verdict.kind != Verdict::Refuted)
      settleLowering(schedule, payload, result, options, settlement);
    // The lowering is of the normalized schedule all the same.
    settlement.numDisproved +=
        eraseIdleWants(schedule, payload, result, options);
    break;
  case ObservedRun::Failed: {
    bool isKnown =
        llvm::any_of(result.findings.get(), [](const Finding &finding) {
          return finding.severity == DiagnosticSeverity::Error &&
                 claimsFailure(finding.id);
        });
    if (!isKnown) {
      // The failure itself replaces the earlier finding that the step may fail.
      (void)eraseFindings(result.findings, [&](const Finding &finding) {
        return finding.id == "fw-unproved" && finding.loc == run.failure->loc;
      });
      result.findings.add(*run.failure);
    }
    result.verdict.kind = Verdict::Refuted;
    // A step that did nothing may be why a later one fails.
    addEffects(run.effects, result, options);
    break;
  }
  case ObservedRun::Crashed:
    if (isRefuted)
      break;
    if (run.step && !run.isDone) {
      result.findings
          .add(Finding(last, "fw-step-crashes",
                       Twine("requires MLIR to carry out '") +
                           run.step->getName().getStringRef() +
                           "' but MLIR crashes"))
          .note(NoteKind::Evidence, last,
                "the process was " + run.child.explain());
      result.verdict.kind = Verdict::Refuted;
      break;
    }
    warnUnsettled(result, last, "MLIR crashes")
        .note(NoteKind::Evidence, last,
              "the process was " + run.child.explain());
    result.verdict.kind = Verdict::Unknown;
    break;
  case ObservedRun::Stopped:
    if (result.verdict.kind == Verdict::Unknown)
      warnUnsettled(result, last, "the run was " + run.child.explain());
    break;
  }
  settlement.child = std::move(run.child);
  return settlement;
}
