//===- Paths.cpp - Paths through a schedule ---------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Forks and joins of the interpreter: where a schedule can go several ways, it
// takes each way and keeps the facts that hold on all. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#include "verifier/clauses/Uses.h"
#include "verifier/step/Step.h"
#include "verifier/walk/Interpreter.h"

#include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.h"
#include "llvm/ADT/ScopeExit.h"

using namespace mlir;
using namespace formwork::verifier;

void Interpreter::visitPaths(Operation *op,
                             ArrayRef<std::function<void()>> paths,
                             bool inPart) {
  if (paths.size() == 1 && !inPart)
    return paths.front()();
  bool allocates = false;
  analysis.state.fork();
  // If there is one path, any part of it may run, or none.
  std::optional<State::Branch> other;
  if (paths.size() == 1)
    other = analysis.state.leave();
  for (const std::function<void()> &path : paths) {
    analysis.state.certain &= paths.size() == 1;
    path();
    allocates |= analysis.state.dropBuffersOfPath();
    if (other)
      analysis.state.join(std::move(*other), inPart);
    if (&path != &paths.back())
      other = analysis.state.leave();
  }
  analysis.state.endFork();
  if (allocates)
    analysis.at(op).unprove(
        "allocates workgroup memory on a path that may not be taken");
}

namespace {
/// Takes the steps of another policy, and tells it nothing.
class SilentPolicy : public FormPolicy {
public:
  explicit SilentPolicy(FormPolicy &policy) : policy(policy) {}
  SmallVector<VirtualStep> getSteps(Operation *op,
                                    const Analysis &analysis) override {
    return policy.getSteps(op, analysis);
  }
  void reportUnmet(const FormNeed &, const Analysis &) override {}

private:
  FormPolicy &policy;
};
} // namespace

bool Interpreter::visitSurely(llvm::function_ref<void(Walker &)> visit) {
  // Calls of observers, and requirements on knobs, cannot be taken back.
  if (analysis.options.observer || analysis.policy || analysis.hasKnobs ||
      analysis.state.recovers)
    return false;
  Outcome before = analysis.outcome;
  FixIts fixesBefore = analysis.fixes;
  bool wasAttempt = std::exchange(isAttempt, true);
  analysis.state.fork();
  visit(*this);
  isAttempt = wasAttempt;
  bool isSure = analysis.outcome.doubts == before.doubts;
  if (!isSure) {
    analysis.state.leave();
    analysis.outcome = std::move(before);
    analysis.fixes = std::move(fixesBefore);
  }
  analysis.state.endFork();
  return isSure;
}

void Interpreter::visitSuppressing(bool suppresses,
                                   llvm::function_ref<void(Walker &)> visit) {
  if (!suppresses)
    return visit(*this);
  llvm::scope_exit leave(
      [&, leaves = analysis.state.leaves] { analysis.state.leaves = leaves; });
  analysis.state.leaves = false;
  if (analysis.state.suppressed)
    return visit(*this);
  if (visitSurely(visit))
    return;
  // The trial found the steps that may fail. The state after a failed step may
  // make other steps fail.
  for (bool isSettled = false; !isSettled;) {
    Interpreter trial(*this);
    trial.forgetFindings();
    trial.analysis.isTrial = true;
    std::optional<SilentPolicy> silent;
    if (analysis.policy)
      trial.setPolicy(&silent.emplace(*analysis.policy));
    // No failure in it counts, and none constrains a parameter.
    trial.analysis.state.suppressed = true;
    visit(trial);
    numVisited = trial.numVisited;
    // If nothing fails, run the steps as if failures counted.
    if (trial.analysis.outcome.doubts == analysis.outcome.doubts)
      return visit(*this);
    isSettled = trial.suspects.size() == suspects.size();
    suspects = std::move(trial.suspects);
  }
  unsigned hiddenBefore = analysis.outcome.hiddenDoubts;
  analysis.state.suppressed = true;
  visit(*this);
  analysis.state.suppressed = false;
  analysis.outcome.doubts -= analysis.outcome.hiddenDoubts - hiddenBefore;
}

Yields Interpreter::getYields() {
  Yields yields;
  for (Value value : lastTerminator->getOperands()) {
    HandleState yield = analysis.lookup(value);
    HandleInvalidation dead = analysis.state.getInvalidation(yield);
    yield.since = analysis.state.payload.time() + 1;
    // A dead handle does not come back to life by being yielded. Upstream does
    // not look, and what it has then is anything.
    if (dead.certainty != Certainty::No) {
      yield.consumedBy = dead.by;
      yield.consumedForSure = false;
      analysis.at(lastTerminator)
          .unprove("yields " + analysis.nameOf(value) +
                   ", which is or may be invalidated");
    }
    if (dead.certainty == Certainty::No)
      checkForgotten(analysis.at(lastTerminator), value);
    yields.push_back(std::move(yield));
  }
  return yields;
}
