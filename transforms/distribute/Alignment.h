//===- Alignment.h - Divisors of places in memory ---------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Computes how the elements that a kernel accesses are aligned in their buffer.
// Layer: transforms. It reads index arithmetic, and knows no target.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_DISTRIBUTE_ALIGNMENT_H
#define FORMWORK_TRANSFORMS_DISTRIBUTE_ALIGNMENT_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/ValueRange.h"

namespace formwork::transforms::distribute {

/// A number, at least 1, that is known to divide `index`; 0 if `index` is 0.
/// For example, it is 4 for `affine.apply (d0 * 8 + d1 + 4)(%thread, %i)` in a
/// loop in which %i starts at 0 and has the step 16. Cost: linear in the size
/// of the expression.
int64_t getDivisor(mlir::Value index);

/// A number that is known to divide the size of dimension `dim` of `memory`. It
/// is 1 if nothing is known, as for an argument of a dynamic size.
int64_t getSizeDivisor(mlir::Value memory, unsigned dim);

/// A number that is known to divide the distance in bytes from the start of a
/// buffer to the element of `memory` at `indices`. `memory` is the buffer or a
/// view of it. The result is 0 for the first element, and 1 if nothing is
/// known, as for an argument with a layout. Cost: linear in the number of
/// views.
int64_t getByteDivisor(mlir::Value memory, mlir::ValueRange indices);

/// A number that is known to divide the distance in bytes from the start of a
/// buffer to each row of the block that starts at `indices`. A row is along the
/// last dimension of `memory`. The block has several rows along each dimension
/// in `outer`.
int64_t getRowDivisor(mlir::Value memory, mlir::ValueRange indices,
                      llvm::ArrayRef<unsigned> outer);

} // namespace formwork::transforms::distribute

#endif // FORMWORK_TRANSFORMS_DISTRIBUTE_ALIGNMENT_H
