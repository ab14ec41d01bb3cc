//===- Plan.cpp - Which normalizations a schedule lacks ---------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verifier/plan/Plan.h"

#include "verifier/Interpreter.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::engine;
using namespace formwork::normalforms;
using namespace formwork::verifier;

/// Whether `value` is used by `op` or by something behind it in its block.
static bool isUsedFrom(Value value, Operation *op) {
  return llvm::any_of(value.getUsers(), [&](Operation *user) {
    Operation *top = op->getBlock()->findAncestorOpInBlock(*user);
    return top && !top->isBeforeInBlock(op);
  });
}

/// The values that an op placed before `op` in its block can use, latest first.
static SmallVector<Value> getVisibleValues(Operation *op) {
  SmallVector<Value> values;
  for (Operation *before = op->getPrevNode(); before;
       before = before->getPrevNode())
    llvm::append_range(values, llvm::reverse(before->getResults()));
  llvm::append_range(values, llvm::reverse(op->getBlock()->getArguments()));
  return values;
}

namespace {
/// A set of steps that is taken as it stands; counts what stays unmet.
class FixedPolicy : public FormPolicy {
public:
  explicit FixedPolicy(ArrayRef<Insertion> insertions,
                       const Insertion *without = nullptr)
      : insertions(insertions), without(without) {}

  SmallVector<VirtualStep> getSteps(Operation *op) override {
    SmallVector<VirtualStep> steps;
    for (const Insertion &insertion : insertions)
      if (insertion.before == op && &insertion != without)
        steps.push_back({op, insertion.handle, insertion.viaIsolatedParent,
                         insertion.form});
    return steps;
  }
  std::optional<VirtualStep> meet(const FormNeed &,
                                  const Interpreter &) override {
    return std::nullopt;
  }
  void reportUnmet(const FormNeed &need) override {
    unmet.insert({need.op, need.form});
  }

  llvm::DenseSet<std::pair<Operation *, AtomId>> unmet;

private:
  ArrayRef<Insertion> insertions;
  const Insertion *without;
};

/// Meets each need with an insertion right before the op that has it.
class GreedyPolicy : public FormPolicy {
public:
  GreedyPolicy(const PlanOptions &options) : options(options) {}

  SmallVector<VirtualStep> getSteps(Operation *op) override {
    return FixedPolicy(insertions).getSteps(op);
  }
  std::optional<VirtualStep> meet(const FormNeed &need,
                                  const Interpreter &interpreter) override;
  void reportUnmet(const FormNeed &) override {}

  SmallVector<Insertion> insertions;

private:
  /// A place to establish a form: a live handle and how its anchors lie.
  struct Candidate {
    Value handle;
    enum Kind { Module, Parent, Anchor } kind;
  };
  std::optional<Candidate> classify(Value handle, AtomId form,
                                    const Interpreter &interpreter) const;
  std::optional<Candidate> choose(const FormNeed &need,
                                  const Interpreter &interpreter) const;

  const PlanOptions &options;
};
} // namespace

std::optional<GreedyPolicy::Candidate>
GreedyPolicy::classify(Value handle, AtomId form,
                       const Interpreter &interpreter) const {
  if (!interpreter.isUsable(handle))
    return std::nullopt;
  const State &state = interpreter.getState();
  bool isSmall =
      interpreter.getForms().getForm(form).anchor == AnchorKind::LoopNest;
  Candidate candidate{handle, Candidate::Anchor};
  for (NodeId node : state.handles.lookup(handle).nodes) {
    std::optional<OperationName> kind = state.payload[node].kind;
    bool isRoot = node == interpreter.getRoot();
    if (isRoot || (kind && kind->getStringRef() == "builtin.module"))
      candidate.kind = std::min(candidate.kind, Candidate::Module);
    else if (!isSmall && !(kind && matchesKind(*kind, "$isolated")))
      candidate.kind = std::min(candidate.kind, Candidate::Parent);
  }
  return candidate;
}

