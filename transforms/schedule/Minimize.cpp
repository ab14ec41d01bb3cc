//===- Minimize.cpp - Fewer enablers in a schedule --------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/schedule/Minimize.h"

#include "transforms/schedule/FitPlan.h"
#include "verifier/plan/Enablers.h"
#include "verifier/plan/Redundancy.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::transforms;

/// Keeps the steps that are not in the edited file.
static void eraseFixed(SmallVectorImpl<Operation *> &ops,
                       const PrepareOptions &options) {
  llvm::erase_if(ops, [&](Operation *op) {
    return options.isFixed && options.isFixed(op->getLoc());
  });
}

namespace {
/// A schedule without some enablers, normalized.
struct Proposal {
  SmallVector<Operation *> enablers; ///< that are left out
  size_t cost = 0;
  std::string leaves;
};

class Minimizer {
public:
  Minimizer(ScheduleInput &input, const normalforms::Libraries &libraries,
            const PrepareOptions &options)
      : input(input), libraries(libraries), options(options),
        enablers(verifier::getEnablers(*input.schedule, *libraries.contracts)) {
    eraseFixed(enablers, options);
  }

  /// The schedule as written, normalized; none when the check refutes it, and
  /// failure, which is emitted, when it does not run.
  FailureOr<std::optional<Proposal>> start();
  /// The schedule without `without`, if its result is that of `current` and it
  /// costs no more.
  std::optional<Proposal> propose(const Proposal &current,
                                  ArrayRef<Operation *> without);
  ArrayRef<Operation *> getEnablers() const { return enablers; }

private:
  ScheduleInput &input;
  const normalforms::Libraries &libraries;
  const PrepareOptions &options;
  SmallVector<Operation *> enablers;
};
} // namespace

FailureOr<std::optional<Proposal>> Minimizer::start() {
  std::optional<ScheduleVariant> variant =
      ScheduleVariant::create(input.entry, {});
  FailureOr<FittedPlan> fitted =
      makeFittedPlan(input, *variant, libraries, options);
  if (failed(fitted) || fitted->plan.after.findings.hasErrors())
    return std::optional<Proposal>();
  PlanTrials trials(*input.payload, variant->getEntry(), *libraries.forms);
  const Trial &trial = trials.run(fitted->plan);
  if (!trial.runs)
    return emitFinding(
        engine::Finding(input.entry.getLoc(), "fw-minimize-failed",
                        "minimizing requires a schedule that runs but it "
                        "does not")
            .note(engine::NoteKind::Evidence, input.entry.getLoc(),
                  trial.error));
  return std::optional(Proposal{
      {}, enablers.size() + fitted->plan.insertions.size(), trial.digest});
}

std::optional<Proposal> Minimizer::propose(const Proposal &current,
                                           ArrayRef<Operation *> without) {
  size_t kept = enablers.size() - without.size();
  std::optional<ScheduleVariant> variant =
      ScheduleVariant::create(input.entry, without);
  if (!variant || kept > current.cost)
    return std::nullopt;
  FailureOr<verifier::Plan> plan =
      makePlan(variant->getEntry(), getPayload(input), libraries, options);
  if (failed(plan) || plan->after.findings.hasErrors())
    return std::nullopt;
  PlanFitter fitter(input, *variant, libraries, options);
  // An insertion that repairs the schedule replaces the removed enabler: no
  // gain if there is one for one.
  if (options.fitToPayload)
    fitter.makeWork(*plan,
                    /*mayMend=*/without.size() > 1 && current.enablers.empty());
  const Trial &trial = fitter.run(*plan);
  if (!trial.runs || trial.digest != current.leaves)
    return std::nullopt;
  if (options.fitToPayload)
    (void)fitter.dropIdle(*plan);
  size_t cost = kept + plan->insertions.size();
  if (cost > current.cost)
    return std::nullopt;
  return Proposal{SmallVector<Operation *>(without), cost, current.leaves};
}

FailureOr<Minimized>
formwork::transforms::minimizeSchedule(ScheduleInput &input,
                                       const normalforms::Libraries &libraries,
                                       const PrepareOptions &options) {
  Minimizer minimizer(input, libraries, options);
  ArrayRef<Operation *> enablers = minimizer.getEnablers();
  Minimized result;
  result.before = enablers.size();
  SmallVector<Operation *> without;
  if (input.payload) {
    FailureOr<std::optional<Proposal>> start = minimizer.start();
    if (failed(start))
      return failure();
    if (std::optional<Proposal> current = *start) {
      result.leaves = current->leaves;
      size_t least = current->cost;
      auto take = [&](Proposal &&next) {
        *current = std::move(next);
        if (current->cost < least) {
          least = current->cost;
          without = current->enablers;
        }
      };
      bool improved = true;
      if (std::optional<Proposal> none = minimizer.propose(*current, enablers))
        take(std::move(*none));
      // Each that goes can make another one superfluous.
      while (improved) {
        improved = false;
        // An insertion that replaces one enabler may replace more of them. So
        // an exchange is a step on the way, although it is no gain by itself.
        std::optional<Proposal> exchange;
        for (Operation *enabler : enablers) {
          if (llvm::is_contained(current->enablers, enabler))
            continue;
          SmallVector<Operation *> more = current->enablers;
          more.push_back(enabler);
          std::optional<Proposal> next = minimizer.propose(*current, more);
          if (next && next->cost < current->cost) {
            take(std::move(*next));
            improved = true;
          } else if (next && !exchange) {
            exchange = std::move(next);
          }
        }
        if (!improved && exchange) {
          take(std::move(*exchange));
          improved = true;
        }
      }
    }
  } else {
    FailureOr<verifier::ScheduleModel> model = getModel(input);
    if (failed(model))
      return failure();
    without = verifier::findRedundantEnablers(*model, libraries);
    eraseFixed(without, options);
  }

  // Once more, to say of the answer what there is to say.
  std::optional<ScheduleVariant> variant =
      ScheduleVariant::create(input.entry, without);
  if (!variant) {
    without.clear();
    variant = ScheduleVariant::create(input.entry, without);
  }
  FailureOr<verifier::Plan> plan =
      planVariant(input, *variant, libraries, options);
  if (failed(plan))
    return failure();
  result.plan = std::move(*plan);
  result.removed.assign(variant->getRemoved().begin(),
                        variant->getRemoved().end());
  result.kept = result.before - without.size();
  return result;
}
