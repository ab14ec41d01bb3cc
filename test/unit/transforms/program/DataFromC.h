/* Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What DataTest.cpp calls that a C compiler compiled.
 */
#ifndef FORMWORK_TEST_UNIT_TRANSFORMS_PROGRAM_DATAFROMC_H
#define FORMWORK_TEST_UNIT_TRANSFORMS_PROGRAM_DATAFROMC_H

#include "runtime/FormworkProgram.h"

#ifdef __cplusplus
extern "C" {
#endif

void fillFromC(const FwBuffer *buffer, uint64_t seed, uint32_t number,
               void *data);

/* The runtime's conversions, by way of a compiler that calls them. */
uint16_t truncateToF16(double value);
uint16_t truncateToBF16(float value);
float extendF16(uint16_t bits);

#ifdef __cplusplus
}
#endif

#endif
