//===- Steps.h - Models of matchers and selections as steps -----*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Matchers of one op that stand in a schedule by themselves, selection by name,
// and what runs code that no contract can describe. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_MODELS_HANDLES_STEPS_H
#define FORMWORK_VERIFIER_MODELS_HANDLES_STEPS_H

#include "verifier/step/Step.h"

namespace formwork::verifier {

/// A model of what looks at payload and fails where it is not as asked.
void propagateMatcher(const Step &step);

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_MODELS_HANDLES_STEPS_H
