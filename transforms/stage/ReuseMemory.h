//===- ReuseMemory.h - Buffers with the same bytes --------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Places for the buffers of a kernel in one piece of memory, where buffers that
// are never in use at the same time may have the same bytes. Layer: transforms.
// It knows only buffers and the order of their accesses.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_STAGE_REUSEMEMORY_H
#define FORMWORK_TRANSFORMS_STAGE_REUSEMEMORY_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/PatternMatch.h"

namespace formwork::transforms::stage {

/// A buffer and its place. It is in use from its first to its last access. Both
/// are operations at the top of the kernel, and may hold the access. If an
/// access is not known to be one, such as that of another function, the buffer
/// is in use all the time.
struct PlacedBuffer {
  mlir::memref::AllocOp buffer;
  int64_t bytes = 0;
  int64_t offset = 0;
  unsigned first = 0, last = 0;
  /// Whether copies to the buffer may still be under way after its last access.
  bool isCopiedTo = false;

  bool isUsed() const { return first <= last; }
  bool isUsedWith(const PlacedBuffer &other) const {
    return first <= other.last && other.first <= last;
  }
  bool sharesBytesWith(const PlacedBuffer &other) const {
    return offset < other.offset + other.bytes && other.offset < offset + bytes;
  }
};

/// Places `buffers` behind the first `start` bytes, at multiples of 16 bytes.
/// Two of them have the same bytes only if `reuse`, and if one is in use after
/// the other. The largest come first, each at the first place that is free.
/// Cost: cubic in the number of buffers.
llvm::SmallVector<PlacedBuffer>
placeBuffers(mlir::gpu::LaunchOp launch,
             llvm::ArrayRef<mlir::memref::AllocOp> buffers, int64_t start,
             bool reuse);

/// Puts a barrier in front of the first access of each buffer with bytes that
/// another one had before, if there is none between the two. If the other one
/// is copied to asynchronously, a wait for all copies stands in front of it.
void orderReuse(mlir::RewriterBase &rewriter, mlir::gpu::LaunchOp launch,
                llvm::ArrayRef<PlacedBuffer> buffers);

} // namespace formwork::transforms::stage

#endif // FORMWORK_TRANSFORMS_STAGE_REUSEMEMORY_H
