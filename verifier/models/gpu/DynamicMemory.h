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

/// The launch of `launch` requests the workgroup memory that steps have put
/// into its kernel so far, at most as much as the target allows for a launch;
/// the kernel declares none of it from now on. Does nothing if it is not
/// certain which launch is meant.
void takeMemoryFromLaunch(const Step &step, NodeId launch);

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_MODELS_GPU_DYNAMICMEMORY_H
