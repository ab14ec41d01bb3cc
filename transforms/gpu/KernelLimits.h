//===- KernelLimits.h - Kernels against a target's limits -------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The last check before code generation: what the outlined kernels and their
// launches ask for against what the target has. It sees the truth, after the
// schedule ran; the verifier says the same things earlier. Layer: transforms.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_GPU_KERNELLIMITS_H
#define FORMWORK_TRANSFORMS_GPU_KERNELLIMITS_H

#include "mlir/IR/BuiltinOps.h"

namespace formwork::verifier {
struct Target;
}

namespace formwork::transforms {

/// Checks every gpu.launch_func of `module` with constant sizes, and every
/// gpu.func's workgroup attributions (in bytes), against `target`. Errors:
/// fw-too-many-threads, fw-grid-too-large, fw-workgroup-memory. Reports all of
/// them, then fails.
llvm::LogicalResult checkKernelLimits(mlir::ModuleOp module,
                                      const verifier::Target &target);

} // namespace formwork::transforms

#endif // FORMWORK_TRANSFORMS_GPU_KERNELLIMITS_H
