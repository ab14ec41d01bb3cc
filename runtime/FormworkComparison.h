/*===- FormworkComparison.h - Results held against a reference ----*- C -*-===*\
|*                                                                            *|
|* Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.      *|
|* See LICENSE for license information.                                       *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* The compiler and the programs that it emits compare a result with the      *|
|* reference alike to the bit. Plain C, inline, no state.                     *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#ifndef FORMWORK_RUNTIME_FORMWORKCOMPARISON_H
#define FORMWORK_RUNTIME_FORMWORKCOMPARISON_H

#include "FormworkData.h"

#include <math.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The largest relative error that passes when none is asked for: 2^-13, 2^-6,
 * 2^-4 and 2^-36 for f32, f16, bf16 and f64 (about 1000, 16, 8 and 65000 units
 * in the last place: reordered sums of some ten thousand terms), and none for
 * integers. */
static inline double fwDefaultTolerance(FwElementType type) {
  switch (type) {
  case FwElementF16:
    return 1.0 / 64;
  case FwElementBF16:
    return 1.0 / 16;
  case FwElementF32:
    return 1.0 / 8192;
  case FwElementF64:
    return 1.0 / 68719476736.0;
  default:
    return 0;
  }
}

/* The tolerance that `asked` means for results of `type`: itself, or where it
 * is negative the type's own, and for floating-point results at least `least`.
 */
static inline double fwTolerance(FwElementType type, double asked,
                                 double least) {
  if (asked >= 0)
    return asked;
  double own = fwDefaultTolerance(type);
  return fwIsFloat(type) && least > own ? least : own;
}

typedef struct FwComparison {
  double maxAbsolute;  /* largest |actual - expected| */
  double maxRelative;  /* largest relative error, see fwCompare */
  double tolerance;    /* the limit of maxRelative */
  double expected;     /* the two values where the relative error is largest */
  double actual;       /* */
  uint64_t worst;      /* and the element's row-major number */
  uint64_t mismatches; /* elements whose relative error is over the tolerance */
} FwComparison;

/* Compares `count` elements. The relative error of an element is
 *   |actual - expected| / max(|expected|, rms),
 * where rms is the root mean square of all finite expected elements: a sum that
 * cancels is held to the size of its terms, not to its own. Two NaNs, or two
 * equal infinities, have no error; a NaN or an infinity on one side alone has
 * an infinite one. The result passes when no element is over the tolerance
 * (negative: the element type's own; integers: exact unless one is given). */
static inline FwComparison fwCompare(FwElementType type, uint64_t count,
                                     const void *expected, const void *actual,
                                     double tolerance) {
  FwComparison result;
  memset(&result, 0, sizeof result);
  result.tolerance = tolerance < 0 ? fwDefaultTolerance(type) : tolerance;

  double sum = 0;
  uint64_t finite = 0;
  for (uint64_t i = 0; i < count; ++i) {
    double e = fwLoad(type, expected, i);
    if (isfinite(e)) {
      sum += e * e;
      ++finite;
    }
  }
  double rms = finite ? sqrt(sum / (double)finite) : 0;

  size_t size = fwElementSize(type);
  for (uint64_t i = 0; i < count; ++i) {
    /* Equal bits first: exact for the integers that a double cannot hold. */
    if (memcmp((const char *)expected + i * size,
               (const char *)actual + i * size, size) == 0)
      continue;
    double e = fwLoad(type, expected, i);
    double a = fwLoad(type, actual, i);
    if (a == e && fwIsFloat(type))
      continue;
    if (isnan(a) && isnan(e))
      continue;
    double absolute = fabs(a - e);
    double scale = fabs(e) > rms ? fabs(e) : rms;
    double relative;
    if (!isfinite(a) || !isfinite(e))
      absolute = relative = (double)INFINITY;
    else
      relative = scale > 0 ? absolute / scale : (double)INFINITY;
    if (absolute > result.maxAbsolute)
      result.maxAbsolute = absolute;
    int exceeds = relative > result.tolerance;
    /* Two 64-bit integers that round to the same double still differ. */
    if (!fwIsFloat(type) && result.tolerance == 0)
      exceeds = 1;
    if (exceeds)
      ++result.mismatches;
    if (relative > result.maxRelative || (exceeds && result.mismatches == 1)) {
      result.maxRelative = relative;
      result.expected = e;
      result.actual = a;
      result.worst = i;
    }
  }
  return result;
}

#ifdef __cplusplus
}
#endif

#endif /* FORMWORK_RUNTIME_FORMWORKCOMPARISON_H */
