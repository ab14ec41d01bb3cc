//===- DynamicMemory.cpp - Memory whose size a launch states ----*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/stage/DynamicMemory.h"

#include "transforms/stage/ReuseMemory.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Support/DebugStringHelper.h"

using namespace mlir;

/// The allocations of workgroup memory in `launch`, in program order.
static SmallVector<memref::AllocOp> findBuffers(gpu::LaunchOp launch) {
  SmallVector<memref::AllocOp> buffers;
  launch.getBody().walk([&](memref::AllocOp alloc) {
    if (gpu::GPUDialect::hasWorkgroupMemoryAddressSpace(alloc.getType()))
      buffers.push_back(alloc);
  });
  return buffers;
}

std::optional<std::string>
formwork::transforms::stage::checkDynamicMemory(gpu::LaunchOp launch) {
  if (Value asked = launch.getDynamicSharedMemorySize();
      asked && !getConstantIntValue(asked))
    return "requires a launch that asks for a constant number of bytes but has "
           "one that computes it";
  for (memref::AllocOp buffer : findBuffers(launch)) {
    MemRefType type = buffer.getType();
    if (!type.hasStaticShape() || !type.getLayout().isIdentity() ||
        !type.getElementType().isIntOrFloat()) {
      std::string text = debugString(type);
      return "requires buffers of a static shape and layout but has one of "
             "type " +
             text;
    }
  }
  return std::nullopt;
}

void formwork::transforms::stage::makeMemoryDynamic(RewriterBase &rewriter,
                                                    gpu::LaunchOp launch,
                                                    bool reuse) {
  SmallVector<memref::AllocOp> buffers = findBuffers(launch);
  if (buffers.empty())
    return;
  Location loc = launch.getLoc();
  Value asked = launch.getDynamicSharedMemorySize();
  int64_t bytes = asked ? *getConstantIntValue(asked) : 0;
  SmallVector<PlacedBuffer> placed =
      placeBuffers(launch, buffers, bytes, reuse);
  orderReuse(rewriter, launch, placed);
  rewriter.setInsertionPointToStart(&launch.getBody().front());
  auto space = gpu::AddressSpaceAttr::get(rewriter.getContext(),
                                          gpu::AddressSpace::Workgroup);
  Value all = gpu::DynamicSharedMemoryOp::create(
      rewriter, loc,
      MemRefType::get({ShapedType::kDynamic}, rewriter.getI8Type(),
                      MemRefLayoutAttrInterface(), space));
  for (const PlacedBuffer &place : placed) {
    memref::AllocOp buffer = place.buffer;
    rewriter.setInsertionPoint(buffer);
    Value offset =
        arith::ConstantIndexOp::create(rewriter, buffer.getLoc(), place.offset);
    bytes = std::max(bytes, place.offset + place.bytes);
    for (Operation *user : llvm::make_early_inc_range(buffer->getUsers()))
      if (isa<memref::DeallocOp>(user))
        rewriter.eraseOp(user);
    rewriter.replaceOpWithNewOp<memref::ViewOp>(buffer, buffer.getType(), all,
                                                offset, ValueRange());
  }
  rewriter.setInsertionPoint(launch);
  Value size = arith::ConstantIntOp::create(rewriter, loc, bytes, 32);
  rewriter.modifyOpInPlace(
      launch, [&] { launch.getDynamicSharedMemorySizeMutable().assign(size); });
}
