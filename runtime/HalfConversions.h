/*===- HalfConversions.h - Conversions that code generation calls -*- C -*-===*\
|*                                                                            *|
|* Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.      *|
|* See LICENSE for license information.                                       *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* LLVM lowers conversions to and from f16 and bf16 to calls on processors    *|
|* without the instructions, and the C compiler's own support library has the *|
|* bf16 ones only in recent versions. So the runtime brings its own; in the   *|
|* compiler, the table hands them to the in-process JIT.                      *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#ifndef FORMWORK_RUNTIME_HALFCONVERSIONS_H
#define FORMWORK_RUNTIME_HALFCONVERSIONS_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct FwSymbol {
  const char *name;
  void (*address)(void);
} FwSymbol;

extern const FwSymbol fwHalfConversions[];
extern const size_t fwHalfConversionCount;

#ifdef __cplusplus
}
#endif

#endif /* FORMWORK_RUNTIME_HALFCONVERSIONS_H */
