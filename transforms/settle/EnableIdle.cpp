//===- EnableIdle.cpp - Finds forms that idle steps need --------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/settle/EnableIdle.h"

#include "transforms/schedule/Prepare.h"

#include "mlir/Dialect/Transform/IR/TransformOps.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::transforms;
using normalforms::Form;
using verifier::Insertion;

static bool isLacking(const StepEffect &effect) {
  return effect.numWithout != 0 || effect.numTargets == 0;
}

static const StepEffect *lookup(ArrayRef<StepEffect> effects, Operation *step) {
  const auto *it = llvm::find_if(
      effects, [&](const StepEffect &effect) { return effect.step == step; });
  return it == effects.end() ? nullptr : it;
}

namespace {
/// A place for an insertion: the step before which `handle` would be
/// normalized.
struct Place {
  Operation *op;
  Value handle;
};

class Search {
public:
  Search(const verifier::ScheduleModel &schedule, ModuleOp payload,
         ArrayRef<StepEffect> effects, ArrayRef<Insertion> wanted,
         const EnablerSearch &options, verifier::Plan &plan)
      : schedule(schedule), payload(payload),
        effects(effects.begin(), effects.end()), wanted(wanted),
        options(options), plan(plan) {
    schedule.getModule()->walk<WalkOrder::PreOrder>(
        [&](Operation *op) { positions.insert({op, positions.size()}); });
    for (const Form &form : options.forms.getForms())
      if (form.automatic && form.hasDriver())
        forms.push_back(&form);
    llvm::stable_sort(forms, [](const Form *a, const Form *b) {
      return a->weight < b->weight;
    });
  }

  SmallVector<Enabled> run();

private:
  /// Whether the handle of `effect` is empty because another step is idle.
  bool follows(const StepEffect &effect) const;
  SmallVector<Place> getPlaces(Operation *step) const;
  /// Adds the first insertion that makes the step effective to the plan, and
  /// returns it.
  std::optional<Insertion> enable(const StepEffect &effect);
  bool tryInsertion(const Insertion &insertion, const StepEffect &effect);
  bool isBetter(const ObservedRun &run, const StepEffect &effect) const;
  unsigned getPosition(Operation *op) const { return positions.lookup(op); }
  bool isExhausted() const {
    return runs >= options.runs || runsOfStep >= options.runsPerStep ||
           std::chrono::steady_clock::now() - begin > options.time;
  }

  const verifier::ScheduleModel &schedule;
  ModuleOp payload;
  /// The effects of a run with the present plan.
  SmallVector<StepEffect> effects;
  ArrayRef<Insertion> wanted;
  const EnablerSearch &options;
  verifier::Plan &plan;
  llvm::DenseMap<Operation *, unsigned> positions;
  SmallVector<const Form *> forms;
  /// Handles that hold no anchor themselves, so that their isolated parent is
  /// normalized instead.
  llvm::DenseSet<Value> noAnchors;
  /// Whether the last trial failed because the handle holds no anchor.
  bool isNoAnchor = false;
  unsigned runs = 0, runsOfStep = 0;
  std::chrono::steady_clock::time_point begin =
      std::chrono::steady_clock::now();
};
} // namespace

bool Search::follows(const StepEffect &effect) const {
  if (effect.numTargets != 0)
    return false;
  return llvm::any_of(effect.step->getOperands(), [&](Value operand) {
    const StepEffect *other = lookup(effects, operand.getDefiningOp());
    return other && isLacking(*other);
  });
}

SmallVector<Place> Search::getPlaces(Operation *step) const {
  SmallVector<Operation *> ops = {step};
  for (size_t i = 0; i < ops.size(); ++i)
    for (Value operand : ops[i]->getOperands()) {
      Operation *op = operand.getDefiningOp();
      // The body of a loop or sequence gets its handles from the enclosing
      // step.
      if (auto argument = dyn_cast<BlockArgument>(operand))
        op = argument.getOwner()->getParentOp();
      if (op &&
          !isa<transform::NamedSequenceOp, transform::ForeachMatchOp>(op) &&
          !llvm::is_contained(ops, op))
        ops.push_back(op);
    }
  llvm::erase_if(ops, [&](Operation *op) {
    return options.isFixed && options.isFixed(op->getLoc());
  });
  llvm::stable_sort(ops, [&](Operation *a, Operation *b) {
    return getPosition(a) > getPosition(b);
  });
  SmallVector<Place> places;
  for (Operation *op : ops)
    for (Value operand : op->getOperands())
      if (isa<transform::TransformHandleTypeInterface>(operand.getType()) &&
          llvm::none_of(places, [&](const Place &place) {
            return place.op == op && place.handle == operand;
          }))
        places.push_back({op, operand});
  return places;
}

