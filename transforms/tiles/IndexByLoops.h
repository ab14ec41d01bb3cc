//===- IndexByLoops.h - Operands that loops index alone ---------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Indexing maps that divide loops, such as those of unfolded images (img2col),
// made plain for tiles so small that the divisions have one result. Layer:
// transforms. It knows no schedule, no vectors and no threads.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_TILES_INDEXBYLOOPS_H
#define FORMWORK_TRANSFORMS_TILES_INDEXBYLOOPS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/PatternMatch.h"

namespace formwork::transforms::tiles {

/// How many elements dimension `dim` of `tensor` has, a number or a value; null where
/// what defines the tensor does not say.
mlir::OpFoldResult getKnownSize(mlir::Value tensor, int64_t dim);

/// The most steps that `loop` of `op` has, by the shape of an operand or by
/// bounds on what gives the shape; none if nothing is known.
std::optional<int64_t> getMostSteps(mlir::linalg::LinalgOp op, unsigned loop);

/// Whether `indexByLoops` makes all inputs of `op` plain: their maps are a
/// projected permutation of the loops, or each of their results is, for the steps
/// that the loops have, a number or a loop of its own, maybe times a number and
/// with a number added.
bool canIndexByLoops(mlir::linalg::LinalgOp op);

/// match:  linalg.generic ins(%a) with the map
///           (d0, d1, d2) -> (d0, d1 floordiv 16 + 1, d1 mod 16, d2)
/// result: %s = tensor.extract_slice %a[0, 1, 0, 0] [n0, 1, n1, n2] [1, 1, 1, 1],
///           without the second dimension
///         linalg.generic ins(%s) with the map (d0, d1, d2) -> (d0, d1, d2)
/// when:   d1 has at most 16 steps; n0, n1, n2 are the steps of the loops
///
/// Returns the new operation, or `op` where all of its maps are plain.
mlir::linalg::LinalgOp indexByLoops(mlir::RewriterBase &rewriter,
                                    mlir::linalg::LinalgOp op);

} // namespace formwork::transforms::tiles

#endif // FORMWORK_TRANSFORMS_TILES_INDEXBYLOOPS_H
