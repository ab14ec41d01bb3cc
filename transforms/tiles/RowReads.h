//===- RowReads.h - Lookups that read rows ----------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds reads of another tensor, in the body of a structured operation, that
// are one row for a whole tile. Layer: transforms.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_TILES_ROWREADS_H
#define FORMWORK_TRANSFORMS_TILES_ROWREADS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"

#include <optional>

namespace formwork::transforms::tiles {

/// A read at a place that all elements of a tile have in common. With `loop`,
/// the last index moves with this loop by one each step: the tile reads a row.
struct RowRead {
  std::optional<unsigned> loop;
};

/// Matches `extract`, in the body of `op`. None if the
/// elements of a tile are in several rows. A place is common if it follows from
/// values outside of the body, from indices of loops of one step, and from
/// elements of operands along such loops.
std::optional<RowRead> matchRowRead(mlir::linalg::LinalgOp op,
                                    mlir::tensor::ExtractOp extract);

/// Computes in front of `op` where `extract` reads, for the first step of all
/// loops. `scalars` has what earlier calls computed.
llvm::SmallVector<mlir::Value> getPlace(mlir::RewriterBase &rewriter,
                                        mlir::linalg::LinalgOp op,
                                        mlir::tensor::ExtractOp extract,
                                        mlir::IRMapping &scalars);

} // namespace formwork::transforms::tiles

#endif // FORMWORK_TRANSFORMS_TILES_ROWREADS_H
