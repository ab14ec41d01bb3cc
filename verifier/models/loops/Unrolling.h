//===- Unrolling.h - Copies of what a loop holds ----------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Unrolls a loop whose number of steps and contents are known: each op is there
// so many times. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_MODELS_LOOPS_UNROLLING_H
#define FORMWORK_VERIFIER_MODELS_LOOPS_UNROLLING_H

#include "verifier/step/Step.h"

namespace formwork::verifier {

/// Follows what unrolling makes of each op in `loop`; false if these or the
/// steps are not known, and nothing is said.
bool unrollKnown(const Step &step, NodeId loop, int64_t factor);

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_MODELS_LOOPS_UNROLLING_H
