/*===- FormworkData.h - Seeded inputs and their comparison --------*- C -*-===*\
|*                                                                            *|
|* Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.      *|
|* See LICENSE for license information.                                       *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* What the compiler and the programs that it emits must do alike to the bit: *|
|* filling buffers from a seed, poisoning outputs, converting the half-width  *|
|* formats, comparing a result with the reference. Plain C, inline, no state. *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#ifndef FORMWORK_RUNTIME_FORMWORKDATA_H
#define FORMWORK_RUNTIME_FORMWORKDATA_H

#include "FormworkProgram.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Bytes of one element in memory. */
static inline size_t fwElementSize(FwElementType type) {
  switch (type) {
  case FwElementI1:
  case FwElementI8:
    return 1;
  case FwElementF16:
  case FwElementBF16:
  case FwElementI16:
    return 2;
  case FwElementF32:
  case FwElementI32:
    return 4;
  default:
    return 8;
  }
}

/* MLIR's name of the type. */
static inline const char *fwElementName(FwElementType type) {
  static const char *const names[] = {"f16", "bf16", "f32", "f64", "i1",
                                      "i8",  "i16",  "i32", "i64", "index"};
  return type <= FwElementIndex ? names[type] : "unknown";
}

static inline int fwIsFloat(FwElementType type) { return type <= FwElementF64; }

static inline uint64_t fwElementCount(const FwBuffer *buffer) {
  uint64_t count = 1;
  for (uint32_t i = 0; i < buffer->rank; ++i)
    count *= (uint64_t)buffer->shape[i];
  return count;
}

/* The value of a binary16 bit pattern, exactly. */
static inline double fwDecodeF16(uint16_t bits) {
  uint32_t exponent = (bits >> 10) & 31u;
  uint32_t mantissa = bits & 1023u;
  if (exponent == 0) {
    double magnitude = (double)mantissa / 16777216.0;
    return bits & 0x8000u ? -magnitude : magnitude;
  }
  uint32_t wide = ((uint32_t)(bits & 0x8000u) << 16) |
                  ((exponent == 31 ? 255 : exponent + 112) << 23) |
                  (mantissa << 13);
  float value;
  memcpy(&value, &wide, sizeof value);
  return (double)value;
}

/* The value of a bfloat16 bit pattern, exactly. */
static inline double fwDecodeBF16(uint16_t bits) {
  uint32_t wide = (uint32_t)bits << 16;
  float value;
  memcpy(&value, &wide, sizeof value);
  return (double)value;
}

/* Element `i` of `data` as a double. Exact but for large 64-bit integers. */
static inline double fwLoad(FwElementType type, const void *data, uint64_t i) {
  const char *at = (const char *)data + i * fwElementSize(type);
  switch (type) {
  case FwElementF16:
  case FwElementBF16: {
    uint16_t bits;
    memcpy(&bits, at, sizeof bits);
    return type == FwElementF16 ? fwDecodeF16(bits) : fwDecodeBF16(bits);
  }
  case FwElementF32: {
    float value;
    memcpy(&value, at, sizeof value);
    return (double)value;
  }
  case FwElementF64: {
    double value;
    memcpy(&value, at, sizeof value);
    return value;
  }
  case FwElementI1:
    return (double)*(const uint8_t *)at;
  case FwElementI8:
    return (double)*(const int8_t *)at;
  case FwElementI16: {
    int16_t value;
    memcpy(&value, at, sizeof value);
    return (double)value;
  }
  case FwElementI32: {
    int32_t value;
    memcpy(&value, at, sizeof value);
    return (double)value;
  }
  default: {
    int64_t value;
    memcpy(&value, at, sizeof value);
    return (double)value;
  }
  }
}

/* SplitMix64 as a function of its position: 64 well-mixed bits.
 * Source: Steele, Lea, Flood, "Fast splittable pseudorandom number
 * generators", OOPSLA 2014. */
static inline uint64_t fwRandomBits(uint64_t seed, uint64_t position) {
  uint64_t z = seed + (position + 1) * UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return z ^ (z >> 31);
}

/* Writes element `i` of the buffer number `buffer` of a run with `seed`.
 * Floats: multiples of the type's epsilon in [-1, 1), all of them exact, so
 * that no rounding can differ between machines. Integers: -8 to 7. Index: 0 to
 * 7. Booleans: 0 and 1. With an `indexLimit`, integers of all these types: not
 * negative, and below it. */
static inline void fwGenerate(FwElementType type, uint64_t indexLimit,
                              uint64_t seed, uint32_t buffer, uint64_t i,
                              void *data) {
  uint64_t bits =
      fwRandomBits(fwRandomBits(seed, UINT64_C(0x100000000) + buffer), i);
  char *at = (char *)data + i * fwElementSize(type);
  switch (type) {
  case FwElementF16: {
    /* k / 2^10 for an 11-bit signed k; normalized by hand. */
    int k = (int)(bits >> 53) - 1024;
    uint16_t sign = k < 0 ? 0x8000 : 0;
    unsigned magnitude = (unsigned)(k < 0 ? -k : k);
    uint16_t encoded = sign;
    if (magnitude) {
      int exponent = 15;
      while (magnitude < 1024) {
        magnitude <<= 1;
        --exponent;
      }
      encoded =
          (uint16_t)(sign | (unsigned)(exponent << 10) | (magnitude & 1023u));
    }
    memcpy(at, &encoded, sizeof encoded);
    return;
  }
  case FwElementBF16: {
    /* Eight significant bits: the lower half of the float is zero. */
    float value = (float)((int)(bits >> 56) - 128) / 128.0f;
    uint32_t wide;
    memcpy(&wide, &value, sizeof wide);
    uint16_t encoded = (uint16_t)(wide >> 16);
    memcpy(at, &encoded, sizeof encoded);
    return;
  }
  case FwElementF32: {
    float value = (float)((int32_t)(bits >> 40) - 8388608) / 8388608.0f;
    memcpy(at, &value, sizeof value);
    return;
  }
  case FwElementF64: {
    double value = (double)((int64_t)(bits >> 11) - (INT64_C(1) << 52)) /
                   (double)(INT64_C(1) << 52);
    memcpy(at, &value, sizeof value);
    return;
  }
  default: {
    int64_t value = (int64_t)(bits >> 60) - 8;
    if (indexLimit)
      value = (int64_t)(bits % indexLimit);
    else if (type == FwElementI1)
      value = (int64_t)(bits >> 63);
    else if (type == FwElementIndex)
      value = (int64_t)(bits >> 61);
    /* The low bytes of a two's complement number on a little-endian host. */
    memcpy(at, &value, fwElementSize(type));
    return;
  }
  }
}

static inline void fwFill(const FwBuffer *buffer, uint64_t seed,
                          uint32_t number, void *data) {
  uint64_t count = fwElementCount(buffer);
  for (uint64_t i = 0; i < count; ++i)
    fwGenerate(buffer->type, buffer->indexLimit, seed, number, i, data);
}

/* What an output holds before the run: a NaN in every float format, and in
 * integers a pattern that a short computation on small inputs does not give. */
static inline void fwPoison(FwElementType type, uint64_t count, void *data) {
  memset(data, fwIsFloat(type) ? 0xff : 0xa5, count * fwElementSize(type));
}

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
  double tolerance;    /* what maxRelative was held against */
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

#endif /* FORMWORK_RUNTIME_FORMWORKDATA_H */
