//===- HostLowering.cpp - The host code of a compiled schedule --*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/program/HostLowering.h"

#include "engine/Check.h"
#include "engine/Diagnostics.h"
#include "transforms/program/DeviceMemory.h"
#include "transforms/program/ToLLVM.h"

#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace formwork::engine;
using namespace formwork::transforms;

static bool isBuffer(Value value) {
  return isa<BaseMemRefType>(value.getType());
}

/// The reason why `op` cannot work on buffers that the host cannot reach; null
/// if it can.
static const char *explainHostAccess(Operation *op) {
  if (isa<scf::ForallOp, scf::ParallelOp>(op))
    return "runs a parallel loop that is not mapped";
  if (isa<memref::GetGlobalOp>(op))
    return "refers to a constant in the host's memory";
  if (isa<memref::AllocaOp>(op))
    return "allocates on the host's stack";
  if (llvm::none_of(op->getOperands(), isBuffer))
    return nullptr;
  if (isa<memref::DeallocOp, func::CallOp, func::ReturnOp, ViewLikeOpInterface>(
          op) ||
      isa_and_nonnull<gpu::GPUDialect>(op->getDialect()))
    return nullptr;
  if (auto effects = dyn_cast<MemoryEffectOpInterface>(op)) {
    if (effects.hasEffect<MemoryEffects::Write>())
      return "writes a buffer";
    if (effects.hasEffect<MemoryEffects::Read>())
      return "reads a buffer";
    return nullptr;
  }
  // Loops and branches that hand buffers on are judged by what is in them.
  if (op->hasTrait<OpTrait::HasRecursiveMemoryEffects>() ||
      op->hasTrait<OpTrait::IsTerminator>())
    return nullptr;
  return "may read or write a buffer";
}

static const char *suggestFix(Operation *op) {
  if (isa<scf::ForallOp, scf::ParallelOp>(op))
    return "map the loop with transform.gpu.map_forall_to_blocks, or fuse what "
           "is in it into a loop that is mapped";
  if (isa<memref::CopyOp>(op))
    return "compute the result in place: tile and fuse all of its producers "
           "into the mapped loop, so that bufferization has nothing to copy";
  if (isa<memref::GetGlobalOp>(op))
    return "pass the constant as an argument of the entry function";
  return "fuse the operation into the mapped loop with "
         "transform.structured.fuse_into_containing_op";
}

/// `entry` and the functions that it calls, directly or not.
static SmallVector<func::FuncOp> collectReachable(ModuleOp module,
                                                  func::FuncOp entry) {
  llvm::SetVector<Operation *> reached;
  reached.insert(entry);
  for (size_t i = 0; i < reached.size(); ++i)
    reached[i]->walk([&](func::CallOp call) {
      if (auto callee = module.lookupSymbol<func::FuncOp>(call.getCallee()))
        reached.insert(callee);
    });
  return llvm::map_to_vector(
      reached, [](Operation *op) { return cast<func::FuncOp>(op); });
}

static func::FuncOp getEntry(ModuleOp module, StringRef name) {
  auto entry = module.lookupSymbol<func::FuncOp>(name);
  FW_CHECK(entry, "the entry was looked up before");
  return entry;
}

LogicalResult formwork::transforms::checkHostCode(ModuleOp lowered,
                                                  StringRef entry,
                                                  DiagnosticSeverity severity) {
  Findings findings;
  for (func::FuncOp function :
       collectReachable(lowered, getEntry(lowered, entry))) {
    function.walk<WalkOrder::PreOrder>([&](Operation *op) {
      // Operations in a launch belong to a kernel.
      if (isa<gpu::LaunchOp>(op))
        return WalkResult::skip();
      const char *problem = explainHostAccess(op);
      if (!problem)
        return WalkResult::advance();
      findings
          .add(Finding(
              op->getLoc(), "fw-host-memory-access",
              llvm::formatv("requires host code that only launches kernels but "
                            "'{0}' {1}",
                            op->getName(), problem),
              severity))
          .note(NoteKind::FixIt, op->getLoc(), suggestFix(op));
      // One error for a loop says it all.
      return WalkResult::skip();
    });
  }
  bool refused = findings.hasErrors();
  findings.emit();
  return failure(refused);
}

