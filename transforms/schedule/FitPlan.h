//===- FitPlan.h - A plan, as far as one payload needs it -------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tries the insertions of a plan on a payload, and leaves out what breaks the
// schedule there or makes no difference. Layer: transforms; it runs schedules
// and changes plans, no IR.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_SCHEDULE_FITPLAN_H
#define FORMWORK_TRANSFORMS_SCHEDULE_FITPLAN_H

#include "normalforms/Libraries.h"
#include "transforms/schedule/Prepare.h"
#include "transforms/schedule/Trial.h"

#include <map>
#include <tuple>
#include <vector>

namespace formwork::transforms {

/// Runs a schedule with one plan or another on copies of a payload, each once.
class PlanTrials {
public:
  /// The plans are for `entry`, which stays as it is; all must live longer.
  /// `limits` are those of each run for `run`.
  PlanTrials(mlir::ModuleOp payload, mlir::transform::NamedSequenceOp entry,
             const normalforms::FormLibrary &forms,
             engine::ChildLimits limits = getTrialLimits())
      : payload(payload), entry(entry), forms(forms), limits(limits) {}

  /// Cost: a run, unless there was one with the same insertions. The result
  /// lives as long as this object.
  const Trial &run(const verifier::Plan &plan);
  /// The payload after the schedule with `plan`, as `form` sees it. Cost: a
  /// run.
  ResultCheck checkResult(const verifier::Plan &plan,
                          const normalforms::Form &form);
  /// The step of the schedule that fails with `plan`, which does not run, or
  /// null: an insertion counts as the step behind it. Cost: a run, unless it
  /// was asked before.
  mlir::Operation *findFailing(const verifier::Plan &plan);

  mlir::transform::NamedSequenceOp getEntry() const { return entry; }
  const normalforms::FormLibrary &getForms() const { return forms; }

private:
  /// One insertion, as far as a run depends on it.
  using Step = std::tuple<mlir::Operation *, const void *, bool, unsigned>;
  static std::vector<Step> getKey(const verifier::Plan &plan);
  /// Collects the rules of the forms of `plan` here, where they stay known,
  /// instead of in each run.
  void collectRules(const verifier::Plan &plan) const;

  mlir::ModuleOp payload;
  mlir::transform::NamedSequenceOp entry;
  const normalforms::FormLibrary &forms;
  engine::ChildLimits limits;
  std::map<std::vector<Step>, Trial> known;
  std::map<std::vector<Step>, mlir::Operation *> failing;
  /// The steps of the schedule by where they are written.
  llvm::DenseMap<const void *, mlir::Operation *> byLocation;
};

/// Whether an insertion may be left out, for all but the result; `without` is
/// the plan that is left.
using MayDrop = llvm::function_ref<bool(const verifier::Insertion &insertion,
                                        const verifier::Plan &without)>;

/// Drops insertions that `mayDrop` gives up from `plan`, until each of these
/// that is left makes a difference: without it the schedule fails, or its
/// result is another. From the last to the first, so that there is one answer;
/// returns what was dropped, in the order of the plan. Nothing goes when the
/// schedule fails with all of them. Cost: a run for each, as often as one goes
/// in a round.
llvm::SmallVector<verifier::Insertion> dropIdleInsertions(
    PlanTrials &trials, verifier::Plan &plan,
    MayDrop mayDrop = [](const verifier::Insertion &, const verifier::Plan &) {
      return true;
    });

/// Drops insertions that are wanted, or are for the goal, and make the schedule
/// fail on a payload on which it runs as written. Starting from none, each is
/// added again in order, if the schedule still runs. If the schedule does not
/// run as written, at most one is dropped: one without which it runs. Each
/// dropped insertion is reported in the plan's findings (a warning,
/// fw-plan-conflict) with the failure; `nameOf` names handles. Required
/// insertions are not dropped. Cost: two runs, and one for each insertion.
void dropBreaking(PlanTrials &trials, verifier::Plan &plan,
                  llvm::function_ref<std::string(mlir::Value)> nameOf);

/// Moves what comes too late: an insertion without @canonical in its form looks
/// at payload as the steps left it, and one with it, in front of it in `plan`,
/// may fold away what it looks for. If it makes no difference where it stands,
/// but does in front of one of these, it goes there, to the latest such place.
/// Nothing moves when the schedule fails with all of them. Cost: a run for each
/// such insertion, and one for each place.
void moveLateInsertions(PlanTrials &trials, verifier::Plan &plan);

/// Fits plans for one variant of the schedule of `input` to its payload, which
/// there is.
class PlanFitter {
public:
  /// All must live longer; the payload and the variant stay as they are.
  PlanFitter(ScheduleInput &input, const ScheduleVariant &variant,
             const normalforms::Libraries &libraries,
             const PrepareOptions &options)
      : input(input), variant(variant), libraries(libraries), options(options),
        trials(*input.payload, variant.getEntry(), *libraries.forms) {}

  /// Makes `plan` work: what breaks the schedule is dropped (`dropBreaking`);
  /// where it fails all the same, what makes it run is added if it may be
  /// mended (`meetRunNeeds`); what the plan declined is added where the check
  /// of the result proves as much, as it tries steps on the payload; what comes
  /// too late is moved (`moveLateInsertions`); and what makes idle steps
  /// effective is added, unless the check of the result is worse than that of
  /// the schedule as written.
  void makeWork(verifier::Plan &plan, bool mayMend = true);
  /// Drops from `plan`, which works, what makes no difference, unless the check
  /// of the rest proves less; and then what is required and makes no
  /// difference, unless the check of the rest proves less than that of the
  /// schedule without any. A goal must hold of the result all the same. Returns
  /// the dropped ones.
  llvm::SmallVector<verifier::Insertion> dropIdle(verifier::Plan &plan);

  const Trial &run(const verifier::Plan &plan) { return trials.run(plan); }

  /// Adds what `plan` declined, where a run and the check of the result, which
  /// tries steps on the payload, show that it harms nobody; drops what the
  /// findings say of it. Cost: without any, none; else a check, and for each a
  /// run and a check.
  void takeDeclined(verifier::Plan &plan);

private:
  void enableIdle(verifier::Plan &plan);

  ScheduleInput &input;
  const ScheduleVariant &variant;
  const normalforms::Libraries &libraries;
  const PrepareOptions &options;
  PlanTrials trials;
};

/// Fits `plan`, which is for `variant` of the schedule of `input`, to the
/// payload; not when there is none, or the check of `plan` refutes the
/// schedule. Returns what made no difference.
llvm::SmallVector<verifier::Insertion>
fitVariant(ScheduleInput &input, const ScheduleVariant &variant,
           verifier::Plan &plan, const normalforms::Libraries &libraries,
           const PrepareOptions &options);

/// `fitVariant` for the plan of the schedule of `input` itself.
llvm::SmallVector<verifier::Insertion>
fitPlan(ScheduleInput &input, verifier::Plan &plan,
        const normalforms::Libraries &libraries, const PrepareOptions &options);

} // namespace formwork::transforms

#endif // FORMWORK_TRANSFORMS_SCHEDULE_FITPLAN_H
