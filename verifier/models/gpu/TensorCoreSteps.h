//===- TensorCoreSteps.h - Models of our steps to tensor cores --*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The models of transform.formwork steps that put a contraction on tensor cores, let
// its copies run ahead, and take its buffers from the launch. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_MODELS_GPU_TENSORCORESTEPS_H
#define FORMWORK_VERIFIER_MODELS_GPU_TENSORCORESTEPS_H

#include "verifier/step/Step.h"

namespace formwork::verifier {

class ModelRegistry;

void registerContractOnTensorCoresModels(ModelRegistry &models);
void registerPipelineCopiesModels(ModelRegistry &models);
void registerDynamicMemoryModels(ModelRegistry &models);

/// What steps put into the kernel of `launch` so far is what its launch asks for
/// from now on: it is at most what the target gives a launch, and nothing of what
/// the kernel declares. No change where it is not certain which launch that is.
void takeMemoryFromLaunch(const Step &step, NodeId launch);

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_MODELS_GPU_TENSORCORESTEPS_H
