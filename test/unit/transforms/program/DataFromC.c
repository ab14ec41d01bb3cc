/* Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */

#include "DataFromC.h"
#include "runtime/FormworkData.h"
#include "runtime/HalfConversions.h"

void fillFromC(const FwBuffer *buffer, uint64_t seed, uint32_t number,
               void *data) {
  fwFill(buffer, seed, number, data);
}

static void (*findConversion(const char *name))(void) {
  for (size_t i = 0; i < fwHalfConversionCount; ++i)
    if (strcmp(fwHalfConversions[i].name, name) == 0)
      return fwHalfConversions[i].address;
  return 0;
}

uint16_t truncateToF16(double value) {
  /* Where the float holds the value, both ways must agree. */
  _Float16 result =
      (double)(float)value == value
          ? ((_Float16 (*)(float))findConversion("__truncsfhf2"))((float)value)
          : ((_Float16 (*)(double))findConversion("__truncdfhf2"))(value);
  uint16_t bits;
  memcpy(&bits, &result, sizeof bits);
  return bits;
}

uint16_t truncateToBF16(float value) {
  __bf16 result = ((__bf16 (*)(float))findConversion("__truncsfbf2"))(value);
  uint16_t bits;
  memcpy(&bits, &result, sizeof bits);
  return bits;
}

float extendF16(uint16_t bits) {
  _Float16 value;
  memcpy(&value, &bits, sizeof value);
  return ((float (*)(_Float16))findConversion("__extendhfsf2"))(value);
}
