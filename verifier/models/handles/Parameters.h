//===- Parameters.h - Models of ops that make parameters --------*- C++ -*-===//
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

/// How many entries of a handle or parameter are followed one by one where a
/// step makes one list of several: a few steps can double it many times.
inline constexpr size_t maxListed = 65536;
inline constexpr llvm::StringLiteral kTooLong =
    "makes a list of more entries than are followed";

/// For a `merge_handles` of parameters: the result lists those of all operands.
void mergeParams(const Step &step);

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_MODELS_HANDLES_PARAMETERS_H
