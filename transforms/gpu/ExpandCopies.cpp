//===- ExpandCopies.cpp - Copies that a kernel can make ---------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/gpu/Passes.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/PatternMatch.h"

namespace formwork::transforms {
#define GEN_PASS_DEF_GPUEXPANDCOPIES
#include "transforms/gpu/Passes.h.inc"
} // namespace formwork::transforms

using namespace mlir;

namespace {
struct ExpandCopies
    : formwork::transforms::impl::GpuExpandCopiesBase<ExpandCopies> {
  void runOnOperation() override {
    SmallVector<memref::CopyOp> copies;
    getOperation()->walk([&](gpu::LaunchOp launch) {
      launch.walk([&](memref::CopyOp copy) { copies.push_back(copy); });
    });
    IRRewriter rewriter(&getContext());
    for (memref::CopyOp copy : copies) {
      rewriter.setInsertionPoint(copy);
      if (copy.getSource() == copy.getTarget())
        rewriter.eraseOp(copy);
      else
        rewriter.replaceOpWithNewOp<linalg::CopyOp>(copy, copy.getSource(),
                                                    copy.getTarget());
    }
  }
};
} // namespace
