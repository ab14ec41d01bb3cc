//===- WorkgroupLimits.h - Workgroup memory against the target --*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whether kernels need more workgroup memory than the target has
// (`fw-workgroup-memory`). Layer: verifier; for the models of such steps.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_MODELS_MEMORY_WORKGROUPLIMITS_H
#define FORMWORK_VERIFIER_MODELS_MEMORY_WORKGROUPLIMITS_H

#include "verifier/step/Step.h"

namespace formwork::verifier {

/// Reports at the step what is too much, whatever follows.
void checkSureMemory(const Step &step, WorkgroupUse &use);

/// The largest number of bytes that the buffers of a kernel can have together:
/// more if a step of the schedule takes them from the launch.
int64_t getStagedLimit(const Analysis &analysis);

/// The requirements on the target of kernels whose need is symbolic or not
/// certain, or whose launch requests more.
void requireWorkgroupMemory(Analysis &analysis);

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_MODELS_MEMORY_WORKGROUPLIMITS_H
