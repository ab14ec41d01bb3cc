//===- VectorizeTile.h - Vectorizes tiles of unequal sizes ------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rewrites a structured operation to vectors of given sizes, which its loops
// need not fill. Layer: transforms. It knows no schedule and no threads.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_TILES_VECTORIZETILE_H
#define FORMWORK_TRANSFORMS_TILES_VECTORIZETILE_H

#include "transforms/tiles/KeepVectors.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/PatternMatch.h"

#include <optional>
#include <string>

namespace formwork::transforms::tiles {

/// The reason why an operation cannot be vectorized: an id and the message.
struct Refusal {
  std::string id;
  std::string message;
};

/// `sizes`, with the largest number of steps of its loop for each size that is
/// 0. Without sizes, all are. A size stays 0 where no bound is known.
llvm::SmallVector<int64_t> getVectorSizes(mlir::linalg::LinalgOp op,
                                          llvm::ArrayRef<int64_t> sizes);

/// Returns why `op` cannot be computed with vectors of `sizes`, one for each of
/// its loops; none if it can. `fw-vector-sizes`: a loop is not known to have at
/// most as many steps as its size. The steps follow from its shape, or from
/// bounds on the values that give the shape. `fw-no-vector-form`: the operation
/// must not compute elements behind the end of a tensor.
std::optional<Refusal> checkTile(mlir::linalg::LinalgOp op,
                                 llvm::ArrayRef<int64_t> sizes);

/// match:  %r = linalg.op ins(%a, ...) outs(%c), on tensors
/// result: %va = vector.transfer_read %a, %zero : vector<sizes of its loops>
///         ...
///         %v = op on vectors of `sizes`
///         %r = vector.transfer_write %v, %c
/// when:   `checkTile` accepts it
///
/// Elements behind the end of a tensor are read as zero, which changes no sum
/// of products, and are not written. Other reductions replace them by the
/// neutral element. Loops around a sum carry it as a vector; `replaced` is
/// called for these loops.
void vectorizeTile(mlir::RewriterBase &rewriter, mlir::linalg::LinalgOp op,
                   llvm::ArrayRef<int64_t> sizes, NotifyReplaced replaced);

} // namespace formwork::transforms::tiles

#endif // FORMWORK_TRANSFORMS_TILES_VECTORIZETILE_H
