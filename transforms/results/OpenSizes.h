//===- OpenSizes.h - Sizes that fit each other ------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Chooses sizes for the dimensions that the types of a function leave open, so
// that the structured ops in it have the operands that they need: the columns
// of one factor are the rows of the other, and an image is as large as its
// windows. Layer: transforms.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_RESULTS_OPENSIZES_H
#define FORMWORK_TRANSFORMS_RESULTS_OPENSIZES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace formwork::transforms {

/// The sizes of all dimensions of arguments and results; empty for scalars.
struct OpenSizes {
  using Shape = llvm::SmallVector<int64_t>;
  llvm::SmallVector<Shape> arguments, results;
  /// Those that were open: each once, in increasing order.
  llvm::SmallVector<int64_t> chosen;
};

/// Sizes for `entry`: `size` where nothing demands another one. The needs of
/// ops in nested blocks are not looked at. Cost: linear in the ops, times the
/// number of windows.
OpenSizes chooseOpenSizes(mlir::func::FuncOp entry, int64_t size);

} // namespace formwork::transforms

#endif // FORMWORK_TRANSFORMS_RESULTS_OPENSIZES_H
