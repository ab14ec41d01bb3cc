//===- Prepare.cpp - From a schedule as written to one that works ---------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/schedule/Prepare.h"

#include "transforms/TransformOps/NormalFormTransformOps.h"
#include "transforms/schedule/AllowedSteps.h"
#include "transforms/schedule/FitPlan.h"
#include "transforms/schedule/Recheck.h"
#include "transforms/schedule/RunNeeds.h"

#include "mlir/Dialect/Transform/IR/TransformTypes.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::transforms;
using engine::Finding;
using engine::Findings;
using engine::NoteKind;
using normalforms::FormLibrary;
using verifier::Insertion;

/// The remark about one insertion, at the step that it was made for.
static Finding explainInsertion(const Insertion &insertion,
                                ScheduleInput &input,
                                const FormLibrary &forms) {
  Finding finding(
      insertion.before->getLoc(), "fw-inserted",
      llvm::formatv(
          "normalizes {0}{1} to @{2} before this step, {3} {4} it",
          insertion.viaIsolatedParent ? "the parent of " : "",
          input.getName(insertion.handle), forms.getForm(insertion.form).name,
          insertion.before == insertion.neededBy ? "which" : "for one that",
          insertion.required ? "requires" : "wants"),
      DiagnosticSeverity::Remark);
  finding.note(NoteKind::Evidence, insertion.neededBy->getLoc(),
               "without the form, " + insertion.consequence + " (" +
                   insertion.clause + ")");
  for (Operation *other : insertion.alsoNeededBy)
    finding.note(NoteKind::Evidence, other->getLoc(),
                 "this step needs the form, too");
  for (Value handle : insertion.liveInside)
    finding.note(NoteKind::Approximation, handle.getLoc(),
                 input.getName(handle) +
                     " is used later and may follow the rewrites");
  return finding;
}

Value formwork::transforms::createIsolatedParent(OpBuilder &builder,
                                                 Location loc, Value handle) {
  return transform::GetParentOp::create(
      builder, loc, transform::AnyOpType::get(builder.getContext()), handle,
      /*isolated_from_above=*/true, /*allow_empty_results=*/false,
      /*op_name=*/nullptr, /*deduplicate=*/true, /*nth_parent=*/1);
}

/// Emits what was left out because it makes no difference, and for whom it had
/// been: what is required in any case, the rest if `options` ask for it.
static void reportIdle(ArrayRef<Insertion> idle, const ScheduleInput &input,
                       const FormLibrary &forms,
                       const PrepareOptions &options) {
  Findings findings;
  for (const Insertion &insertion : idle) {
    bool isRequired = insertion.required && !insertion.isForGoal();
    if (!isRequired && !options.explain)
      continue;
    Finding &finding = findings.add(Finding(
        insertion.before->getLoc(), "fw-idle-insertion",
        llvm::formatv(
            "leaves {0} as it is before this step, because normalizing the "
            "payload to @{1} makes no difference here",
            input.getName(insertion.handle),
            forms.getForm(insertion.form).name),
        DiagnosticSeverity::Remark));
    if (insertion.isForGoal())
      finding.note(NoteKind::Evidence, insertion.neededBy->getLoc(),
                   "the payload ends in the goal form anyway");
    else
      finding.note(NoteKind::Evidence, insertion.neededBy->getLoc(),
                   "on other payload, without the form " +
                       insertion.consequence + " (" + insertion.clause + ")");
    if (isRequired)
      finding.note(NoteKind::Approximation, insertion.neededBy->getLoc(),
                   "this step requires the form: without the form, only the "
                   "run shows that the step works");
  }
  findings.emit();
}

void formwork::transforms::applyPlan(const verifier::Plan &plan,
                                     const FormLibrary &forms) {
  for (const Insertion &insertion : plan.insertions) {
    OpBuilder builder(insertion.before);
    Location loc = insertion.before->getLoc();
    Value anchor = insertion.handle;
    if (insertion.viaIsolatedParent)
      anchor = createIsolatedParent(builder, loc, anchor);
    transform::NormalizeOp::create(
        builder, loc, anchor,
        FlatSymbolRefAttr::get(builder.getContext(),
                               forms.getForm(insertion.form).name));
  }
}

