//===- Stage.h - Vectors through workgroup memory ---------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The rewrite that takes an operand of a block's operation through workgroup
// memory. Layer: transforms. It knows no schedule and no threads.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_STAGE_STAGE_H
#define FORMWORK_TRANSFORMS_STAGE_STAGE_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/PatternMatch.h"

namespace formwork::transforms::stage {

/// How a vector lies in its buffer.
struct BufferLayout {
  /// The vector's dimensions in the order of the buffer's, outermost first;
  /// empty for the vector's own order.
  llvm::SmallVector<int64_t> order;
  /// Elements behind each row of the buffer that nothing uses: rows start in
  /// different banks then.
  int64_t padding = 0;
  /// The rows are swizzled (Swizzle.h).
  bool swizzled = false;
};

/// What a staged operand goes through.
struct Staged {
  mlir::memref::AllocOp buffer;
  mlir::vector::TransferWriteOp write;
  mlir::vector::TransferReadOp read;
};

/// match:  op(..., %v, ...), inside of `launch`
/// result: %buffer = memref.alloc() of workgroup memory, where the launch begins
///         vector.transfer_write %v, %buffer
///         %w = vector.transfer_read %buffer
///         op(..., %w, ...)
/// when:   %v is a vector of a fixed size, of rank at least one
///
/// Where loops around the operation do not change %v, the write stands in front of
/// the outermost of them. With `firstRead`, a read that an earlier call made for
/// the same operation, the write stands in front of that: all operands are
/// written before any of them is read, so that one barrier is enough.
///
/// The block's code stays what one thread could do: whoever shares it among
/// threads puts barriers where the write and the read ask for them.
Staged stageOperand(mlir::RewriterBase &rewriter, mlir::gpu::LaunchOp launch,
                    mlir::OpOperand &operand, const BufferLayout &layout,
                    mlir::Operation *firstRead = nullptr);

} // namespace formwork::transforms::stage

#endif // FORMWORK_TRANSFORMS_STAGE_STAGE_H
