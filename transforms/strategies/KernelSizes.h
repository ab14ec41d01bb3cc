//===- KernelSizes.h - Tiles and threads of a kernel ------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which sizes a strategy's limits lead to, for the sizes of one kernel. Layer:
// transforms; pure functions of a group.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_STRATEGIES_KERNELSIZES_H
#define FORMWORK_TRANSFORMS_STRATEGIES_KERNELSIZES_H

#include "transforms/strategies/KernelGroups.h"

namespace formwork::transforms {

struct KernelSizes {
  /// For each loop of the root, the steps of it that a block has; 0 for all.
  llvm::SmallVector<int64_t, 4> tile;
  /// For a contraction, the steps of the sum at a time, and the number of that
  /// loop; 0 for all at once.
  int64_t step = 0;
  unsigned stepLoop = 0;
  /// Further loops of the sum, which are taken one by one.
  llvm::SmallVector<unsigned, 1> singleSteps;
  /// For a contraction: some rows, columns or steps are two loops.
  bool isSplit = false;
  /// Threads along the rows and the columns of what a block has.
  int64_t rows = 1, columns = 1;
  /// Some tile is not full.
  bool isUneven = false;
};

/// The sizes for `group`; nothing where it has no loop for blocks.
std::optional<KernelSizes> chooseSizes(const KernelGroup &group);

/// Whether each loop of blocks has an axis of the grid of its own, which is
/// large enough. Otherwise all of them share one.
bool fitsAxes(const KernelGroup &group, const KernelSizes &sizes);

/// Whether `strategy` makes the last tiles of the contraction `op` smaller than
/// the others. Readers of such a tile are not fused: they would read it back
/// from memory, because elements behind the end are not computed.
bool isUnevenContraction(mlir::Operation *op, const Strategy &strategy);

/// The sizes of the vectors that `part` of a group with `sizes` has.
llvm::SmallVector<int64_t> getVectorSizes(const KernelGroup &group,
                                          const KernelPart &part,
                                          const KernelSizes &sizes);

} // namespace formwork::transforms

#endif // FORMWORK_TRANSFORMS_STRATEGIES_KERNELSIZES_H
