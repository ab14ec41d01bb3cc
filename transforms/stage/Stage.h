//===- Stage.h - Vectors through workgroup memory ---------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rewrites an operand of a block's operation so that it passes through
// workgroup memory. Layer: transforms. It knows no schedule and no threads.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_STAGE_STAGE_H
#define FORMWORK_TRANSFORMS_STAGE_STAGE_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/PatternMatch.h"

namespace formwork::transforms::stage {

/// The layout of a vector in its buffer.
struct BufferLayout {
  /// The vector's dimensions in the order of the buffer, outermost first. Empty
  /// for the vector's own order.
  llvm::SmallVector<int64_t> order;
  /// The number of unused elements behind each row of the buffer. With them,
  /// rows start in different banks.
  int64_t padding = 0;
  /// Whether the rows are swizzled (Swizzle.h).
  bool swizzled = false;

  bool operator==(const BufferLayout &other) const = default;
};

/// The operations that a staged operand passes through.
struct Staged {
  mlir::memref::AllocOp buffer;
  mlir::vector::TransferWriteOp write;
  mlir::vector::TransferReadOp read;
};

/// match:  op(..., %v, ...), inside of `launch`
/// result: %buffer = memref.alloc() of workgroup memory, where the launch
/// begins
///         vector.transfer_write %v, %buffer
///         %w = vector.transfer_read %buffer
///         op(..., %w, ...)
/// when:   %v is a vector of a fixed size, of rank at least one
///
/// If loops around the operation do not change %v, the write stands in front of
/// the outermost of these loops. `firstRead` is a read that an earlier call
/// made for the same operation. If given, the write stands in front of it. Then
/// all operands are written before any is read, so that one barrier is enough.
///
/// The code stays code for one thread. The step that shares it among threads
/// adds the barriers that the write and the read need.
Staged stageOperand(mlir::RewriterBase &rewriter, mlir::gpu::LaunchOp launch,
                    mlir::OpOperand &operand, const BufferLayout &layout,
                    mlir::Operation *firstRead = nullptr);

} // namespace formwork::transforms::stage

#endif // FORMWORK_TRANSFORMS_STAGE_STAGE_H
