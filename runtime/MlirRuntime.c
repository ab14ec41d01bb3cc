/*===- MlirRuntime.c - MLIR's GPU runtime on the CUDA driver ------*- C -*-===*\
|*                                                                            *|
|* Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.      *|
|* See LICENSE for license information.                                       *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* The functions that host code compiled by MLIR calls, on the driver.        *|
|* Modules are loaded from a global constructor, before main, when there is   *|
|* no driver yet: they are written down and loaded at the first launch.       *|
|* Everything runs in one stream, in order, so that streams and events of the *|
|* host code need nothing done, and nothing waits while runs are timed.       *|
|* Before a launch, each pointer is held against the alignment that the       *|
|* kernel assumes of it.                                                      *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#include "CudaDriver.h"
#include "FormworkProgram.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

typedef struct Module {
  const void *image;
  bool isPTX;
  void *loaded; /* the driver's module, once there is one */
  /* The function that was asked for last, by the address of its name: host
   * code asks at every launch. */
  const char *name;
  void *function;
} Module;

/* The driver's function of each kernel of the program, once it is known. */
static void **kernelFunctions;

static void recordFunction(const char *name, void *function) {
  uint32_t count = formwork_program.kernelCount;
  if (!kernelFunctions && count != 0) {
    kernelFunctions = calloc(count, sizeof *kernelFunctions);
    if (!kernelFunctions)
      fwFail("out of memory");
  }
  for (uint32_t i = 0; i < count; ++i)
    if (strcmp(formwork_program.kernels[i].name, name) == 0)
      kernelFunctions[i] = function;
}

/* Fails if an argument is a pointer that is not aligned as `kernel` assumes. */
static void checkAlignments(const FwKernel *kernel, void **arguments) {
  for (uint32_t i = 0; i < kernel->parameterCount; ++i) {
    uint32_t alignment = kernel->alignments[i];
    if (alignment <= 1)
      continue;
    uint64_t address;
    memcpy(&address, arguments[i], sizeof address);
    if (address % alignment != 0)
      fwFail("kernel '%s' requires its parameter %" PRIu32
             " to be aligned to %" PRIu32 " bytes but it is 0x%" PRIx64
             "; --assume-alignment states what buffers are aligned to",
             kernel->name, i, alignment, address);
  }
}

static void checkLaunch(void *function, void **arguments) {
  for (uint32_t i = 0; kernelFunctions && i < formwork_program.kernelCount; ++i)
    if (kernelFunctions[i] == function)
      checkAlignments(&formwork_program.kernels[i], arguments);
}

static Module *recordModule(const void *image, bool isPTX) {
  Module *module = calloc(1, sizeof *module);
  if (!module)
    fwFail("out of memory");
  module->image = image;
  module->isPTX = isPTX;
  return module;
}

static void loadModule(Module *module) {
  enum { ErrorLogBuffer = 5, ErrorLogBufferBytes = 6 };
  static char log[512];
  int options[] = {ErrorLogBuffer, ErrorLogBufferBytes};
  void *values[] = {log, (void *)(uintptr_t)(sizeof log - 1)};
  int result = fwDriver.ModuleLoadDataEx(
      &module->loaded, module->image, module->isPTX ? 2 : 0, options, values);
  if (result != 0 && log[0])
    fwFail("the CUDA driver refuses the kernel: %s", log);
  fwCheck(result, "cuModuleLoadDataEx");
}

void *mgpuModuleLoad(const void *image, size_t size) {
  (void)size;
  return recordModule(image, false);
}

void *mgpuModuleLoadJIT(const void *image, int level) {
  /* The driver's own level is the highest; MLIR passes none. */
  (void)level;
  return recordModule(image, true);
}

/* Called when the program ends: the driver gives everything back itself. */
void mgpuModuleUnload(void *module) { (void)module; }

void *mgpuModuleGetFunction(void *opaque, const char *name) {
  Module *module = opaque;
  if (!module->loaded)
    loadModule(module);
  if (module->name != name) {
    FW_CUDA(ModuleGetFunction(&module->function, module->loaded, name));
    module->name = name;
    recordFunction(name, module->function);
  }
  return module->function;
}

void mgpuLaunchKernel(void *function, intptr_t gridX, intptr_t gridY,
                      intptr_t gridZ, intptr_t blockX, intptr_t blockY,
                      intptr_t blockZ, int32_t sharedBytes, void *stream,
                      void **arguments, void **extra, size_t count) {
  (void)stream;
  (void)count;
  enum { MaxDynamicSharedBytes = 8, SharedBytesWithoutAsking = 48 << 10 };
  checkLaunch(function, arguments);
  if (sharedBytes > SharedBytesWithoutAsking)
    FW_CUDA(FuncSetAttribute(function, MaxDynamicSharedBytes, sharedBytes));
  FW_CUDA(LaunchKernel(function, (unsigned)gridX, (unsigned)gridY,
                       (unsigned)gridZ, (unsigned)blockX, (unsigned)blockY,
                       (unsigned)blockZ, (unsigned)sharedBytes, fwDriver.stream,
                       arguments, extra));
}

void *mgpuStreamCreate(void) { return fwDriver.stream; }
void mgpuStreamDestroy(void *stream) { (void)stream; }
void mgpuStreamSynchronize(void *stream) { (void)stream; }
void mgpuStreamWaitEvent(void *stream, void *event) {
  (void)stream;
  (void)event;
}
/* Not null: MLIR's host code passes events on. */
void *mgpuEventCreate(void) { return &fwDriver; }
void mgpuEventDestroy(void *event) { (void)event; }
void mgpuEventSynchronize(void *event) { (void)event; }
void mgpuEventRecord(void *event, void *stream) {
  (void)event;
  (void)stream;
}

void *mgpuMemAlloc(uint64_t bytes, void *stream, bool hostShared) {
  (void)stream;
  if (hostShared)
    fwFail("memory shared with the host is not supported");
  FwDevicePointer pointer = 0;
  if (bytes != 0)
    FW_CUDA(MemAlloc(&pointer, bytes));
  return (void *)(uintptr_t)pointer;
}

/* The driver waits for what uses the memory. */
void mgpuMemFree(void *pointer, void *stream) {
  (void)stream;
  if (pointer)
    FW_CUDA(MemFree((FwDevicePointer)(uintptr_t)pointer));
}

void mgpuMemcpy(void *target, void *source, size_t bytes, void *stream) {
  (void)stream;
  FW_CUDA(MemcpyAsync((FwDevicePointer)(uintptr_t)target,
                      (FwDevicePointer)(uintptr_t)source, bytes,
                      fwDriver.stream));
}

void mgpuMemset16(void *target, unsigned short value, size_t count,
                  void *stream) {
  (void)stream;
  FW_CUDA(MemsetD16Async((FwDevicePointer)(uintptr_t)target, value, count,
                         fwDriver.stream));
}

void mgpuMemset32(void *target, unsigned value, size_t count, void *stream) {
  (void)stream;
  FW_CUDA(MemsetD32Async((FwDevicePointer)(uintptr_t)target, value, count,
                         fwDriver.stream));
}
