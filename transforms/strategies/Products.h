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

#include "mlir/IR/BuiltinOps.h"

namespace formwork::transforms {

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

/// Extends the factors of a product of two types of floats, such as f16 and
/// bf16, to the type in which they are multiplied: no vector operation
/// multiplies two types.
void widenMixedProducts(mlir::ModuleOp payload);

} // namespace formwork::transforms

#endif // FORMWORK_TRANSFORMS_STRATEGIES_PRODUCTS_H
