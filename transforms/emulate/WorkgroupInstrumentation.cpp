//===- WorkgroupInstrumentation.cpp - Checked workgroup accesses ----------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/emulate/WorkgroupInstrumentation.h"

#include "transforms/emulate/Launch.h"
#include "transforms/emulate/Places.h"
#include "transforms/emulate/Runtime.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ReplaceConstant.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Transforms/Utils/LowerAtomic.h"

#include <cstddef>

namespace formwork::transforms::emulate {

using namespace llvm;

/// The number of lanes of a masked access that one call of the runtime checks.
static constexpr unsigned maskBits = 64;

/// The first odd multiple of `alignment` from `offset` on. A buffer there is no
/// better aligned than its declaration promises, so an access that relies on
/// more is found whatever stands before the buffer.
static uint64_t alignExactly(uint64_t offset, Align alignment) {
  uint64_t aligned = alignTo(offset, alignment);
  return aligned / alignment.value() % 2 == 1 ? aligned
                                              : aligned + alignment.value();
}

void layOutWorkgroup(Module &module, ModuleInfo &info) {
  const DataLayout &layout = module.getDataLayout();
  SmallVector<WorkgroupBuffer> dynamic;
  for (GlobalVariable &global : module.globals()) {
    if (global.getAddressSpace() != AddressSpace::Workgroup)
      continue;
    if (!global.hasName())
      global.setName("workgroup");
    Align alignment = layout.getPreferredAlign(&global);
    info.workgroupAlignment =
        std::max<uint64_t>(info.workgroupAlignment, 2 * alignment.value());
    WorkgroupBuffer buffer;
    buffer.name = global.getName();
    buffer.bytes = layout.getTypeAllocSize(global.getValueType());
    buffer.dynamic = buffer.bytes == 0;
    if (buffer.dynamic) {
      dynamic.push_back(buffer);
      continue;
    }
    buffer.offset = alignExactly(info.staticBytes, alignment);
    info.staticBytes = buffer.offset + buffer.bytes;
    info.buffers.push_back(buffer);
  }
  if (!dynamic.empty())
    info.staticBytes = alignTo(info.staticBytes, info.workgroupAlignment);
  for (WorkgroupBuffer &buffer : dynamic) {
    buffer.offset = info.staticBytes;
    info.buffers.push_back(buffer);
  }
}

namespace {
/// Instruments the accesses of one function.
struct Instrumenter {
  const DataLayout &layout;
  Value *thread;
  ModuleInfo &info;

  /// Whether the runtime can tell where an access through `pointer` may go.
  bool isChecked(const Value &pointer) const {
    Provenance provenance = inferProvenance(pointer, info);
    return provenance.maybeWorkgroup || provenance.argument;
  }

  /// Calls the runtime for an access if it can reach workgroup memory, or is
  /// made through a kernel's argument, and returns the address to use: of the
  /// type of `pointer`, null for no change.
  /// `unit` is the alignment that every address of the accessed type has.
  Value *check(Instruction &instruction, Value *pointer, AccessKind kind,
               Value *bytes, Align alignment, Align unit) {
    IRBuilder<> builder(&instruction);
    if (!isChecked(*pointer)) {
      if (alignment > unit && !isa<AllocaInst>(getUnderlyingObject(pointer)))
        checkAlignment(builder, instruction, pointer, kind, bytes, alignment);
      return nullptr;
    }
    auto *constant = dyn_cast<ConstantInt>(bytes);
    // An access whose size is only known at run time can have any.
    PlaceInfo place = describeAccess(instruction, pointer, kind,
                                     constant ? constant->getZExtValue() : 0,
                                     constant ? alignment.value() : 1, info);
    Value *generic = builder.CreateAddrSpaceCast(pointer, builder.getPtrTy());
    Value *checked = builder.CreateCall(
        declareRuntimeFunction(*instruction.getModule(), runtime::access),
        {thread, generic,
         builder.CreateZExtOrTrunc(bytes, builder.getInt64Ty()),
         builder.getInt32(addPlace(info, std::move(place)))});
    return builder.CreateAddrSpaceCast(checked, pointer->getType());
  }

