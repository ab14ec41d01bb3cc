//===- Minimize.cpp - Fewer enablers in a schedule --------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/schedule/Minimize.h"

#include "normalforms/Establish.h"
#include "transforms/schedule/Trial.h"
#include "verifier/plan/Enablers.h"
#include "verifier/plan/Redundancy.h"

#include <array>

using namespace mlir;
using namespace formwork;
using namespace formwork::transforms;

namespace {
/// A schedule without some enablers, normalized.
struct Proposal {
  SmallVector<Operation *> enablers; ///< that are left out
  unsigned cost = 0;
  Trial trial;
};

class Minimizer {
public:
  Minimizer(ScheduleInput &input, const normalforms::FormLibrary &forms,
            const normalforms::ContractLibrary &contracts,
            const PrepareOptions &options)
      : input(input), forms(forms), contracts(contracts), options(options),
        enablers(verifier::getEnablers(*input.schedule)) {}

  /// None when the steps cannot be taken out, or when it costs at least
  /// `limit`.
  std::optional<Proposal> propose(ArrayRef<Operation *> without,
                                  unsigned limit);
  ArrayRef<Operation *> getEnablers() const { return enablers; }

private:
  ScheduleInput &input;
  const normalforms::FormLibrary &forms;
  const normalforms::ContractLibrary &contracts;
  const PrepareOptions &options;
  SmallVector<Operation *> enablers;
};
} // namespace

Trial formwork::transforms::runInserted(ModuleOp payload,
                                        transform::NamedSequenceOp entry,
                                        const verifier::Plan &plan,
                                        const normalforms::FormLibrary &forms) {
  std::optional<ScheduleVariant> copy = ScheduleVariant::create(entry, {});
  applyPlan(copy->fromOriginal(plan), forms);
  return runTrial(payload, copy->getEntry(), forms);
}

SmallVector<verifier::Insertion> formwork::transforms::dropIdleInsertions(
    ModuleOp payload, transform::NamedSequenceOp entry, verifier::Plan &plan,
    const normalforms::FormLibrary &forms, MayDrop mayDrop) {
  SmallVector<verifier::Insertion> idle;
  if (plan.insertions.empty())
    return idle;
  Trial whole = runInserted(payload, entry, plan, forms);
  if (!whole.runs)
    return idle;
  // What one did can be left to another, so that it needs looking at again.
  for (bool dropped = true; dropped;) {
    dropped = false;
    for (size_t i = plan.insertions.size(); i-- > 0;) {
      verifier::Plan fewer = plan;
      fewer.insertions.erase(fewer.insertions.begin() + i);
      Trial trial = runInserted(payload, entry, fewer, forms);
      if (!trial.agreesWith(whole) || !mayDrop(plan.insertions[i], trial))
        continue;
      idle.push_back(plan.insertions[i]);
      plan = std::move(fewer);
      dropped = true;
    }
  }
  std::reverse(idle.begin(), idle.end());
  return idle;
}

/// Without what is not required and makes the schedule fail on the payload that
/// it runs on as written: from none on, each is added again, the first one
/// first, with which it still runs. What is left out is reported, with what
/// happens. Whether what is required breaks it is for others to say.
static void dropBreaking(ModuleOp payload, transform::NamedSequenceOp entry,
                         verifier::Plan &plan,
                         const normalforms::FormLibrary &forms,
                         llvm::function_ref<std::string(Value)> nameOf) {
  if (plan.insertions.empty() ||
      runInserted(payload, entry, plan, forms).runs ||
      !runTrial(payload, entry, forms).runs)
    return;
  auto isKept = [](const verifier::Insertion &insertion) {
    return insertion.required && !insertion.isForGoal();
  };
  verifier::Plan some = plan;
  some.insertions.clear();
  SmallVector<std::pair<verifier::Insertion, std::string>> dropped;
  for (size_t i = 0; i < plan.insertions.size(); ++i) {
    const verifier::Insertion &insertion = plan.insertions[i];
    some.insertions.push_back(insertion);
    if (isKept(insertion))
      continue;
    // With what is required behind it.
    verifier::Plan next = some;
    llvm::copy_if(ArrayRef(plan.insertions).drop_front(i + 1),
                  std::back_inserter(next.insertions), isKept);
    Trial trial = runInserted(payload, entry, next, forms);
    if (trial.runs)
      continue;
    some.insertions.pop_back();
    dropped.push_back({insertion, trial.error});
  }
  if (dropped.empty() || !runInserted(payload, entry, some, forms).runs)
    return;
  plan.insertions = std::move(some.insertions);
  for (auto &[insertion, error] : dropped) {
    engine::Finding &finding = plan.after.findings.add(
        engine::Finding(insertion.neededBy->getLoc(), "fw-plan-conflict",
                        "wants form @" + forms.getForm(insertion.form).name +
                            " but normalizing " + nameOf(insertion.handle) +
                            " to it makes the schedule fail on this payload",
                        DiagnosticSeverity::Warning));
    finding.note(engine::NoteKind::Lost, insertion.before->getLoc(),
                 "with it in front of this step: " + error);
    finding.note(engine::NoteKind::Evidence, insertion.neededBy->getLoc(),
                 "without it, " + insertion.consequence + " (" +
                     insertion.clause + ")");
  }
}

