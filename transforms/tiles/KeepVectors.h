//===- KeepVectors.h - Tiles that stay vectors ------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Vectors of tiles that one operation writes and the next one reads. MLIR forwards
// such a vector only where it fills its tensor. Layer: transforms. It knows no
// schedule and no threads.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_TILES_KEEPVECTORS_H
#define FORMWORK_TRANSFORMS_TILES_KEEPVECTORS_H

#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/PatternMatch.h"

namespace formwork::transforms::tiles {

/// The vector of `type` that was written to `tensor` from its first element on, if
/// the whole of `tensor` is from that write. Elements of the vector behind the end
/// of `tensor` were not written. Between the two, the tensor may have been reshaped:
/// the vector then is cast, at the insertion point of `builder`.
mlir::Value findWritten(mlir::OpBuilder &builder, mlir::Value tensor,
                        mlir::VectorType type);

/// Whether `vector`, which was written to `tensor` from the first element on, is
/// known to be zero behind the end of `tensor`: it was read like that from a tensor
/// of the same sizes.
bool isZeroBehind(mlir::Value vector, mlir::Value tensor);

/// Told of each loop that another one takes the place of.
using NotifyReplaced =
    llvm::function_ref<void(mlir::Operation *op, mlir::Operation *by)>;

/// Keeps the sum of a tile in a vector. `before` is the read of what `write` adds
/// to, both from the first element on, and of the same tensor; what `before` reads
/// behind the end of that is not written.
///
/// match:  %t = transfer_write %v, %c
///         for iter_args(%i = %t) { %r = transfer_read %i; ...
///                                  yield transfer_write %s, %i }
/// result: %w = for iter_args(%r = %v) { ...; yield %s }
///         transfer_write %w, %c
void keepSum(mlir::RewriterBase &rewriter, mlir::vector::TransferReadOp before,
             mlir::vector::TransferWriteOp write, NotifyReplaced replaced);

} // namespace formwork::transforms::tiles

#endif // FORMWORK_TRANSFORMS_TILES_KEEPVECTORS_H
