//===- ScopeCleanUp.h - What clean-up leaves of a scope ---------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The effect of rules, folding, CSE and DCE below a scope. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_MODELS_REWRITING_SCOPECLEANUP_H
#define FORMWORK_VERIFIER_MODELS_REWRITING_SCOPECLEANUP_H

#include "verifier/step/Step.h"

namespace formwork::verifier {

/// Facts about a clean-up that other code has found: its rules leave `nodes`
/// unchanged, and create no ops of `kinds`.
struct Settled {
  llvm::DenseSet<NodeId> nodes;
  normalforms::KindPatterns kinds;
};

/// `op` is the step, if it is in the schedule: unproved when a handle with a
/// later use may not be able to follow. `consumes`: no handle is to follow.
void cleanUp(const Step &step, NodeId scope, const RewriteNames &names,
             bool consumes = false, const Settled &settled = {});

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_MODELS_REWRITING_SCOPECLEANUP_H
