//===- OnlineSoftmax.h - A softmax in pieces, and its product ---*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Computes a product with a softmax in a loop over pieces of the sum. Each
// piece finds a new maximum, and corrects the sums of the earlier pieces by it.
// Layer: transforms. It knows no schedule, no vectors and no threads.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_SOFTMAX_ONLINESOFTMAX_H
#define FORMWORK_TRANSFORMS_SOFTMAX_ONLINESOFTMAX_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

#include <string>
#include <variant>

namespace formwork::transforms::softmax {

/// A product one of whose factors is a softmax, along the loop that the product
/// sums over.
struct SoftmaxProduct {
  mlir::linalg::LinalgOp product;
  mlir::linalg::SoftmaxOp softmax;
  /// The operand number of this factor, and the loop that the product sums
  /// over.
  unsigned factor = 0;
  unsigned sumLoop = 0;
  /// The operations between the softmax and the product, the last one first:
  /// slices that take the whole dimension of the softmax, and casts.
  llvm::SmallVector<mlir::tensor::ExtractSliceOp> slices;
  llvm::SmallVector<mlir::linalg::GenericOp> casts;
};

/// Finds the softmax that `op` multiplies by. Returns a message if there is
/// none.
std::variant<SoftmaxProduct, std::string>
matchSoftmaxProduct(mlir::Operation *op);

struct OnlineProduct {
  mlir::linalg::LinalgOp product;
  mlir::scf::ForOp loop;
};

/// match:  %p = linalg.softmax ins(%x); %o = product(%p, %v) outs(%init)
/// result: %m, %s, %a = for each piece, from (lowest, 0, 0):
///           %m' = max(%m, max of the piece of %x)
///           %q  = exp(piece of %x - %m')
///           %c  = exp(%m - %m')
///           %s' = %s * %c + sum of %q
///           %a' = product(%q, piece of %v) outs(%a * %c)
///         %o = %init + %a / %s
/// when:   `matchSoftmaxProduct` finds the softmax; `step`, the length of a
/// piece,
///         is at least 1
///
/// If the length is no multiple of `step`, the last piece begins earlier, so
/// that all pieces have one size. The elements that it shares with earlier
/// pieces count for nothing in it. If the length is not known, the last piece
/// is shorter.
///
/// If `%init` is known to be zero, the sum starts with it, and the final
/// addition is left out. A row without a finite element gives the same result
/// as upstream's softmax: NaN if all elements are negative infinity. Casts
/// between the softmax and the product are applied to `%q`. The softmax stays.
///
/// Source: M. Milakov and N. Gimelshein, Online normalizer calculation for
/// softmax, 2018.
OnlineProduct computeOnline(mlir::RewriterBase &rewriter,
                            const SoftmaxProduct &match, int64_t step);

} // namespace formwork::transforms::softmax

#endif // FORMWORK_TRANSFORMS_SOFTMAX_ONLINESOFTMAX_H
