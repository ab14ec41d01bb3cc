//===- Vectorization.h - When an op can be vectorized -----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// When one op has a form on vectors, of its own size or of sizes that are
// given, where masks leave out what is not there. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_MODELS_STRUCTURED_VECTORIZATION_H
#define FORMWORK_VERIFIER_MODELS_STRUCTURED_VECTORIZATION_H

#include "verifier/step/Step.h"

namespace formwork::verifier {

/// Whether the op of `node`, if it is there, has static sizes, and a form on
/// vectors of these.
bool hasStaticForm(const Node &node);

/// Whether the body of `op`, if it is structured, may hold an op that
/// vectorization comes to and cannot put on vectors, so that it gives up
/// half-way.
bool mayGiveUp(mlir::Operation *op);

/// Warns when an op at or below `targets` becomes a vector of which no
/// target holds a fraction in registers. Leaves open what MLIR makes of one of
/// which it cannot count the bits.
void checkHugeVectors(const Step &step, llvm::ArrayRef<NodeId> targets);

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_MODELS_STRUCTURED_VECTORIZATION_H
