//===- EmulatedDevice.h - MLIR's GPU runtime on the CPU ---------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The functions that MLIR's host code calls to load modules and launch kernels
// (`mgpuModuleLoad`, `mgpuLaunchKernel`, …), for host code compiled in this
// process. Layer: transforms. Knows nothing of how that code was made.
//
// The runtime's functions have no argument for a device. They find it through
// the image of the module, which therefore is only valid in this process and as
// long as the device lives. Everything happens on the calling host thread;
// streams and events have nothing to order.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_EMULATE_EMULATEDDEVICE_H
#define FORMWORK_TRANSFORMS_EMULATE_EMULATEDDEVICE_H

#include "transforms/emulate/DeviceModule.h"

#include "llvm/ExecutionEngine/Orc/Core.h"
#include "llvm/ExecutionEngine/Orc/Mangling.h"

#include <cstdlib>
#include <deque>
#include <memory>
#include <string>

namespace formwork::transforms::emulate {

/// One launch that host code asked for.
struct EmulatedLaunch {
  LaunchConfig config;
  LaunchReport report;
  /// Why it was not carried out; empty if it was.
  std::string error;
};

class EmulatedDevice {
public:
  /// All launches are emulated as `options` say.
  explicit EmulatedDevice(EmulationOptions options = {})
      : options(std::move(options)) {}
  EmulatedDevice(const EmulatedDevice &) = delete;
  EmulatedDevice &operator=(const EmulatedDevice &) = delete;

  /// Returns the image by which host code loads the module: what to embed for
  /// its gpu.module.
  std::string addModule(std::unique_ptr<DeviceModule> module);

  /// The runtime's functions, for the JIT that compiles the host code.
  static llvm::orc::SymbolMap getSymbols(llvm::orc::MangleAndInterner mangle);

  /// The memory that kernels may access, for the check of bounds and races. The
  /// runtime's allocations are added while this is the active device.
  GlobalMemory &getMemory() { return memory; }

  /// Makes `device` the active one of this thread until the end of the scope.
  class Activation {
  public:
    explicit Activation(EmulatedDevice &device);
    ~Activation();
    Activation(const Activation &) = delete;
    Activation &operator=(const Activation &) = delete;

  private:
    EmulatedDevice *previous;
  };

  /// The launches of host code so far, in order.
  const std::deque<EmulatedLaunch> &getLaunches() const { return launches; }

private:
  struct LoadedModule {
    EmulatedDevice &device;
    std::unique_ptr<DeviceModule> module;
  };
  struct LoadedFunction {
    LoadedModule &module;
    std::string name;
  };
  struct Runtime;

  EmulationOptions options;
  GlobalMemory memory;
  /// The runtime's allocations. A fault ends host code before it frees them.
  llvm::DenseMap<void *, std::unique_ptr<void, decltype(&std::free)>>
      allocations;
  // Deques, because host code holds on to their elements.
  std::deque<LoadedModule> modules;
  std::deque<LoadedFunction> functions;
  std::deque<EmulatedLaunch> launches;
};

} // namespace formwork::transforms::emulate

#endif // FORMWORK_TRANSFORMS_EMULATE_EMULATEDDEVICE_H
