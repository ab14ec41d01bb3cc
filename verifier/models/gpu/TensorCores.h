//===- TensorCores.h - Models of steps to tensor cores ----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which shapes the instructions of tensor cores take, and what copies that feed
// them need beside their buffers. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_MODELS_GPU_TENSORCORES_H
#define FORMWORK_VERIFIER_MODELS_GPU_TENSORCORES_H

#include "verifier/step/Step.h"

namespace formwork::verifier {

/// Warns where contractions are converted to mma.sync whose operands it does
/// not take.
void checkMmaOperands(const Step &step);

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_MODELS_GPU_TENSORCORES_H
