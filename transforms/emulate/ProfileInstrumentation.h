//===- ProfileInstrumentation.h - Recording what threads do -----*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Prepares a device module for a profile: brings it to what the back end for
// PTX gets, describes its blocks, and lets each thread record its way through
// them. Layer: transforms.
//
// An instruction is one of LLVM IR after all optimizations that precede the
// selection of PTX instructions. Those of memory, tensor cores, barriers and
// warps are the ones that PTX has; how many others there are is up to the back
// end and `ptxas`. An operation on a vector counts once for each element, or
// for each two of 16 bits. A call of libdevice counts as one.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_EMULATE_PROFILEINSTRUMENTATION_H
#define FORMWORK_TRANSFORMS_EMULATE_PROFILEINSTRUMENTATION_H

#include "transforms/emulate/Profile.h"

#include "llvm/Support/Error.h"

namespace llvm {
class Function;
class Module;
class Value;
} // namespace llvm

namespace formwork::transforms::emulate {

/// Runs the optimizer on `device` as the generation of PTX does, inlines all
/// functions, and joins accesses that lie side by side. Error: LLVM has no back
/// end for PTX.
llvm::Error optimizeForDevice(llvm::Module &device);

/// Describes the kernel `function` in `profile`, and records each block that it
/// enters and each access of global or workgroup memory. `thread` is a pointer
/// to the ThreadRegisters, available at its entry. Blocks end at barriers
/// afterwards.
void instrumentProfile(llvm::Function &function, llvm::Value *thread,
                       ProfiledModule &profile);

} // namespace formwork::transforms::emulate

#endif // FORMWORK_TRANSFORMS_EMULATE_PROFILEINSTRUMENTATION_H
