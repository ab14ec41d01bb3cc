//===- LaunchDescription.h - How kernels want to be launched ----*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The facts that a program needs to use PTX or a cubin without our host code:
// grid, block, workgroup memory, and each parameter in order. Layer:
// transforms.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_GPU_LAUNCHDESCRIPTION_H
#define FORMWORK_TRANSFORMS_GPU_LAUNCHDESCRIPTION_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "llvm/Support/JSON.h"

#include <string>
#include <vector>

namespace formwork::transforms {

/// Describes the launches in `lowered`, in the order of its host code, and the
/// parameters of each kernel in `kernels`, in the LLVM dialect, after the
/// lowering. docs/launch-description.schema.json is its schema. Values that
/// host code computes are null. A memref is passed as its descriptor: allocated
/// pointer, aligned pointer, offset, sizes, strides.
llvm::json::Value describeLaunches(mlir::ModuleOp lowered,
                                   mlir::gpu::GPUModuleOp kernels,
                                   llvm::StringRef target);

/// The assumptions of a kernel about its parameters.
struct KernelAssumptions {
  std::string name;
  /// For each parameter: the number of bytes that the accesses in the kernel
  /// assume its pointer to be a multiple of; 1 if nothing is assumed.
  llvm::SmallVector<uint32_t> alignments;
};

/// The assumptions of the kernels in `lowered` that are in the LLVM dialect.
std::vector<KernelAssumptions> getKernelAssumptions(mlir::ModuleOp lowered);

} // namespace formwork::transforms

#endif // FORMWORK_TRANSFORMS_GPU_LAUNCHDESCRIPTION_H
