//===- Transposing.h - Dimensions in another order --------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Reorders the loops, or the dimensions of an operand, of an iteration space:
// pure functions, without handles. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_SPACES_TRANSPOSING_H
#define FORMWORK_VERIFIER_SPACES_TRANSPOSING_H

#include "verifier/payload/Facts.h"

namespace formwork::verifier {

/// `space` with its loops in another order: loop i is loop `order[i]` of
/// `space`. `order` is a permutation. Law: interchange by `order` and then by
/// its inverse changes nothing.
std::shared_ptr<IterationSpace> interchange(const IterationSpace &space,
                                            llvm::ArrayRef<unsigned> order);

/// `space`, of which operand `operand` is packed in `numTiles` of its `rank`
/// dimensions, with the dimensions of that operand in another order: the outer
/// ones as `outer` has it, the tiles as `inner` has it. An empty order changes
/// nothing.
std::shared_ptr<IterationSpace> transposePacked(const IterationSpace &space,
                                                const PackFacts &pack,
                                                llvm::ArrayRef<int64_t> outer,
                                                llvm::ArrayRef<int64_t> inner);

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_SPACES_TRANSPOSING_H
