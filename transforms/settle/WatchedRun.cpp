//===- WatchedRun.cpp - Runs a schedule and watches its effects -*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/settle/WatchedRun.h"

#include "transforms/TransformOps/NormalFormTransformOps.h"
#include "transforms/schedule/FailingStep.h"
#include "transforms/schedule/RunSchedule.h"
#include "transforms/schedule/Trial.h"
#include "transforms/settle/Recomputation.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace formwork::transforms;

namespace {
/// Places observers around each step of a schedule. The destructor removes
/// them.
class StepObservers {
public:
  explicit StepObservers(Operation *schedule) {
    for (Operation *step : listObserved(schedule))
      steps.push_back({step, step});
    for (auto [index, step] : llvm::enumerate(steps)) {
      int64_t number = index;
      OpBuilder builder(step.running);
      Location loc = step.running->getLoc();
      observers.push_back(transform::ObserveOp::create(builder, loc, ~number));
      builder.setInsertionPointAfter(step.running);
      observers.push_back(transform::ObserveOp::create(builder, loc, number));
    }
  }
  ~StepObservers() {
    for (Operation *observer : observers)
      observer->erase();
  }
  StepObservers(const StepObservers &) = delete;
  StepObservers &operator=(const StepObservers &) = delete;

  const WatchedStep &operator[](int64_t number) const {
    return steps[number < 0 ? ~number : number];
  }

private:
  SmallVector<WatchedStep> steps;
  SmallVector<Operation *> observers;
};
} // namespace

LogicalResult formwork::transforms::runWatched(
    ModuleOp payload, transform::NamedSequenceOp entry,
    const normalforms::ContractLibrary &contracts,
    const std::function<std::string(Value)> &nameOf, OnStep onStep) {
  EffectWatch watch(contracts);
  RecomputationWatch recomputation;
  {
    StepObservers observers(getWholeSchedule(entry));
    auto observe = [&](int64_t number, transform::TransformState &state) {
      if (number < 0) {
        watch.enter(observers[number], state);
        recomputation.enter(observers[number], state);
      } else {
        watch.leave(observers[number], state);
        recomputation.leave(observers[number], state);
      }
      if (onStep)
        onStep(observers[number].written, number >= 0, state);
    };
    if (failed(runSchedule(payload, entry, /*unchecked=*/false, observe)))
      return failure();
  }
  engine::Findings findings;
  addEffectFindings(watch.getEffects(), nameOf, findings);
  recomputation.addFindings(findings);
  findings.emit();
  return success();
}
