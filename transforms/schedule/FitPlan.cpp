//===- FitPlan.cpp - A plan, as far as one payload needs it -----*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/schedule/FitPlan.h"

#include "engine/Check.h"
#include "transforms/schedule/FailingStep.h"
#include "transforms/schedule/RunNeeds.h"

#include <array>

using namespace mlir;
using namespace formwork;
using namespace formwork::transforms;

std::vector<PlanTrials::Step> PlanTrials::getKey(const verifier::Plan &plan) {
  std::vector<Step> steps;
  for (const verifier::Insertion &insertion : plan.insertions)
    steps.push_back({insertion.before, insertion.handle.getAsOpaquePointer(),
                     insertion.viaIsolatedParent, insertion.form});
  return steps;
}

const Trial &PlanTrials::run(const verifier::Plan &plan) {
  auto [it, isNew] = known.try_emplace(getKey(plan));
  if (isNew) {
    collectRules(plan);
    it->second = runTrial(
        payload, entry, forms, [&] { applyPlan(plan, forms); }, limits);
  }
  return it->second;
}

ResultCheck PlanTrials::checkResult(const verifier::Plan &plan,
                                    const normalforms::Form &form) {
  collectRules(plan);
  return transforms::checkResult(payload, entry, forms, form,
                                 [&] { applyPlan(plan, forms); });
}

void PlanTrials::collectRules(const verifier::Plan &plan) const {
  for (const verifier::Insertion &insertion : plan.insertions)
    if (const normalforms::Form &form = forms.getForm(insertion.form);
        form.hasDriver())
      (void)forms.getDriver(form);
}

Operation *PlanTrials::findFailing(const verifier::Plan &plan) {
  const Trial &trial = run(plan);
  if (trial.runs)
    return nullptr;
  if (byLocation.empty())
    getWholeSchedule(entry)->walk<WalkOrder::PreOrder>([&](Operation *op) {
      byLocation.insert({op->getLoc().getAsOpaquePointer(), op});
    });
  if (trial.where)
    if (Operation *step = byLocation.lookup(trial.where->getAsOpaquePointer()))
      return step;
  auto [it, isNew] = failing.try_emplace(getKey(plan));
  if (isNew) {
    std::optional<ScheduleVariant> copy = ScheduleVariant::create(entry, {});
    applyPlan(copy->fromOriginal(plan), forms);
    if (Operation *step = findFailingStep(payload, copy->getEntry()).step)
      it->second = byLocation.lookup(step->getLoc().getAsOpaquePointer());
  }
  return it->second;
}

SmallVector<verifier::Insertion> formwork::transforms::dropIdleInsertions(
    PlanTrials &trials, verifier::Plan &plan, MayDrop mayDrop) {
  SmallVector<verifier::Insertion> idle;
  if (plan.insertions.empty())
    return idle;
  const Trial &whole = trials.run(plan);
  if (!whole.runs)
    return idle;
  // Dropping one insertion can make another one necessary, so all are tried
  // again.
  for (bool dropped = true; dropped;) {
    dropped = false;
    for (size_t i = plan.insertions.size(); i-- > 0;) {
      verifier::Plan fewer = plan;
      fewer.insertions.erase(fewer.insertions.begin() + i);
      if (!trials.run(fewer).agreesWith(whole) ||
          !mayDrop(plan.insertions[i], fewer))
        continue;
      idle.push_back(plan.insertions[i]);
      plan = std::move(fewer);
      dropped = true;
    }
  }
  std::reverse(idle.begin(), idle.end());
  return idle;
}

/// Whether the rules of `form` include those of @canonical.
static bool includesCanonical(normalforms::AtomId form,
                              const normalforms::FormLibrary &forms) {
  const normalforms::Form *canonical = forms.lookup("canonical");
  FW_CHECK(canonical, "the built-in library declares @canonical");
  return forms.lattice().refines(form, canonical->atom);
}

