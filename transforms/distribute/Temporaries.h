//===- Temporaries.h - Buffers that only pass a vector on -------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds and removes the buffers of a block that only hold one vector on its way
// to another buffer. Layer: transforms. It knows nothing of threads.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_DISTRIBUTE_TEMPORARIES_H
#define FORMWORK_TRANSFORMS_DISTRIBUTE_TEMPORARIES_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/PatternMatch.h"

#include <optional>

namespace formwork::transforms::distribute {

/// A buffer of a block that one write fills, and that is then only read as a
/// whole. Bufferization makes one where a loop over blocks has two results and
/// computes the second one in a part of the first.
struct Temporary {
  mlir::vector::TransferWriteOp write;
  /// These have the vector that was written.
  llvm::SmallVector<mlir::vector::TransferReadOp> reads;
  /// These take all of the buffer to another one of the same shape.
  llvm::SmallVector<mlir::memref::CopyOp> copies;
};

/// The temporary in `alloc`; none if anything else uses the buffer.
std::optional<Temporary> matchTemporary(mlir::memref::AllocOp alloc);

/// Removes all temporaries of `launch`: their readers take the vector, and
/// their copies become writes of it.
void forwardTemporaries(mlir::RewriterBase &rewriter,
                        mlir::gpu::LaunchOp launch);

} // namespace formwork::transforms::distribute

#endif // FORMWORK_TRANSFORMS_DISTRIBUTE_TEMPORARIES_H