  /// Where there are no bounds to check, a wrong promise of alignment, such as
  /// an annotation that allows wider loads, traps as well.
  void checkAlignment(IRBuilder<> &builder, Instruction &instruction,
                      Value *pointer, AccessKind kind, Value *bytes,
                      Align alignment) {
    auto *constant = dyn_cast<ConstantInt>(bytes);
    PlaceInfo place{.place = getPlace(instruction),
                    .kind = kind,
                    .bytes = constant ? constant->getZExtValue() : 0,
                    .alignment = uint32_t(alignment.value()),
                    .maybeElsewhere = true};
    Value *generic = builder.CreateAddrSpaceCast(pointer, builder.getPtrTy());
    builder.CreateCall(
        declareRuntimeFunction(*instruction.getModule(), runtime::align),
        {thread, generic, builder.getInt32(addPlace(info, std::move(place)))});
  }

  /// The same for operand `operand` of a load, store or atomic instruction.
  void checkOperand(Instruction &instruction, unsigned operand, Type *type,
                    Align alignment, AccessKind kind) {
    Value *bytes = ConstantInt::get(Type::getInt64Ty(type->getContext()),
                                    layout.getTypeStoreSize(type));
    Align unit = layout.getABITypeAlign(type->getScalarType());
    if (Value *checked = check(instruction, instruction.getOperand(operand),
                               kind, bytes, alignment, unit))
      instruction.setOperand(operand, checked);
  }

  /// A block operation that leaves its bounds copies or sets nothing.
  void checkBlock(AnyMemIntrinsic &block) {
    IRBuilder<> builder(&block);
    Value *inside = builder.getTrue();
    auto checkPointer = [&](unsigned operand, AccessKind kind,
                            MaybeAlign alignment) {
      Value *pointer = block.getArgOperand(operand);
      Value *checked = check(block, pointer, kind, block.getLength(),
                             alignment.valueOrOne(), Align(1));
      if (checked)
        inside =
            builder.CreateAnd(inside, builder.CreateICmpEQ(checked, pointer));
    };
    checkPointer(0, AccessKind::Write, block.getDestAlign());
    block.setDestAlignment(Align(1));
    if (auto *transfer = dyn_cast<AnyMemTransferInst>(&block)) {
      checkPointer(1, AccessKind::Read, transfer->getSourceAlign());
      transfer->setSourceAlignment(Align(1));
    }
    if (inside == builder.getTrue())
      return;
    Value *length = block.getLength();
    Value *none = ConstantInt::get(length->getType(), 0);
    block.setLength(builder.CreateSelect(inside, length, none));
  }

  /// llvm.masked.load (pointer, mask, …) and llvm.masked.store (value, pointer,
  /// mask): element by element, as the mask says.
  void checkMasked(IntrinsicInst &call, unsigned operand, Type *type,
                   AccessKind kind) {
    auto *vector = cast<FixedVectorType>(type);
    Value *pointer = call.getArgOperand(operand);
    Align alignment = call.getParamAlign(operand).valueOrOne();
    call.removeParamAttr(operand, Attribute::Alignment);
    if (!isChecked(*pointer))
      return;
    IRBuilder<> builder(&call);
    uint64_t bytes = layout.getTypeStoreSize(vector->getElementType());
    PlaceInfo place = describeAccess(call, pointer, kind, bytes,
                                     MinAlign(alignment.value(), bytes), info);
    info.largestAccess =
        std::max<uint64_t>(info.largestAccess, layout.getTypeStoreSize(vector));
    unsigned lanes = vector->getNumElements();
    Value *mask = builder.CreateBitCast(call.getArgOperand(operand + 1),
                                        builder.getIntNTy(lanes));
    Value *generic = builder.CreateAddrSpaceCast(pointer, builder.getPtrTy());
    Value *number = builder.getInt32(addPlace(info, std::move(place)));
    FunctionCallee check =
        declareRuntimeFunction(*call.getModule(), runtime::accessMasked);
    // A call checks as many lanes as the mask that it takes has bits.
    Value *checked = generic;
    for (unsigned first = 0; first < lanes; first += maskBits) {
      Value *from = builder.CreateConstGEP1_64(builder.getInt8Ty(), generic,
                                               first * bytes);
      Value *part = builder.CreateZExtOrTrunc(builder.CreateLShr(mask, first),
                                              builder.getInt64Ty());
      Value *used = builder.CreateCall(
          check, {thread, from, builder.getInt64(bytes), part, number});
      checked =
          builder.CreateSelect(builder.CreateICmpEQ(used, from), checked, used);
    }
    call.setArgOperand(
        operand, builder.CreateAddrSpaceCast(checked, pointer->getType()));
  }

