//===- HostLowering.h - The host code of a compiled schedule ----*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The half of a compiled schedule that launches the kernels: what it may do
// with the payload's buffers, which are in the device's memory, and its
// lowering to LLVM with the kernels' images in it. It calls the functions of
// MLIR's GPU runtime (`mgpuModuleLoad`, `mgpuLaunchKernel`, …), whoever
// provides them. Layer: transforms; it knows neither how the images were made
// nor who runs it.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_PROGRAM_HOSTLOWERING_H
#define FORMWORK_TRANSFORMS_PROGRAM_HOSTLOWERING_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/StringMap.h"

#include <string>

namespace formwork::transforms {

/// The trampoline of lowered host code; see runtime/FormworkProgram.h for how
/// it is called.
inline constexpr llvm::StringLiteral runTrampoline = "formwork_run";

/// The image that the runtime's module loader is given for one gpu.module.
struct KernelImage {
  /// A cubin, PTX text, or whatever the runtime at hand makes sense of.
  std::string bytes;
  /// PTX: loaded through the driver's compiler. A zero byte is added.
  bool isPTX = false;
};

/// Images by the name of their gpu.module.
using KernelImages = llvm::StringMap<KernelImage>;

/// Checks that the function `entry` of `lowered`, and what it calls, leaves the
/// contents of buffers to kernels and has no parallel loop left. Error:
/// fw-host-memory-access, one for each operation that does not, with the fix as
/// a note. As a warning, for who takes the kernels alone, it does not fail.
llvm::LogicalResult checkHostCode(
    mlir::ModuleOp lowered, llvm::StringRef entry,
    mlir::DiagnosticSeverity severity = mlir::DiagnosticSeverity::Error);

/// Lowers a clone of `lowered` to LLVM's dialect, gpu.binary and
/// gpu.launch_func. `images` has an image for each of its gpu.modules. Buffers
/// that the host code allocates are allocated on the device, those between
/// kernels once for all calls. Errors: those of `checkHostCode`, unless the
/// host reaches the device's memory, as with an emulated device;
/// fw-host-lowering with MLIR's own as evidence.
mlir::FailureOr<mlir::OwningOpRef<mlir::ModuleOp>>
lowerHost(mlir::ModuleOp lowered, llvm::StringRef entry,
          const KernelImages &images, bool reachesDeviceMemory = false);

} // namespace formwork::transforms

#endif // FORMWORK_TRANSFORMS_PROGRAM_HOSTLOWERING_H