/// Drops what `fitPlan` drops from `plan`, which is for `entry`.
static SmallVector<verifier::Insertion>
dropUnrequired(ModuleOp payload, transform::NamedSequenceOp entry,
               verifier::Plan &plan, const normalforms::FormLibrary &forms,
               const PrepareOptions &options) {
  return dropIdleInsertions(
      payload, entry, plan, forms,
      [&](const verifier::Insertion &insertion, const Trial &trial) {
        if (!insertion.isForGoal())
          return !insertion.required;
        return normalforms::checkForm(forms, forms.getForm(*options.goal),
                                      *trial.result)
            .holds();
      });
}

/// Emits what was dropped, and for whom it had been.
static void reportIdle(ArrayRef<verifier::Insertion> idle,
                       const ScheduleInput &input,
                       const normalforms::FormLibrary &forms) {
  engine::Findings findings;
  for (const verifier::Insertion &insertion : idle) {
    engine::Finding &finding = findings.add(engine::Finding(
        insertion.before->getLoc(), "fw-idle-insertion",
        llvm::formatv("leaves {0} as it is before this step, because to "
                      "normalize it to @{1} makes no difference on this "
                      "payload",
                      input.getName(insertion.handle),
                      forms.getForm(insertion.form).name)
            .str(),
        DiagnosticSeverity::Remark));
    if (insertion.isForGoal())
      finding.note(engine::NoteKind::Evidence, insertion.neededBy->getLoc(),
                   "the payload ends in the goal form without it");
    else
      finding.note(engine::NoteKind::Evidence, insertion.neededBy->getLoc(),
                   "on other payload, without it " + insertion.consequence +
                       " (" + insertion.clause + ")");
  }
  findings.emit();
}

/// How bad the schedule with the insertions of `plan` is by its check: errors,
/// required forms that are missing, and steps that are left to be proved.
static std::array<size_t, 3>
scoreInserted(const verifier::Plan &plan, ScheduleInput &input,
              const normalforms::FormLibrary &forms,
              const normalforms::ContractLibrary &contracts,
              PrepareOptions options) {
  std::optional<ScheduleVariant> copy =
      ScheduleVariant::create(input.entry, {});
  applyPlan(copy->fromOriginal(plan), forms);
  options.onlyRequired = true;
  // A goal is met as the run shows.
  options.goal.reset();
  FailureOr<verifier::Plan> again =
      makePlan(copy->getEntry(), getPayload(input), forms, contracts, options);
  if (failed(again))
    return {~size_t(0), 0, 0};
  const verifier::CheckResult &result = again->after;
  return {result.findings.count(DiagnosticSeverity::Error),
          again->insertions.size(), result.numUnproved};
}

void formwork::transforms::fitPlan(
    ScheduleInput &input, verifier::Plan &plan,
    const normalforms::FormLibrary &forms,
    const normalforms::ContractLibrary &contracts,
    const PrepareOptions &options) {
  if (!input.payload || plan.after.findings.hasErrors())
    return;
  dropBreaking(*input.payload, input.entry, plan, forms,
               [&](Value value) { return input.getName(value); });
  verifier::Plan fewer = plan;
  SmallVector<verifier::Insertion> idle =
      dropUnrequired(*input.payload, input.entry, fewer, forms, options);
  if (idle.empty() ||
      scoreInserted(plan, input, forms, contracts, options) <
          scoreInserted(fewer, input, forms, contracts, options))
    return;
  plan = std::move(fewer);
  if (options.explain)
    reportIdle(idle, input, forms);
}

