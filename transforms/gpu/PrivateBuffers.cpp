//===- PrivateBuffers.cpp - Temporaries of one thread -----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/gpu/Passes.h"

#include "normalforms/predicates/PrivateBuffers.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace formwork::transforms {
#define GEN_PASS_DEF_GPUPRIVATEBUFFERS
#include "transforms/gpu/Passes.h.inc"
} // namespace formwork::transforms

using namespace mlir;

namespace {
struct PrivateBuffers
    : formwork::transforms::impl::GpuPrivateBuffersBase<PrivateBuffers> {
  void runOnOperation() override {
    getOperation()->walk([](gpu::LaunchOp launch) { convert(launch); });
  }

private:
  static void convert(gpu::LaunchOp launch) {
    SmallVector<memref::AllocOp> allocs;
    launch.walk([&](memref::AllocOp alloc) {
      if (formwork::normalforms::isPrivateBuffer(alloc, launch))
        allocs.push_back(alloc);
    });
    // In a loop, an alloca would take more of the stack at each step.
    OpBuilder builder = OpBuilder::atBlockBegin(&launch.getBody().front());
    for (memref::AllocOp alloc : allocs) {
      auto slot = memref::AllocaOp::create(
          builder, alloc.getLoc(), alloc.getType(), alloc.getAlignmentAttr());
      for (Operation *user : llvm::make_early_inc_range(alloc->getUsers()))
        if (isa<memref::DeallocOp>(user))
          user->erase();
      alloc.replaceAllUsesWith(slot.getResult());
      alloc.erase();
    }
  }
};
} // namespace
