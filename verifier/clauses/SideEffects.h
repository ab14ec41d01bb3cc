//===- SideEffects.h - What a step does to other payload --------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The words of `normalform.side_effects` that take away what is known of other
// payload. The interpreter applies those of each step; the clean-up applies
// those of the rules that it runs. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_CLAUSES_SIDEEFFECTS_H
#define FORMWORK_VERIFIER_CLAUSES_SIDEEFFECTS_H

#include "verifier/step/Step.h"

namespace formwork::verifier {

/// Applies the words of the contract of `step`, and of the pass that it runs,
/// that say what other payload may become: `may_merge`, `may_fold`,
/// `may_fold_values` and `may_reshape`.
void applySideEffects(const Step &step);
/// As above, of `contract`, of which conditions that are left count as met;
/// without one, all of them.
void applySideEffects(PayloadModel &payload,
                      const normalforms::Contract *contract);

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_CLAUSES_SIDEEFFECTS_H
