//===- NvvmLowering.h - NVVM intrinsics on the host -------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The replacement of each `llvm.nvvm.*` intrinsic: a read of the thread's
// registers, a call of the runtime, or a generic LLVM operation. Layer:
// transforms. Knows nothing of address spaces.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_EMULATE_NVVMLOWERING_H
#define FORMWORK_TRANSFORMS_EMULATE_NVVMLOWERING_H

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Intrinsics.h"

namespace llvm {
class Function;
class Value;
} // namespace llvm

namespace formwork::transforms::emulate {
struct ModuleInfo;

/// The function that a kernel calls where an assertion does not hold.
inline constexpr llvm::StringLiteral failedAssertionFunction = "__assertfail";

/// Whether `applyNvvmLowering` knows the intrinsic.
bool isLowered(llvm::Intrinsic::ID id);

/// Replaces every call of an intrinsic that `isLowered`, and of
/// `failedAssertionFunction`. `thread` is a pointer
/// to the ThreadRegisters, available at the function's entry. Places of
/// synchronizations and copies are added to `info`.
void applyNvvmLowering(llvm::Function &function, llvm::Value *thread,
                       ModuleInfo &info);

} // namespace formwork::transforms::emulate

#endif // FORMWORK_TRANSFORMS_EMULATE_NVVMLOWERING_H
