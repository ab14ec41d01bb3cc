//===- Overlap.cpp - Buffers that share no byte ---------------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/gpu/Overlap.h"

#include "transforms/gpu/Lowering.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace formwork::transforms;

static bool isAllocation(Value root) {
  return isa_and_nonnull<memref::AllocOp, memref::AllocaOp>(
      root.getDefiningOp());
}

static bool isArgument(Value root) {
  auto argument = dyn_cast<BlockArgument>(root);
  return argument &&
         isa<func::FuncOp, gpu::GPUFuncOp>(argument.getOwner()->getParentOp());
}

/// Whether `root` is an argument of which its function says that no other
/// argument overlaps it.
static bool isUnshared(Value root) {
  auto argument = dyn_cast<BlockArgument>(root);
  if (!argument)
    return false;
  auto func = dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp());
  return func && (func.getArgAttr(argument.getArgNumber(), "llvm.noalias") ||
                  func.getArgAttr(argument.getArgNumber(), byValueAttrName));
}

bool formwork::transforms::areApart(Value a, Value b) {
  auto aType = cast<BaseMemRefType>(a.getType());
  auto bType = cast<BaseMemRefType>(b.getType());
  if (gpu::GPUDialect::hasWorkgroupMemoryAddressSpace(
          dyn_cast<MemRefType>(aType)) !=
      gpu::GPUDialect::hasWorkgroupMemoryAddressSpace(
          dyn_cast<MemRefType>(bType)))
    return true;
  if (isAllocation(a))
    return isAllocation(b) || isArgument(b);
  if (isAllocation(b))
    return isArgument(a);
  return isArgument(a) && isArgument(b) && (isUnshared(a) || isUnshared(b));
}
