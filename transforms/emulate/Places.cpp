//===- Places.cpp - Describing instructions to the runtime ----------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/emulate/Places.h"

#include "transforms/emulate/DebugScopes.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/InstructionSimplify.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/Transforms/Utils/Local.h"

namespace formwork::transforms::emulate {

using namespace llvm;

bool isKernel(const Function &function) {
  return function.getCallingConv() == CallingConv::PTX_Kernel;
}

void simplify(Function &function) {
  const SimplifyQuery query(function.getParent()->getDataLayout());
  for (Instruction &instruction : make_early_inc_range(instructions(function)))
    if (Value *simpler = simplifyInstruction(&instruction, query)) {
      instruction.replaceAllUsesWith(simpler);
      if (isInstructionTriviallyDead(&instruction))
        instruction.eraseFromParent();
    }
}

Place getPlace(const Instruction &instruction) {
  Place place;
  place.function = instruction.getFunction()->getName();
  const DILocation *location = instruction.getDebugLoc().get();
  if (!location || location->getLine() == 0)
    return place;
  SmallString<128> path;
  if (!sys::path::is_absolute(location->getFilename()))
    path = location->getDirectory();
  sys::path::append(path, location->getFilename());
  place.file = path.str();
  for (const DILocation *at = location; at; at = at->getInlinedAt()) {
    auto *scope = dyn_cast<DILexicalBlockFile>(at->getScope());
    if (!scope || scope->getDiscriminator() != kStepDiscriminator)
      continue;
    place.stepFile = scope->getFilename();
    place.stepLine = at->getLine();
    place.stepColumn = at->getColumn();
  }
  place.line = location->getLine();
  place.column = location->getColumn();
  return place;
}

uint32_t addPlace(ModuleInfo &info, PlaceInfo place) {
  info.places.push_back(std::move(place));
  return info.places.size() - 1;
}

/// The operands that `value` is an address relative to or a choice of; empty if
/// it is the end of the chain.
static SmallVector<const Value *, 2> getOrigins(const Value &value) {
  if (auto *gep = dyn_cast<GEPOperator>(&value))
    return {gep->getPointerOperand()};
  if (auto *phi = dyn_cast<PHINode>(&value))
    return SmallVector<const Value *, 2>(phi->incoming_values());
  if (auto *select = dyn_cast<SelectInst>(&value))
    return {select->getTrueValue(), select->getFalseValue()};
  unsigned opcode = Operator::getOpcode(&value);
  if (opcode == Instruction::AddrSpaceCast || opcode == Instruction::BitCast ||
      opcode == Instruction::Freeze)
    return {cast<User>(value).getOperand(0)};
  return {};
}

Provenance inferProvenance(const Value &pointer, const ModuleInfo &info) {
  Provenance result;
  SmallVector<const Value *> worklist{&pointer};
  SmallPtrSet<const Value *, 8> visited;
  SmallPtrSet<const Value *, 2> workgroupOrigins;
  SmallPtrSet<const Value *, 2> otherOrigins;
  while (!worklist.empty()) {
    const Value *value = worklist.pop_back_val();
    if (!visited.insert(value).second)
      continue;
    SmallVector<const Value *, 2> origins = getOrigins(*value);
    if (!origins.empty()) {
      worklist.append(origins.begin(), origins.end());
      continue;
    }
    unsigned space =
        value->getType()->getScalarType()->getPointerAddressSpace();
    if (space == AddressSpace::Workgroup) {
      result.maybeWorkgroup = true;
      workgroupOrigins.insert(value);
      continue;
    }
    result.maybeElsewhere = true;
    otherOrigins.insert(value);
    auto *argument = dyn_cast<Argument>(value);
    // No host has addresses of workgroup memory to pass to a kernel.
    if (space == AddressSpace::Generic && !isa<Constant>(value) &&
        !isa<AllocaInst>(value) &&
        !(argument && isKernel(*argument->getParent())))
      result.maybeWorkgroup = true;
  }
  if (!result.maybeWorkgroup && otherOrigins.size() == 1)
    if (auto *argument = dyn_cast<Argument>(*otherOrigins.begin()))
      if (isKernel(*argument->getParent()))
        result.argument = argument->getArgNo();
  if (result.maybeElsewhere || workgroupOrigins.size() != 1)
    return result;
  const Value *origin = *workgroupOrigins.begin();
  for (auto [i, buffer] : enumerate(info.buffers))
    if (isa<GlobalVariable>(origin) && buffer.name == origin->getName())
      result.buffer = i;
  return result;
}

PlaceInfo describeAccess(const Instruction &instruction, const Value *pointer,
                         AccessKind kind, uint64_t bytes, uint64_t alignment,
                         ModuleInfo &info) {
  Provenance provenance = inferProvenance(*pointer, info);
  PlaceInfo place{.place = getPlace(instruction),
                  .kind = kind,
                  .bytes = bytes,
                  .alignment = uint32_t(alignment),
                  .buffer = provenance.buffer,
                  .maybeElsewhere = provenance.maybeElsewhere,
                  .argument = provenance.argument};
  uint32_t unit = MinAlign(MinAlign(bytes, alignment), 16);
  info.largestAccess = std::max(info.largestAccess, bytes);
  if (place.argument) {
    info.globalGranule = std::min(info.globalGranule, unit);
    return place;
  }
  info.granule = std::min(info.granule, unit);
  info.workgroupAlignment = std::max(info.workgroupAlignment, alignment);
  return place;
}

} // namespace formwork::transforms::emulate