/// `plan` with insertion `from` in front of `to`, on the same payload.
static verifier::Plan moveInFront(const verifier::Plan &plan, size_t from,
                                  size_t to) {
  verifier::Plan moved = plan;
  verifier::Insertion insertion = plan.insertions[from];
  const verifier::Insertion &next = plan.insertions[to];
  insertion.before = next.before;
  insertion.handle = next.handle;
  insertion.viaIsolatedParent = next.viaIsolatedParent;
  insertion.onModule = next.onModule;
  insertion.liveInside = next.liveInside;
  moved.insertions.erase(moved.insertions.begin() + from);
  moved.insertions.insert(moved.insertions.begin() + to, std::move(insertion));
  return moved;
}

void formwork::transforms::moveLateInsertions(PlanTrials &trials,
                                              verifier::Plan &plan) {
  const normalforms::FormLibrary &forms = trials.getForms();
  for (size_t i = 1; i < plan.insertions.size(); ++i) {
    const verifier::Insertion &late = plan.insertions[i];
    if (includesCanonical(late.form, forms))
      continue;
    const Trial &whole = trials.run(plan);
    if (!whole.runs)
      return;
    verifier::Plan without = plan;
    without.insertions.erase(without.insertions.begin() + i);
    if (!trials.run(without).agreesWith(whole))
      continue;
    for (size_t j = i; j-- > 0;) {
      const verifier::Insertion &other = plan.insertions[j];
      if (!includesCanonical(other.form, forms) ||
          forms.getForm(other.form).anchor != forms.getForm(late.form).anchor)
        continue;
      verifier::Plan moved = moveInFront(plan, i, j);
      const Trial &trial = trials.run(moved);
      if (!trial.runs || trial.agreesWith(whole))
        continue;
      plan = std::move(moved);
      break;
    }
  }
}

/// Warns that `plan` goes without `insertion`, with which a run ends in
/// `error`.
static void warnOfBreaking(verifier::Plan &plan,
                           const verifier::Insertion &insertion,
                           StringRef error,
                           const normalforms::FormLibrary &forms,
                           llvm::function_ref<std::string(Value)> nameOf) {
  const std::string &form = forms.getForm(insertion.form).name;
  Finding finding(insertion.neededBy->getLoc(), "fw-plan-conflict",
                  "wants form @" + form + " but normalizing " +
                      nameOf(insertion.handle) +
                      " to it makes the schedule fail on this payload",
                  DiagnosticSeverity::Warning);
  finding.lackedForm = form;
  finding
      .note(engine::NoteKind::Lost, insertion.before->getLoc(),
            "with the normalization before this step: " + error)
      .note(engine::NoteKind::Evidence, insertion.neededBy->getLoc(),
            "without the form, " + insertion.consequence + " (" +
                insertion.clause + ")");
  plan.after.findings.add(std::move(finding));
}

static bool isKept(const verifier::Insertion &insertion) {
  return insertion.required && !insertion.isForGoal();
}

/// Drops the one insertion from `plan` without which the schedule runs, if
/// there is one: it fails without any of them as well.
static void dropOneBreaking(PlanTrials &trials, verifier::Plan &plan,
                            llvm::function_ref<std::string(Value)> nameOf) {
  const Trial whole = trials.run(plan);
  for (size_t i = 0; i < plan.insertions.size() && !whole.isStopped; ++i) {
    if (isKept(plan.insertions[i]))
      continue;
    verifier::Plan fewer = plan;
    fewer.insertions.erase(fewer.insertions.begin() + i);
    const Trial &trial = trials.run(fewer);
    if (trial.isStopped)
      return;
    if (!trial.runs)
      continue;
    verifier::Insertion dropped = plan.insertions[i];
    plan = std::move(fewer);
    return warnOfBreaking(plan, dropped, whole.error, trials.getForms(),
                          nameOf);
  }
}

void formwork::transforms::dropBreaking(
    PlanTrials &trials, verifier::Plan &plan,
    llvm::function_ref<std::string(Value)> nameOf) {
  if (plan.insertions.empty() || trials.run(plan).runs)
    return;
  if (!trials.run(verifier::Plan()).runs)
    return dropOneBreaking(trials, plan, nameOf);
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
    const Trial &trial = trials.run(next);
    if (trial.runs)
      continue;
    some.insertions.pop_back();
    dropped.push_back({insertion, trial.error});
  }
  if (dropped.empty() || !trials.run(some).runs)
    return;
  plan.insertions = std::move(some.insertions);
  for (auto &[insertion, error] : dropped)
    warnOfBreaking(plan, insertion, error, trials.getForms(), nameOf);
}

