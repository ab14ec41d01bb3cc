//===- IndexByLoops.h - Operands indexed by loops only ----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Simplifies indexing maps that divide loops, such as those of unfolded images
// (img2col), for tiles so small that each division has one result, and those of
// windows that move over an image, for one place of the window. Layer:
// transforms. It knows no schedule, no vectors and no threads.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_TILES_INDEXBYLOOPS_H
#define FORMWORK_TRANSFORMS_TILES_INDEXBYLOOPS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/PatternMatch.h"

namespace formwork::transforms::tiles {

/// The size of dimension `dim` of `tensor`, as a number or a value. Null if the
/// operation that defines the tensor does not tell the size.
mlir::OpFoldResult getKnownSize(mlir::Value tensor, int64_t dim);

/// The largest number of steps that `loop` of `op` can have, from the shape of
/// an operand or from bounds on the values that give the shape. None if nothing
/// is known.
std::optional<int64_t> getMostSteps(mlir::linalg::LinalgOp op, unsigned loop);

/// Whether `loop` always has one step: an operand that it indexes has one
/// element there.
bool hasOneStep(mlir::linalg::LinalgOp op, unsigned loop);

/// The number of steps of `loop`, for an operation that accesses a dimension
/// along this loop alone.
mlir::OpFoldResult getSteps(mlir::OpBuilder &builder, mlir::linalg::LinalgOp op,
                            unsigned loop);

/// Whether `indexByLoops` can make the maps of all inputs of `op` projected
/// permutations. A map must be one already, or have only results of the form
/// `loop * stride + offset` or a number, for the steps that the loops have. No
/// loop may be in two results.
bool canIndexByLoops(mlir::linalg::LinalgOp op);

/// The loops over the window of `op`, such as those over the filter of a
/// convolution, that have one step. They are reductions, and a map adds them to
/// another loop. `indexByLoops` drops them.
llvm::SmallVector<unsigned> getWindowLoops(mlir::linalg::LinalgOp op);

/// match:  linalg.generic ins(%a) with the map
///           (d0, d1, d2) -> (d0, d1 floordiv 16 + 1, d1 mod 16, d2)
/// result: %s = tensor.extract_slice %a[0, 1, 0, 0] [n0, 1, n1, n2] [1, 1, 1,
/// 1],
///           without the second dimension
///         linalg.generic ins(%s) with the map (d0, d1, d2) -> (d0, d1, d2)
/// when:   d1 has at most 16 steps; n0, n1, n2 are the steps of the loops
///
/// match:  linalg.pooling_nwc_max {strides = 2} ins(%a, %w), with one step
/// along
///         the window: the map of %a is (n, w, c, k) -> (n, w * 2 + k, c)
/// result: %s = tensor.extract_slice %a[0, 0, 0] [n0, n1, n2] [1, 2, 1]
///         linalg.generic ins(%s), elementwise: the maximum of what there was
///         and of %s
///
/// Removes the sizes of dropped loops from `sizes`. Returns the new operation,
/// or `op` if all of its maps already are projected permutations.
mlir::linalg::LinalgOp indexByLoops(mlir::RewriterBase &rewriter,
                                    mlir::linalg::LinalgOp op,
                                    llvm::SmallVectorImpl<int64_t> &sizes);

} // namespace formwork::transforms::tiles

#endif // FORMWORK_TRANSFORMS_TILES_INDEXBYLOOPS_H