std::optional<GreedyPolicy::Candidate>
GreedyPolicy::choose(const FormNeed &need,
                     const Interpreter &interpreter) const {
  const State &state = interpreter.getState();
  // What has to be in the form: the anchors of the operand, or the payload.
  NodeList wanted = {interpreter.getRoot()};
  std::optional<Candidate> own;
  if (need.clause) {
    Value operand = need.op->getOperand(need.clause->operand);
    wanted = interpreter.getAnchors(operand, need.form);
    own = classify(operand, need.form, interpreter);
    if (own && own->kind == Candidate::Anchor)
      return own;
  }
  // Functions are smaller anchors than the module that holds them: what is in a
  // form one by one is in it together.
  std::optional<Candidate> best = own;
  for (Value value : getVisibleValues(need.op)) {
    std::optional<Candidate> candidate =
        classify(value, need.form, interpreter);
    if (!candidate || (best && (candidate->kind <= best->kind ||
                                candidate->kind == Candidate::Parent)))
      continue;
    NodeList anchors = interpreter.getAnchors(value, need.form);
    if (llvm::all_of(wanted, [&](NodeId node) {
          return state.payload.isCoveredBy(node, anchors);
        }))
      best = candidate;
    if (best && best->kind == Candidate::Anchor)
      break;
  }
  return best;
}

std::optional<VirtualStep> GreedyPolicy::meet(const FormNeed &need,
                                              const Interpreter &interpreter) {
  if (need.clause && !need.clause->required && !options.includeWants)
    return std::nullopt;
  if (!interpreter.getForms().getForm(need.form).automatic)
    return std::nullopt;
  std::optional<Candidate> candidate = choose(need, interpreter);
  if (!candidate)
    return std::nullopt;
  Insertion insertion{need.op,
                      candidate->handle,
                      candidate->kind == Candidate::Parent,
                      need.form,
                      need.op,
                      need.clause ? need.clause->id : "goal",
                      need.clause ? need.clause->required : true,
                      need.clause ? need.clause->otherwise
                                  : "the payload does not end in the goal "
                                    "form",
                      {}};
  const State &state = interpreter.getState();
  for (NodeId anchor : interpreter.getAnchors(candidate->handle, need.form))
    for (Value value : getVisibleValues(need.op)) {
      if (value == candidate->handle || !interpreter.isUsable(value) ||
          !isUsedFrom(value, need.op))
        continue;
      if (llvm::any_of(state.handles.lookup(value).nodes, [&](NodeId node) {
            return node != anchor &&
                   state.payload.isAtOrBelow(node, anchor) != Certainty::No;
          }))
        insertion.liveInside.push_back(value);
    }
  insertions.push_back(insertion);
  return VirtualStep{need.op, insertion.handle, insertion.viaIsolatedParent,
                     need.form};
}

Plan formwork::verifier::planNormalization(const ScheduleModel &schedule,
                                           Operation *payload,
                                           const FormLibrary &forms,
                                           const ContractLibrary &contracts,
                                           const PlanOptions &options) {
  Plan plan;
  GreedyPolicy greedy(options);
  Interpreter(schedule, forms, contracts, options.check, &greedy).run(payload);
  plan.insertions = std::move(greedy.insertions);

  auto getUnmet = [&](ArrayRef<Insertion> insertions, const Insertion *without,
                      CheckResult *result = nullptr) {
    FixedPolicy fixed(insertions, without);
    CheckResult found =
        Interpreter(schedule, forms, contracts, options.check, &fixed)
            .run(payload);
    if (result)
      *result = std::move(found);
    return fixed.unmet;
  };
  auto unmet = getUnmet(plan.insertions, nullptr);
  for (size_t i = 0; i < plan.insertions.size();) {
    auto left = getUnmet(plan.insertions, &plan.insertions[i]);
    if (llvm::all_of(left, [&](auto need) { return unmet.contains(need); }))
      plan.insertions.erase(plan.insertions.begin() + i);
    else
      ++i;
  }
  getUnmet(plan.insertions, nullptr, &plan.after);
  return plan;
}