/// Drops what makes no difference from `plan`: what is merely wanted, or all. A
/// goal must hold without.
static SmallVector<verifier::Insertion>
dropIdleBy(PlanTrials &trials, verifier::Plan &plan,
           const PrepareOptions &options, bool evenRequired) {
  return dropIdleInsertions(
      trials, plan,
      [&](const verifier::Insertion &insertion, const verifier::Plan &without) {
        if (!insertion.isForGoal())
          return evenRequired || !insertion.required;
        return trials
            .checkResult(without, trials.getForms().getForm(*options.goal))
            .holds;
      });
}

/// How bad the schedule with the insertions of `plan` is by its check: errors,
/// required forms that are missing, and steps that are left to be proved.
static std::array<size_t, 3>
scoreInserted(const verifier::Plan &plan, transform::NamedSequenceOp entry,
              ScheduleInput &input, const normalforms::Libraries &libraries,
              PrepareOptions options) {
  std::optional<ScheduleVariant> copy = ScheduleVariant::create(entry, {});
  applyPlan(copy->fromOriginal(plan), *libraries.forms);
  options.onlyRequired = true;
  // A goal is met as the run shows.
  options.goal.reset();
  FailureOr<verifier::Plan> again =
      makePlan(copy->getEntry(), getPayload(input), libraries, options);
  if (failed(again))
    return {~size_t(0), 0, 0};
  const verifier::CheckResult &result = again->after;
  return {result.findings.count(DiagnosticSeverity::Error),
          again->insertions.size(), result.numUnproved};
}

/// The errors, and the steps left to be proved, in the check of the schedule
/// with the insertions of `plan`, as `recheckEdited` counts them.
static std::optional<std::pair<size_t, size_t>>
countOpen(const verifier::Plan &plan, transform::NamedSequenceOp entry,
          ScheduleInput &input, const normalforms::Libraries &libraries,
          const PrepareOptions &options) {
  std::optional<InsertedCheck> result =
      checkInserted(plan, entry, input, libraries, options);
  if (!result)
    return std::nullopt;
  return std::pair(result->findings.count(DiagnosticSeverity::Error),
                   result->numOpen);
}

void PlanFitter::makeWork(verifier::Plan &plan, bool mayMend) {
  dropBreaking(trials, plan, [&](Value value) {
    return input.getName(variant.toOriginal(value));
  });
  if (mayMend)
    meetRunNeeds(trials, plan, options.isFixed);
  takeDeclined(plan);
  moveLateInsertions(trials, plan);
  if (const Trial &trial = trials.run(plan); mayMend && trial.isStopped)
    plan.after.findings.add(
        Finding(input.entry.getLoc(), "fw-run-unsettled",
                "is not settled by a run, so insertions that may make no "
                "difference on this payload are kept: " +
                    trial.error,
                DiagnosticSeverity::Warning));
  if (mayMend && options.enable && !options.onlyRequired &&
      trials.run(plan).runs)
    enableIdle(plan);
}

/// Drops from `plan` that a step which `insertion` serves lacks the form.
static void dropUnmet(verifier::Plan &plan,
                      const verifier::Insertion &insertion,
                      const normalforms::FormLibrary &forms) {
  auto isServed = [&](const Finding &finding) {
    const normalforms::Form *form = forms.lookup(finding.lackedForm);
    return form && forms.lattice().refines(insertion.form, form->atom) &&
           (finding.loc == insertion.neededBy->getLoc() ||
            llvm::any_of(insertion.alsoNeededBy, [&](Operation *other) {
              return other->getLoc() == finding.loc;
            }));
  };
  (void)eraseFindings(plan.after.findings, isServed);
}

