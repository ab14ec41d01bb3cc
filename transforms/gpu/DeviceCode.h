//===- DeviceCode.h - LLVM IR, PTX and cubin of a kernel --------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Code generation for one lowered gpu.module: optimized LLVM IR and PTX by
// LLVM's NVPTX back end, the cubin by the toolkit's ptxas. Layer: transforms.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_GPU_DEVICECODE_H
#define FORMWORK_TRANSFORMS_GPU_DEVICECODE_H

#include "transforms/gpu/Toolkit.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace formwork::transforms {

struct DeviceCode {
  std::string llvmIR;
  std::string ptx;
};

/// Translates `kernels`, which carries exactly one #nvvm.target, optimizes at
/// O3, links libdevice from `toolkit` where the code calls it, and generates
/// PTX. Kernels with workgroup memory and no limit on registers get that of one
/// block on an SM (`nvvm.minctasm`). Errors: fw-libdevice-missing when the
/// kernel calls a math function and there is no toolkit; LLVM's own.
llvm::FailureOr<DeviceCode>
generateDeviceCode(mlir::gpu::GPUModuleOp kernels,
                   const std::optional<Toolkit> &toolkit);

/// The output of ptxas for one PTX module.
struct Cubin {
  std::string image;
  /// The resource usage that `ptxas -v` prints (registers, spills, memory).
  std::string log;
};

/// Assembles `ptx` for `arch` ("sm_90"). Nothing when ptxas refuses it, with
/// its output at `loc` (fw-ptxas-refuses). Fails when ptxas cannot do its
/// work (fw-ptxas-failed). Cost: one process.
llvm::FailureOr<std::optional<Cubin>> assemble(mlir::Location loc,
                                               llvm::StringRef ptx,
                                               llvm::StringRef arch,
                                               llvm::StringRef ptxas);

} // namespace formwork::transforms

#endif // FORMWORK_TRANSFORMS_GPU_DEVICECODE_H
