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
// The device emulates the threads, blocks, warps and workgroup memory of NVVM;
// `cp.async`, shuffles, votes, `redux.sync`, `mma.sync`, `ldmatrix`. Anything
// else is refused by name when the module is loaded: `wgmma`, mbarriers,
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
  /// For a launch of the kernel `sampledKernel`: the number of blocks to run,
  /// and to record the writes of; 0: all. The blocks at the corners of the grid
  /// are always among them, so there may be up to eight more.
  uint64_t sampledBlocks = 0;
  std::string sampledKernel = {};
};

/// How a kernel is launched, in the terms of cuLaunchKernel.
struct LaunchConfig {
  std::string kernel;
  Dim3 grid, block;
  /// Bytes of dynamic workgroup memory, behind the static one.
  uint64_t dynamicBytes = 0;
  EmulationOptions options = {};
  /// The buffers that arguments can point to. Accesses through other arguments
  /// are not checked. Must outlive the launch.
  GlobalMemory *memory = nullptr;
};

/// The linear indices of the blocks that a launch with `sampledBlocks` runs, in
/// order: those at the corners of the grid, where the tails of all dimensions
/// are, and others drawn without regard to their place, the same ones every
/// time.
std::vector<uint64_t> sampleBlocks(const Dim3 &grid, uint64_t count);

/// A device module, compiled for the host. Immutable once loaded; launches may
/// run on several host threads at once, unless the kernels race on global
/// memory.
class DeviceModule {
public:
  /// From a module in the LLVM and NVVM dialects (after `convert-gpu-to-nvvm`).
  /// It is not changed; its locations are what reports speak of. Registers the
  /// translations to LLVM IR in its context. Errors: it cannot be translated
  /// (the reason is emitted as diagnostics), and those of the other overload.
  /// With `profile`, the module is optimized as for PTX first, and launches
  /// count what it does.
  static llvm::Expected<std::unique_ptr<DeviceModule>>
  load(mlir::gpu::GPUModuleOp module, bool profile = false);

  /// From LLVM IR as it goes to the NVPTX backend. Errors: UnsupportedError
  /// (fw-emulate-unsupported), or the host's code generator fails.
  static llvm::Expected<std::unique_ptr<DeviceModule>>
  load(std::unique_ptr<llvm::LLVMContext> context,
       std::unique_ptr<llvm::Module> module, bool profile = false);

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
