//===- Normalization.h - Models of normalization ----------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Establishing and asserting forms: when that succeeds, and what it does to
// handles that the schedule still uses. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_MODELS_REWRITING_NORMALIZATION_H
#define FORMWORK_VERIFIER_MODELS_REWRITING_NORMALIZATION_H

#include "verifier/step/Step.h"

namespace formwork::verifier {

void normalizeAt(Analysis &analysis, NodeId anchor,
                 const normalforms::Form &form);

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_MODELS_REWRITING_NORMALIZATION_H
