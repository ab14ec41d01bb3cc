//===- Fusion.h - Iteration spaces under fusion -----------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The iteration space of a producer that is fused. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_SPACES_FUSION_H
#define FORMWORK_VERIFIER_SPACES_FUSION_H

#include "verifier/payload/Facts.h"

namespace formwork::verifier {

/// The space of the part of `producer` that `consumer` reads as operand
/// `operand`, or null when the maps are not simple enough to tell.
std::shared_ptr<IterationSpace> fuseSpace(const IterationSpace &producer,
                                          const IterationSpace &consumer,
                                          unsigned operand);

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_SPACES_FUSION_H
