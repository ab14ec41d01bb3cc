/*===- FormworkProgram.h - What a compiled program says of itself -*- C -*-===*\
|*                                                                            *|
|* Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.      *|
|* See LICENSE for license information.                                       *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* The table that every emitted object defines as `formwork_program`, and the *|
|* convention by which its two functions are called. Plain C, shared by the   *|
|* compiler that writes the table and the launcher that reads it; it knows    *|
|* neither MLIR nor CUDA.                                                     *|
|*                                                                            *|
|* Calling convention: both functions take one array with a pointer for every *|
|* argument. A buffer's pointer is to an MLIR memref descriptor (`FwBuffer`'s *|
|* rank gives its size); a by-value argument's pointer is to the value.       *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#ifndef FORMWORK_RUNTIME_FORMWORKPROGRAM_H
#define FORMWORK_RUNTIME_FORMWORKPROGRAM_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Raised when the table or the convention changes. */
#define FW_PROGRAM_ABI 5u

typedef uint32_t FwElementType;
enum {
  FwElementF16,
  FwElementBF16,
  FwElementF32,
  FwElementF64,
  FwElementI1, /* one byte an element, 0 or 1 */
  FwElementI8,
  FwElementI16,
  FwElementI32,
  FwElementI64,
  FwElementIndex /* stored as i64; generated values are not negative */
};

typedef uint32_t FwRole;
enum {
  FwRoleInput,  /* filled before the run, not looked at afterwards */
  FwRoleOutput, /* poisoned before the run, compared afterwards */
  FwRoleInOut   /* filled before the run, compared afterwards */
};

/* One argument of the program. */
typedef struct FwBuffer {
  const char *name;
  const int64_t *shape; /* `rank` extents, row-major, no padding */
  FwElementType type;
  FwRole role;
  uint32_t rank;
  uint32_t byValue; /* nonzero: passed by value, rank 0, role input */
  /* Of a floating-point result that is less exact than its type, as it is
   * computed of less exact values: the least tolerance, and why, such as "2
   * roundings to bf16"; else 0 and null. */
  double leastTolerance;
  const char *toleranceReason;
  /* Of integers that are indices of other buffers: generated ones are not
   * negative, and below this; else 0. */
  uint64_t indexLimit;
} FwBuffer;

/* One kernel of the program. Its accesses are only defined for pointers that
 * are aligned as they assume. */
typedef struct FwKernel {
  const char *name;
  uint32_t parameterCount;
  /* Of each parameter: the number of bytes that its pointer must be a multiple
   * of; 1 for a parameter of which nothing is assumed. */
  const uint32_t *alignments;
} FwKernel;

typedef struct FwProgram {
  uint32_t abi; /* FW_PROGRAM_ABI */
  uint32_t bufferCount;
  const char *name;   /* the entry function in the payload */
  const char *target; /* what the kernels were compiled for: "sm_90" */
  const FwBuffer *buffers;

  /* The payload compiled without its schedule takes the first `argumentCount`
   * buffers, then one buffer for each of its `resultCount` results; result i
   * has the type of, and is what the program must leave in,
   * buffers[resultBuffers[i]]. */
  uint32_t argumentCount;
  uint32_t resultCount;
  const uint32_t *resultBuffers;

  uint64_t seed;    /* of the inputs, unless another is asked for */
  double tolerance; /* negative: the element type's own, see fwTolerance */
  double flops;     /* of one run; zero: not known */

  void (*run)(void **arguments);       /* the scheduled payload: host part */
  void (*reference)(void **arguments); /* the payload, on the host alone */

  const FwKernel *kernels;
  uint32_t kernelCount;
} FwProgram;

/* Defined by the emitted object. */
extern const FwProgram formwork_program;

#ifdef __cplusplus
}
#endif

#endif /* FORMWORK_RUNTIME_FORMWORKPROGRAM_H */
