//===- EnableIdle.cpp - Finds forms that idle steps need --------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/settle/EnableIdle.h"

#include "engine/AnyBelow.h"
#include "transforms/schedule/AllowedSteps.h"
#include "verifier/step/FormPolicy.h"

#include "mlir/Dialect/Transform/IR/TransformOps.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::transforms;
using normalforms::Form;
using verifier::Insertion;
using verifier::StepKind;
using verifier::StepProposal;

static bool isLacking(const StepEffect &effect) {
  return effect.numWithout != 0 || effect.numTargets == 0;
}

static const StepEffect *lookup(ArrayRef<StepEffect> effects, Operation *step) {
  const auto *it = llvm::find_if(
      effects, [&](const StepEffect &effect) { return effect.step == step; });
  return it == effects.end() ? nullptr : it;
}

/// Adds the steps that lack an effect in `before`, and have one in `after`, by
/// which all of them are served.
template <typename T>
static void addEnabled(ArrayRef<StepEffect> before, ArrayRef<StepEffect> after,
                       const T &by, SmallVectorImpl<Enabled> &found) {
  for (const StepEffect &other : before) {
    const StepEffect *now = lookup(after, other.step);
    if (isLacking(other) && now && !isLacking(*now))
      found.push_back({other.step, by});
  }
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
      : schedule(schedule), payload(payload), given(effects),
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
  /// The steps of `options` in front of each place for `effect`.
  SmallVector<StepProposal, 0> proposeSteps(const StepEffect &effect) const;
  /// Adds the first step that makes the step of `effect` effective to `found`,
  /// for each step that it serves. Tries those that reach a form which the
  /// contract wants, or the others. Returns whether there is one.
  bool findStep(const StepEffect &effect, bool areWanted,
                SmallVectorImpl<Enabled> &found);
  /// The effects of a run with the step of `proposal`, of the steps as written.
  std::optional<SmallVector<StepEffect>> runWith(const StepProposal &proposal);
  /// Whether `effect` is there in `after`, and none of `before` is lost.
  static bool isBetter(ArrayRef<StepEffect> after, const StepEffect &effect,
                       ArrayRef<StepEffect> before);
  unsigned getPosition(Operation *op) const { return positions.lookup(op); }
  bool isExhausted() const {
    return runs >= options.runs ||
           std::chrono::steady_clock::now() - begin > options.time;
  }

  const verifier::ScheduleModel &schedule;
  ModuleOp payload;
  /// The effects of a run with the plan as it was.
  ArrayRef<StepEffect> given;
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

bool Search::isBetter(ArrayRef<StepEffect> after, const StepEffect &effect,
                      ArrayRef<StepEffect> before) {
  const StepEffect *now = lookup(after, effect.step);
  if (!now || isLacking(*now) || now->numWith == 0)
    return false;
  return llvm::all_of(before, [&](const StepEffect &one) {
    if (isLacking(one))
      return true;
    const StepEffect *left = lookup(after, one.step);
    return left && !isLacking(*left);
  });
}

bool Search::tryInsertion(const Insertion &insertion,
                          const StepEffect &effect) {
  isNoAnchor = false;
  if (isExhausted() || runsOfStep >= options.runsPerStep)
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
  if (run.end != ObservedRun::Ran || !isBetter(run.effects, effect, effects))
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

SmallVector<StepProposal, 0>
Search::proposeSteps(const StepEffect &effect) const {
  SmallVector<StepProposal, 0> proposals;
  Block &entry = schedule.getEntry().getBody().front();
  bool hasTensors = engine::anyBelow(payload, [](Operation *op) {
    return llvm::any_of(op->getOperandTypes(), llvm::IsaPred<TensorType>);
  });
  for (const StepKind *kind : options.steps)
    for (const Place &place : getPlaces(effect.step)) {
      Operation *top = entry.findAncestorOpInBlock(*place.op);
      bool isBufferization = kind->kind == StepKind::Bufferize;
      // The whole module is bufferized, whatever the handle.
      bool isKnown = llvm::any_of(proposals, [&](const StepProposal &other) {
        return other.step == kind && other.top == top;
      });
      if (!top || (isBufferization && (isKnown || !hasTensors)))
        continue;
      StepProposal &proposal = proposals.emplace_back();
      proposal.step = kind;
      proposal.neededBy = place.op;
      proposal.top = top;
      proposal.handle = place.handle;
      proposal.form = options.forms.lookup(kind->form)->atom;
      proposal.clause = Insertion::forEffect.str();
      proposal.required = false;
      proposal.otherwise = effect.otherwise;
      for (const normalforms::FormClause *clause :
           verifier::getFormClauses(effect.step, options.contracts))
        if (clause->form == proposal.form) {
          proposal.clause = clause->id.str();
          proposal.otherwise = clause->otherwise.str();
        }
    }
  std::optional<verifier::SourceNames> names = options.input->getNames();
  if (!proposals.empty() && names)
    verifier::writeSteps(schedule, payload, {options.forms, options.contracts},
                         getCheckOptions(*options.input, {}), &*names,
                         proposals);
  llvm::erase_if(proposals, [](const StepProposal &proposal) {
    return proposal.edits.empty();
  });
  return proposals;
}

std::optional<SmallVector<StepEffect>>
Search::runWith(const StepProposal &proposal) {
  FailureOr<ScheduleInput> again = insertStep(*options.input, proposal);
  if (failed(again))
    return std::nullopt;
  FailureOr<verifier::ScheduleModel> model = getModel(*again);
  if (failed(model))
    return std::nullopt;
  verifier::Plan prepared;
  if (options.prepare) {
    FailureOr<verifier::Plan> made =
        makePlan(again->entry, payload, {options.forms, options.contracts},
                 *options.prepare);
    if (failed(made))
      return std::nullopt;
    prepared = std::move(*made);
  }
  ++runs;
  ObservedRun run =
      runObserved(*model, payload, options.contracts, options.limits,
                  [&] { applyPlan(prepared, options.forms); });
  if (run.end != ObservedRun::Ran)
    return std::nullopt;
  // The new ops stand together, in front of one that is in both.
  SmallVector<Operation *> ops(positions.size());
  for (auto [op, position] : positions)
    ops[position] = op;
  SmallVector<Operation *> others;
  model->getModule()->walk<WalkOrder::PreOrder>(
      [&](Operation *op) { others.push_back(op); });
  if (others.size() < ops.size())
    return std::nullopt;
  unsigned at = getPosition(proposal.insertBefore);
  unsigned numNew = others.size() - ops.size();
  llvm::DenseMap<Operation *, Operation *> originals;
  for (auto [position, op] : llvm::enumerate(ops))
    originals[others[position < at ? position : position + numNew]] = op;
  SmallVector<StepEffect> found;
  for (StepEffect &effect : run.effects)
    if ((effect.step = originals.lookup(effect.step)))
      found.push_back(std::move(effect));
  return found;
}

bool Search::findStep(const StepEffect &effect, bool areWanted,
                      SmallVectorImpl<Enabled> &found) {
  if (!options.input || options.steps.empty())
    return false;
  for (StepProposal &proposal : proposeSteps(effect)) {
    if ((proposal.clause != Insertion::forEffect) != areWanted)
      continue;
    if (isExhausted())
      return false;
    std::optional<SmallVector<StepEffect>> after = runWith(proposal);
    if (!after || !isBetter(*after, effect, given))
      continue;
    addEnabled(effects, *after, proposal, found);
    return true;
  }
  return false;
}

SmallVector<Enabled> Search::run() {
  SmallVector<Enabled> found;
  SmallVector<Operation *> steps;
  for (const StepEffect &effect : effects)
    steps.push_back(effect.step);
  for (Operation *step : steps) {
    const StepEffect *effect = lookup(effects, step);
    bool isServed = llvm::any_of(
        found, [&](const Enabled &enabled) { return enabled.step == step; });
    if (!effect || !isLacking(*effect) || follows(*effect) || isServed)
      continue;
    StepEffect lacking = *effect;
    SmallVector<StepEffect> before = effects;
    if (findStep(lacking, /*areWanted=*/true, found))
      continue;
    std::optional<Insertion> insertion = enable(lacking);
    if (!insertion) {
      (void)findStep(lacking, /*areWanted=*/false, found);
      continue;
    }
    addEnabled(before, effects, *insertion, found);
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

void formwork::transforms::enableIdle(
    transform::NamedSequenceOp entry, ModuleOp payload,
    const EnablerSearch &search, verifier::Plan &plan,
    const std::function<std::string(Value)> &nameOf) {
  auto module = cast<ModuleOp>(getWholeSchedule(entry));
  FailureOr<verifier::ScheduleModel> schedule =
      verifier::ScheduleModel::create(module, entry.getSymName());
  if (failed(schedule))
    return;
  ObservedRun run =
      runObserved(*schedule, payload, search.contracts, search.limits,
                  [&] { applyPlan(plan, search.forms); });
  if (run.end != ObservedRun::Ran)
    return;
  SmallVector<Enabled> found =
      findEnablers(*schedule, payload, run.effects, {}, search, plan);
  llvm::erase_if(run.effects, [&](const StepEffect &effect) {
    bool isServed = llvm::any_of(found, [&](const Enabled &enabled) {
      return enabled.step == effect.step;
    });
    // The check reports an empty match itself.
    bool isKnown = llvm::any_of(plan.after.findings.get(),
                                [&](const engine::Finding &finding) {
                                  return finding.id == "fw-empty-match" &&
                                         finding.loc == effect.step->getLoc();
                                });
    return isServed || isKnown;
  });
  addEffectFindings(run.effects, nameOf, plan.after.findings);
}

bool formwork::transforms::takeEnablingStep(ScheduleInput &input,
                                            const EnablerSearch &search) {
  ModuleOp payload = *input.payload;
  FailureOr<verifier::ScheduleModel> schedule = getModel(input);
  FailureOr<verifier::Plan> plan = makePlan(
      input.entry, payload, {search.forms, search.contracts}, *search.prepare);
  if (failed(schedule) || failed(plan))
    return false;
  ObservedRun run =
      runObserved(*schedule, payload, search.contracts, search.limits,
                  [&] { applyPlan(*plan, search.forms); });
  if (run.end != ObservedRun::Ran)
    return false;
  for (const Enabled &enabled :
       findEnablers(*schedule, payload, run.effects, {}, search, *plan)) {
    const auto *proposal = std::get_if<StepProposal>(&enabled.by);
    if (!proposal)
      continue;
    FailureOr<ScheduleInput> again = insertStep(input, *proposal);
    if (failed(again))
      continue;
    if (search.prepare->explain)
      (void)emitFinding(
          engine::Finding(proposal->neededBy->getLoc(), "fw-step-allowed",
                          proposal->step->does.str() +
                              " before this step, so that a step has its "
                              "effect",
                          DiagnosticSeverity::Remark)
              .note(engine::NoteKind::Evidence, enabled.step->getLoc(),
                    "without it, this step has no effect: " +
                        proposal->otherwise));
    input = std::move(*again);
    return true;
  }
  return false;
}
