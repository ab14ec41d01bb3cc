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

/// The interface of the op, or null; looked up once, where a cast does so
/// twice.
template <typename InterfaceTy> static InterfaceTy getInterface(Operation *op) {
  if (auto *found = op->getName().getInterface<InterfaceTy>())
    return InterfaceTy(op, found);
  return dyn_cast<InterfaceTy>(op);
}

const StepEffects::Effects &StepEffects::find(Operation *op) {
  auto [it, isNew] = known.try_emplace(op);
  Effects &found = it->second;
  if (!isNew)
    return found;
  auto step = getInterface<transform::TransformOpInterface>(op);
  if (!step)
    return found;
  found.isStep = true;
  found.allowsRepeatedHandles = step.allowsRepeatedHandleOperands();
  if (auto include = dyn_cast<transform::IncludeOp>(op)) {
    describe(include, found);
    return found;
  }
  // Room for what nearly all steps have.
  SmallVector<MemoryEffects::EffectInstance, 12> effects;
  getInterface<MemoryEffectOpInterface>(op).getEffects(effects);
  const TypeID reads = TypeID::get<MemoryEffects::Read>(),
               writes = TypeID::get<MemoryEffects::Write>(),
               frees = TypeID::get<MemoryEffects::Free>(),
               payload = TypeID::get<transform::PayloadIRResource>(),
               mapping = TypeID::get<transform::TransformMappingResource>();
  SmallVector<Value> read, freed;
  for (const MemoryEffects::EffectInstance &instance : effects) {
    TypeID effect = instance.getEffect()->getEffectID(),
           resource = instance.getResource()->getResourceID();
    if (resource == payload)
      found.modifiesPayload |= effect == writes;
    else if (resource == mapping && instance.getValue() &&
             (effect == reads || effect == frees))
      (effect == reads ? read : freed).push_back(instance.getValue());
  }
  for (Value handle : freed)
    if (llvm::is_contained(read, handle))
      found.consumed.push_back(handle);
  return found;
}
