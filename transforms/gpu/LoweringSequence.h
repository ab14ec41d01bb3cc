//===- LoweringSequence.h - A sequence whose rules end ----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs one sequence of a lowering. Upstream's `transform.apply_patterns` goes
// on for ever where two of its rules undo each other; here it stops, and the
// error names these rules. Layer: transforms.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_GPU_LOWERINGSEQUENCE_H
#define FORMWORK_TRANSFORMS_GPU_LOWERINGSEQUENCE_H

#include "mlir/IR/BuiltinOps.h"

namespace formwork::transforms {

/// Runs the named sequence `name` of `lowering`, which stays as it is, on
/// `payload`. Each `transform.apply_patterns` without limits of its own gets
/// some, linear in the size of the payload. Errors: those of the steps, and
/// fw-lowering-diverges at an apply_patterns that reaches its limit.
llvm::LogicalResult runLoweringSequence(mlir::ModuleOp payload,
                                        mlir::ModuleOp lowering,
                                        llvm::StringRef name);

} // namespace formwork::transforms

#endif // FORMWORK_TRANSFORMS_GPU_LOWERINGSEQUENCE_H