/// Puts `images` in the place of the gpu.modules.
static void embedImages(ModuleOp module, const KernelImages &images) {
  for (auto kernels :
       llvm::make_early_inc_range(module.getOps<gpu::GPUModuleOp>())) {
    auto found = images.find(kernels.getName());
    FW_CHECK(found != images.end(), "a gpu.module without an image");
    const KernelImage &image = found->second;
    OpBuilder builder(kernels);
    Attribute target = NVVM::NVVMTargetAttr::get(builder.getContext());
    if (ArrayAttr targets = kernels.getTargetsAttr();
        targets && !targets.empty())
      target = targets[0];
    std::string bytes = image.bytes;
    if (image.isPTX && !StringRef(bytes).ends_with('\0'))
      bytes.push_back('\0');
    auto object =
        gpu::ObjectAttr::get(target,
                             image.isPTX ? gpu::CompilationTarget::Assembly
                                         : gpu::CompilationTarget::Binary,
                             builder.getStringAttr(bytes));
    gpu::BinaryOp::create(builder, kernels.getLoc(), kernels.getName(),
                          /*offloadingHandler=*/nullptr,
                          ArrayRef<Attribute>(object));
    kernels.erase();
  }
}

static LogicalResult lowerToLLVM(ModuleOp module) {
  PassManager passes(module.getContext());
  addScalarLowering(passes);
  passes.addPass(createGpuToLLVMConversionPass());
  passes.addPass(createReconcileUnrealizedCastsPass());
  return passes.run(module);
}

/// A function that allocates with `allocate` when it is first called, and
/// returns the same memory from then on.
static LLVM::LLVMFuncOp createAllocateOnce(OpBuilder builder, Location loc,
                                           LLVM::LLVMFuncOp allocate) {
  Type pointer = LLVM::LLVMPointerType::get(builder.getContext());
  auto slot = LLVM::GlobalOp::create(
      builder, loc, pointer, /*isConstant=*/false, LLVM::Linkage::Internal,
      "formwork_workspace_memory", Attribute());
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.createBlock(&slot.getInitializerRegion());
    Value null = LLVM::ZeroOp::create(builder, loc, pointer);
    LLVM::ReturnOp::create(builder, loc, null);
  }
  auto function = LLVM::LLVMFuncOp::create(
      builder, loc, "formwork_allocate_once",
      LLVM::LLVMFunctionType::get(pointer, builder.getI64Type()),
      LLVM::Linkage::Internal);
  Block *entry = function.addEntryBlock(builder);
  Block *first = builder.createBlock(&function.getBody());
  Block *done = builder.createBlock(&function.getBody(), {}, pointer, loc);
  builder.setInsertionPointToStart(entry);
  Value place = LLVM::AddressOfOp::create(builder, loc, slot);
  Value null = LLVM::ZeroOp::create(builder, loc, pointer);
  Value known = LLVM::LoadOp::create(builder, loc, pointer, place);
  Value isFirst =
      LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::eq, known, null);
  LLVM::CondBrOp::create(builder, loc, isFirst, first, ValueRange(), done,
                         ValueRange(known));
  builder.setInsertionPointToStart(first);
  Value hostShared =
      LLVM::ConstantOp::create(builder, loc, builder.getI8IntegerAttr(0));
  Value memory = LLVM::CallOp::create(builder, loc, allocate,
                                      {entry->getArgument(0), null, hostShared})
                     .getResult();
  LLVM::StoreOp::create(builder, loc, memory, place);
  LLVM::BrOp::create(builder, loc, memory, done);
  builder.setInsertionPointToStart(done);
  LLVM::ReturnOp::create(builder, loc, done->getArgument(0));
  return function;
}

