//===- AccessCost.h - What the accesses of a warp cost ----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Counts sectors of global memory and wavefronts of workgroup memory, from the
// addresses of the lanes of each warp. Layer: transforms.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_GPU_ACCESSCOST_H
#define FORMWORK_TRANSFORMS_GPU_ACCESSCOST_H

#include "verifier/target/Target.h"

#include "mlir/IR/BuiltinTypes.h"

namespace formwork::transforms {

class LaneIndex;

/// The lanes that execute something, for each warp that has any.
using Warps = std::vector<llvm::SmallVector<int64_t>>;

/// An access of `bytes` bytes of a buffer by each of the first lanes of a warp.
struct LaneAccess {
  mlir::TypedValue<mlir::MemRefType> buffer;
  mlir::ValueRange indices;
  int64_t bytes;
  int64_t numLanes = verifier::Target::warpSize;

  bool isInWorkgroupMemory() const;
  /// Whether it is in memory that all blocks see.
  bool isInGlobalMemory() const;
};

/// The bytes of a value of `type`; an index has 8.
int64_t getBytes(mlir::Type type);

/// The accesses of `op`: two for an asynchronous copy, and none where a buffer
/// is unranked.
llvm::SmallVector<LaneAccess, 2> getLaneAccesses(mlir::Operation *op);

/// The work of warps for an access.
struct AccessCost {
  /// The pieces in which a lane accesses its bytes, and the bytes of one.
  int64_t pieces, width;
  /// Wavefronts in workgroup memory, sectors of 32 bytes in global memory, and
  /// nothing in private memory; of all warps together.
  double units;
};

/// Counts `access`. Eight of `warps` stand for all. Where addresses are not
/// known, it is the least that the bytes take. Cost: the lanes of these warps.
AccessCost countAccess(const LaneAccess &access, LaneIndex &lanes,
                       const Warps &warps);

} // namespace formwork::transforms

#endif // FORMWORK_TRANSFORMS_GPU_ACCESSCOST_H
