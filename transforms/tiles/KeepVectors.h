//===- KeepVectors.h - Tiles that stay vectors ------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Forwards the vector of a tile from the operation that writes it to the one
// that reads it. MLIR forwards such a vector only if it fills its tensor.
// Layer: transforms. It knows no schedule and no threads.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_TILES_KEEPVECTORS_H
#define FORMWORK_TRANSFORMS_TILES_KEEPVECTORS_H

#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/PatternMatch.h"

namespace formwork::transforms::tiles {

/// Whether `transfer` accesses a vector of `type`, from the first element of a
/// tensor on, in the order of its dimensions.
bool isFromStart(mlir::VectorTransferOpInterface transfer,
                 mlir::VectorType type);

/// Reads a vector of `type` from the first element of `tensor` on, in the order
/// of its dimensions, with `padding` behind the end. `zero` is the index 0.
mlir::vector::TransferReadOp
createRead(mlir::OpBuilder &builder, mlir::Location loc, mlir::VectorType type,
           mlir::Value tensor, mlir::Value zero, mlir::Value padding);

/// Writes `vector` to `tensor` from its first element on, as above. Elements
/// behind the end are not written.
mlir::vector::TransferWriteOp createWrite(mlir::OpBuilder &builder,
                                          mlir::Location loc,
                                          mlir::Value vector,
                                          mlir::Value tensor, mlir::Value zero);

/// The write of a vector of `type` that made the whole of `tensor`; null if
/// there is none.
mlir::vector::TransferWriteOp findWrite(mlir::Value tensor,
                                        mlir::VectorType type);

/// The vector of `type` that was written to `tensor` from its first element on,
/// if this write made the whole of `tensor`. Elements of the vector behind the
/// end of `tensor` were not written. If the tensor was reshaped after the
/// write, the vector is cast at the insertion point of `builder`.
mlir::Value findWritten(mlir::OpBuilder &builder, mlir::Value tensor,
                        mlir::VectorType type);

/// Whether `vector`, which was written to `tensor` from the first element on,
/// is known to be zero behind the end of `tensor`. This holds if the vector was
/// read with such zeros from a tensor of the same sizes.
bool isZeroBehind(mlir::Value vector, mlir::Value tensor);

/// Called for each loop that another loop replaces. It may be gone by then.
using NotifyReplaced =
    llvm::function_ref<void(mlir::Operation *op, mlir::Operation *by)>;

/// Keeps the sum of a tile in a vector. `before` reads the vector that `write`
/// adds to. Both access the same tensor, from its first element on. Elements
/// that `before` reads behind the end of the tensor are not written.
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
