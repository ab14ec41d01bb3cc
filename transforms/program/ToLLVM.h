//===- ToLLVM.h - The last steps to LLVM, alike for both halves -*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The common part of the host code of a compiled schedule and of the reference
// on their way to LLVM: running passes with one error instead of many, the
// check that nothing else is left, the trampoline, and the translation. Layer:
// transforms; it knows neither half.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_PROGRAM_TOLLVM_H
#define FORMWORK_TRANSFORMS_PROGRAM_TOLLVM_H

#include "engine/Diagnostics.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <memory>

namespace llvm {
class LLVMContext;
class Module;
class TargetMachine;
} // namespace llvm

namespace formwork::transforms {

/// Runs `body`. When it fails or emits an error, emits `finding` instead, with
/// the errors as its evidence, and returns failure.
llvm::LogicalResult
runWithOneError(engine::Finding finding,
                llvm::function_ref<llvm::LogicalResult()> body);

/// Adds the passes that lower the scalar, vector, loop and address computations
/// of host code to LLVM's dialect. The caller lowers functions, control flow
/// between blocks, and buffers.
void addScalarLowering(mlir::OpPassManager &passes);

/// Lets each `cf.assert` of `module` say where it stands, so that no two at
/// different places say the same: `FILE:LINE:COLUMN: error: assertion of the
/// payload fails: TEXT`.
void placeAssertions(mlir::ModuleOp module);

/// Stands in front of the text of each assertion.
inline constexpr llvm::StringLiteral kAssertionFails =
    "assertion of the payload fails: ";

/// Checks that `module` holds nothing but the LLVM dialect and what its
/// translation takes for kernels. Error: `id`, once, naming the first leftover.
llvm::LogicalResult verifyLowered(mlir::ModuleOp module, llvm::StringRef id,
                                  llvm::StringRef what);

/// Adds to `module`, in the LLVM dialect, the function
/// `void trampoline(void **arguments)`, which calls the C interface that MLIR
/// made for the function called `function`: a descriptor's address is passed
/// on, a by-value argument is loaded.
void addTrampoline(mlir::ModuleOp module, llvm::StringRef function,
                   llvm::StringRef trampoline);

/// The calls of the function `callee` in `module`, in the LLVM dialect.
llvm::SmallVector<mlir::LLVM::CallOp> collectCalls(mlir::ModuleOp module,
                                                   llvm::StringRef callee);

/// Translates `module` for `machine`; every definition but `exported` becomes
/// internal. Null after an error.
std::unique_ptr<llvm::Module> translateToLLVM(mlir::ModuleOp module,
                                              llvm::LLVMContext &context,
                                              llvm::TargetMachine &machine,
                                              llvm::StringRef exported);

/// Runs LLVM's O2 pipeline on `module` for `machine`.
void optimizeForHost(llvm::Module &module, llvm::TargetMachine &machine);

} // namespace formwork::transforms

#endif // FORMWORK_TRANSFORMS_PROGRAM_TOLLVM_H
