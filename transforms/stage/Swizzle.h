//===- Swizzle.h - Rows of a buffer in different banks ----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A layout of buffers in workgroup memory that puts neighbouring parts of rows
// and of columns in different banks, without padding. Layer: transforms. It
// knows only buffers and indices.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_STAGE_SWIZZLE_H
#define FORMWORK_TRANSFORMS_STAGE_SWIZZLE_H

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/PatternMatch.h"

namespace formwork::transforms::stage {

/// In a swizzled buffer, a row consists of *units* of 16 bytes, and 8 units use
/// all banks once. Unit u of row r is stored at the place of unit
///
///   u xor (r / max(w, 8 / n) mod min(8, n))
///
/// of that row, where n is the number of units of a row. If threads read w rows
/// each, one behind the other, the units of their first rows are in different
/// banks. Mostly, w is 1. For example, with n =
/// 4, rows 0 and 1 are unchanged. In rows 2 and 3, units 0 and 1 change places,
/// and so do units 2 and 3. So the units 0 of 8 rows are in different banks,
/// and so are all units of rows 0 and 1.
///
/// Whether a buffer of `type` can be swizzled. It needs at least two
/// dimensions, and the number of units of a row must be a power of two and at
/// least two.
bool canSwizzle(mlir::MemRefType type);

/// Sets, reads and clears the swizzle decision at a buffer. The decision is a
/// discardable attribute. A step that drops it changes no result, because all
/// accesses go by index.
void setSwizzled(mlir::memref::AllocOp buffer);
bool isSwizzled(mlir::Value buffer);
void clearSwizzled(mlir::memref::AllocOp buffer);

/// Replaces the last of `indices` by the place of the element in a swizzled
/// buffer, of which each thread reads `rowsOfThread` rows at a time. The
/// elements behind it stay its neighbours up to the end of its unit.
void swizzleIndices(mlir::RewriterBase &rewriter, mlir::Location loc,
                    mlir::MemRefType type,
                    llvm::MutableArrayRef<mlir::Value> indices,
                    int64_t rowsOfThread);

} // namespace formwork::transforms::stage

#endif // FORMWORK_TRANSFORMS_STAGE_SWIZZLE_H