std::optional<Proposal> Minimizer::propose(ArrayRef<Operation *> without,
                                           unsigned limit) {
  std::optional<ScheduleVariant> variant =
      ScheduleVariant::create(input.entry, without);
  if (!variant)
    return std::nullopt;
  FailureOr<verifier::Plan> plan = makePlan(
      variant->getEntry(), getPayload(input), forms, contracts, options);
  if (failed(plan) || plan->after.findings.hasErrors())
    return std::nullopt;
  Proposal proposal;
  proposal.enablers.assign(without.begin(), without.end());
  proposal.cost = enablers.size() - without.size() + plan->insertions.size();
  if (proposal.cost >= limit)
    return std::nullopt;
  if (input.payload) {
    dropBreaking(*input.payload, variant->getEntry(), *plan, forms,
                 [](Value) { return std::string(); });
    applyPlan(*plan, forms);
    proposal.trial = runTrial(*input.payload, variant->getEntry(), forms);
  }
  return proposal;
}

FailureOr<Minimized> formwork::transforms::minimizeSchedule(
    ScheduleInput &input, const normalforms::FormLibrary &forms,
    const normalforms::ContractLibrary &contracts,
    const PrepareOptions &options) {
  Minimizer minimizer(input, forms, contracts, options);
  ArrayRef<Operation *> enablers = minimizer.getEnablers();
  Minimized result;
  result.before = enablers.size();
  SmallVector<Operation *> without;
  if (input.payload) {
    std::optional<Proposal> best = minimizer.propose({}, ~0u);
    if (best && !best->trial.runs)
      return emitFinding(
          engine::Finding(input.entry.getLoc(), "fw-minimize-failed",
                          "minimizing requires a schedule that runs but it "
                          "does not")
              .note(engine::NoteKind::Evidence, input.entry.getLoc(),
                    best->trial.error));
    if (best) {
      Trial written = std::move(best->trial);
      auto consider = [&](ArrayRef<Operation *> steps) {
        std::optional<Proposal> next = minimizer.propose(steps, best->cost);
        if (!next || !next->trial.agreesWith(written))
          return false;
        best = std::move(next);
        return true;
      };
      bool improved = !consider(enablers);
      // Each that goes can make another one superfluous.
      while (improved) {
        improved = false;
        for (Operation *enabler : enablers) {
          if (llvm::is_contained(best->enablers, enabler))
            continue;
          SmallVector<Operation *> more = best->enablers;
          more.push_back(enabler);
          improved |= consider(more);
        }
      }
      without = best->enablers;
    }
  } else {
    FailureOr<verifier::ScheduleModel> model = verifier::ScheduleModel::create(
        *input.schedule, input.entry.getSymName());
    if (failed(model))
      return failure();
    without = verifier::findRedundantEnablers(*model, forms, contracts);
  }

  // Once more, to say of the answer what there is to say.
  std::optional<ScheduleVariant> variant =
      ScheduleVariant::create(input.entry, without);
  if (!variant) {
    without.clear();
    variant = ScheduleVariant::create(input.entry, without);
  }
  FailureOr<verifier::Plan> plan = makePlan(
      variant->getEntry(), getPayload(input), forms, contracts, options,
      [&](Value value) { return input.getName(variant->toOriginal(value)); });
  if (failed(plan))
    return failure();
  result.plan = variant->toOriginal(*plan);
  if (input.payload && !plan->after.findings.hasErrors()) {
    verifier::Plan fewer = *plan;
    dropBreaking(
        *input.payload, variant->getEntry(), fewer, forms,
        [&](Value value) { return input.getName(variant->toOriginal(value)); });
    dropUnrequired(*input.payload, variant->getEntry(), fewer, forms, options);
    result.plan = variant->toOriginal(fewer);
  }
  if (failed(reportPlan(result.plan, input, forms, contracts, options)))
    return failure();
  result.removed.assign(variant->getRemoved().begin(),
                        variant->getRemoved().end());
  result.after = result.before - without.size() + result.plan.insertions.size();
  return result;
}
