/*===- CudaDriver.h - The CUDA driver, opened at run time ---------*- C -*-===*\
|*                                                                            *|
|* Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.      *|
|* See LICENSE for license information.                                       *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* The CUDA driver, opened when the program runs: the file itself needs no    *|
|* more than the C library. Declares the few functions that the launcher      *|
|* uses, with the driver's own names and argument order. Any failure ends the *|
|* program: one line on standard error, exit code 3.                          *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#ifndef FORMWORK_RUNTIME_CUDADRIVER_H
#define FORMWORK_RUNTIME_CUDADRIVER_H

#include <stddef.h>
#include <stdint.h>

enum { FwExitPassed = 0, FwExitMismatch = 1, FwExitUnable = 3 };

typedef uint64_t FwDevicePointer;

/* Every entry returns the driver's CUresult, zero on success. */
typedef struct FwDriver {
  int (*Init)(unsigned flags);
  int (*DeviceGetCount)(int *count);
  int (*DeviceGet)(int *device, int ordinal);
  int (*DeviceGetName)(char *name, int length, int device);
  int (*DeviceGetAttribute)(int *value, int attribute, int device);
  int (*DevicePrimaryCtxRetain)(void **context, int device);
  int (*CtxSetCurrent)(void *context);
  int (*ModuleLoadDataEx)(void **module, const void *image, unsigned count,
                          int *options, void **values);
  int (*ModuleGetFunction)(void **function, void *module, const char *name);
  int (*FuncSetAttribute)(void *function, int attribute, int value);
  int (*LaunchKernel)(void *function, unsigned gridX, unsigned gridY,
                      unsigned gridZ, unsigned blockX, unsigned blockY,
                      unsigned blockZ, unsigned sharedBytes, void *stream,
                      void **arguments, void **extra);
  int (*StreamCreate)(void **stream, unsigned flags);
  int (*StreamSynchronize)(void *stream);
  int (*MemAlloc)(FwDevicePointer *pointer, size_t bytes);
  int (*MemFree)(FwDevicePointer pointer);
  int (*MemcpyHtoD)(FwDevicePointer target, const void *source, size_t bytes);
  int (*MemcpyDtoH)(void *target, FwDevicePointer source, size_t bytes);
  int (*MemcpyAsync)(FwDevicePointer target, FwDevicePointer source,
                     size_t bytes, void *stream);
  int (*MemsetD16Async)(FwDevicePointer target, unsigned short value,
                        size_t count, void *stream);
  int (*MemsetD32Async)(FwDevicePointer target, unsigned value, size_t count,
                        void *stream);
  int (*EventCreate)(void **event, unsigned flags);
  int (*EventRecord)(void *event, void *stream);
  int (*EventSynchronize)(void *event);
  int (*EventElapsedTime)(float *milliseconds, void *begin, void *end);
  int (*GetErrorString)(int result, const char **text);

  void *stream; /* the one that everything runs in */
  int device;
  char deviceName[128];
  int computeMajor, computeMinor;
} FwDriver;

/* Usable once fwOpenDriver has returned. */
extern FwDriver fwDriver;

/* Opens the driver, makes device `ordinal` current and creates the stream. */
void fwOpenDriver(int ordinal);

/* Prints one line on standard error and exits with FwExitUnable. */
_Noreturn void fwFail(const char *format, ...)
    __attribute__((format(printf, 1, 2)));

/* Fails, naming `what`, unless `result` is zero. */
void fwCheck(int result, const char *what);

#define FW_CUDA(call) fwCheck(fwDriver.call, "cu" #call)

#endif /* FORMWORK_RUNTIME_CUDADRIVER_H */
