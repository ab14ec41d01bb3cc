//===- Alignment.h - Which multiples a place in memory is of ----*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How the elements that a kernel accesses are aligned in their buffer. Layer:
// transforms. It reads index arithmetic, and knows no target.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_DISTRIBUTE_ALIGNMENT_H
#define FORMWORK_TRANSFORMS_DISTRIBUTE_ALIGNMENT_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Value.h"

namespace formwork::transforms::distribute {

/// A number that divides `index` for sure, at least 1; 0 if `index` is 0. An
/// example: 4 for `affine.apply (d0 * 8 + d1 + 4)(%thread, %i)` in a loop in which
/// %i starts at 0 and has the step 16. Linear in the size of the expression.
int64_t getDivisor(mlir::Value index);

/// A number that divides how many elements dimension `dim` of `memory` has, as above:
/// 1 where nothing is known, such as of an argument of a dynamic size.
int64_t getSizeDivisor(mlir::Value memory, unsigned dim);

/// A number that divides the distance in bytes between the start of a buffer and
/// the element of `memory` at `indices`, where `memory` is the buffer or a view of
/// it; 0 if that is the first element, and 1 if nothing is known, as for an argument
/// with a layout. Linear in the number of views.
int64_t getByteDivisor(mlir::Value memory, mlir::ValueRange indices);

} // namespace formwork::transforms::distribute

#endif // FORMWORK_TRANSFORMS_DISTRIBUTE_ALIGNMENT_H
