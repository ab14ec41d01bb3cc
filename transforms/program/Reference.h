//===- Reference.h - The payload compiled without its schedule --*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The reference of a compiled schedule: the payload lowered to plain loops in
// the order of its own operations, by no rule that a schedule can influence.
// Layer: transforms; it knows neither schedules nor targets.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_PROGRAM_REFERENCE_H
#define FORMWORK_TRANSFORMS_PROGRAM_REFERENCE_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace formwork::transforms {

/// The trampoline of a lowered reference; see runtime/FormworkProgram.h for how
/// it is called.
inline constexpr llvm::StringLiteral referenceTrampoline = "formwork_reference";

/// Lowers a clone of `payload` to LLVM's dialect. Its entry function `entry`
/// takes its arguments, in which it may compute, and then a buffer for each
/// result, whatever of them bufferization could compute in an argument.
/// Sums of f16 and bf16 on tensors are made in f32 and rounded once. The
/// function gives all memory back when it returns. One thread may call it at a
/// time. Error: fw-reference-unsupported, with MLIR's own as evidence.
mlir::FailureOr<mlir::OwningOpRef<mlir::ModuleOp>>
lowerReference(mlir::ModuleOp payload, llvm::StringRef entry);

/// Lowers what computes the shapes of the results of `entry`, as a reference
/// is: the function takes the same arguments, in which it may compute, and a
/// buffer of indices for all sizes of all results, one after the other. Error:
/// fw-reference-unsupported.
mlir::FailureOr<mlir::OwningOpRef<mlir::ModuleOp>>
lowerShapes(mlir::ModuleOp payload, llvm::StringRef entry);

/// The first half of lowerReference, in place: `entry` stays as the only public
/// function of `module`; values become buffers, results out-parameters.
/// Launches and kernels stay. Diagnostics of MLIR may come with a failure.
llvm::LogicalResult bufferizeForHost(mlir::ModuleOp module,
                                     llvm::StringRef entry);

/// The second half of one without launches: down to LLVM's dialect.
llvm::LogicalResult lowerBuffers(mlir::ModuleOp module);

} // namespace formwork::transforms

#endif // FORMWORK_TRANSFORMS_PROGRAM_REFERENCE_H
