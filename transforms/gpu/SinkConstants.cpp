//===- SinkConstants.cpp - Constant buffers inside kernels ------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/gpu/Passes.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/SetVector.h"

namespace formwork::transforms {
#define GEN_PASS_DEF_GPUSINKCONSTANTS
#include "transforms/gpu/Passes.h.inc"
} // namespace formwork::transforms

using namespace mlir;

namespace {
struct SinkConstants
    : formwork::transforms::impl::GpuSinkConstantsBase<SinkConstants> {
  void runOnOperation() override {
    getOperation()->walk([](gpu::LaunchOp launch) { sink(launch); });
    getOperation()->walk([](memref::GetGlobalOp op) {
      if (op->use_empty())
        op.erase();
    });
  }

private:
  static void sink(gpu::LaunchOp launch) {
    llvm::SetVector<Operation *> constants;
    launch.walk([&](Operation *op) {
      for (Value operand : op->getOperands())
        if (auto global = operand.getDefiningOp<memref::GetGlobalOp>())
          if (!launch->isAncestor(global))
            constants.insert(global);
    });
    OpBuilder builder = OpBuilder::atBlockBegin(&launch.getBody().front());
    for (Operation *constant : constants) {
      Value inside = builder.clone(*constant)->getResult(0);
      constant->getResult(0).replaceUsesWithIf(inside, [&](OpOperand &use) {
        return launch->isProperAncestor(use.getOwner());
      });
    }
  }
};
} // namespace
