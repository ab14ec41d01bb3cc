//===- RunSchedule.cpp - Applying a schedule to a payload -------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/schedule/RunSchedule.h"

#include "engine/Diagnostics.h"

#include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.h"
#include "mlir/Dialect/Transform/Transforms/TransformInterpreterUtils.h"
#include "mlir/Dialect/Transform/TuneExtension/TuneExtensionOps.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace formwork;

bool formwork::transforms::holdsSteps(Operation *op) {
  return isa<transform::NamedSequenceOp, transform::SequenceOp,
             transform::ForeachOp, transform::AlternativesOp,
             transform::tune::AlternativesOp>(op);
}

LogicalResult
formwork::transforms::checkSteps(transform::NamedSequenceOp entry) {
  llvm::SetVector<Operation *> sequences;
  sequences.insert(entry);
  for (size_t i = 0; i < sequences.size(); ++i) {
    WalkResult result = sequences[i]->walk([](Operation *op) {
      if (op->hasTrait<OpTrait::IsTerminator>() ||
          !holdsSteps(op->getParentOp()) ||
          isa<transform::NamedSequenceOp, transform::TransformOpInterface>(op))
        return WalkResult::advance();
      (void)emitFinding(engine::Finding(
          op->getLoc(), "fw-not-a-transform-op",
          "requires a registered transform op in a sequence that is run but "
          "has '" +
              op->getName().getStringRef() + "'"));
      return WalkResult::interrupt();
    });
    if (result.wasInterrupted())
      return failure();
    if (std::optional<SymbolTable::UseRange> uses =
            SymbolTable::getSymbolUses(sequences[i]))
      for (SymbolTable::SymbolUse use : *uses)
        if (auto callee = SymbolTable::lookupNearestSymbolFrom<
                transform::NamedSequenceOp>(use.getUser(), use.getSymbolRef()))
          sequences.insert(callee);
  }
  return success();
}

LogicalResult formwork::transforms::interpretSchedule(
    Operation *payload, transform::NamedSequenceOp entry, bool unchecked,
    PayloadObserver::Callback observer) {
  return transform::applyTransforms(
      payload, entry, /*extraMapping=*/{},
      transform::TransformOptions().enableExpensiveChecks(!unchecked),
      /*enforceToplevelTransformOp=*/false,
      [&](transform::TransformState &state) {
        if (observer)
          state.addExtension<PayloadObserver>(observer);
      });
}

LogicalResult formwork::transforms::runSchedule(
    ModuleOp payload, transform::NamedSequenceOp entry, bool unchecked,
    PayloadObserver::Callback observer) {
  if (failed(checkSteps(entry)) ||
      failed(interpretSchedule(payload, entry, unchecked, observer)))
    return failure();
  if (succeeded(verify(payload)))
    return success();
  return emitFinding(engine::Finding(
      entry.getLoc(), "fw-schedule-invalid",
      "schedule requires its result to verify but it leaves invalid IR"));
}
