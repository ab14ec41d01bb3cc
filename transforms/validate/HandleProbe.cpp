//===- HandleProbe.cpp - Whether a handle can be used -----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/validate/HandleProbe.h"

#include "engine/AnyBelow.h"

#include "mlir/Dialect/Transform/DebugExtension/DebugExtensionOps.h"
#include "mlir/IR/Builders.h"

using namespace mlir;

bool formwork::transforms::canBeUsed(Value handle,
                                     transform::TransformState &state) {
  ScopedDiagnosticHandler quiet(handle.getContext(), [](Diagnostic &) {});
  OpBuilder builder(handle.getContext());
  auto probe =
      transform::EmitRemarkAtOp::create(builder, handle.getLoc(), handle, "");
  DiagnosedSilenceableFailure result = state.applyTransform(probe);
  bool isAccepted = !result.isDefiniteFailure();
  if (result.isSilenceableFailure())
    (void)result.silence();
  probe->erase();
  return isAccepted;
}

/// Whether `state` knows that `handle` holds `value`.
static bool holds(Value handle, Value value,
                  const transform::TransformState &state) {
  SmallVector<Value> handles;
  return succeeded(state.getHandlesForPayloadValue(value, handles)) &&
         llvm::is_contained(handles, handle);
}

bool formwork::transforms::holdsValues(Value handle,
                                       const transform::TransformState &state) {
  auto isHeld = [&](Value value) { return holds(handle, value, state); };
  return engine::anyBelow(state.getTopLevel(), [&](Operation *op) {
    return llvm::any_of(op->getResults(), isHeld) ||
           llvm::any_of(op->getRegions(), [&](Region &region) {
             return llvm::any_of(region, [&](Block &block) {
               return llvm::any_of(block.getArguments(), isHeld);
             });
           });
  });
}
