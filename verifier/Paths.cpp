//===- Paths.cpp - Paths through a schedule ---------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the interpreter does where a schedule can go several ways: it takes each
// way and keeps what holds on all. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#include "verifier/Interpreter.h"

#include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.h"
#include "llvm/ADT/ScopeExit.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::verifier;

void Interpreter::visitPaths(Operation *op,
                             ArrayRef<std::function<void()>> paths,
                             bool inPart) {
  if (paths.size() == 1 && !inPart)
    return paths.front()();
  bool certain = state.certain, suppressed = state.suppressed;
  auto guard = state.guard;
  auto usesBefore = workgroupUses;
  bool allocates = false, mayHaveLeft = false;
  state.fork();
  // Of one path, any part may run, none of it included.
  std::optional<State::Branch> other;
  if (paths.size() == 1)
    other = state.leave();
  for (const std::function<void()> &path : paths) {
    state.certain &= paths.size() == 1;
    path();
    mayHaveLeft |= state.mayHaveLeft;
    state.certain = certain;
    state.suppressed = suppressed;
    state.guard = guard;
    for (const auto &[loop, use] : workgroupUses) {
      auto was = usesBefore.find(loop);
      allocates |= was == usesBefore.end() ||
                   was->second.buffers.size() != use.buffers.size();
    }
    workgroupUses = usesBefore;
    if (other)
      state.join(std::move(*other), inPart);
    if (&path != &paths.back())
      other = state.leave();
  }
  state.endFork();
  state.mayHaveLeft = mayHaveLeft;
  if (allocates)
    unprove(op, "allocates workgroup memory on a path that may not be taken");
}

void Interpreter::visitOptional(Operation *op, llvm::function_ref<void()> path,
                                bool inPart) {
  visitPaths(op, {[] {}, [&] { path(); }}, inPart);
}

namespace {
/// Takes the steps of another policy, and tells it nothing.
class SilentPolicy : public FormPolicy {
public:
  explicit SilentPolicy(FormPolicy &policy) : policy(policy) {}
  SmallVector<VirtualStep> getSteps(Operation *op,
                                    const Interpreter &interpreter) override {
    return policy.getSteps(op, interpreter);
  }
  void reportUnmet(const FormNeed &, const Interpreter &) override {}

private:
  FormPolicy &policy;
};
} // namespace

bool Interpreter::visitSurely(llvm::function_ref<void(Interpreter &)> visit) {
  // What others were told, or what is required of knobs, is not taken back.
  if (options.observer || policy || hasKnobs || state.recovers)
    return false;
  Outcome before = *this;
  FixIts fixesBefore = fixes;
  bool wasAttempt = std::exchange(isAttempt, true);
  state.fork();
  visit(*this);
  isAttempt = wasAttempt;
  bool isSure = doubts == before.doubts;
  if (!isSure) {
    state.leave();
    static_cast<Outcome &>(*this) = std::move(before);
    fixes = std::move(fixesBefore);
  }
  state.endFork();
  return isSure;
}

void Interpreter::visitSuppressing(
    bool suppresses, llvm::function_ref<void(Interpreter &)> visit) {
  if (!suppresses)
    return visit(*this);
  llvm::scope_exit leave([&, leaves = state.leaves] { state.leaves = leaves; });
  state.leaves = false;
  if (state.suppressed)
    return visit(*this);
  if (visitSurely(visit))
    return;
  // Which steps may fail was found out by that. What one leaves behind when it
  // fails may make others fail.
  for (bool isSettled = false; !isSettled;) {
    Interpreter trial(*this);
    trial.forgetFindings();
    trial.isTrial = true;
    std::optional<SilentPolicy> silent;
    if (policy)
      trial.setPolicy(&silent.emplace(*policy));
    // No failure in it counts, and none constrains a parameter.
    trial.state.suppressed = true;
    visit(trial);
    numVisited = trial.numVisited;
    // What does not fail runs as if failures counted.
    if (trial.doubts == doubts)
      return visit(*this);
    isSettled = trial.suspects.size() == suspects.size();
    suspects = std::move(trial.suspects);
  }
  unsigned hiddenBefore = hiddenDoubts;
  state.suppressed = true;
  visit(*this);
  state.suppressed = false;
  doubts -= hiddenDoubts - hiddenBefore;
}

