//===- Rewriting.h - Models of ops that rewrite a scope ---------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Applies clean-up and vectorization to the payload model. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_MODELS_REWRITING_REWRITING_H
#define FORMWORK_VERIFIER_MODELS_REWRITING_REWRITING_H

#include "verifier/step/Step.h"

namespace formwork::verifier {

/// The first loop of `target` that is dynamic whatever clean-up runs; an
/// error when `needed`, else a warning. Unproved when only clean-up can tell.
std::optional<unsigned> checkStaticLoops(const Step &step, NodeId target,
                                         bool needed);

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_MODELS_REWRITING_REWRITING_H
