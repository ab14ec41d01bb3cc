//===- Products.h - Products as strategies take them ------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Brings products of a payload into the form that strategies have kernels for:
// one loop over rows, one over columns, one over steps, and factors of one
// type. Layer: transforms.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_STRATEGIES_PRODUCTS_H
#define FORMWORK_TRANSFORMS_STRATEGIES_PRODUCTS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/BuiltinOps.h"

#include <optional>

namespace formwork::transforms {

/// The loops of a product, by what a block has of them.
struct ProductLoops {
  /// Those of which it has a tile, and the steps of the sum that are tiled.
  unsigned rows = 0, columns = 0, steps = 0;
  /// Loops over a batch, and over further rows and columns, which one loop with
  /// `rows` or `columns` cannot be: a block has one step of each.
  llvm::SmallVector<unsigned, 2> single;
  /// Further steps of the sum, which are taken one by one.
  llvm::SmallVector<unsigned, 1> singleSteps;

  /// Some rows, columns or steps are two loops.
  bool isSplit = false;
};

/// The loops of `op`; nothing where it is no contraction with rows, columns and
/// steps of which each operand has a projected permutation. Rows and columns
/// are the innermost loops of their kind in the result, steps the longest one.
/// Where there are further ones, the result has all single loops in front: MLIR
/// vectorizes the insertion of a slice as if the dimensions that it lacks were
/// the first ones.
std::optional<ProductLoops> getProductLoops(mlir::linalg::LinalgOp op);

/// Whether each element of the result of `op` is one of an input, maybe as a
/// number of another type.
bool onlyMoves(mlir::Operation *op);

/// Makes `linalg.generic` of the named products of which a factor is only moved
/// in memory, repeated or converted. The fusion of elementwise operations then
/// reads the factor from where it was.
void generalizeProducts(mlir::ModuleOp payload);

/// Makes one loop of the rows of a product that has several loops over them, as
/// of a batch and a sequence; the same for columns and steps. Elementwise
/// readers have the same loops then.
void collapseProducts(mlir::ModuleOp payload);

/// Gives the result of a product, which starts from a value for all elements,
/// the order in which its only reader reads it element by element.
void turnProducts(mlir::ModuleOp payload);

/// Extends the factors of a product of two types of floats, such as f16 and
/// bf16, to the type in which they are multiplied: no vector operation
/// multiplies two types.
void widenMixedProducts(mlir::ModuleOp payload);

} // namespace formwork::transforms

#endif // FORMWORK_TRANSFORMS_STRATEGIES_PRODUCTS_H
