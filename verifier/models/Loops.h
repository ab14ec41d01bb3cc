//===- Loops.h - Models of steps on loops ---------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What unrolling, peeling and changing the kind of a loop leave of it and of
// what is in it. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_MODELS_LOOPS_H
#define FORMWORK_VERIFIER_MODELS_LOOPS_H

#include "verifier/step/Step.h"

namespace formwork::verifier {

/// The kinds of all that is, or may be, below `scope`.
normalforms::KindPatterns getKindsBelow(const Analysis &analysis, NodeId scope);

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_MODELS_LOOPS_H
