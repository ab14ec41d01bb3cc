//===- TileReductions.h - What a structured operation reduces ---*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Recognizes the bodies of structured operations that vectors can compute:
// sums of products, reductions, and the place of a maximum. Layer: transforms.
// It only reads IR.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_TILES_TILEREDUCTIONS_H
#define FORMWORK_TRANSFORMS_TILES_TILEREDUCTIONS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <optional>

namespace formwork::transforms::tiles {

/// Whether `op`, in the body of a structured operation, can be computed element
/// by element, also for elements that are not there.
bool isElementwise(mlir::Operation *op);

/// The body of a sum of products: `acc + lhs * rhs`. A contraction extends the
/// factors itself: floats, and integers with their sign. Other integers are
/// extended with zeros before.
struct Product {
  mlir::BlockArgument lhs, rhs;
  bool extendsWithZeros;
};

/// The product that `op` sums up; none if the operation does something else.
std::optional<Product> matchProduct(mlir::linalg::LinalgOp op);

/// The body of one result of a reduction: `kind(acc, value)`, for a value of
/// the inputs.
struct Reduction {
  mlir::Operation *combiner;
  mlir::Value value;
  mlir::vector::CombiningKind kind;
};

/// The reductions that `op` computes, one for each result; none if it does
/// something else.
std::optional<llvm::SmallVector<Reduction>>
matchReductions(mlir::linalg::LinalgOp op);

/// A body that finds the largest or smallest value along one loop, and where:
///
///   %is = cmp(%value, %best)
///   yield (%is ? %value : %best), (%is ? %place : %at)
///
/// `place` is computed from the index of that loop alone, and from values
/// outside of the body.
struct Extreme {
  /// The comparison, and the operations that yield the results.
  mlir::Operation *compare, *chooseValue, *choosePlace;
  mlir::Value value, place;
  /// The numbers of the results: the value, and its place.
  unsigned valueResult, placeResult;
  mlir::vector::CombiningKind kind;
  /// The last one of several equal values counts.
  bool takesLast;
};

/// The extreme that `op` finds; none if the operation does something else.
std::optional<Extreme> matchExtreme(mlir::linalg::LinalgOp op);

/// The value that `kind` leaves as it is.
mlir::TypedAttr getNeutral(mlir::vector::CombiningKind kind, mlir::Type type);

} // namespace formwork::transforms::tiles

#endif // FORMWORK_TRANSFORMS_TILES_TILEREDUCTIONS_H
