//===- Rephrasing.h - Ops said in another way -------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Generalization, specialization and the interchange of loops: another
// structured op in the place of one, that computes the same. Layer:
// verifier.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_MODELS_STRUCTURED_REPHRASING_H
#define FORMWORK_VERIFIER_MODELS_STRUCTURED_REPHRASING_H

#include "verifier/models/rewriting/ScopeCleanUp.h"
#include "verifier/step/Step.h"

namespace formwork::verifier {

/// An op like that of `old` with its loops in `order`; null if not known.
mlir::Operation *interchangeBody(Analysis &analysis, const Node &old,
                                 llvm::ArrayRef<unsigned> order);

/// Ops like those that tiling a reduction makes: the one that fills where the
/// parts begin, the one that computes parts side by side, and the one that
/// merges them. Each is null if not known.
struct ReductionBodies {
  mlir::Operation *init = nullptr, *part = nullptr, *merge = nullptr;
};
/// Those of `old`, a reduction along `dims`.
ReductionBodies getReductionBodies(Analysis &analysis, const Node &old,
                                   llvm::ArrayRef<unsigned> dims);

/// Makes the structured ops below `scope` generic, as far as they are known.
Settled generalizeBelow(const Step &step, NodeId scope);

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_MODELS_STRUCTURED_REPHRASING_H
