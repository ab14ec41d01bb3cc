//===- VectorizeTile.h - Tiles of which some are smaller --------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The rewrite of a structured operation to vectors of given sizes, which its
// loops need not fill. Layer: transforms. It knows no schedule and no threads.
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

/// Why an operation stays as it is: the id, and what is wrong.
struct Refusal {
  std::string id;
  std::string message;
};

/// What keeps `op` from being computed with vectors of `sizes`, one for each of
/// its loops; none if nothing does. `fw-vector-sizes`: a loop is not known to
/// have at most as many steps as its size, by its shape or by bounds on what
/// gives the shape. `fw-no-vector-form`: the operation is none that can compute
/// more than is there.
std::optional<Refusal> checkTile(mlir::linalg::LinalgOp op,
                                 llvm::ArrayRef<int64_t> sizes);

/// match:  %r = linalg.op ins(%a, ...) outs(%c), on tensors
/// result: %va = vector.transfer_read %a, %zero : vector<sizes of its loops>
///         ...
///         %v = op on vectors of `sizes`
///         %r = vector.transfer_write %v, %c
/// when:   `checkTile` accepts it
///
/// What is behind the end of a tensor is read as zero, which changes no sum of
/// products, and is not written. Loops around a sum carry it as a vector;
/// `replaced` is told of those.
void vectorizeTile(mlir::RewriterBase &rewriter, mlir::linalg::LinalgOp op,
                   llvm::ArrayRef<int64_t> sizes, NotifyReplaced replaced);

} // namespace formwork::transforms::tiles

#endif // FORMWORK_TRANSFORMS_TILES_VECTORIZETILE_H
