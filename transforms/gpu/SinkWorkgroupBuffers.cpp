//===- SinkWorkgroupBuffers.cpp - Buffers move to their kernel --*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "engine/Diagnostics.h"
#include "transforms/gpu/Passes.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Transforms/RegionUtils.h"

namespace formwork::transforms {
#define GEN_PASS_DEF_GPUSINKWORKGROUPBUFFERS
#include "transforms/gpu/Passes.h.inc"
} // namespace formwork::transforms

using namespace mlir;
using formwork::engine::Finding;
using formwork::engine::NoteKind;

static bool isInWorkgroupMemory(Value value) {
  auto type = dyn_cast<MemRefType>(value.getType());
  return type && gpu::GPUDialect::hasWorkgroupMemoryAddressSpace(type);
}

/// The only launch that uses the buffer of `alloc`; null if there is another
/// use, beside those that free it.
static gpu::LaunchOp getOnlyLaunch(memref::AllocOp alloc) {
  gpu::LaunchOp only;
  for (Operation *user : alloc->getUsers()) {
    if (isa<memref::DeallocOp>(user))
      continue;
    auto launch = user->getParentOfType<gpu::LaunchOp>();
    if (!launch || (only && launch != only))
      return nullptr;
    only = launch;
  }
  return only;
}

static void sink(memref::AllocOp alloc, gpu::LaunchOp launch) {
  for (Operation *user : llvm::make_early_inc_range(alloc->getUsers()))
    if (isa<memref::DeallocOp>(user))
      user->erase();
  alloc->moveBefore(&launch.getBody().front().front());
}

/// Reports a buffer in workgroup memory that `launch` uses and does not own.
static LogicalResult refuseOthers(gpu::LaunchOp launch) {
  llvm::SetVector<Value> outer;
  getUsedValuesDefinedAbove(launch.getBody(), outer);
  LogicalResult result = success();
  for (Value buffer : outer)
    if (isInWorkgroupMemory(buffer))
      result = emitFinding(
          Finding(buffer.getLoc(), "fw-kernel-allocation",
                  llvm::formatv("workgroup memory requires one kernel that "
                                "allocates it but '{0}' comes from the host",
                                buffer.getType()))
              .note(NoteKind::Evidence, launch.getLoc(),
                    "this kernel uses the buffer"));
  return result;
}

namespace {
struct SinkWorkgroupBuffers
    : formwork::transforms::impl::GpuSinkWorkgroupBuffersBase<
          SinkWorkgroupBuffers> {
  void runOnOperation() override {
    SmallVector<memref::AllocOp> allocs;
    getOperation()->walk([&](memref::AllocOp alloc) {
      if (isInWorkgroupMemory(alloc) &&
          !alloc->getParentOfType<gpu::LaunchOp>())
        allocs.push_back(alloc);
    });
    for (memref::AllocOp alloc : allocs)
      if (gpu::LaunchOp launch = getOnlyLaunch(alloc))
        sink(alloc, launch);
    WalkResult checked = getOperation()->walk([](gpu::LaunchOp launch) {
      return failed(refuseOthers(launch)) ? WalkResult::interrupt()
                                          : WalkResult::advance();
    });
    if (checked.wasInterrupted())
      signalPassFailure();
  }
};
} // namespace
