//===- StepEffects.cpp - The memory effects of steps ----------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verifier/StepEffects.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace formwork::verifier;

void StepEffects::describe(transform::IncludeOp include, Effects &effects,
                           SymbolTableCollection &symbols) {
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

const StepEffects::Effects &StepEffects::find(Operation *op) {
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
    describe(include, found, symbols);
    return found;
  }
  // Room for what nearly all steps have.
  SmallVector<MemoryEffects::EffectInstance, 12> effects;
  cast<MemoryEffectOpInterface>(op).getEffects(effects);
  // There is one of each effect, and of each resource.
  const MemoryEffects::Effect *reads = MemoryEffects::Read::get(),
                              *writes = MemoryEffects::Write::get(),
                              *frees = MemoryEffects::Free::get();
  const SideEffects::Resource *payload = transform::PayloadIRResource::get(),
                              *mapping =
                                  transform::TransformMappingResource::get();
  SmallVector<Value> read, freed;
  for (const MemoryEffects::EffectInstance &effect : effects) {
    bool isRead = effect.getEffect() == reads;
    bool isFree = effect.getEffect() == frees;
    if (effect.getResource() == payload)
      found.modifiesPayload |= effect.getEffect() == writes;
    else if ((isRead || isFree) && effect.getValue() &&
             effect.getResource() == mapping)
      (isRead ? read : freed).push_back(effect.getValue());
  }
  for (Value handle : freed)
    if (llvm::is_contained(read, handle))
      found.consumed.push_back(handle);
  return found;
}