Interpreter::Yields Interpreter::getYields() {
  Yields yields;
  for (Value value : lastTerminator->getOperands()) {
    HandleState yield = lookup(value);
    HandleInvalidation dead = state.getInvalidation(yield);
    yield.since = state.payload.time() + 1;
    // A dead handle does not come back to life by being yielded. Upstream does
    // not look, and what it has then is anything.
    if (dead.certainty != Certainty::No) {
      yield.consumedBy = dead.by;
      yield.consumedForSure = false;
      unprove(lastTerminator,
              "yields " + nameOf(value) + ", which is or may be invalidated");
    }
    yields.push_back(std::move(yield));
  }
  return yields;
}

HandleState &Interpreter::bindFrom(Value value, Operation *origin,
                                   const HandleState &from) {
  HandleState &handle = bind(value, origin, from.nodes);
  handle.ordered = from.ordered;
  handle.distinctAt = from.distinctAt;
  handle.params = from.params;
  handle.opaqueReason = from.opaqueReason;
  return handle;
}

HandleState Interpreter::joinYields(Operation *op,
                                    ArrayRef<const HandleState *> yields) {
  HandleState joined = *yields.front();
  bool same = llvm::all_of(yields, [&](const HandleState *one) {
    return one->nodes == joined.nodes;
  });
  std::optional<Count> count;
  std::optional<OperationName> kind;
  bool sameKind = true;
  for (const HandleState *one : yields) {
    Count mine = one->count(state.payload);
    count = count ? Count{std::min(count->lo, mine.lo),
                          std::max(count->hi, mine.hi)}
                  : mine;
    joined.ordered &= one->ordered;
    joined.joinDistinct(*one);
    joined.reported |= one->reported;
    joined.since = std::min(joined.since, one->since);
    if (one->params != joined.params) {
      bool sameLength = one->params.size() == joined.params.size();
      joined.params.assign(sameLength ? joined.params.size() : 0, ParamValue());
    }
    if (one->consumedBy != joined.consumedBy) {
      joined.consumedBy =
          joined.consumedBy ? joined.consumedBy : one->consumedBy;
      joined.consumedForSure = false;
    }
    for (NodeId node : one->nodes) {
      sameKind &= state.payload[node].kind &&
                  (!kind || *kind == *state.payload[node].kind);
      kind = state.payload[node].kind;
    }
  }
  if (same || joined.kind == HandleState::Params)
    return joined;
  if (!sameKind)
    kind = std::nullopt;
  joined.ordered = count->hi <= 1;
  joined.nodes.assign(
      {state.payload.addSomewhere(root, UpKind::AtOrInside, kind, *count, op)});
  return joined;
}

void Interpreter::setYields(Operation *op, ArrayRef<Yields> paths,
                            unsigned first) {
  for (unsigned i = first; i < op->getNumResults(); ++i) {
    SmallVector<const HandleState *> yields;
    for (const Yields &path : paths)
      if (i - first < path.size())
        yields.push_back(&path[i - first]);
    if (yields.empty()) {
      setOpaque(op, i);
      continue;
    }
    HandleState joined = joinYields(op, yields);
    // Of paths, none sees what another does.
    joined.since = state.payload.time() + 1;
    setYield(op, i, joined);
  }
}

void Interpreter::setYield(Operation *op, unsigned index,
                           const HandleState &yield) {
  HandleInvalidation dead = state.getInvalidation(yield);
  HandleState &result = setResult(op, index, yield.nodes, yield.ordered);
  result.distinctAt = yield.distinctAt;
  result.params = yield.params;
  result.opaqueReason = yield.opaqueReason;
  result.reported = yield.reported;
  if (dead.certainty == Certainty::No)
    return;
  result.consumedBy = dead.by;
  result.consumedForSure = dead.certainty == Certainty::Yes;
}

void Interpreter::consumeOperands(Operation *op) {
  for (Value operand : op->getOperands())
    if (effects->consumes(op, operand))
      consumeHandle(op, operand);
}

void Interpreter::summarize(Operation *op) {
  unprove(op, "runs what was interpreted so often that it is not followed any "
              "more");
  summarized.insert(op);
  static const normalforms::KindPatterns any = {"*"};
  state.payload.touch(root, any, any);
  state.payload.loosen(root);
  state.forms.write(state.payload, root, nullptr);
  NodeId some = state.payload.addSomewhere(root, UpKind::AtOrInside,
                                           std::nullopt, Count(), op);
  state.payload.consume(some, op, /*certain=*/false);
  for (unsigned i = 0; i < op->getNumResults(); ++i)
    setOpaque(op, i);
}
