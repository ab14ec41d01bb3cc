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

#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"

#include <array>
#include <optional>

namespace formwork::transforms {

/// Values in the first warp of the first block, in the first iteration of each
/// loop.
class LaneIndex {
public:
  /// `block` has the threads along x, y and z.
  LaneIndex(std::array<int64_t, 3> block, int64_t numLanes)
      : block(block), numLanes(numLanes) {}

  int64_t getNumLanes() const { return numLanes; }

  /// The integer that `value` is in `lane`; none where it is computed of what is
  /// not known. Cost: once for each value and lane.
  std::optional<int64_t> evaluate(mlir::Value value, int64_t lane);

private:
  std::optional<int64_t> compute(mlir::Value value, int64_t lane);

  std::array<int64_t, 3> block;
  int64_t numLanes;
  llvm::DenseMap<std::pair<mlir::Value, int64_t>, std::optional<int64_t>> known;
};

} // namespace formwork::transforms

#endif // FORMWORK_TRANSFORMS_GPU_LANEINDEX_H
