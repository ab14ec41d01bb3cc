//===- LaneIndex.h - What an index is in each lane of a warp ----*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Evaluates index arithmetic of a kernel for the lanes of one warp. Layer:
// transforms.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_GPU_LANEINDEX_H
#define FORMWORK_TRANSFORMS_GPU_LANEINDEX_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/DenseMap.h"

#include <array>
#include <optional>

namespace formwork::transforms {

/// Values in the threads of the first block, in the first iteration of each
/// loop but one. Thread `lane` has the number that its three indices give, the
/// one along x first.
class LaneIndex {
public:
  /// `block` has the threads along x, y and z.
  explicit LaneIndex(std::array<int64_t, 3> block) : block(block) {}

  int64_t getNumLanes() const { return block[0] * block[1] * block[2]; }

  /// The integer that `value` is in `lane`, 0 or 1 for a condition; none where
  /// it is computed of what is not known. Cost: once for each value and lane.
  std::optional<int64_t> evaluate(mlir::Value value, int64_t lane);

  /// The values where `loop` is in iteration number `iteration`; what else it
  /// carries is not known, then.
  LaneIndex inIteration(mlir::scf::ForOp loop, int64_t iteration) const;

private:
  std::optional<int64_t> compute(mlir::Value value, int64_t lane);

  std::array<int64_t, 3> block;
  mlir::Operation *entered = nullptr;
  int64_t iteration = 0;
  llvm::DenseMap<std::pair<mlir::Value, int64_t>, std::optional<int64_t>> known;
};

} // namespace formwork::transforms

#endif // FORMWORK_TRANSFORMS_GPU_LANEINDEX_H
