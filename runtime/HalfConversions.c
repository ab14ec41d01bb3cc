/*===- HalfConversions.c - Conversions that code generation calls -*- C -*-===*\
|*                                                                            *|
|* Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.      *|
|* See LICENSE for license information.                                       *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* See HalfConversions.h. Integer arithmetic only: a floating-point           *|
|* conversion in here would be compiled to a call of itself.                  *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#include "HalfConversions.h"
#include "FormworkData.h"

/* `value` rounded to nearest, ties to even, in the format with the given field
 * widths; `value` holds floats exactly, so nothing is rounded twice. */
static uint16_t narrow(double value, int mantissaBits, int exponentBits) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  uint32_t sign = (uint32_t)(bits >> 48) & 0x8000u;
  int exponent = (int)(bits >> 52) & 2047;
  uint64_t mantissa = bits & ((UINT64_C(1) << 52) - 1);
  uint32_t infinity = ((1u << exponentBits) - 1) << mantissaBits;

  if (exponent == 2047) {
    uint32_t quiet = mantissa ? 1u << (mantissaBits - 1) : 0;
    return (uint16_t)(sign | infinity | quiet);
  }
  if (exponent == 0)
    return (uint16_t)sign;

  int biased = exponent - 1023 + (1 << (exponentBits - 1)) - 1;
  int shift = 52 - mantissaBits;
  if (biased < 1) {
    shift += 1 - biased;
    biased = 1;
    if (shift > 53)
      return (uint16_t)sign;
  }
  uint64_t significand = mantissa | (UINT64_C(1) << 52);
  uint64_t kept = significand >> shift;
  uint64_t rest = significand & ((UINT64_C(1) << shift) - 1);
  uint64_t half = UINT64_C(1) << (shift - 1);
  if (rest > half || (rest == half && (kept & 1)))
    ++kept;
  /* The implicit bit, where there is one, carries into the exponent. */
  uint64_t encoded = ((uint64_t)(biased - 1) << mantissaBits) + kept;
  return (uint16_t)(sign | (encoded < infinity ? (uint32_t)encoded : infinity));
}

static _Float16 asF16(uint16_t bits) {
  _Float16 value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static __bf16 asBF16(uint16_t bits) {
  __bf16 value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

float __extendhfsf2(_Float16 value);
_Float16 __truncsfhf2(float value);
_Float16 __truncdfhf2(double value);
__bf16 __truncsfbf2(float value);
__bf16 __truncdfbf2(double value);

float __extendhfsf2(_Float16 value) {
  uint16_t bits;
  memcpy(&bits, &value, sizeof bits);
  return (float)fwDecodeF16(bits);
}

_Float16 __truncsfhf2(float value) {
  return asF16(narrow((double)value, 10, 5));
}
_Float16 __truncdfhf2(double value) { return asF16(narrow(value, 10, 5)); }
__bf16 __truncsfbf2(float value) { return asBF16(narrow((double)value, 7, 8)); }
__bf16 __truncdfbf2(double value) { return asBF16(narrow(value, 7, 8)); }

const FwSymbol fwHalfConversions[] = {
    {"__extendhfsf2", (void (*)(void))__extendhfsf2},
    {"__truncsfhf2", (void (*)(void))__truncsfhf2},
    {"__truncdfhf2", (void (*)(void))__truncdfhf2},
    {"__truncsfbf2", (void (*)(void))__truncsfbf2},
    {"__truncdfbf2", (void (*)(void))__truncdfbf2},
};
const size_t fwHalfConversionCount =
    sizeof fwHalfConversions / sizeof fwHalfConversions[0];
