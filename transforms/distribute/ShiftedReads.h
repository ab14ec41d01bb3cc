//===- ShiftedReads.h - Reads across multiples of their width ---*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes aligned reads of reads that do not start at a multiple of their width.
// Lanes exchange the elements that another lane has. Layer: transforms.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_DISTRIBUTE_SHIFTEDREADS_H
#define FORMWORK_TRANSFORMS_DISTRIBUTE_SHIFTEDREADS_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/PatternMatch.h"

namespace formwork::transforms::distribute {

/// The reads of a kernel for which neighbouring threads need neighbouring
/// pieces of `width` elements of 32 bits, of which each starts `shift` elements
/// in front of a multiple of `width`. `shift` is below `width` and the same for
/// all threads.
///
/// A lane reads the piece that starts at the multiple. The first `shift`
/// elements that it needs are the last ones of the lane before it, which sends
/// them. The first lane of a warp reads them itself. What is sent depends on
/// the shift, so there is a version of the code for each of its values, from
/// the first of these reads on.
class ShiftedReads {
public:
  ShiftedReads(mlir::Value shift, mlir::Value thread, int64_t width)
      : shift(shift), thread(thread), width(width) {}

  /// Makes a read in place of a part of `read`, of the elements in front of
  /// `indices`, of which the last one is a multiple of the width. `mayBeFirst`
  /// says that this index may be 0, and `inBounds` that all of the piece there
  /// is in the buffer.
  mlir::Value create(mlir::OpBuilder &builder,
                     mlir::vector::TransferReadOp read, mlir::VectorType type,
                     llvm::ArrayRef<mlir::Value> indices, bool mayBeFirst,
                     bool inBounds);

  /// Makes code for all reads that `create` made in `launch`. Cost: linear in
  /// the product of the width and the operations behind the first of them.
  void expand(mlir::RewriterBase &rewriter, mlir::gpu::LaunchOp launch);

private:
  void expandVersion(mlir::RewriterBase &rewriter,
                     llvm::ArrayRef<mlir::Operation *> ops, int64_t version);
  void expandRead(mlir::RewriterBase &rewriter,
                  mlir::vector::TransferReadOp read, int64_t version);

  mlir::Value shift, thread;
  int64_t width;
};

} // namespace formwork::transforms::distribute

#endif // FORMWORK_TRANSFORMS_DISTRIBUTE_SHIFTEDREADS_H
