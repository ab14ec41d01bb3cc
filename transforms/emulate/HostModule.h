//===- HostModule.h - A device module for the host --------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From the LLVM IR that goes to the NVPTX backend to LLVM IR for the host, with
// its workgroup accesses checked. Layer: transforms.
//
// In the result every function of the device has one more parameter, in front:
// the ThreadRegisters of the thread that runs it. Each kernel has an entry,
// named by `getEntryName`, of the type Launch::Entry. All address spaces are
// one.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_EMULATE_HOSTMODULE_H
#define FORMWORK_TRANSFORMS_EMULATE_HOSTMODULE_H

#include "transforms/emulate/ModuleInfo.h"

#include "llvm/Support/Error.h"

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace formwork::transforms::emulate {

std::string getEntryName(llvm::StringRef kernel);

/// Consumes `device`, which `checkSupported` accepts, and fills `info`. The
/// result is not optimized yet. Error: the result does not verify, which is a
/// defect of this function and names it.
llvm::Expected<std::unique_ptr<llvm::Module>>
createHostModule(llvm::Module &device, const llvm::TargetMachine &host,
                 ModuleInfo &info);

} // namespace formwork::transforms::emulate

#endif // FORMWORK_TRANSFORMS_EMULATE_HOSTMODULE_H
