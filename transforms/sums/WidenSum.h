//===- WidenSum.h - Sums of narrow numbers, made in f32 ---------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A sum of f16 or bf16 that is rounded after each term loses the terms once it
// has grown: 4096 ones in bf16 add up to 256. Kernels and their reference add
// up in f32 and round once, as tensor cores do. Layer: transforms.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_SUMS_WIDENSUM_H
#define FORMWORK_TRANSFORMS_SUMS_WIDENSUM_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/PatternMatch.h"

#include <optional>
#include <string>

namespace formwork::transforms::sums {

/// The addition by which the body of `op` makes result number `number`, a sum
/// of f16 or bf16; null if the result is no such sum.
mlir::arith::AddFOp findNarrowSum(mlir::linalg::LinalgOp op, unsigned number);

/// Why `op` adds up no f16 or bf16; none if it does. A sum is a result of a
/// structured operation on tensors: along a reduction loop, the body adds to it
/// a term that does not depend on the sum so far.
std::optional<std::string> checkNarrowSum(mlir::Operation *op);

struct WidenedSum {
  mlir::linalg::GenericOp sum;
  /// One for each result that is such a sum.
  llvm::SmallVector<mlir::linalg::GenericOp> roundings;
};

/// match:  %r = op ins(%a, ...) outs(%init : bf16) { %s + term(%a, ...) }
/// result: %w = op ins(%a, ...) outs(extf %init : f32) { %s + extf term }
///         %r = truncf %w, into the tensor of %init
/// when:   `checkNarrowSum` has no objection
///
/// A term that is a product is computed in f32, too, of extended factors. Where
/// a fill makes the initial value, one of f32 stands beside it.
WidenedSum widenSum(mlir::RewriterBase &rewriter, mlir::linalg::LinalgOp op);

} // namespace formwork::transforms::sums

#endif // FORMWORK_TRANSFORMS_SUMS_WIDENSUM_H