verifier::CheckOptions
formwork::transforms::getCheckOptions(const ScheduleInput &input,
                                      const PrepareOptions &options) {
  verifier::CheckOptions check;
  check.target = options.target;
  check.goal = options.goal;
  check.nameOf = [&input](Value value) { return input.getName(value); };
  return check;
}

FailureOr<verifier::ScheduleModel>
formwork::transforms::getModel(const ScheduleInput &input) {
  transform::NamedSequenceOp entry = input.entry;
  return verifier::ScheduleModel::create(*input.schedule, entry.getSymName());
}

unsigned formwork::transforms::eraseFindings(
    Findings &findings, llvm::function_ref<bool(const Finding &)> isErased) {
  Findings kept;
  for (const Finding &finding : findings.get())
    if (!isErased(finding))
      kept.add(finding);
  unsigned number = findings.get().size() - kept.get().size();
  findings = std::move(kept);
  return number;
}

Operation *formwork::transforms::getPayload(ScheduleInput &input) {
  return input.payload ? input.payload->getOperation() : nullptr;
}

FailureOr<verifier::CheckResult>
formwork::transforms::checkInput(ScheduleInput &input,
                                 const normalforms::Libraries &libraries,
                                 const verifier::CheckOptions &check) {
  FailureOr<verifier::ScheduleModel> model = getModel(input);
  if (failed(model))
    return failure();
  return verifier::checkSchedule(*model, getPayload(input), libraries, check);
}

FailureOr<verifier::Plan> formwork::transforms::makePlan(
    transform::NamedSequenceOp entry, Operation *payload,
    const normalforms::Libraries &libraries, const PrepareOptions &options,
    std::function<std::string(Value)> nameOf) {
  auto module = cast<ModuleOp>(getWholeSchedule(entry));
  FailureOr<verifier::ScheduleModel> model =
      verifier::ScheduleModel::create(module, entry.getSymName());
  if (failed(model))
    return failure();
  verifier::PlanOptions planOptions;
  planOptions.includeWants = !options.onlyRequired;
  if (options.isFixed)
    planOptions.mayInsertBefore = [&options](Operation *op) {
      return !options.isFixed(op->getLoc());
    };
  planOptions.check.target = options.target;
  planOptions.check.goal = options.goal;
  planOptions.check.nameOf = std::move(nameOf);
  return verifier::planNormalization(*model, payload, libraries, planOptions);
}

LogicalResult
formwork::transforms::reportPlan(verifier::Plan &plan, ScheduleInput &input,
                                 const normalforms::Libraries &libraries,
                                 const PrepareOptions &options) {
  addProposals(plan.after, input, libraries, options);
  Findings &findings = plan.after.findings;
  bool refuted = findings.hasErrors();
  if (!refuted && options.explain)
    for (const Insertion &insertion : plan.insertions)
      findings.add(explainInsertion(insertion, input, *libraries.forms));
  if (!refuted && !plan.exact)
    findings.add(Finding(
        input.entry.getLoc(), "fw-plan-bound",
        llvm::formatv("inserts {0} normalizations, none of which can be left "
                      "out; whether others are better was not decided, and to "
                      "meet all that can be met takes at least {1}",
                      plan.insertions.size(), plan.lowerBound),
        DiagnosticSeverity::Remark));
  findings.emit();
  return failure(refuted);
}

