//===- Fusion.h - Models of fusion ------------------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Fuses producers into the loops of their readers, in the payload model: where
// the fused op stands, its part of the iteration space, and who produces what
// from then on. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_MODELS_STRUCTURED_FUSION_H
#define FORMWORK_VERIFIER_MODELS_STRUCTURED_FUSION_H

#include "verifier/step/Step.h"

namespace formwork::verifier {

/// Readers of the result of `from` at or below `scope` now read `to`.
void replaceProducer(Analysis &analysis, NodeId from, NodeId to, NodeId scope);

/// As `replaceOp`, where all that read a result of `from` reads that of `to`
/// itself, and not a part of it.
void takePlace(Analysis &analysis, NodeId from, NodeId to);

/// Takes `from` out of the payload; what read its result reads that of `to`.
void replaceOp(Analysis &analysis, NodeId from, NodeId to);

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_MODELS_STRUCTURED_FUSION_H