bool Search::isBetter(const ObservedRun &run, const StepEffect &effect) const {
  if (run.end != ObservedRun::Ran)
    return false;
  const StepEffect *now = lookup(run.effects, effect.step);
  if (!now || isLacking(*now) || now->numWith == 0)
    return false;
  return llvm::all_of(effects, [&](const StepEffect &before) {
    const StepEffect *after = lookup(run.effects, before.step);
    if (isLacking(before))
      return true;
    return after && !isLacking(*after);
  });
}

bool Search::tryInsertion(const Insertion &insertion,
                          const StepEffect &effect) {
  isNoAnchor = false;
  if (isExhausted())
    return false;
  ++runs, ++runsOfStep;
  verifier::Plan more = plan;
  auto *at = llvm::find_if(more.insertions, [&](const Insertion &other) {
    return getPosition(other.before) > getPosition(insertion.before);
  });
  more.insertions.insert(at, insertion);
  // Collect the rules here once: else each child would collect them again.
  if (const Form &form = options.forms.getForm(insertion.form);
      form.hasDriver())
    (void)options.forms.getDriver(form);
  ObservedRun run =
      runObserved(schedule, payload, options.contracts, options.limits,
                  [&] { applyPlan(more, options.forms); });
  // Try no more: each further run may reach the limit, too.
  if (run.end == ObservedRun::Stopped)
    runs = options.runs;
  isNoAnchor = run.failure && run.failure->id == "fw-not-an-anchor";
  if (!isBetter(run, effect))
    return false;
  plan = std::move(more);
  effects = std::move(run.effects);
  return true;
}

std::optional<Insertion> Search::enable(const StepEffect &effect) {
  runsOfStep = 0;
  auto isForStep = [&](const Insertion &insertion) {
    return insertion.neededBy == effect.step ||
           llvm::is_contained(insertion.alsoNeededBy, effect.step);
  };
  for (const Insertion &insertion : wanted)
    if (isForStep(insertion) && tryInsertion(insertion, effect))
      return insertion;
  Value root = schedule.getEntry()->getRegion(0).front().getArgument(0);
  SmallVector<Place> places = getPlaces(effect.step);
  for (const Form *form : forms)
    for (const Place &place : places) {
      bool ofNest = form->anchor != normalforms::AnchorKind::Isolated;
      Insertion insertion{place.op,
                          place.handle,
                          !ofNest && noAnchors.contains(place.handle),
                          place.handle == root,
                          form->atom,
                          effect.step,
                          Insertion::forEffect.str(),
                          /*required=*/false,
                          effect.otherwise,
                          {},
                          {}};
      if (tryInsertion(insertion, effect))
        return insertion;
      if (!isNoAnchor || ofNest || insertion.viaIsolatedParent)
        continue;
      noAnchors.insert(place.handle);
      insertion.viaIsolatedParent = true;
      if (tryInsertion(insertion, effect))
        return insertion;
    }
  return std::nullopt;
}

SmallVector<Enabled> Search::run() {
  SmallVector<Enabled> found;
  SmallVector<Operation *> steps;
  for (const StepEffect &effect : effects)
    steps.push_back(effect.step);
  for (Operation *step : steps) {
    const StepEffect *effect = lookup(effects, step);
    if (!effect || !isLacking(*effect) || follows(*effect))
      continue;
    StepEffect lacking = *effect;
    SmallVector<StepEffect> before = effects;
    std::optional<Insertion> insertion = enable(lacking);
    if (!insertion)
      continue;
    for (const StepEffect &other : before) {
      const StepEffect *now = lookup(effects, other.step);
      if (isLacking(other) && now && !isLacking(*now))
        found.push_back({other.step, *insertion});
    }
  }
  return found;
}

SmallVector<Enabled> formwork::transforms::findEnablers(
    const verifier::ScheduleModel &schedule, ModuleOp payload,
    ArrayRef<StepEffect> effects, ArrayRef<Insertion> wanted,
    const EnablerSearch &search, verifier::Plan &plan) {
  if (llvm::none_of(effects, isLacking))
    return {};
  return Search(schedule, payload, effects, wanted, search, plan).run();
}

void formwork::transforms::enableIdle(transform::NamedSequenceOp entry,
                                      ModuleOp payload,
                                      const EnablerSearch &search,
                                      verifier::Plan &plan) {
  auto module = cast<ModuleOp>(getWholeSchedule(entry));
  FailureOr<verifier::ScheduleModel> schedule =
      verifier::ScheduleModel::create(module, entry.getSymName());
  if (failed(schedule))
    return;
  ObservedRun run =
      runObserved(*schedule, payload, search.contracts, search.limits,
                  [&] { applyPlan(plan, search.forms); });
  if (run.end == ObservedRun::Ran)
    (void)findEnablers(*schedule, payload, run.effects, {}, search, plan);
}
