//===- Producers.h - What defines operands ----------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds the definitions of operands of payload. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_MODELS_HANDLES_PRODUCERS_H
#define FORMWORK_VERIFIER_MODELS_HANDLES_PRODUCERS_H

#include "verifier/step/Step.h"

namespace formwork::verifier {

/// An op around which values stay: the definite one that is isolated from
/// above, or the root.
NodeId getAround(const Analysis &analysis, NodeId node);

/// Whether what defines the result of `op`, now or after steps that replace it,
/// is an op: it computes a tensor. Anything else can be replaced by an argument
/// of a block, as a slice of what a loop carries.
bool staysDefined(mlir::Operation *op);

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_MODELS_HANDLES_PRODUCERS_H
