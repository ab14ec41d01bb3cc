//===- KernelGroups.h - Which operations become one kernel ------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parts the operations of a payload into kernels. Layer: transforms; it reads
// the payload and a library of strategies, and knows no schedule.
//
// Vocabulary: the *root* of a kernel is its last operation, whose loops the
// blocks are tiles of. The *parts* are all its operations, the root first, each
// in front of what it reads. A *block loop* is a loop of the root that every
// part can be computed along piece by piece. The *anchor* is the contraction,
// or the loop nest, of a kernel that has one.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_STRATEGIES_KERNELGROUPS_H
#define FORMWORK_TRANSFORMS_STRATEGIES_KERNELGROUPS_H

#include "transforms/strategies/StrategyLibrary.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/SmallBitVector.h"

namespace formwork::transforms {

/// One operation of a kernel.
struct KernelPart {
  mlir::Operation *op = nullptr;
  /// For each loop of the operation, the loop of the root that it runs along;
  /// -1 where all of the loop is done in each block.
  llvm::SmallVector<int64_t, 4> rootLoops;
};

struct KernelGroup {
  const Strategy *strategy = nullptr;
  llvm::SmallVector<KernelPart, 4> parts;
  mlir::Operation *anchor = nullptr;
  /// The loops of the root that blocks share.
  llvm::SmallBitVector blockLoops;

  mlir::Operation *getRoot() const { return parts.front().op; }
};

/// The kernels of `function`, in the order of their roots. Every operation that
/// computes a tensor is in one of them. Errors: fw-no-strategy for the first
/// operation that no strategy takes for each reason.
llvm::FailureOr<std::vector<KernelGroup>>
groupKernels(mlir::func::FuncOp function, const StrategyLibrary &library);

/// Whether `op` makes a tensor of nothing but scalars, such as a fill, so that
/// it costs nothing to do it again.
bool isCheap(mlir::Operation *op);

/// The trip counts of the loops of `op`, which are all static.
llvm::SmallVector<int64_t> getLoopExtents(mlir::Operation *op);

} // namespace formwork::transforms

#endif // FORMWORK_TRANSFORMS_STRATEGIES_KERNELGROUPS_H
