//===- Target.h - What a GPU architecture allows ----------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The limits that schedules are checked against, per architecture. Layer:
// verifier; a leaf that knows no IR, so that the lowering can use it too.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_TARGET_TARGET_H
#define FORMWORK_VERIFIER_TARGET_TARGET_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <array>
#include <cstdint>

namespace formwork::verifier {

/// One row of Targets.def. Sizes are in bytes, counts in threads or blocks.
struct Target {
  llvm::StringLiteral name;
  llvm::StringLiteral ptxFeature;
  /// The limit for workgroup memory that a kernel declares; ptxas refuses more.
  int64_t staticWorkgroupBytes;
  /// The limit for a launch that opts in to more dynamic workgroup memory.
  int64_t optInWorkgroupBytes;
  /// Whether f64 takes no more than twice the time of f32.
  bool hasFastDoubles;

  static constexpr int64_t maxThreadsPerBlock = 1024;
  static constexpr std::array<int64_t, 3> maxBlockDims = {1024, 1024, 64};
  static constexpr std::array<int64_t, 3> maxGridDims = {2147483647, 65535,
                                                         65535};
  /// In all, as MLIR's mapping counts them.
  static constexpr int64_t maxBlocks = 2147483647;
  static constexpr int64_t warpSize = 32;
  /// The number of warps to which MLIR maps `#gpu.warpgroup`.
  static constexpr int64_t warpsPerGroup = 4;

  /// 90 of `sm_90a`.
  unsigned getArchitecture() const;
};

/// A shape of mma.sync: m x k by k x n.
struct MmaShape {
  int64_t m, n, k;
  /// PTX's name for the elements of both operands.
  llvm::StringLiteral element;
  /// Those of the accumulator, separated by spaces.
  llvm::StringLiteral accumulators;
  unsigned firstArchitecture;

  bool isOn(const Target &target) const {
    return target.getArchitecture() >= firstArchitecture;
  }
};

/// Operations of the NVVM dialect that not all architectures have.
struct Instruction {
  /// The prefix of their names.
  llvm::StringLiteral prefix;
  unsigned firstArchitecture;
  /// The one that alone has them; empty where the later ones do, too.
  llvm::StringLiteral onlyTarget;

  bool isOn(const Target &target) const {
    return onlyTarget.empty() ? target.getArchitecture() >= firstArchitecture
                              : target.name == onlyTarget;
  }
};

/// All rows, in the order of Targets.def.
llvm::ArrayRef<Target> getTargets();

/// The row called `name` (`sm_90`), or null.
const Target *lookupTarget(llvm::StringRef name);

llvm::ArrayRef<MmaShape> getMmaShapes();

/// The row of that shape (m, n, k), or null.
const MmaShape *lookupMmaShape(llvm::ArrayRef<int64_t> shape,
                               llvm::StringRef element,
                               llvm::StringRef accumulator);

/// The row of the operation called `name`, or null if every target has it.
const Instruction *lookupInstruction(llvm::StringRef name);

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_TARGET_TARGET_H
