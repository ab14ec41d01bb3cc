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
    PlanTrials trials(*input.payload, variant->getEntry(), forms);
    dropBreaking(trials, *plan, [](Value) { return std::string(); });
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
  (void)fitVariant(input, *variant, *plan, forms, contracts, options);
  result.plan = variant->toOriginal(*plan);
  if (failed(reportPlan(result.plan, input, forms, contracts, options)))
    return failure();
  result.removed.assign(variant->getRemoved().begin(),
                        variant->getRemoved().end());
  result.after = result.before - without.size() + result.plan.insertions.size();
  return result;
}