/// Says of the goal what a run of `entry` with `plan` shows: one that is
/// reached by decisions, and not by rewriting, is never known before.
static void judgeGoal(verifier::Plan &plan, ScheduleInput &input,
                      transform::NamedSequenceOp entry,
                      const FormLibrary &forms, const PrepareOptions &options) {
  if (!options.goal || plan.after.findings.hasErrors())
    return;
  ResultCheck check;
  if (input.payload)
    check = PlanTrials(*input.payload, entry, forms)
                .checkResult(plan, forms.getForm(*options.goal));
  Findings findings;
  for (Finding finding : plan.after.findings.get()) {
    if (finding.id == "fw-missing-goal") {
      if (check.holds)
        continue;
      for (const ResultCheck::Violation &violation : check.violations)
        finding.note(NoteKind::Evidence, violation.loc, violation.message);
      if (!check.runs && options.isTargetsGoal)
        finding.severity = DiagnosticSeverity::Remark;
    }
    findings.add(std::move(finding));
  }
  plan.after.findings = std::move(findings);
}

FailureOr<FittedPlan> formwork::transforms::makeFittedPlan(
    ScheduleInput &input, const ScheduleVariant &variant,
    const normalforms::Libraries &libraries, const PrepareOptions &options) {
  FailureOr<verifier::Plan> plan = makePlan(
      variant.getEntry(), getPayload(input), libraries, options,
      [&](Value value) { return input.getName(variant.toOriginal(value)); });
  if (failed(plan))
    return failure();
  FittedPlan fitted{std::move(*plan), {}};
  if (!options.fitToPayload || !input.payload) {
    if (input.payload && !fitted.plan.after.findings.hasErrors())
      PlanFitter(input, variant, libraries, options).takeDeclined(fitted.plan);
    return fitted;
  }
  auto isOutside = [](const Finding &finding) {
    return finding.id == "fw-no-source";
  };
  if (llvm::any_of(fitted.plan.after.findings.get(), isOutside)) {
    // Insertions out of reach may make no difference on this payload.
    PrepareOptions anywhere = options;
    anywhere.isFixed = nullptr;
    FailureOr<FittedPlan> other =
        makeFittedPlan(input, variant, libraries, anywhere);
    if (succeeded(other) && !other->plan.after.findings.hasErrors() &&
        llvm::none_of(other->plan.insertions, [&](const Insertion &insertion) {
          return options.isFixed(insertion.before->getLoc());
        }))
      return other;
  }
  if (fitted.plan.after.findings.hasErrors())
    if (std::optional<verifier::Plan> other =
            planAroundFailure(input, variant, fitted.plan, libraries, options))
      fitted.plan = std::move(*other);
  fitted.idle = fitVariant(input, variant, fitted.plan, libraries, options);
  return fitted;
}

std::optional<InsertedCheck> formwork::transforms::checkInserted(
    const verifier::Plan &plan, transform::NamedSequenceOp entry,
    ScheduleInput &input, const normalforms::Libraries &libraries,
    const PrepareOptions &options) {
  std::optional<ScheduleVariant> copy = ScheduleVariant::create(entry, {});
  applyPlan(copy->fromOriginal(plan), *libraries.forms);
  transform::NamedSequenceOp copied = copy->getEntry();
  FailureOr<verifier::ScheduleModel> model =
      verifier::ScheduleModel::create(copy->getModule(), copied.getSymName());
  if (failed(model))
    return std::nullopt;
  verifier::CheckOptions check;
  check.target = options.target;
  verifier::CheckResult result =
      verifier::checkSchedule(*model, getPayload(input), libraries, check);
  size_t numOpen = getOpenSteps(result).size();
  return InsertedCheck{std::move(result.findings), numOpen};
}

/// Drops the warnings about handles that a check of the schedule with its
/// insertions does not have: only that check tries steps on the payload.
static void dropDisproved(verifier::Plan &plan,
                          transform::NamedSequenceOp entry,
                          ScheduleInput &input,
                          const normalforms::Libraries &libraries,
                          const PrepareOptions &options) {
  auto isDoubt = [](const Finding &finding) {
    return finding.id == "fw-use-after-consume" &&
           finding.severity == DiagnosticSeverity::Warning;
  };
  if (!input.payload || llvm::none_of(plan.after.findings.get(), isDoubt))
    return;
  std::optional<InsertedCheck> checked =
      checkInserted(plan, entry, input, libraries, options);
  if (!checked)
    return;
  (void)eraseFindings(plan.after.findings, [&](const Finding &finding) {
    return isDoubt(finding) &&
           llvm::none_of(checked->findings.get(), [&](const Finding &other) {
             return other.id == finding.id && other.loc == finding.loc;
           });
  });
}