/// Lets the host code allocate on the device: all buffers are there.
static void allocateOnDevice(ModuleOp module) {
  OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
  MLIRContext *context = module.getContext();
  Type pointer = LLVM::LLVMPointerType::get(context);
  Type none = LLVM::LLVMVoidType::get(context);
  auto declare = [&](StringRef name, Type result, ArrayRef<Type> arguments) {
    return LLVM::LLVMFuncOp::create(
        builder, module.getLoc(), name,
        LLVM::LLVMFunctionType::get(result, arguments));
  };
  SmallVector<LLVM::CallOp> allocations = collectCalls(module, "malloc"),
                            deallocations = collectCalls(module, "free");
  if (!allocations.empty()) {
    auto allocate =
        declare("mgpuMemAlloc", pointer,
                {builder.getI64Type(), pointer, builder.getI8Type()});
    for (LLVM::CallOp call : allocations) {
      OpBuilder at(call);
      if (call->getParentOfType<LLVM::LLVMFuncOp>().getSymName() ==
          workspaceFunction) {
        LLVM::LLVMFuncOp once =
            createAllocateOnce(builder, call.getLoc(), allocate);
        auto memory = LLVM::CallOp::create(at, call.getLoc(), once,
                                           {call.getArgOperands()[0]});
        call.replaceAllUsesWith(memory);
        call.erase();
        continue;
      }
      Value stream = LLVM::ZeroOp::create(at, call.getLoc(), pointer);
      Value hostShared =
          LLVM::ConstantOp::create(at, call.getLoc(), at.getI8IntegerAttr(0));
      auto replacement =
          LLVM::CallOp::create(at, call.getLoc(), allocate,
                               {call.getArgOperands()[0], stream, hostShared});
      call.replaceAllUsesWith(replacement);
      call.erase();
    }
  }
  if (!deallocations.empty()) {
    auto release = declare("mgpuMemFree", none, {pointer, pointer});
    for (LLVM::CallOp call : deallocations) {
      OpBuilder at(call);
      Value stream = LLVM::ZeroOp::create(at, call.getLoc(), pointer);
      LLVM::CallOp::create(at, call.getLoc(), release,
                           {call.getArgOperands()[0], stream});
      call.erase();
    }
  }
}

FailureOr<OwningOpRef<ModuleOp>>
formwork::transforms::lowerHost(ModuleOp lowered, StringRef entry,
                                const KernelImages &images,
                                bool reachesDeviceMemory) {
  if (!reachesDeviceMemory && failed(checkHostCode(lowered, entry)))
    return failure();
  OwningOpRef<ModuleOp> module = lowered.clone();
  func::FuncOp function = getEntry(*module, entry);
  SmallVector<func::FuncOp> reachable = collectReachable(*module, function);
  for (Operation &op : llvm::make_early_inc_range(*module->getBody()))
    if (isa_and_nonnull<transform::TransformDialect>(op.getDialect()) ||
        isa<ModuleOp>(op) ||
        (isa<func::FuncOp>(op) &&
         !llvm::is_contained(reachable, cast<func::FuncOp>(op))))
      op.erase();
  function->setAttr(LLVM::LLVMDialect::getEmitCWrapperAttrName(),
                    UnitAttr::get(lowered.getContext()));
  embedImages(*module, images);
  placeAssertions(*module);
  shareTemporaries(function);

  Finding finding(function.getLoc(), "fw-host-lowering",
                  llvm::formatv("requires host code that lowers to LLVM but "
                                "that of '{0}' does not",
                                entry));
  if (failed(runWithOneError(std::move(finding),
                             [&] { return lowerToLLVM(*module); })))
    return failure();
  if (failed(verifyLowered(*module, "fw-host-lowering", "host code")))
    return failure();
  allocateOnDevice(*module);
  addTrampoline(*module, entry, runTrampoline);
  return module;
}
