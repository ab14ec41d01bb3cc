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

/// What all launches of a payload do together. Memory is counted for the first
/// block, in the first iteration of each loop, and multiplied; of its warps,
/// for the first eight that are not idle there.
struct KernelCost {
  /// Instructions of the warps that execute them: an operation on a vector of n
  /// elements is n of them, half of that for 16-bit elements, an access one for
  /// each piece to which it is aligned, of at most 16 bytes.
  double instructions = 0;
  /// Sectors of 32 bytes of global memory that the pieces of an access touch.
  double sectors = 0;
  /// Wavefronts of workgroup memory: the most accesses of one bank at a time.
  double wavefronts = 0;
  /// Of the kernel that needs most, the elements of 32 bits that a thread has
  /// at a time, and a fixed number for addresses.
  int64_t registers = 0;
  /// Of the kernel with the least, and how many threads its blocks have that do
  /// nothing.
  Occupancy occupancy;
  int64_t idleThreads = 0;
  /// Of the warps that a multiprocessor holds, those that have work.
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