void PlanFitter::takeDeclined(verifier::Plan &plan) {
  if (plan.declined.empty() || !trials.run(plan).runs)
    return;
  auto count = [&](const verifier::Plan &of) {
    return countOpen(of, variant.getEntry(), input, libraries, options);
  };
  auto least = count(plan);
  if (!least)
    return;
  for (const verifier::Insertion &declined : plan.declined) {
    verifier::Plan more = plan;
    auto later = llvm::find_if(more.insertions,
                               [&](const verifier::Insertion &insertion) {
                                 return insertion.point > declined.point;
                               });
    more.insertions.insert(later, declined);
    if (!trials.run(more).runs)
      continue;
    auto left = count(more);
    if (!left || left->first > least->first || left->second > least->second)
      continue;
    dropUnmet(more, declined, *libraries.forms);
    plan.insertions = std::move(more.insertions);
    plan.after.findings = std::move(more.after.findings);
  }
}

void PlanFitter::enableIdle(verifier::Plan &plan) {
  verifier::Plan more = plan;
  options.enable(variant.getEntry(), *input.payload, more, [&](Value value) {
    return input.getName(variant.toOriginal(value));
  });
  plan.after.findings = more.after.findings;
  if (more.insertions.size() == plan.insertions.size())
    return;
  verifier::Plan none = plan;
  none.insertions.clear();
  auto written = countOpen(none, input.entry, input, libraries, options);
  // From the last one on, until the rest is no worse.
  while (more.insertions.size() > plan.insertions.size()) {
    auto left = countOpen(more, variant.getEntry(), input, libraries, options);
    if (left && written && *left <= *written && trials.run(more).runs) {
      plan = std::move(more);
      return;
    }
    auto last = llvm::find_if(llvm::reverse(more.insertions),
                              [](const verifier::Insertion &insertion) {
                                return insertion.isForEffect();
                              });
    more.insertions.erase(std::prev(last.base()));
  }
}

SmallVector<verifier::Insertion> PlanFitter::dropIdle(verifier::Plan &plan) {
  SmallVector<verifier::Insertion> idle;
  transform::NamedSequenceOp entry = variant.getEntry();
  auto score = [&](const verifier::Plan &of) {
    return scoreInserted(of, entry, input, libraries, options);
  };
  verifier::Plan fewer = plan;
  SmallVector<verifier::Insertion> dropped =
      dropIdleBy(trials, fewer, options, /*evenRequired=*/false);
  if (!dropped.empty() && score(fewer) <= score(plan)) {
    plan = fewer;
    idle = std::move(dropped);
  }
  // Without a form that it requires a step fails, or its result is wrong; here
  // neither happens. The step is as open as it was.
  fewer = plan;
  dropped = dropIdleBy(trials, fewer, options, /*evenRequired=*/true);
  if (dropped.empty())
    return idle;
  verifier::Plan none = plan;
  none.insertions.clear();
  auto open = [&](const verifier::Plan &of, transform::NamedSequenceOp in) {
    return countOpen(of, in, input, libraries, options);
  };
  auto left = open(fewer, entry), written = open(none, input.entry);
  if (left && written && left->first <= written->first &&
      left->second <= written->second) {
    plan = std::move(fewer);
    idle.append(dropped);
  }
  return idle;
}

SmallVector<verifier::Insertion> formwork::transforms::fitVariant(
    ScheduleInput &input, const ScheduleVariant &variant, verifier::Plan &plan,
    const normalforms::Libraries &libraries, const PrepareOptions &options) {
  if (!input.payload || plan.after.findings.hasErrors())
    return {};
  PlanFitter fitter(input, variant, libraries, options);
  fitter.makeWork(plan);
  return fitter.dropIdle(plan);
}

SmallVector<verifier::Insertion>
formwork::transforms::fitPlan(ScheduleInput &input, verifier::Plan &plan,
                              const normalforms::Libraries &libraries,
                              const PrepareOptions &options) {
  std::optional<ScheduleVariant> whole =
      ScheduleVariant::create(input.entry, {});
  verifier::Plan copy = whole->fromOriginal(plan);
  verifier::Plan idle;
  idle.insertions = fitVariant(input, *whole, copy, libraries, options);
  plan = whole->toOriginal(copy);
  return whole->toOriginal(idle).insertions;
}
