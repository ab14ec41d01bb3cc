//===- ForeachMatch.h - Model of actions on matches -------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How `transform.foreach_match` runs actions in the middle of a walk, and what
// these may change there. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_MODELS_CONTROL_FOREACHMATCH_H
#define FORMWORK_VERIFIER_MODELS_CONTROL_FOREACHMATCH_H

#include "verifier/step/Step.h"

namespace formwork::verifier {

/// Leaves `op` open where it rewrites what a walk of `foreach_match` is yet
/// to come to: that goes on at an op that may be erased.
void checkWalked(const Step &step);

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_MODELS_CONTROL_FOREACHMATCH_H
