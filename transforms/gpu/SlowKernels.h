//===- SlowKernels.h - What makes a kernel slow -----------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds in kernels, and in their code, what a person who reads a profile would
// look for first. Everything is counted, nothing is timed. Layer: transforms.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_GPU_SLOWKERNELS_H
#define FORMWORK_TRANSFORMS_GPU_SLOWKERNELS_H

#include "engine/Diagnostics.h"
#include "transforms/gpu/ResourceUsage.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/BuiltinOps.h"

#include <array>

namespace formwork::transforms {

/// A block is reported if at least 1 / idleShare of the threads of its warps
/// have no work.
inline constexpr int64_t idleShare = 4;

/// The most threads of a block of `kernel` of which one operation lets each
/// access a place of its own; none if nothing accesses memory. `block` has the
/// threads along x, y and z. Values that do not follow from their indices are
/// taken for different, and conditions to hold. Cost: until one operation uses
/// all threads, each access for each thread.
std::optional<int64_t> countWorkingThreads(mlir::gpu::GPUFuncOp kernel,
                                           const std::array<int64_t, 3> &block);

/// Adds a warning for each launch in `outlined`, whose kernels are in the GPU
/// dialect, of which a fourth of the threads or more access no memory, because
/// conditions on their indices keep them from it, or only what others access,
/// too; and for those that the block lacks to whole warps
/// (fw-slow-idle-threads).
void findIdleThreads(mlir::ModuleOp outlined, engine::Findings &findings);

/// Adds a warning for each kernel of `usage` that spills registers or has
/// memory of its threads (fw-slow-spills), and for one with four or more loads,
/// or stores, of global memory of which those of at most 4 bytes have more than
/// half of the bytes (fw-slow-narrow-access). `lowered` launches them.
void findSlowCode(mlir::ModuleOp lowered, llvm::ArrayRef<KernelUsage> usage,
                  engine::Findings &findings);

} // namespace formwork::transforms

#endif // FORMWORK_TRANSFORMS_GPU_SLOWKERNELS_H
