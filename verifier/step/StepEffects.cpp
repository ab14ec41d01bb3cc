//===- StepEffects.cpp - The memory effects of steps ----------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verifier/step/StepEffects.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace formwork::verifier;

void StepEffects::describe(transform::IncludeOp include, Effects &effects) {
  effects.modifiesPayload = true;
  auto callee = symbols.lookupNearestSymbolFrom<transform::NamedSequenceOp>(
      include, include.getTarget());
  if (!callee)
    return;
  for (OpOperand &operand : include->getOpOperands())
    if (callee.getArgAttr(operand.getOperandNumber(),
                          transform::TransformDialect::kArgConsumedAttrName))
      effects.consumed.push_back(operand.get());
}

const StepEffects::Effects &StepEffects::get(Operation *op) {
  auto [it, isNew] = known.try_emplace(op);
  Effects &found = it->second;
  if (!isNew)
    return found;
  auto step = dyn_cast<transform::TransformOpInterface>(op);
  if (!step)
    return found;
  found.isStep = true;
  found.allowsRepeatedHandles = step.allowsRepeatedHandleOperands();
  if (auto include = dyn_cast<transform::IncludeOp>(op)) {
    describe(include, found);
    return found;
  }
  found.modifiesPayload = transform::doesModifyPayload(step);
  for (Value operand : op->getOperands())
    if (transform::isHandleConsumed(operand, step))
      found.consumed.push_back(operand);
  return found;
}
