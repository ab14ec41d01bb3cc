//===- RunNeeds.cpp - What a schedule fails without -------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/schedule/RunNeeds.h"

#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::transforms;
using verifier::Insertion;

namespace {
/// Where something can be inserted: the payload of `handle`, before `op`.
struct Place {
  Operation *op;
  Value handle;
};

class RunNeeds {
public:
  RunNeeds(PlanTrials &trials, const std::function<bool(Location)> &isFixed)
      : trials(trials), isFixed(isFixed) {
    Operation *module = getWholeSchedule(trials.getEntry());
    module->walk<WalkOrder::PreOrder>(
        [&](Operation *op) { positions.insert({op, positions.size()}); });
    listActions(module);
    const normalforms::FormLibrary &library = trials.getForms();
    auto canBeReached = [&](const normalforms::Form &form) {
      return llvm::all_of(library.lattice().closure(form.atom).atoms(),
                          [&](normalforms::AtomId atom) {
                            return library.getForm(atom).predicate.empty();
                          });
    };
    for (const normalforms::Form &form : library.getForms())
      if (form.automatic && form.hasDriver() &&
          form.anchor == normalforms::AnchorKind::Isolated &&
          canBeReached(form))
        forms.push_back(&form);
    llvm::stable_sort(forms, [](const auto *a, const auto *b) {
      return a->weight < b->weight;
    });
  }

  /// Adds one insertion to `plan` that gets the schedule further.
  bool addOne(verifier::Plan &plan);

private:
  /// Finds the actions of `foreach_match` in `module`, and what they include.
  void listActions(Operation *module);
  /// In front of the navigation that the handles of `step` come from, of `step`
  /// if it is navigation itself, and of what runs it as an action, the first
  /// one first.
  SmallVector<Place> getPlaces(Operation *step) const;
  /// Whether `handle` is the argument of an action that stands for what was
  /// matched. The action runs in the middle of a walk, and may change nothing
  /// that is not in it.
  bool isMatched(Value handle) const;
  std::optional<verifier::Plan> tryAt(const verifier::Plan &plan,
                                      const Place &place,
                                      const normalforms::Form &form,
                                      Operation *failing, StringRef error);

  PlanTrials &trials;
  const std::function<bool(Location)> &isFixed;
  llvm::DenseMap<Operation *, unsigned> positions;
  /// Per sequence that runs as a part of an action, what runs it.
  llvm::DenseMap<Operation *, llvm::SetVector<transform::ForeachMatchOp>>
      actions;
  SmallVector<const normalforms::Form *> forms;
  /// Handles of which an isolated parent is the anchor.
  llvm::DenseSet<Value> noAnchors;
  unsigned runs = 0;
  static constexpr unsigned maxRuns = 128;
};
} // namespace

void RunNeeds::listActions(Operation *module) {
  module->walk([&](transform::ForeachMatchOp foreach) {
    SmallVector<Operation *> reached;
    auto reach = [&](Operation *from, Attribute name) {
      auto callee =
          SymbolTable::lookupNearestSymbolFrom<transform::NamedSequenceOp>(
              from, cast<SymbolRefAttr>(name));
      if (callee && !llvm::is_contained(reached, callee.getOperation()))
        reached.push_back(callee);
    };
    for (Attribute action : foreach.getActions())
      reach(foreach, action);
    for (size_t i = 0; i < reached.size(); ++i)
      reached[i]->walk([&](transform::IncludeOp include) {
        reach(include, include.getTargetAttr());
      });
    for (Operation *sequence : reached)
      actions[sequence].insert(foreach);
  });
}

bool RunNeeds::isMatched(Value handle) const {
  auto argument = dyn_cast<BlockArgument>(handle);
  Operation *sequence = argument ? argument.getOwner()->getParentOp() : nullptr;
  auto it = actions.find(sequence);
  if (it == actions.end())
    return false;
  return llvm::all_of(it->second, [&](transform::ForeachMatchOp foreach) {
    auto find = [&](Attribute name) {
      return SymbolTable::lookupNearestSymbolFrom<transform::NamedSequenceOp>(
          foreach, cast<SymbolRefAttr>(name));
    };
    bool isAction = false;
    for (auto [matcher, action] :
         llvm::zip_equal(foreach.getMatchers(), foreach.getActions())) {
      if (find(action).getOperation() != sequence)
        continue;
      isAction = true;
      Block &body = find(matcher).getBody().front();
      if (body.getTerminator()->getOperand(argument.getArgNumber()) !=
          body.getArgument(0))
        return false;
    }
    return isAction;
  });
}

SmallVector<Place> RunNeeds::getPlaces(Operation *step) const {
  auto finds = [](Operation *op) {
    return op && (isNavigation(op) ||
                  isa<transform::SplitHandleOp, transform::ForeachMatchOp>(op));
  };
  auto getCallers = [&](Operation *op) {
    auto it = actions.find(op->getParentOfType<transform::NamedSequenceOp>());
    return it == actions.end() ? ArrayRef<transform::ForeachMatchOp>()
                               : it->second.getArrayRef();
  };
  SmallVector<Operation *> ops = {step};
  for (size_t i = 0; i < ops.size(); ++i) {
    for (Value operand : ops[i]->getOperands())
      if (Operation *op = operand.getDefiningOp();
          finds(op) && !llvm::is_contained(ops, op))
        ops.push_back(op);
    for (Operation *caller : getCallers(ops[i]))
      if (!llvm::is_contained(ops, caller))
        ops.push_back(caller);
  }
  // A normalization can remove the ops that a match found before, and a step on
  // nothing does nothing: that would not get past the step.
  if (!finds(step))
    ops.erase(ops.begin());
  llvm::erase_if(
      ops, [&](Operation *op) { return isFixed && isFixed(op->getLoc()); });
  llvm::stable_sort(ops, [&](Operation *a, Operation *b) {
    return positions.lookup(a) < positions.lookup(b);
  });
  SmallVector<Place> places;
  for (Operation *op : ops)
    for (Value operand : op->getOperands())
      if (isa<transform::TransformHandleTypeInterface>(operand.getType()) &&
          (getCallers(op).empty() || isMatched(operand)) &&
          llvm::none_of(places, [&](const Place &place) {
            return place.op == op && place.handle == operand;
          }))
        places.push_back({op, operand});
  return places;
}

