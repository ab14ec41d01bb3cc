//===- DynamicMemory.h - Workgroup memory of a launch -----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Buffers that a launch asks for. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_MODELS_GPU_DYNAMICMEMORY_H
#define FORMWORK_VERIFIER_MODELS_GPU_DYNAMICMEMORY_H

#include "verifier/step/Step.h"

namespace formwork::verifier {

class ModelRegistry;

void registerDynamicMemoryModels(ModelRegistry &models);

/// What steps put into the kernel of `launch` so far is what its launch asks
/// for from now on: it is at most what the target gives a launch, and nothing
/// of what the kernel declares. No change where it is not certain which launch
/// that is.
void takeMemoryFromLaunch(const Step &step, NodeId launch);

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_MODELS_GPU_DYNAMICMEMORY_H
