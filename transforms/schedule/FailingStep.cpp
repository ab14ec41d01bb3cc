//===- FailingStep.cpp - Where a run of a schedule ends ---------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/schedule/FailingStep.h"

#include "transforms/TransformOps/NormalFormTransformOps.h"
#include "transforms/schedule/RunSchedule.h"
#include "transforms/schedule/Trial.h"

#include "mlir/Dialect/Transform/Interfaces/MatchInterfaces.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::transforms;

/// Whether something can be put between the steps in `block`: matchers take
/// nothing but ops that match.
static bool takesObservers(Block &block) {
  Operation *parent = block.getParentOp();
  return holdsSteps(parent) &&
         (!isa<transform::NamedSequenceOp>(parent) ||
          llvm::any_of(block.without_terminator(), [](Operation &op) {
            return !isa<transform::MatchOpInterface>(op);
          }));
}

Operation *
formwork::transforms::findFailingStep(ModuleOp payload,
                                      transform::NamedSequenceOp entry) {
  Operation *module = getWholeSchedule(entry);
  silencePrints(module);
  SmallVector<Operation *> steps;
  module->walk([&](Operation *op) {
    for (Region &region : op->getRegions())
      for (Block &block : region)
        if (takesObservers(block))
          for (Operation &step : block.without_terminator())
            steps.push_back(&step);
  });
  for (auto [number, step] : llvm::enumerate(steps)) {
    OpBuilder builder(step);
    transform::ObserveOp::create(builder, step->getLoc(), number);
  }

  ScopedDiagnosticHandler quiet(payload.getContext(),
                                [](Diagnostic &) { return success(); });
  OwningOpRef<ModuleOp> copy = payload.clone();
  Operation *last = nullptr;
  LogicalResult run = transform::applyTransforms(
      *copy, entry, /*extraMapping=*/{},
      transform::TransformOptions().enableExpensiveChecks(true),
      /*enforceToplevelTransformOp=*/false,
      [&](transform::TransformState &state) {
        state.addExtension<PayloadObserver>(
            [&](int64_t step, transform::TransformState &) {
              last = steps[step];
            });
      });
  return succeeded(run) ? nullptr : last;
}
