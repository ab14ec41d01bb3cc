//===- WorkgroupInstrumentation.h - Checked workgroup accesses --*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Puts a call of the runtime before every access that can reach workgroup
// memory, and gives workgroup variables their place in the block's memory.
// Layer: transforms. Must run before address spaces are erased, and before any
// optimization for the host: the calls pin the accesses.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_EMULATE_WORKGROUPINSTRUMENTATION_H
#define FORMWORK_TRANSFORMS_EMULATE_WORKGROUPINSTRUMENTATION_H

#include "transforms/emulate/ModuleInfo.h"

namespace llvm {
class Function;
class Module;
class Value;
} // namespace llvm

namespace formwork::transforms::emulate {

/// Fills `info.buffers` from the module's workgroup variables.
void layOutWorkgroup(llvm::Module &module, ModuleInfo &info);

/// Checks the accesses of `function`. `thread` is a pointer to the
/// ThreadRegisters, available at its entry. Afterwards no access relies on its
/// alignment any more, and atomic operations are plain ones: all threads run on
/// one host thread.
void instrumentAccesses(llvm::Function &function, llvm::Value *thread,
                        ModuleInfo &info);

/// Replaces the workgroup variables in `function` by their addresses.
void replaceWorkgroupVariables(llvm::Function &function, llvm::Value *thread,
                               const ModuleInfo &info);

} // namespace formwork::transforms::emulate

#endif // FORMWORK_TRANSFORMS_EMULATE_WORKGROUPINSTRUMENTATION_H
