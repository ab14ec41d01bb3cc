//===- FakeCuda.cpp - A CUDA driver without a GPU ---------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The functions of the CUDA driver that emitted programs use, on the emulated
// device. A module's image is the kernel's LLVM IR as it goes to NVPTX, not a
// cubin: the test that emits the program puts it there. Everything happens at
// once, in the calling thread. For tests only.
//
// FAKECUDA in the environment makes it misbehave: `no-device`, `no-init`,
// `bad-image`, `bad-launch`, `skip-launch` (kernels do nothing). It has the
// timer under its old name only, as drivers before CUDA 13 do.
//
//===----------------------------------------------------------------------===//

#include "transforms/emulate/DeviceModule.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>
#include <cstring>
#include <deque>
#include <set>

using namespace formwork::transforms::emulate;

namespace {
/// The driver's own numbers.
enum Result {
  Success = 0,
  InvalidValue = 1,
  NoDevice = 100,
  InvalidImage = 200,
  NotFound = 500,
  LaunchFailed = 719
};

struct Module {
  std::unique_ptr<DeviceModule> code;
  /// How many arguments each function has: cuLaunchKernel is not told.
  llvm::StringMap<unsigned> numArguments;
};

struct Function {
  const Module *module;
  std::string name;
};

struct State {
  bool initialized = false, hasContext = false;
  std::deque<Module> modules;
  std::deque<Function> functions;
  std::set<void *> memory;
  int numEvents = 0;
};

State &getState() {
  static State state;
  return state;
}

bool misbehaves(llvm::StringRef how) {
  const char *value = std::getenv("FAKECUDA");
  return value && how == value;
}

void *asPointer(uint64_t address) { return reinterpret_cast<void *>(address); }

/// Whether the program may use the device yet.
bool isReady() { return getState().initialized && getState().hasContext; }
} // namespace

