//===- Exactness.h - Whether sums are exact in any order --------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Decides for which inputs a payload computes without rounding, so that what it
// computes in another order is the same to the bit. Layer: transforms.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_RESULTS_EXACTNESS_H
#define FORMWORK_TRANSFORMS_RESULTS_EXACTNESS_H

#include "mlir/IR/BuiltinOps.h"

namespace formwork::transforms {

/// Whether all that `module` does with floats keeps small integers integers:
/// sums, differences, products, extrema, choices and conversions, with integers
/// as constants. `why`, if given, is an operation that does not.
bool keepsIntegers(mlir::ModuleOp module, std::string *why = nullptr);

/// Changes `module`, which keeps integers, to one whose result for inputs that
/// are all the same positive integer bounds the sum of the magnitudes of all
/// that the first adds up for inputs up to that integer.
void boundMagnitudes(mlir::ModuleOp module);

/// The largest integer up to which every float type in `module` holds all
/// integers; infinity without a float.
double getExactLimit(mlir::ModuleOp module);

/// Whether an integer that `module` is given, or loads, becomes an index.
bool computesIndices(mlir::ModuleOp module);

} // namespace formwork::transforms

#endif // FORMWORK_TRANSFORMS_RESULTS_EXACTNESS_H