std::optional<verifier::Plan> RunNeeds::tryAt(const verifier::Plan &plan,
                                              const Place &place,
                                              const normalforms::Form &form,
                                              Operation *failing,
                                              StringRef error) {
  auto *at = llvm::find_if(plan.insertions, [&](const Insertion &other) {
    return positions.lookup(other.before) > positions.lookup(place.op);
  });
  auto index = at - plan.insertions.begin();
  bool isRoot = place.handle == trials.getEntry().getBody().getArgument(0);
  for (;;) {
    bool viaParent = noAnchors.contains(place.handle);
    verifier::Plan more = plan;
    more.insertions.insert(more.insertions.begin() + index,
                           {place.op,
                            place.handle,
                            viaParent,
                            isRoot,
                            form.atom,
                            failing,
                            Insertion::forRun.str(),
                            /*required=*/true,
                            error.str(),
                            {},
                            {}});
    if (++runs > maxRuns)
      return std::nullopt;
    const Trial &trial = trials.run(more);
    // Each further one may take as long.
    if (trial.isStopped) {
      runs = maxRuns + 1;
      return std::nullopt;
    }
    Operation *next = trials.findFailing(more);
    bool isFurther = next && positions.lookup(next) > positions.lookup(failing);
    if (trial.runs || isFurther)
      return more;
    if (viaParent || isMatched(place.handle) ||
        !StringRef(trial.error).contains("[fw-not-an-anchor]"))
      return std::nullopt;
    noAnchors.insert(place.handle);
  }
}

bool RunNeeds::addOne(verifier::Plan &plan) {
  const Trial &trial = trials.run(plan);
  if (trial.isStopped)
    return false;
  Operation *failing = trials.findFailing(plan);
  if (!failing)
    return false;
  SmallVector<Place> places = getPlaces(failing);
  for (const normalforms::Form *form : forms)
    for (const Place &place : places) {
      std::optional<verifier::Plan> more =
          tryAt(plan, place, *form, failing, trial.error);
      if (more) {
        plan = std::move(*more);
        return true;
      }
      if (runs > maxRuns)
        return false;
    }
  return false;
}

void formwork::transforms::meetRunNeeds(
    PlanTrials &trials, verifier::Plan &plan,
    const std::function<bool(Location)> &isFixed) {
  if (trials.run(plan).runs)
    return;
  RunNeeds needs(trials, isFixed);
  verifier::Plan more = plan;
  while (!trials.run(more).runs)
    if (!needs.addOne(more))
      return;
  plan = std::move(more);
}

std::optional<verifier::Plan> formwork::transforms::planAroundFailure(
    ScheduleInput &input, const ScheduleVariant &variant,
    const verifier::Plan &plan, const normalforms::Libraries &libraries,
    const PrepareOptions &options) {
  PlanTrials trials(*input.payload, variant.getEntry(), *libraries.forms);
  verifier::Plan more = plan;
  if (trials.run(more).runs)
    return std::nullopt;
  meetRunNeeds(trials, more, options.isFixed);
  if (!trials.run(more).runs)
    return std::nullopt;
  verifier::Plan needed;
  llvm::copy_if(
      more.insertions, std::back_inserter(needed.insertions),
      [](const Insertion &insertion) { return insertion.isForRun(); });

  std::optional<ScheduleVariant> copy =
      ScheduleVariant::create(variant.getEntry(), {});
  applyPlan(copy->fromOriginal(needed), *libraries.forms);
  FailureOr<verifier::Plan> rest = makePlan(
      copy->getEntry(), getPayload(input), libraries, options,
      [&](Value value) {
        Operation *op = value.getDefiningOp();
        return op && !copy->hasOriginal(op)
                   ? std::string("the parent")
                   : input.getName(variant.toOriginal(copy->toOriginal(value)));
      });
  if (failed(rest) || rest->after.findings.hasErrors())
    return std::nullopt;
  for (const Insertion &insertion : rest->insertions) {
    Operation *handle = insertion.handle.getDefiningOp();
    if (!copy->hasOriginal(insertion.before) ||
        (handle && !copy->hasOriginal(handle)))
      return std::nullopt;
  }
  verifier::Plan whole = copy->toOriginal(*rest);
  whole.insertions.append(needed.insertions);
  llvm::DenseMap<Operation *, unsigned> positions;
  variant.getModule()->walk<WalkOrder::PreOrder>(
      [&](Operation *op) { positions.insert({op, positions.size()}); });
  llvm::stable_sort(
      whole.insertions, [&](const Insertion &a, const Insertion &b) {
        return positions.lookup(a.before) < positions.lookup(b.before);
      });
  return whole;
}
