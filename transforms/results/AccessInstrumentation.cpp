//===- AccessInstrumentation.cpp - Accesses in LLVM IR ----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/results/AccessInstrumentation.h"

#include "transforms/emulate/Places.h"
#include "transforms/results/AccessChecks.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace formwork::transforms;

namespace {
class Instrumenter {
public:
  Instrumenter(Module &module, std::vector<emulate::Place> &places)
      : layout(module.getDataLayout()), places(places),
        builder(module.getContext()) {
    touch = module.getOrInsertFunction(
        access::touch, builder.getVoidTy(), builder.getPtrTy(),
        builder.getInt64Ty(), builder.getInt32Ty(), builder.getInt32Ty(),
        builder.getPtrTy());
  }

  void run(Function &function) {
    // Then stack slots show.
    emulate::simplify(function);
    SmallVector<Instruction *> all;
    for (Instruction &instruction : instructions(function))
      all.push_back(&instruction);
    for (Instruction *instruction : all)
      visit(*instruction);
  }

  uint64_t getGranule() const { return granule; }

private:
  void visit(Instruction &instruction) {
    if (auto *load = dyn_cast<LoadInst>(&instruction))
      return add(instruction, load->getPointerOperand(),
                 getBytes(load->getType()), accessReads);
    if (auto *store = dyn_cast<StoreInst>(&instruction))
      return add(instruction, store->getPointerOperand(),
                 getBytes(store->getValueOperand()->getType()), accessWrites);
    if (auto *update = dyn_cast<AtomicRMWInst>(&instruction))
      return add(instruction, update->getPointerOperand(),
                 getBytes(update->getType()), accessIsAtomic);
    if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&instruction))
      return add(instruction, exchange->getPointerOperand(),
                 getBytes(exchange->getCompareOperand()->getType()),
                 accessIsAtomic);
    if (auto *set = dyn_cast<MemSetInst>(&instruction))
      return add(instruction, set->getDest(), set->getLength(), accessWrites);
    if (auto *move = dyn_cast<MemTransferInst>(&instruction)) {
      add(instruction, move->getSource(), move->getLength(), accessReads);
      return add(instruction, move->getDest(), move->getLength(), accessWrites);
    }
    auto *intrinsic = dyn_cast<IntrinsicInst>(&instruction);
    if (!intrinsic)
      return;
    switch (intrinsic->getIntrinsicID()) {
    case Intrinsic::masked_load:
    case Intrinsic::masked_gather:
      return addLanes(*intrinsic, 0, intrinsic->getType(), accessReads);
    case Intrinsic::masked_store:
    case Intrinsic::masked_scatter:
      return addLanes(*intrinsic, 1, intrinsic->getArgOperand(0)->getType(),
                      accessWrites);
    case Intrinsic::masked_expandload:
      return addPacked(*intrinsic, 0, intrinsic->getType(), accessReads);
    case Intrinsic::masked_compressstore:
      return addPacked(*intrinsic, 1, intrinsic->getArgOperand(0)->getType(),
                       accessWrites);
    default:
      return;
    }
  }

  /// The value that `pointer` was computed from.
  static Value *getObject(Value *pointer) {
    return getUnderlyingObject(pointer, /*MaxLookup=*/0);
  }

  Value *getBytes(Type *type) {
    uint64_t bytes = layout.getTypeStoreSize(type).getFixedValue();
    granule = std::min<uint64_t>(granule, bytes & -bytes);
    return builder.getInt64(bytes);
  }

  uint32_t addPlace(Instruction &instruction) {
    places.push_back(emulate::getPlace(instruction));
    return places.size() - 1;
  }

  void add(Instruction &instruction, Value *pointer, Value *bytes,
           uint32_t kind) {
    // Those of whole ranges have the size of a number of elements.
    if (!isa<ConstantInt>(bytes))
      granule = 1;
    Value *object = getObject(pointer);
    if (isa<AllocaInst>(object))
      return;
    builder.SetInsertPoint(&instruction);
    builder.CreateCall(touch,
                       {pointer, bytes, builder.getInt32(kind),
                        builder.getInt32(addPlace(instruction)), object});
  }

  /// An access of the lanes that the mask, the operand behind `pointer`,
  /// selects; of a gather or scatter, at an address each.
  void addLanes(IntrinsicInst &instruction, unsigned pointer, Type *type,
                uint32_t kind) {
    auto *vector = dyn_cast<FixedVectorType>(type);
    if (!vector)
      return;
    Value *base = instruction.getArgOperand(pointer);
    Value *lanes = instruction.getArgOperand(pointer + 1);
    Value *object = getObject(base);
    if (isa<AllocaInst>(object))
      return;
    uint32_t place = addPlace(instruction);
    Type *element = vector->getElementType();
    builder.SetInsertPoint(&instruction);
    for (uint64_t lane = 0; lane != vector->getNumElements(); ++lane) {
      Value *address = isa<VectorType>(base->getType())
                           ? builder.CreateExtractElement(base, lane)
                           : builder.CreateConstGEP1_64(element, base, lane);
      Value *isActive = builder.CreateExtractElement(lanes, lane);
      builder.CreateCall(
          touch, {address,
                  builder.CreateSelect(isActive, getBytes(element),
                                       builder.getInt64(0)),
                  builder.getInt32(kind), builder.getInt32(place),
                  isa<VectorType>(object->getType()) ? address : object});
    }
  }

  /// An access of as many elements in a row as the mask selects lanes.
  void addPacked(IntrinsicInst &instruction, unsigned pointer, Type *type,
                 uint32_t kind) {
    auto *vector = dyn_cast<FixedVectorType>(type);
    if (!vector)
      return;
    builder.SetInsertPoint(&instruction);
    Value *number = builder.CreateAddReduce(builder.CreateZExt(
        instruction.getArgOperand(pointer + 1),
        FixedVectorType::get(builder.getInt64Ty(), vector->getNumElements())));
    add(instruction, instruction.getArgOperand(pointer),
        builder.CreateMul(number, getBytes(vector->getElementType())), kind);
  }

  const DataLayout &layout;
  std::vector<emulate::Place> &places;
  IRBuilder<> builder;
  FunctionCallee touch;
  uint64_t granule = 8;
};
} // namespace

uint64_t
formwork::transforms::instrumentAccesses(Module &module,
                                         std::vector<emulate::Place> &places) {
  Instrumenter instrumenter(module, places);
  for (Function &function : module)
    if (!function.isDeclaration())
      instrumenter.run(function);
  return instrumenter.getGranule();
}