extern "C" {

int cuInit(unsigned flags) {
  if (misbehaves("no-init"))
    return NoDevice;
  getState().initialized = true;
  return Success;
}

int cuGetErrorString(int result, const char **text) {
  switch (result) {
  case NoDevice:
    *text = "no CUDA-capable device is detected";
    break;
  case InvalidImage:
    *text = "device kernel image is invalid";
    break;
  case NotFound:
    *text = "named symbol not found";
    break;
  case LaunchFailed:
    *text = "unspecified launch failure";
    break;
  default:
    *text = "invalid argument";
  }
  return Success;
}

int cuDeviceGetCount(int *count) {
  *count = misbehaves("no-device") ? 0 : 1;
  return getState().initialized ? Success : InvalidValue;
}

int cuDeviceGet(int *device, int ordinal) {
  *device = ordinal;
  return ordinal == 0 ? Success : InvalidValue;
}

int cuDeviceGetName(char *name, int length, int device) {
  std::strncpy(name, "Emulated GPU", length);
  return Success;
}

int cuDeviceGetAttribute(int *value, int attribute, int device) {
  *value = attribute == 75 ? 9 : 0;
  return Success;
}

int cuDevicePrimaryCtxRetain(void **context, int device) {
  *context = &getState();
  return Success;
}

int cuCtxSetCurrent(void *context) {
  getState().hasContext = context == &getState();
  return getState().hasContext ? Success : InvalidValue;
}

int cuModuleLoadDataEx(void **module, const void *image, unsigned count,
                       int *options, void **values) {
  if (!isReady())
    return InvalidValue;
  if (misbehaves("bad-image")) {
    // A log of two lines, if one is asked for.
    if (count == 2)
      std::strncpy(static_cast<char *>(values[0]), "line 1;\nbad image",
                   reinterpret_cast<uintptr_t>(values[1]));
    return InvalidImage;
  }
  auto context = std::make_unique<llvm::LLVMContext>();
  llvm::SMDiagnostic error;
  auto parsed = llvm::parseAssemblyString(static_cast<const char *>(image),
                                          error, *context);
  if (!parsed)
    return InvalidImage;
  llvm::StringMap<unsigned> numArguments;
  for (const llvm::Function &function : *parsed)
    numArguments[function.getName()] = function.arg_size();
  auto loaded = DeviceModule::load(std::move(context), std::move(parsed));
  if (!loaded) {
    llvm::errs() << "fakecuda: " << llvm::toString(loaded.takeError()) << '\n';
    return InvalidImage;
  }
  *module = &getState().modules.emplace_back(
      Module{std::move(*loaded), std::move(numArguments)});
  return Success;
}

int cuModuleGetFunction(void **function, void *opaque, const char *name) {
  auto *module = static_cast<Module *>(opaque);
  if (!module->code->hasKernel(name))
    return NotFound;
  *function = &getState().functions.emplace_back(Function{module, name});
  return Success;
}

int cuFuncSetAttribute(void *function, int attribute, int value) {
  return Success;
}

int cuLaunchKernel(void *opaque, unsigned gridX, unsigned gridY, unsigned gridZ,
                   unsigned blockX, unsigned blockY, unsigned blockZ,
                   unsigned sharedBytes, void *stream, void **arguments,
                   void **extra) {
  if (!isReady() || stream != &getState())
    return InvalidValue;
  if (misbehaves("bad-launch"))
    return LaunchFailed;
  if (misbehaves("skip-launch"))
    return Success;
  auto *function = static_cast<Function *>(opaque);
  LaunchConfig config;
  config.kernel = function->name;
  config.grid = {gridX, gridY, gridZ};
  config.block = {blockX, blockY, blockZ};
  config.dynamicBytes = sharedBytes;
  auto report = function->module->code->launch(
      config, llvm::ArrayRef(arguments, function->module->numArguments.lookup(
                                            function->name)));
  if (!report) {
    llvm::errs() << "fakecuda: " << llvm::toString(report.takeError()) << '\n';
    return LaunchFailed;
  }
  return Success;
}

int cuStreamCreate(void **stream, unsigned flags) {
  *stream = &getState();
  return isReady() ? Success : InvalidValue;
}

int cuStreamSynchronize(void *stream) { return Success; }

int cuMemAlloc_v2(uint64_t *pointer, size_t bytes) {
  if (!isReady() || bytes == 0)
    return InvalidValue;
  // Of one element, as a program that passes part of a buffer does.
  size_t offset = misbehaves("misaligned") ? 4 : 0;
  char *memory = static_cast<char *>(std::malloc(bytes + offset)) + offset;
  // Not zero by chance, as on a device.
  std::memset(memory, 0xa5, bytes);
  getState().memory.insert(memory);
  *pointer = reinterpret_cast<uint64_t>(memory);
  return Success;
}

int cuMemFree_v2(uint64_t pointer) {
  if (!getState().memory.erase(asPointer(pointer)))
    return InvalidValue;
  if (!misbehaves("misaligned"))
    std::free(asPointer(pointer));
  return Success;
}

int cuMemcpyHtoD_v2(uint64_t target, const void *source, size_t bytes) {
  std::memcpy(asPointer(target), source, bytes);
  return Success;
}

int cuMemcpyDtoH_v2(void *target, uint64_t source, size_t bytes) {
  std::memcpy(target, asPointer(source), bytes);
  return Success;
}

int cuMemcpyAsync(uint64_t target, uint64_t source, size_t bytes,
                  void *stream) {
  std::memmove(asPointer(target), asPointer(source), bytes);
  return Success;
}

int cuMemsetD16Async(uint64_t target, unsigned short value, size_t count,
                     void *stream) {
  std::fill_n(static_cast<unsigned short *>(asPointer(target)), count, value);
  return Success;
}

int cuMemsetD32Async(uint64_t target, unsigned value, size_t count,
                     void *stream) {
  std::fill_n(static_cast<unsigned *>(asPointer(target)), count, value);
  return Success;
}

int cuEventCreate(void **event, unsigned flags) {
  *event = reinterpret_cast<void *>(intptr_t(++getState().numEvents));
  return Success;
}

int cuEventRecord(void *event, void *stream) {
  return stream == &getState() ? Success : InvalidValue;
}

int cuEventSynchronize(void *event) { return Success; }

/// Each run takes as many microseconds as its number says, so that a test can
/// tell the median from the minimum.
int cuEventElapsedTime(float *milliseconds, void *begin, void *end) {
  if (reinterpret_cast<intptr_t>(end) != reinterpret_cast<intptr_t>(begin) + 1)
    return InvalidValue;
  *milliseconds = reinterpret_cast<intptr_t>(begin) / 1e3f;
  return Success;
}
}
