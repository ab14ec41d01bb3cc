//===- KernelCost.h - Which of two kernels is the better one ----*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Estimates what kernels cost, from what they do, so that values of knobs can
// be ranked without code generation and without a device. Layer: transforms.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_GPU_KERNELCOST_H
#define FORMWORK_TRANSFORMS_GPU_KERNELCOST_H

#include "transforms/gpu/ResourceUsage.h"

#include "mlir/IR/BuiltinOps.h"

namespace formwork::verifier {
struct Target;
}

namespace formwork::transforms {

/// The cost of all launches of a payload together. Memory is counted for the
/// first block, in the first iteration of each loop, and multiplied; within a
/// branch, by the share of the loop's iterations in which it is taken. Within
/// the block, it is counted for the first eight warps that are not idle.
struct KernelCost {
  /// Instructions of the warps that execute them: an operation on a vector of n
  /// elements is n of them, half of that for 16-bit elements, an access one for
  /// each piece to which it is aligned, of at most 16 bytes.
  double instructions = 0;
  /// Sectors of 32 bytes of global memory that the pieces of an access touch.
  double sectors = 0;
  /// Wavefronts of workgroup memory: the most accesses of one bank at a time.
  double wavefronts = 0;
  /// The largest number of live 32-bit elements of a thread in any kernel, plus
  /// a fixed number for addresses.
  int64_t registers = 0;
  /// The lowest occupancy of any kernel, and the number of idle threads in its
  /// blocks.
  Occupancy occupancy;
  int64_t idleThreads = 0;
  /// The number of warps with work that a multiprocessor holds.
  double workingWarps = 0;
  /// The widths of accesses of global memory, as in the code.
  AccessWidths widths;

  /// Cycles of one multiprocessor, if it did everything: a fourth of the
  /// instructions, the wavefronts, and two for each sector; more where fewer
  /// than 8 warps with work are there to hide latency, and where registers do
  /// not suffice.
  double getTotal() const;

  /// "cost 1.2e+06: 4.1e+06 instructions, ..."
  std::string toString() const;
};

/// The cost of `outlined`, whose kernels are in the GPU dialect with vectors of
/// rank one. None where it launches no kernel of a constant grid and block. A
/// loop whose bounds are not constants counts as 16 iterations.
std::optional<KernelCost> estimateCost(mlir::ModuleOp outlined,
                                       const verifier::Target &target);

} // namespace formwork::transforms

#endif // FORMWORK_TRANSFORMS_GPU_KERNELCOST_H
