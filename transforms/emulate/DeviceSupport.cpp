//===- DeviceSupport.cpp - What can be emulated ---------------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/emulate/DeviceSupport.h"

#include "transforms/emulate/DeviceMath.h"
#include "transforms/emulate/NvvmLowering.h"
#include "transforms/emulate/Places.h"

#include "llvm/ADT/SCCIterator.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Analysis/CallGraph.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

namespace formwork::transforms::emulate {

using namespace llvm;

char UnsupportedError::ID = 0;

void UnsupportedError::log(raw_ostream &os) const {
  os << "emulation does not support ";
  interleaveComma(features, os, [&](const Feature &feature) {
    os << feature.name << " (" << feature.place.str() << ")";
  });
}

std::error_code UnsupportedError::convertToErrorCode() const {
  return std::make_error_code(std::errc::not_supported);
}

namespace {
/// Collects what is not supported, each name once.
struct SupportChecker {
  const ModuleInfo noBuffers;
  std::vector<UnsupportedError::Feature> features;
  StringSet<> known;

  void refuse(const Twine &name, Place place) {
    if (known.insert(name.str()).second)
      features.push_back({name.str(), std::move(place)});
  }
  void refuse(const Twine &name, const Instruction &instruction) {
    refuse(name, getPlace(instruction));
  }

  bool maybeWorkgroup(const Value &pointer) const {
    return inferProvenance(pointer, noBuffers).maybeWorkgroup;
  }

  void checkSpace(const Type &type, const Instruction &instruction) {
    if (!type.isPtrOrPtrVectorTy())
      return;
    switch (unsigned space = type.getPointerAddressSpace()) {
    case AddressSpace::Generic:
    case AddressSpace::Global:
    case AddressSpace::Workgroup:
    case AddressSpace::Constant:
    case AddressSpace::Local:
      return;
    default:
      refuse("address space " + Twine(space), instruction);
    }
  }

  void checkIntrinsic(const IntrinsicInst &call) {
    Intrinsic::ID id = call.getIntrinsicID();
    StringRef name = call.getCalledFunction()->getName();
    if (isLowered(id)) {
      // A barrier's number selects the threads to wait for; the copies' number
      // of groups is an immediate by its definition.
      if (name.starts_with("llvm.nvvm.barrier") &&
          !isa<ConstantInt>(call.getArgOperand(0)))
        refuse(name + " with a computed barrier number", call);
      return;
    }
    if (Intrinsic::isTargetIntrinsic(id))
      return refuse(name, call);
    switch (id) {
    case Intrinsic::trap:
    case Intrinsic::debugtrap:
    case Intrinsic::ubsantrap:
      // On the host this would end the process.
      return refuse(name, call);
    case Intrinsic::masked_load:
    case Intrinsic::masked_store: {
      bool load = id == Intrinsic::masked_load;
      auto *vector = dyn_cast<FixedVectorType>(
          load ? call.getType() : call.getArgOperand(0)->getType());
      bool checkable =
          vector && vector->getElementType()->getPrimitiveSizeInBits() % 8 == 0;
      if (!checkable && maybeWorkgroup(*call.getArgOperand(load ? 0 : 1)))
        refuse(name + " of workgroup memory", call);
      return;
    }
    case Intrinsic::memcpy:
    case Intrinsic::memcpy_inline:
    case Intrinsic::memmove:
    case Intrinsic::memset:
    case Intrinsic::memset_inline:
    case Intrinsic::assume:
    case Intrinsic::lifetime_start:
    case Intrinsic::lifetime_end:
    case Intrinsic::prefetch:
    case Intrinsic::experimental_noalias_scope_decl:
      return;
    default:
      for (const Value *operand : call.args())
        if (operand->getType()->isPtrOrPtrVectorTy() &&
            maybeWorkgroup(*operand))
          refuse(name + " of workgroup memory", call);
    }
  }

  void checkCall(const CallBase &call) {
    if (auto *assembly = dyn_cast<InlineAsm>(call.getCalledOperand()))
      return refuse("inline assembly \"" + assembly->getAsmString() + "\"",
                    call);
    const Function *callee = call.getCalledFunction();
    if (!callee)
      return refuse("a call through a pointer", call);
    if (auto *intrinsic = dyn_cast<IntrinsicInst>(&call))
      return checkIntrinsic(*intrinsic);
    if (isKernel(*callee))
      return refuse("a call of the kernel '" + callee->getName() + "'", call);
    if (!callee->isDeclaration())
      return;
    if (callee->getName() != failedAssertionFunction &&
        !isDeviceMathFunction(callee->getName()))
      refuse("the function '" + callee->getName() + "'", call);
  }

  void check(const Instruction &instruction) {
    checkSpace(*instruction.getType(), instruction);
    if (auto *call = dyn_cast<CallBase>(&instruction))
      return checkCall(*call);
    if (auto *alloca = dyn_cast<AllocaInst>(&instruction)) {
      if (!alloca->isStaticAlloca())
        refuse("a local array of computed size", instruction);
      return;
    }
    // Addresses have 64 bits here, those of workgroup memory have 32 on the
    // device.
    auto *cast = dyn_cast<CastInst>(&instruction);
    if (!cast || (cast->getOpcode() != Instruction::PtrToInt &&
                  cast->getOpcode() != Instruction::IntToPtr))
      return;
    bool toInteger = cast->getOpcode() == Instruction::PtrToInt;
    const Type *pointer = toInteger ? cast->getSrcTy() : cast->getDestTy();
    const Type *integer = toInteger ? cast->getDestTy() : cast->getSrcTy();
    if (pointer->getPointerAddressSpace() == AddressSpace::Workgroup &&
        integer->getScalarSizeInBits() < 64)
      refuse("an address of workgroup memory as " +
                 Twine(integer->getScalarSizeInBits()) + "-bit integer",
             instruction);
  }

  void checkRecursion(Module &module) {
    CallGraph graph(module);
    for (auto component = scc_begin(&graph); !component.isAtEnd();
         ++component) {
      const Function *function = component->front()->getFunction();
      if (!component.hasCycle() || !function)
        continue;
      Place place;
      place.function = function->getName();
      refuse("recursion of the function '" + function->getName() + "'", place);
    }
  }
};
} // namespace

Error checkSupported(Module &module) {
  SupportChecker checker;
  for (const GlobalVariable &global : module.globals()) {
    Place place;
    place.function = global.getName();
    bool workgroup = global.getAddressSpace() == AddressSpace::Workgroup;
    if (global.isDeclaration() && !workgroup)
      checker.refuse("the external variable '" + global.getName() + "'", place);
    for (const User *user : global.users())
      if (workgroup && isa<GlobalVariable>(user))
        checker.refuse("a variable that holds an address of workgroup memory",
                       place);
  }
  for (const Function &function : module)
    for (const Instruction &instruction : instructions(function))
      checker.check(instruction);
  checker.checkRecursion(module);
  if (checker.features.empty())
    return Error::success();
  return make_error<UnsupportedError>(std::move(checker.features));
}

} // namespace formwork::transforms::emulate
