/*===- FormworkData.h - Elements of buffers and seeded inputs -----*- C -*-===*\
|*                                                                            *|
|* Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.      *|
|* See LICENSE for license information.                                       *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* The compiler and the programs that it emits fill buffers from a seed,      *|
|* poison outputs and convert the half-width formats alike to the bit. Plain  *|
|* C, inline, no state.                                                       *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#ifndef FORMWORK_RUNTIME_FORMWORKDATA_H
#define FORMWORK_RUNTIME_FORMWORKDATA_H

#include "FormworkProgram.h"

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

/* Fills an output before the run: a NaN in every float format, and in integers
 * a pattern that a short computation on small inputs does not give. */
static inline void fwPoison(FwElementType type, uint64_t count, void *data) {
  memset(data, fwIsFloat(type) ? 0xff : 0xa5, count * fwElementSize(type));
}

#ifdef __cplusplus
}
#endif

#endif /* FORMWORK_RUNTIME_FORMWORKDATA_H */
