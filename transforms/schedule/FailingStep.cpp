//===- FailingStep.cpp - Where a run of a schedule ends ---------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/schedule/FailingStep.h"

#include "transforms/TransformOps/Matchers.h"
#include "transforms/TransformOps/NormalFormTransformOps.h"
#include "transforms/schedule/RunSchedule.h"
#include "transforms/schedule/Trial.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::transforms;

bool formwork::transforms::takesObservers(Block &block) {
  Operation *parent = block.getParentOp();
  auto sequence = dyn_cast<transform::NamedSequenceOp>(parent);
  return holdsSteps(parent) && !(sequence && isMatcher(sequence));
}

SmallVector<Operation *>
formwork::transforms::listObserved(Operation *schedule) {
  SmallVector<Operation *> steps;
  schedule->walk([&](Block *block) {
    if (takesObservers(*block))
      for (Operation &step : block->without_terminator())
        steps.push_back(&step);
  });
  return steps;
}

FailingStep formwork::transforms::findFailingStep(
    ModuleOp payload, transform::NamedSequenceOp entry, bool unchecked) {
  SmallVector<Operation *> steps = listObserved(getWholeSchedule(entry));
  engine::Shared<int64_t> last(-1);
  engine::ThreadsStopped alone(*payload.getContext());
  auto run = [&](llvm::raw_ostream &) {
    // Even numbers are in front of a step, odd ones behind it.
    for (auto [index, step] : llvm::enumerate(steps)) {
      OpBuilder builder(step);
      transform::ObserveOp::create(builder, step->getLoc(), 2 * index);
      builder.setInsertionPointAfter(step);
      transform::ObserveOp::create(builder, step->getLoc(), 2 * index + 1);
    }
    ScopedDiagnosticHandler quiet(payload.getContext(), [](Diagnostic &) {});
    return succeeded(interpretSchedule(
        payload, entry, unchecked,
        [&](int64_t number, transform::TransformState &) { *last = number; }));
  };
  engine::ChildEnd end =
      engine::runInChild(run, engine::ChildOutput::Dropped, getTrialLimits());
  if (end.succeeded || *last < 0)
    return {nullptr, false, std::move(end)};
  return {steps[*last / 2], *last % 2 != 0, std::move(end)};
}
