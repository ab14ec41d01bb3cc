//===- Parameters.h - Models of ops that make parameters ------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where parameters come from. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_MODELS_HANDLES_PARAMETERS_H
#define FORMWORK_VERIFIER_MODELS_HANDLES_PARAMETERS_H

#include "verifier/step/Step.h"

namespace formwork::verifier {

/// Of a `merge_handles` of parameters: the result lists those of all operands.
void mergeParams(const Step &step);

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_MODELS_HANDLES_PARAMETERS_H