FailureOr<verifier::Plan> formwork::transforms::planVariant(
    ScheduleInput &input, const ScheduleVariant &variant,
    const normalforms::Libraries &libraries, const PrepareOptions &options) {
  FailureOr<FittedPlan> fitted =
      makeFittedPlan(input, variant, libraries, options);
  if (failed(fitted))
    return failure();
  verifier::Plan idle;
  idle.insertions = std::move(fitted->idle);
  reportIdle(variant.toOriginal(idle).insertions, input, *libraries.forms,
             options);
  judgeGoal(fitted->plan, input, variant.getEntry(), *libraries.forms, options);
  dropDisproved(fitted->plan, variant.getEntry(), input, libraries, options);
  verifier::Plan plan = variant.toOriginal(fitted->plan);
  if (failed(reportPlan(plan, input, libraries, options)))
    return failure();
  return plan;
}

FailureOr<verifier::Plan>
formwork::transforms::planSchedule(ScheduleInput &input,
                                   const normalforms::Libraries &libraries,
                                   const PrepareOptions &options) {
  std::optional<ScheduleVariant> whole =
      ScheduleVariant::create(input.entry, {});
  return planVariant(input, *whole, libraries, options);
}

/// Makes a warning of each missing form in `findings` that makes no difference
/// on the payload, as `normalize` leaves it out there.
static void excuseIdle(Findings &findings, ScheduleInput &input,
                       const normalforms::Libraries &libraries,
                       PrepareOptions options) {
  auto isMissing = [](const Finding &finding) {
    return finding.id == "fw-missing-form" &&
           finding.severity == DiagnosticSeverity::Error;
  };
  if (!input.payload || llvm::none_of(findings.get(), isMissing))
    return;
  options.onlyRequired = true;
  options.explain = false;
  options.goal.reset();
  FailureOr<verifier::Plan> plan =
      makePlan(input.entry, getPayload(input), libraries, options);
  if (failed(plan) || plan->after.findings.hasErrors())
    return;
  llvm::SmallVector<Insertion> idle = fitPlan(input, *plan, libraries, options);
  Findings excused;
  for (Finding finding : findings.get()) {
    bool isIdle =
        isMissing(finding) && llvm::any_of(idle, [&](const Insertion &other) {
          return other.serves(finding.loc);
        });
    if (isIdle) {
      finding.severity = DiagnosticSeverity::Warning;
      finding.note(NoteKind::Evidence, finding.loc,
                   "on this payload, the schedule runs without the form and "
                   "leaves the same payload");
    }
    excused.add(std::move(finding));
  }
  findings = std::move(excused);
}

LogicalResult formwork::transforms::refuseUnnormalized(
    ScheduleInput &input, const normalforms::Libraries &libraries,
    const PrepareOptions &options) {
  verifier::CheckOptions check = getCheckOptions(input, options);
  check.requireForms = true;
  FailureOr<verifier::CheckResult> result = checkInput(input, libraries, check);
  if (failed(result))
    return failure();
  excuseIdle(result->findings, input, libraries, options);
  bool refuted = result->findings.hasErrors();
  result->findings.emit();
  return failure(refuted);
}

LogicalResult
formwork::transforms::refuseFailing(ScheduleInput &input,
                                    const normalforms::Libraries &libraries,
                                    const PrepareOptions &options) {
  FailureOr<verifier::CheckResult> result =
      checkInput(input, libraries, getCheckOptions(input, options));
  if (failed(result))
    return failure();
  (void)eraseFindings(result->findings, [](const Finding &finding) {
    return finding.severity != DiagnosticSeverity::Error;
  });
  bool refuted = !result->findings.empty();
  result->findings.emit();
  return failure(refuted);
}