  /// The optimizer would believe an assumption, so it must not see one that may
  /// be wrong.
  void checkAssumption(AssumeInst &assume) {
    IRBuilder<> builder(&assume);
    for (unsigned i = 0; i != assume.getNumOperandBundles(); ++i) {
      OperandBundleUse bundle = assume.getOperandBundleAt(i);
      if (bundle.getTagName() != "align" || bundle.Inputs.size() != 2)
        continue;
      auto *alignment = dyn_cast<ConstantInt>(bundle.Inputs[1]);
      if (!alignment || !isPowerOf2_64(alignment->getZExtValue()))
        continue;
      info.workgroupAlignment =
          std::max(info.workgroupAlignment, 2 * alignment->getZExtValue());
      checkAlignment(builder, assume, bundle.Inputs[0], AccessKind::Read,
                     builder.getInt64(0), Align(alignment->getZExtValue()));
    }
    assume.eraseFromParent();
  }

  void visit(Instruction &instruction) {
    if (auto *load = dyn_cast<LoadInst>(&instruction)) {
      load->setMetadata(LLVMContext::MD_align, nullptr);
      checkOperand(*load, 0, load->getType(), load->getAlign(),
                   load->isAtomic() ? AccessKind::Atomic : AccessKind::Read);
      load->setAtomic(AtomicOrdering::NotAtomic);
      load->setAlignment(Align(1));
    } else if (auto *store = dyn_cast<StoreInst>(&instruction)) {
      checkOperand(*store, 1, store->getValueOperand()->getType(),
                   store->getAlign(),
                   store->isAtomic() ? AccessKind::Atomic : AccessKind::Write);
      store->setAtomic(AtomicOrdering::NotAtomic);
      store->setAlignment(Align(1));
    } else if (auto *rmw = dyn_cast<AtomicRMWInst>(&instruction)) {
      checkOperand(*rmw, 0, rmw->getType(), rmw->getAlign(),
                   AccessKind::Atomic);
      rmw->setAlignment(Align(1));
      lowerAtomicRMWInst(rmw);
    } else if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&instruction)) {
      checkOperand(*exchange, 0, exchange->getCompareOperand()->getType(),
                   exchange->getAlign(), AccessKind::Atomic);
      exchange->setAlignment(Align(1));
      lowerAtomicCmpXchgInst(exchange);
    } else if (auto *block = dyn_cast<AnyMemIntrinsic>(&instruction)) {
      checkBlock(*block);
    } else if (auto *assume = dyn_cast<AssumeInst>(&instruction)) {
      checkAssumption(*assume);
    } else if (auto *call = dyn_cast<IntrinsicInst>(&instruction)) {
      if (call->getIntrinsicID() == Intrinsic::masked_load)
        checkMasked(*call, 0, call->getType(), AccessKind::Read);
      else if (call->getIntrinsicID() == Intrinsic::masked_store)
        checkMasked(*call, 1, call->getArgOperand(0)->getType(),
                    AccessKind::Write);
    } else if (auto *fence = dyn_cast<FenceInst>(&instruction)) {
      fence->eraseFromParent();
    }
  }
};
} // namespace

void instrumentAccesses(Function &function, Value *thread, ModuleInfo &info) {
  Instrumenter instrumenter{function.getParent()->getDataLayout(), thread,
                            info};
  for (Instruction &instruction : make_early_inc_range(instructions(function)))
    instrumenter.visit(instruction);
}

void replaceWorkgroupVariables(Function &function, Value *thread,
                               const ModuleInfo &info) {
  Module &module = *function.getParent();
  auto *after = cast<Instruction>(thread);
  IRBuilder<> builder(after->getParent(), std::next(after->getIterator()));
  Value *base = nullptr;
  for (const WorkgroupBuffer &buffer : info.buffers) {
    GlobalVariable *variable = module.getNamedGlobal(buffer.name);
    convertUsersOfConstantsToInstructions({variable}, &function);
    auto isHere = [&](Use &use) {
      auto *user = dyn_cast<Instruction>(use.getUser());
      return user && user->getFunction() == &function;
    };
    if (none_of(variable->uses(), isHere))
      continue;
    if (!base)
      base = builder.CreateLoad(
          builder.getPtrTy(),
          builder.CreateConstGEP1_64(builder.getInt8Ty(), thread,
                                     offsetof(ThreadRegisters, workgroup)));
    Value *address =
        builder.CreateConstGEP1_64(builder.getInt8Ty(), base, buffer.offset);
    variable->replaceUsesWithIf(
        builder.CreateAddrSpaceCast(address, variable->getType()), isHere);
  }
}

} // namespace formwork::transforms::emulate
