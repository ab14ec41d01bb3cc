//===- KernelInstructions.h - What an architecture has ----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lowered kernels against the instructions that their target has: on one that
// it has not, LLVM's back end ends the process. Layer: transforms.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_GPU_KERNELINSTRUCTIONS_H
#define FORMWORK_TRANSFORMS_GPU_KERNELINSTRUCTIONS_H

#include "mlir/IR/BuiltinOps.h"

namespace formwork::verifier {
struct Target;
}

namespace formwork::transforms {

/// Checks every operation of the NVVM dialect in a gpu.module of `module`
/// against the rows of Targets.def. An mma.sync of a shape that has no row is
/// refused, too. Error, at the operation: fw-target-instruction. Reports all of
/// them, then fails.
llvm::LogicalResult checkKernelInstructions(mlir::ModuleOp module,
                                            const verifier::Target &target);

} // namespace formwork::transforms

#endif // FORMWORK_TRANSFORMS_GPU_KERNELINSTRUCTIONS_H
