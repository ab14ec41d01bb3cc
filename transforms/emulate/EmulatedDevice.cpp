//===- EmulatedDevice.cpp - MLIR's GPU runtime on the CPU -----------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/emulate/EmulatedDevice.h"

#include "engine/Check.h"

#include "llvm/Support/MathExtras.h"

#include <cstdlib>
#include <cstring>

namespace formwork::transforms::emulate {

/// An image is this, then the address of a LoadedModule.
static constexpr llvm::StringLiteral imageMagic = "FWEMUL01";

/// The runtime's function for allocation has no argument that leads to a
/// device.
static thread_local EmulatedDevice *activeDevice = nullptr;

EmulatedDevice::Activation::Activation(EmulatedDevice &device)
    : previous(std::exchange(activeDevice, &device)) {}
EmulatedDevice::Activation::~Activation() { activeDevice = previous; }

std::string EmulatedDevice::addModule(std::unique_ptr<DeviceModule> module) {
  modules.push_back({*this, std::move(module)});
  auto address = reinterpret_cast<uintptr_t>(&modules.back());
  std::string image = imageMagic.str();
  image.append(reinterpret_cast<const char *>(&address), sizeof address);
  return image;
}

/// The functions of MLIR's GPU runtime, with its types.
struct EmulatedDevice::Runtime {
  static void *moduleLoad(const char *image, size_t) {
    FW_CHECK(std::memcmp(image, imageMagic.data(), imageMagic.size()) == 0,
             "an image comes from addModule");
    uintptr_t address;
    std::memcpy(&address, image + imageMagic.size(), sizeof address);
    return reinterpret_cast<void *>(address);
  }

  static void *moduleLoadJIT(const char *image, int) {
    return moduleLoad(image, 0);
  }

  static void moduleUnload(void *) {}

  static LoadedFunction *moduleGetFunction(LoadedModule *module,
                                           const char *name) {
    return &module->device.functions.emplace_back(*module, std::string(name));
  }

  /// An extent as a launch has it, saturated: one too large to represent is
  /// too large for any device.
  static uint32_t toExtent(intptr_t value) {
    return value < 0 ? 0 : std::min<uint64_t>(value, UINT32_MAX);
  }

  static void launchKernel(LoadedFunction *function, intptr_t gridX,
                           intptr_t gridY, intptr_t gridZ, intptr_t blockX,
                           intptr_t blockY, intptr_t blockZ, int32_t smem,
                           void *, void **params, void **, size_t paramsCount) {
    EmulatedDevice &device = function->module.device;
    EmulatedLaunch &launch = device.launches.emplace_back();
    launch.config = {function->name,
                     {toExtent(gridX), toExtent(gridY), toExtent(gridZ)},
                     {toExtent(blockX), toExtent(blockY), toExtent(blockZ)},
                     uint64_t(std::max(smem, 0)),
                     device.options,
                     &device.memory};
    llvm::Expected<LaunchReport> report = function->module.module->launch(
        launch.config, llvm::ArrayRef(params, paramsCount));
    if (report)
      launch.report = std::move(*report);
    else
      launch.error = llvm::toString(report.takeError());
  }

  static void launchClusterKernel(LoadedFunction *function, intptr_t, intptr_t,
                                  intptr_t, intptr_t, intptr_t, intptr_t,
                                  intptr_t, intptr_t, intptr_t, int32_t, void *,
                                  void **, void **, size_t) {
    EmulatedLaunch &launch = function->module.device.launches.emplace_back();
    launch.config.kernel = function->name;
    launch.error =
        "launch of '" + function->name + "' in clusters is not emulated";
  }

  /// Streams and events are nothing, but not null.
  static void *createNothing() {
    static const char nothing = 0;
    return const_cast<char *>(&nothing);
  }
  static void ignore(void *) {}
  static void ignoreTwo(void *, void *) {}
  static void ignoreMemRef(int64_t, void *, int64_t) {}
  static void ignoreInt(int32_t) {}

  static void *memAlloc(uint64_t bytes, void *, bool) {
    // The alignment that cuMemAlloc gives. Unwritten memory shows as NaN or -1.
    uint64_t size = std::max<uint64_t>(llvm::alignTo(bytes, 256), 256);
    void *memory = std::aligned_alloc(256, size);
    if (memory)
      std::memset(memory, 0xFF, size);
    if (memory && activeDevice) {
      activeDevice->memory.add(memory, bytes, "a temporary buffer");
      activeDevice->allocations.try_emplace(memory, memory, &std::free);
    }
    return memory;
  }
  static void memFree(void *memory, void *) {
    if (!activeDevice)
      return std::free(memory);
    activeDevice->memory.remove(memory);
    if (!activeDevice->allocations.erase(memory))
      std::free(memory);
  }
  static void memCopy(void *to, const void *from, size_t bytes, void *) {
    std::memmove(to, from, bytes);
  }
  static void memSet32(void *to, uint32_t value, size_t count, void *) {
    std::fill_n(static_cast<uint32_t *>(to), count, value);
  }
  static void memSet16(void *to, uint16_t value, size_t count, void *) {
    std::fill_n(static_cast<uint16_t *>(to), count, value);
  }
};

llvm::orc::SymbolMap
EmulatedDevice::getSymbols(llvm::orc::MangleAndInterner mangle) {
  llvm::orc::SymbolMap symbols;
  auto define = [&](llvm::StringRef name, auto *function) {
    symbols[mangle(name)] = {
        llvm::orc::ExecutorAddr::fromPtr(reinterpret_cast<void *>(function)),
        llvm::JITSymbolFlags::Exported};
  };
  define("mgpuModuleLoad", Runtime::moduleLoad);
  define("mgpuModuleLoadJIT", Runtime::moduleLoadJIT);
  define("mgpuModuleUnload", Runtime::moduleUnload);
  define("mgpuModuleGetFunction", Runtime::moduleGetFunction);
  define("mgpuLaunchKernel", Runtime::launchKernel);
  define("mgpuLaunchClusterKernel", Runtime::launchClusterKernel);
  define("mgpuStreamCreate", Runtime::createNothing);
  define("mgpuStreamDestroy", Runtime::ignore);
  define("mgpuStreamSynchronize", Runtime::ignore);
  define("mgpuStreamWaitEvent", Runtime::ignoreTwo);
  define("mgpuEventCreate", Runtime::createNothing);
  define("mgpuEventDestroy", Runtime::ignore);
  define("mgpuEventSynchronize", Runtime::ignore);
  define("mgpuEventRecord", Runtime::ignoreTwo);
  define("mgpuMemAlloc", Runtime::memAlloc);
  define("mgpuMemFree", Runtime::memFree);
  define("mgpuMemcpy", Runtime::memCopy);
  define("mgpuMemset32", Runtime::memSet32);
  define("mgpuMemset16", Runtime::memSet16);
  define("mgpuMemHostRegisterMemRef", Runtime::ignoreMemRef);
  define("mgpuMemHostUnregisterMemRef", Runtime::ignoreMemRef);
  define("mgpuSetDefaultDevice", Runtime::ignoreInt);
  return symbols;
}

} // namespace formwork::transforms::emulate
