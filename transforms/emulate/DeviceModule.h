//===- DeviceModule.h - A gpu.module that runs on the CPU -------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Executes the module that goes to PTX on the host, and checks what it does
// with workgroup memory on the way. Layer: transforms. Knows nothing of
// schedules, of the host code that launches kernels, or of the payload.
//
// What is emulated: the threads, blocks, warps and workgroup memory of NVVM;
// `cp.async`, shuffles, votes, `redux.sync`, `mma.sync`, `ldmatrix`. What is
// not is refused by name when the module is loaded: `wgmma`, mbarriers,
// clusters, inline assembly. All threads run on one host thread, so a kernel in
// which a thread spins until another one writes global memory does not end.
// Accesses of global memory are not checked: one outside of its buffer has the
// effects that it has in any program.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_EMULATE_DEVICEMODULE_H
#define FORMWORK_TRANSFORMS_EMULATE_DEVICEMODULE_H

#include "transforms/emulate/GlobalMemory.h"
#include "transforms/emulate/LaunchReport.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

#include <memory>
#include <optional>

namespace llvm {
class LLVMContext;
class Module;
} // namespace llvm

namespace mlir::gpu {
class GPUModuleOp;
} // namespace mlir::gpu

namespace formwork::transforms::emulate {

/// How launches are emulated.
struct EmulationOptions {
  /// With a value, each block's threads run in an order drawn from it; without,
  /// in the order of their index.
  std::optional<uint64_t> shuffleSeed = std::nullopt;
  /// Asynchronous copies arrive at once, not at the wait for them.
  bool earlyCopies = false;
};

/// How a kernel is launched, in the terms of cuLaunchKernel.
struct LaunchConfig {
  std::string kernel;
  Dim3 grid, block;
  /// Bytes of dynamic workgroup memory, behind the static one.
  uint64_t dynamicBytes = 0;
  EmulationOptions options = {};
  /// The buffers that arguments can point to. What is accessed through an
  /// argument that points to none of them is not checked. Must outlive the
  /// launch.
  const GlobalMemory *memory = nullptr;
};

/// A device module, compiled for the host. Immutable once loaded; launches may
/// run on several host threads at once, unless the kernels race on global
/// memory.
class DeviceModule {
public:
  /// From a module in the LLVM and NVVM dialects (after `convert-gpu-to-nvvm`).
  /// It is not changed; its locations are what reports speak of. Registers the
  /// translations to LLVM IR in its context. Errors: it cannot be translated
  /// (the reason is emitted as diagnostics), and those of the other overload.
  static llvm::Expected<std::unique_ptr<DeviceModule>>
  load(mlir::gpu::GPUModuleOp module);

  /// From LLVM IR as it goes to the NVPTX backend. Errors: UnsupportedError
  /// (fw-emulate-unsupported), or the host's code generator fails.
  static llvm::Expected<std::unique_ptr<DeviceModule>>
  load(std::unique_ptr<llvm::LLVMContext> context,
       std::unique_ptr<llvm::Module> module);

  ~DeviceModule();

  bool hasKernel(llvm::StringRef name) const;

  /// Runs `config.kernel`; `arguments` points to each of its arguments, as
  /// kernelParams of cuLaunchKernel does. Returns what went wrong in the
  /// kernel; after a barrier divergence the launch ends early. Errors: no such
  /// kernel, a wrong number of arguments, a block or grid that no device
  /// accepts.
  llvm::Expected<LaunchReport> launch(const LaunchConfig &config,
                                      llvm::ArrayRef<void *> arguments) const;

private:
  struct Implementation;
  explicit DeviceModule(std::unique_ptr<Implementation> implementation);

  std::unique_ptr<Implementation> implementation;
};

} // namespace formwork::transforms::emulate

#endif // FORMWORK_TRANSFORMS_EMULATE_DEVICEMODULE_H
