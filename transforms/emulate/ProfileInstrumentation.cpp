//===- ProfileInstrumentation.cpp - Recording what threads do -------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/emulate/ProfileInstrumentation.h"

#include "transforms/emulate/Places.h"
#include "transforms/emulate/Runtime.h"

#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/IPO/AlwaysInliner.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/InferAddressSpaces.h"
#include "llvm/Transforms/Scalar/ScalarizeMaskedMemIntrin.h"
#include "llvm/Transforms/Vectorize/LoadStoreVectorizer.h"

namespace formwork::transforms::emulate {

using namespace llvm;
using Class = InstructionClass;

//===----------------------------------------------------------------------===//
// As the back end for PTX gets it
//===----------------------------------------------------------------------===//

Error optimizeForDevice(Module &device) {
  LLVMInitializeNVPTXTargetInfo();
  LLVMInitializeNVPTXTarget();
  LLVMInitializeNVPTXTargetMC();
  Triple triple("nvptx64-nvidia-cuda");
  std::string message;
  const Target *target = TargetRegistry::lookupTarget(triple, message);
  if (!target)
    return createStringError("a profile requires LLVM's back end for PTX: " +
                             message);
  std::unique_ptr<TargetMachine> machine(target->createTargetMachine(
      triple, "sm_90", "+ptx80", TargetOptions(), std::nullopt));
  device.setTargetTriple(triple);
  device.setDataLayout(machine->createDataLayout());
  for (Function &function : device)
    if (!function.isDeclaration() && !isKernel(function)) {
      function.setLinkage(GlobalValue::InternalLinkage);
      function.addFnAttr(Attribute::AlwaysInline);
      function.removeFnAttr(Attribute::NoInline);
      function.removeFnAttr(Attribute::OptimizeNone);
    }

  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager components;
  ModuleAnalysisManager modules;
  PassBuilder builder(machine.get());
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  ModulePassManager passes;
  passes.addPass(AlwaysInlinerPass());
  passes.addPass(builder.buildPerModuleDefaultPipeline(OptimizationLevel::O3));
  FunctionPassManager late;
  late.addPass(InferAddressSpacesPass(AddressSpace::Generic));
  late.addPass(EarlyCSEPass());
  late.addPass(LoadStoreVectorizerPass());
  late.addPass(ScalarizeMaskedMemIntrinPass());
  passes.addPass(createModuleToFunctionPassAdaptor(std::move(late)));
  passes.run(device, modules);
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Classes
//===----------------------------------------------------------------------===//

/// How many instructions an operation of this type is.
static unsigned countElements(const Type *type) {
  auto *vector = dyn_cast<FixedVectorType>(type);
  if (!vector)
    return 1;
  unsigned elements = vector->getNumElements();
  return vector->getScalarSizeInBits() == 16 ? divideCeil(elements, 2)
                                             : elements;
}

static bool isLocal(const Value *pointer) {
  return pointer->getType()->getPointerAddressSpace() == AddressSpace::Local ||
         isa<AllocaInst>(getUnderlyingObject(pointer));
}

static bool isWorkgroup(const Value *pointer) {
  return getUnderlyingObject(pointer)->getType()->getPointerAddressSpace() ==
         AddressSpace::Workgroup;
}

static Class getAccessClass(const Value *pointer, bool store) {
  if (isLocal(pointer))
    return Class::Local;
  if (isWorkgroup(pointer))
    return store ? Class::WorkgroupStore : Class::WorkgroupLoad;
  return store ? Class::GlobalStore : Class::GlobalLoad;
}

static bool isBarrier(const Instruction &instruction) {
  auto *call = dyn_cast<IntrinsicInst>(&instruction);
  return call &&
         call->getCalledFunction()->getName().starts_with("llvm.nvvm.barrier");
}

/// Nothing for an instruction that is none on the device.
static std::optional<Class> classifyCall(const CallBase &call) {
  const Function *callee = call.getCalledFunction();
  auto *intrinsic = dyn_cast<IntrinsicInst>(&call);
  if (!intrinsic)
    return Class::Special;
  StringRef name = callee->getName();
  auto isOne = [&](std::initializer_list<StringRef> prefixes) {
    return any_of(prefixes,
                  [&](StringRef prefix) { return name.starts_with(prefix); });
  };
  if (isOne({"llvm.nvvm.mma."}))
    return Class::Tensor;
  if (isOne({"llvm.nvvm.ldmatrix."}))
    return Class::WorkgroupLoad;
  if (isOne({"llvm.nvvm.stmatrix."}))
    return Class::WorkgroupStore;
  if (isOne({"llvm.nvvm.cp.async.commit", "llvm.nvvm.cp.async.wait",
             "llvm.nvvm.read.ptx.sreg", "llvm.nvvm.membar"}))
    return Class::Other;
  if (isOne({"llvm.nvvm.cp.async."}))
    return Class::AsyncCopy;
  if (isBarrier(call))
    return Class::Barrier;
  if (isOne({"llvm.nvvm.shfl.", "llvm.nvvm.vote.", "llvm.nvvm.match.",
             "llvm.nvvm.redux.", "llvm.nvvm.bar.warp.",
             "llvm.nvvm.activemask"}))
    return Class::Exchange;
  if (isOne({"llvm.sqrt.", "llvm.exp", "llvm.log", "llvm.sin.", "llvm.cos.",
             "llvm.pow", "llvm.nvvm.ex2.", "llvm.nvvm.lg2.", "llvm.nvvm.sin.",
             "llvm.nvvm.cos.", "llvm.nvvm.rcp.", "llvm.nvvm.rsqrt.",
             "llvm.nvvm.sqrt.", "llvm.nvvm.div.", "llvm.nvvm.tanh."}))
    return Class::Special;
  if (intrinsic->isAssumeLikeIntrinsic())
    return std::nullopt;
  return call.getType()->isFPOrFPVectorTy() ? Class::Float : Class::Integer;
}

static std::optional<Class> classify(const Instruction &instruction) {
  if (auto *load = dyn_cast<LoadInst>(&instruction))
    return getAccessClass(load->getPointerOperand(), false);
  if (auto *store = dyn_cast<StoreInst>(&instruction))
    return getAccessClass(store->getPointerOperand(), true);
  if (isa<AtomicRMWInst, AtomicCmpXchgInst>(instruction))
    return getAccessClass(instruction.getOperand(0), true);
  if (auto *call = dyn_cast<CallBase>(&instruction))
    return classifyCall(*call);
  if (isa<BranchInst, SwitchInst, IndirectBrInst, ReturnInst>(instruction))
    return Class::Branch;
  // These have no instruction, or only one that ptxas removes.
  if (isa<PHINode, AllocaInst, BitCastInst, AddrSpaceCastInst, FreezeInst,
          ExtractValueInst, InsertValueInst, ExtractElementInst,
          InsertElementInst, ShuffleVectorInst, PtrToIntInst, IntToPtrInst,
          UnreachableInst>(instruction))
    return std::nullopt;
  if (auto *gep = dyn_cast<GetElementPtrInst>(&instruction))
    // A constant offset is part of the access.
    return gep->hasAllConstantIndices() ? std::nullopt
                                        : std::optional(Class::Integer);
  if (instruction.getOpcode() == Instruction::FDiv ||
      instruction.getOpcode() == Instruction::FRem)
    return Class::Special;
  bool isFloat = instruction.getType()->isFPOrFPVectorTy() ||
                 (instruction.getNumOperands() != 0 &&
                  instruction.getOperand(0)->getType()->isFPOrFPVectorTy());
  return isFloat ? Class::Float : Class::Integer;
}

//===----------------------------------------------------------------------===//
// Recording
//===----------------------------------------------------------------------===//

namespace {
struct Recorder {
  Recorder(Function &function, Value *thread, ProfiledModule &profile)
      : function(function), thread(thread), profile(profile) {}

  Function &function;
  Value *thread;
  ProfiledModule &profile;
  DenseMap<const DILocation *, uint32_t> sites;
  DenseMap<const BasicBlock *, uint32_t> ids;

  uint32_t getSite(const Instruction &instruction) {
    auto [known, isNew] = sites.try_emplace(instruction.getDebugLoc().get(), 0);
    if (isNew) {
      known->second = profile.sites.size();
      profile.sites.push_back(getPlace(instruction));
    }
    return known->second;
  }

  void splitAtBarriers() {
    SmallVector<Instruction *> barriers;
    for (Instruction &instruction : instructions(function))
      if (isBarrier(instruction))
        barriers.push_back(&instruction);
    for (Instruction *barrier : barriers)
      barrier->getParent()->splitBasicBlock(std::next(barrier->getIterator()));
  }

  void recordAccess(ProfiledBlock &block, Instruction &instruction,
                    Value *pointer, Class kind, uint32_t bytes,
                    uint32_t numLanes = 32, Value *condition = nullptr) {
    block.accesses.push_back(profile.accesses.size());
    profile.accesses.push_back({getSite(instruction), kind, bytes, numLanes});
    IRBuilder<> builder(&instruction);
    Value *generic = builder.CreateAddrSpaceCast(pointer, builder.getPtrTy());
    if (condition)
      generic = builder.CreateSelect(
          condition, generic, ConstantPointerNull::get(builder.getPtrTy()));
    builder.CreateCall(
        declareRuntimeFunction(*function.getParent(), runtime::traceAccess),
        {thread, generic});
  }

  /// How many instructions the back end makes of a load or store: it takes at
  /// most 16 bytes, and halves a vector until its alignment is enough.
  unsigned countPieces(const Instruction &instruction) {
    if (!isa<LoadInst, StoreInst>(instruction))
      return 1;
    const DataLayout &layout = function.getParent()->getDataLayout();
    auto *vector = dyn_cast<FixedVectorType>(getLoadStoreType(&instruction));
    if (!vector)
      return 1;
    uint64_t bytes = layout.getTypeStoreSize(vector), pieces = 1;
    uint64_t widest =
        std::min<uint64_t>(16, getLoadStoreAlignment(&instruction).value());
    while (bytes / pieces > widest && pieces < vector->getNumElements() &&
           bytes % (2 * pieces) == 0)
      pieces *= 2;
    return pieces;
  }

  void recordAccesses(ProfiledBlock &block, Instruction &instruction,
                      Class kind) {
    const DataLayout &layout = function.getParent()->getDataLayout();
    auto getBytes = [&](Type *type) -> uint32_t {
      return layout.getTypeStoreSize(type);
    };
    if (kind == Class::Local)
      return;
    if (Value *pointer = getLoadStorePointerOperand(&instruction)) {
      uint32_t bytes = getBytes(getLoadStoreType(&instruction));
      uint32_t piece = bytes / countPieces(instruction);
      for (uint32_t start = 0; start < bytes; start += piece) {
        IRBuilder<> builder(&instruction);
        recordAccess(
            block, instruction,
            builder.CreateConstGEP1_64(builder.getInt8Ty(), pointer, start),
            kind, piece);
      }
      return;
    }
    if (auto *rmw = dyn_cast<AtomicRMWInst>(&instruction))
      return recordAccess(block, instruction, rmw->getPointerOperand(), kind,
                          getBytes(rmw->getType()));
    if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&instruction))
      return recordAccess(block, instruction, exchange->getPointerOperand(),
                          kind,
                          getBytes(exchange->getCompareOperand()->getType()));
    auto *call = dyn_cast<IntrinsicInst>(&instruction);
    if (!call)
      return;
    StringRef name = call->getCalledFunction()->getName();
    if (name.contains("matrix.sync")) {
      uint32_t matrices = name.contains(".x4.")   ? 4
                          : name.contains(".x2.") ? 2
                                                  : 1;
      return recordAccess(block, instruction, call->getArgOperand(0), kind, 16,
                          8 * matrices);
    }
    if (kind != Class::AsyncCopy)
      return;
    uint32_t bytes = name.contains(".16") ? 16 : name.contains(".8") ? 8 : 4;
    Value *any = nullptr;
    if (call->arg_size() == 3) {
      IRBuilder<> builder(&instruction);
      any = builder.CreateIsNotNull(call->getArgOperand(2));
    }
    recordAccess(block, instruction, call->getArgOperand(1), kind, bytes, 32,
                 any);
    recordAccess(block, instruction, call->getArgOperand(0), kind, bytes);
  }

  void record(BasicBlock &basicBlock, uint32_t id) {
    ProfiledBlock block;
    if (basicBlock.getTerminator()->getNumSuccessors() > 1)
      block.branchSite = getSite(*basicBlock.getTerminator());
    for (Instruction &instruction : make_early_inc_range(basicBlock)) {
      std::optional<Class> kind = classify(instruction);
      // The pointer to the registers is no instruction of the kernel, and the
      // branch behind a barrier is one of ours.
      if (!kind || &instruction == thread ||
          (instruction.isTerminator() && basicBlock.size() > 1 &&
           isBarrier(*std::prev(instruction.getIterator()))))
        continue;
      bool wide = *kind == Class::Float || *kind == Class::Special ||
                  *kind == Class::Integer;
      uint32_t site = getSite(instruction);
      block.instructions.insert(block.instructions.end(),
                                wide ? countElements(instruction.getType())
                                     : countPieces(instruction),
                                {site, *kind});
      recordAccesses(block, instruction, *kind);
    }
    IRBuilder<> builder(&basicBlock, basicBlock.getFirstInsertionPt());
    if (&basicBlock == &function.getEntryBlock())
      builder.SetInsertPoint(
          &basicBlock, std::next(cast<Instruction>(thread)->getIterator()));
    builder.CreateCall(
        declareRuntimeFunction(*function.getParent(), runtime::traceBlock),
        {thread, builder.getInt32(id)});
    profile.blocks[id] = std::move(block);
  }

  void run() {
    splitAtBarriers();
    for (BasicBlock &block : function) {
      ids[&block] = profile.blocks.size();
      profile.blocks.emplace_back();
    }
    for (BasicBlock &block : function)
      record(block, ids[&block]);
    PostDominatorTree tree(function);
    for (BasicBlock &block : function) {
      auto *node = tree.getNode(&block);
      auto *up = node ? node->getIDom() : nullptr;
      if (up && up->getBlock())
        profile.blocks[ids[&block]].join = ids[up->getBlock()];
    }
  }
};
} // namespace

void instrumentProfile(Function &function, Value *thread,
                       ProfiledModule &profile) {
  Recorder(function, thread, profile).run();
}

} // namespace formwork::transforms::emulate
