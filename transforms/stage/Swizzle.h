//===- Swizzle.h - Rows of a buffer in different banks ----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A layout of buffers in workgroup memory in which parts of rows and of columns
// are in different banks, without padding. Layer: transforms. It knows buffers and
// indices only.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_STAGE_SWIZZLE_H
#define FORMWORK_TRANSFORMS_STAGE_SWIZZLE_H

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/PatternMatch.h"

namespace formwork::transforms::stage {

/// In a swizzled buffer, a row consists of *units* of 16 bytes, and 8 units use
/// all banks once. Unit number u of row r is at the place of unit
///
///   u xor (r / max(1, 8 / n) mod min(8, n))
///
/// of that row, where n is the number of units of a row. An example with n = 4:
/// rows 0 and 1 are as they are; of rows 2 and 3, units 0 and 1 change places, and
/// 2 and 3. So units 0 of 8 rows are in different banks, and so are the units of
/// rows 0 and 1.
///
/// Whether a buffer of `type` can be swizzled: at least two dimensions, and rows of
/// a power of two of units, at least two.
bool canSwizzle(mlir::MemRefType type);

/// Records the decision at the buffer, asks for it, and takes it away. The
/// attribute is discardable: the element at an index is the same for all who
/// access the buffer by index, so a step that drops it changes no result.
void setSwizzled(mlir::memref::AllocOp buffer);
bool isSwizzled(mlir::Value buffer);
void clearSwizzled(mlir::memref::AllocOp buffer);

/// Replaces the last of `indices` into a swizzled buffer by where the element is.
/// As many elements behind it as are left of its unit stay its neighbours.
void swizzleIndices(mlir::RewriterBase &rewriter, mlir::Location loc,
                    mlir::MemRefType type,
                    llvm::MutableArrayRef<mlir::Value> indices);

} // namespace formwork::transforms::stage

#endif // FORMWORK_TRANSFORMS_STAGE_SWIZZLE_H
