//===- OnlineSoftmax.h - A softmax in pieces, and its product ---*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Computes a product with a softmax in a loop over pieces of the sum: each piece
// corrects what the ones before it summed up by the maximum that it finds. Layer:
// transforms. It knows no schedule, no vectors and no threads.
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

/// A product of which one factor is a softmax, along the loop that it sums over.
struct SoftmaxProduct {
  mlir::linalg::LinalgOp product;
  mlir::linalg::SoftmaxOp softmax;
  /// The number of the factor, and the loop that the product sums over.
  unsigned factor = 0;
  unsigned sumLoop = 0;
  /// What stands between the softmax and the product, the last one first: slices
  /// that take the dimension of the softmax as a whole, and casts.
  llvm::SmallVector<mlir::tensor::ExtractSliceOp> slices;
  llvm::SmallVector<mlir::linalg::GenericOp> casts;
};

/// Finds the softmax that `op` multiplies by; else a message about why there is
/// none.
std::variant<SoftmaxProduct, std::string> matchSoftmaxProduct(mlir::Operation *op);

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
/// when:   `matchSoftmaxProduct` finds the softmax; `step`, the length of a piece,
///         is at least 1
///
/// A length that no number of pieces makes up has a last piece that begins earlier:
/// all pieces are of one size, and what the ones before it have counts for nothing
/// in it. A length that is not known has a shorter one.
///
/// Where `%init` is known to be zero, the sum begins there, and nothing is added.
/// A row without a finite element gives the same as upstream's softmax: NaN if all
/// are negative infinity. Casts between the softmax and the product are made of
/// `%q`. The softmax stays. Source: M. Milakov and N. Gimelshein, Online normalizer
/// calculation for softmax, 2018.
OnlineProduct computeOnline(mlir::RewriterBase &rewriter,
                            const SoftmaxProduct &match, int64_t step);

} // namespace formwork::transforms::softmax

#endif // FORMWORK_TRANSFORMS_SOFTMAX_ONLINESOFTMAX_H
