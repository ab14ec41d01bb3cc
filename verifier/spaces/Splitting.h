//===- Splitting.h - A loop in two parts ------------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Splits an iteration space along one loop: pure functions of sizes, without
// handles. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_SPACES_SPLITTING_H
#define FORMWORK_VERIFIER_SPACES_SPLITTING_H

#include "verifier/spaces/Extents.h"

namespace formwork::verifier {

/// A loop, split after some iterations.
struct LoopParts {
  Extent first, rest;
  /// The first part has iterations, and so has the rest. Without a rest, the
  /// loop stays whole.
  solver::BoolTerm isPositive, hasRest;
};

/// The parts of `loop`, dimension `dim`, that `op` splits after `chunk`
/// iterations. None where a size is not known. A part is static where the loop
/// is. Examples: 64 after 48 is 48 and 16; 64 after @t is @t and 64 - @t; 64
/// after 64 has no rest.
std::optional<LoopParts> splitAfter(solver::TermContext &terms,
                                    mlir::Operation *op, unsigned dim,
                                    const Extent &loop, const Size &chunk);

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_SPACES_SPLITTING_H
