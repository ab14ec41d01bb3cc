//===- WorkgroupBuffers.cpp - Workgroup memory of kernels -------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "engine/Diagnostics.h"
#include "transforms/gpu/Passes.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace formwork::transforms {
#define GEN_PASS_DEF_GPUWORKGROUPBUFFERS
#include "transforms/gpu/Passes.h.inc"
} // namespace formwork::transforms

using namespace mlir;
using formwork::engine::Finding;
using formwork::engine::NoteKind;

/// Wide enough for the widest access of one thread (ld.shared.v4.b32).
static constexpr int64_t workgroupAlignment = 16;

static LogicalResult refuseAllocation(Operation *alloc, MemRefType type) {
  if (gpu::GPUDialect::hasWorkgroupMemoryAddressSpace(type))
    return emitFinding(Finding(
        alloc->getLoc(), "fw-kernel-allocation",
        llvm::formatv("workgroup memory requires a static shape and layout but "
                      "has '{0}'",
                      type)));
  return emitFinding(
      Finding(
          alloc->getLoc(), "fw-kernel-allocation",
          llvm::formatv("a kernel requires its buffers from outside but has "
                        "an allocation of '{0}'",
                        type))
          .note(NoteKind::FixIt, alloc->getLoc(),
                "normalize to @tensor.no_empty before bufferization, or place "
                "the buffer with structured.bufferize_to_allocation and "
                "memory_space = #gpu.address_space<workgroup>"));
}

/// Replaces one allocation in workgroup memory by an attribution of `func`.
static void attribute(gpu::GPUFuncOp func, Operation *alloc, MemRefType type) {
  BlockArgument buffer = func.addWorkgroupAttribution(type, alloc->getLoc());
  func.setWorkgroupAttributionAttr(
      func.getNumWorkgroupAttributions() - 1,
      LLVM::LLVMDialect::getAlignAttrName(),
      IntegerAttr::get(IntegerType::get(func.getContext(), 64),
                       workgroupAlignment));
  for (Operation *user : llvm::make_early_inc_range(alloc->getUsers()))
    if (isa<memref::DeallocOp>(user))
      user->erase();
  alloc->getResult(0).replaceAllUsesWith(buffer);
  alloc->erase();
}

static LogicalResult convertAllocations(gpu::GPUFuncOp func) {
  SmallVector<Operation *> allocs;
  func.walk([&](Operation *op) {
    if (isa<memref::AllocOp, memref::AllocaOp>(op))
      allocs.push_back(op);
  });
  bool failed = false;
  for (Operation *alloc : allocs) {
    auto type = cast<MemRefType>(alloc->getResult(0).getType());
    bool workgroup = gpu::GPUDialect::hasWorkgroupMemoryAddressSpace(type);
    // Memory of one thread is what an alloca in the default space says.
    if (!workgroup && isa<memref::AllocaOp>(alloc))
      continue;
    if (!workgroup || !type.hasStaticShape() ||
        !type.getLayout().isIdentity()) {
      (void)refuseAllocation(alloc, type);
      failed = true;
      continue;
    }
    attribute(func, alloc, type);
  }
  return failure(failed);
}

namespace {
struct WorkgroupBuffers
    : formwork::transforms::impl::GpuWorkgroupBuffersBase<WorkgroupBuffers> {
  void runOnOperation() override {
    for (auto func : getOperation().getOps<gpu::GPUFuncOp>())
      if (failed(convertAllocations(func)))
        return signalPassFailure();
    // The remaining allocations are in functions that kernels call, which have
    // no attributions.
    getOperation().walk([&](Operation *op) {
      if (!isa<memref::AllocOp, memref::AllocaOp>(op) ||
          !gpu::GPUDialect::hasWorkgroupMemoryAddressSpace(
              cast<MemRefType>(op->getResult(0).getType())))
        return;
      (void)emitFinding(Finding(op->getLoc(), "fw-kernel-allocation",
                                "workgroup memory requires a kernel that "
                                "allocates it but a function does"));
      signalPassFailure();
    });
  }
};
} // namespace
