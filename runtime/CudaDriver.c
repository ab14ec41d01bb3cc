/*===- CudaDriver.c - The CUDA driver, opened at run time ---------*- C -*-===*\
|*                                                                            *|
|* Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.      *|
|* See LICENSE for license information.                                       *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* See CudaDriver.h. The names looked up are those that the driver exports,   *|
|* which carry version suffixes where a function changed.                     *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#include "CudaDriver.h"

#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

FwDriver fwDriver;

_Noreturn void fwFail(const char *format, ...) {
  /* One write, so that the line stays one even in a shared terminal. */
  char line[1024];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  /* Messages of others can have several lines. */
  for (char *at = line; *at; ++at)
    if (*at == '\n' || *at == '\r')
      *at = ' ';
  fflush(stdout);
  fprintf(stderr, "error: %s\n", line);
  exit(FwExitUnable);
}

/* `call` is what stands in the source: "cuInit(0)"; the name is enough. */
void fwCheck(int result, const char *call) {
  if (result == 0)
    return;
  const char *text = NULL;
  if (!fwDriver.GetErrorString || fwDriver.GetErrorString(result, &text) != 0 ||
      !text)
    text = "unknown error";
  fwFail("%.*s failed with CUDA error %d (%s)", (int)strcspn(call, "("), call,
         result, text);
}

/* The function that the library exports as `name`, or else as `older`. */
static void *lookUp(void *library, const char *name, const char *older) {
  void *address = dlsym(library, name);
  if (!address && older)
    address = dlsym(library, older);
  if (!address)
    fwFail("the CUDA driver is too old: libcuda.so.1 has no %s", name);
  return address;
}

static void lookUpFunctions(void *library) {
  struct {
    void *slot;
    const char *name, *older;
  } functions[] = {
      {&fwDriver.GetErrorString, "cuGetErrorString", NULL},
      {&fwDriver.Init, "cuInit", NULL},
      {&fwDriver.DeviceGetCount, "cuDeviceGetCount", NULL},
      {&fwDriver.DeviceGet, "cuDeviceGet", NULL},
      {&fwDriver.DeviceGetName, "cuDeviceGetName", NULL},
      {&fwDriver.DeviceGetAttribute, "cuDeviceGetAttribute", NULL},
      {&fwDriver.DevicePrimaryCtxRetain, "cuDevicePrimaryCtxRetain", NULL},
      {&fwDriver.CtxSetCurrent, "cuCtxSetCurrent", NULL},
      {&fwDriver.ModuleLoadDataEx, "cuModuleLoadDataEx", NULL},
      {&fwDriver.ModuleGetFunction, "cuModuleGetFunction", NULL},
      {&fwDriver.FuncSetAttribute, "cuFuncSetAttribute", NULL},
      {&fwDriver.LaunchKernel, "cuLaunchKernel", NULL},
      {&fwDriver.StreamCreate, "cuStreamCreate", NULL},
      {&fwDriver.StreamSynchronize, "cuStreamSynchronize", NULL},
      {&fwDriver.MemAlloc, "cuMemAlloc_v2", NULL},
      {&fwDriver.MemFree, "cuMemFree_v2", NULL},
      {&fwDriver.MemcpyHtoD, "cuMemcpyHtoD_v2", NULL},
      {&fwDriver.MemcpyDtoH, "cuMemcpyDtoH_v2", NULL},
      {&fwDriver.MemcpyAsync, "cuMemcpyAsync", NULL},
      {&fwDriver.MemsetD16Async, "cuMemsetD16Async", NULL},
      {&fwDriver.MemsetD32Async, "cuMemsetD32Async", NULL},
      {&fwDriver.EventCreate, "cuEventCreate", NULL},
      {&fwDriver.EventRecord, "cuEventRecord", NULL},
      {&fwDriver.EventSynchronize, "cuEventSynchronize", NULL},
      {&fwDriver.EventElapsedTime, "cuEventElapsedTime_v2",
       "cuEventElapsedTime"},
  };
  for (size_t i = 0; i < sizeof functions / sizeof functions[0]; ++i) {
    void *address = lookUp(library, functions[i].name, functions[i].older);
    memcpy(functions[i].slot, &address, sizeof address);
  }
}

void fwOpenDriver(int ordinal) {
  void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_GLOBAL);
  if (!library)
    fwFail("requires a CUDA driver but cannot open libcuda.so.1 (%s)",
           dlerror());
  lookUpFunctions(library);

  FW_CUDA(Init(0));
  int count = 0;
  FW_CUDA(DeviceGetCount(&count));
  if (count == 0)
    fwFail("requires a CUDA device but the driver finds none");
  if (ordinal >= count)
    fwFail("requires a device below %d but --device has %d", count, ordinal);
  FW_CUDA(DeviceGet(&fwDriver.device, ordinal));
  FW_CUDA(DeviceGetName(fwDriver.deviceName, sizeof fwDriver.deviceName,
                        fwDriver.device));
  enum { ComputeCapabilityMajor = 75, ComputeCapabilityMinor = 76 };
  FW_CUDA(DeviceGetAttribute(&fwDriver.computeMajor, ComputeCapabilityMajor,
                             fwDriver.device));
  FW_CUDA(DeviceGetAttribute(&fwDriver.computeMinor, ComputeCapabilityMinor,
                             fwDriver.device));
  void *context = NULL;
  FW_CUDA(DevicePrimaryCtxRetain(&context, fwDriver.device));
  FW_CUDA(CtxSetCurrent(context));
  FW_CUDA(StreamCreate(&fwDriver.stream, 0));
}
