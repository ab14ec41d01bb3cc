//===- Passes.h - Passes of the lowering to GPUs ----------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The passes that the shipped lowering sequences use and that MLIR lacks.
// Layer: transforms. Passes.td documents each.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_GPU_PASSES_H
#define FORMWORK_TRANSFORMS_GPU_PASSES_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Pass/Pass.h"

namespace formwork::transforms {

#define GEN_PASS_DECL
#include "transforms/gpu/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "transforms/gpu/Passes.h.inc"

} // namespace formwork::transforms

#endif // FORMWORK_TRANSFORMS_GPU_PASSES_H
