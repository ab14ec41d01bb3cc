//===- Cover.h - Cheapest sets that cover everything ------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Weighted set cover with a unique answer: a lower bound for the cost of a
// plan. Needs are elements, and normalizations are sets. The bound ignores that
// one normalization may undo another. Layer: verifier; it knows nothing of
// schedules.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_PLAN_COVER_H
#define FORMWORK_VERIFIER_PLAN_COVER_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>

namespace formwork::verifier {

struct CoverSet {
  llvm::SmallVector<unsigned, 4> elements; ///< sorted, each once
  uint64_t weight = 0;
  uint64_t point = 0;
};

struct Cover {
  /// The sets taken, ascending.
  llvm::SmallVector<unsigned> chosen;
  /// Elements that are in no set.
  llvm::SmallVector<unsigned> uncoverable;
  /// No cover has fewer sets; equal to the size of `chosen` when `exact`.
  unsigned lowerBound = 0;
  /// Whether `chosen` is the least cover, and not only one without a set that
  /// can be left out.
  bool exact = true;
};

/// Covers the elements 0 … numElements-1 as far as they are in any set. Least
/// is, in this order: fewer sets; less weight in sum; later points in sum; the
/// lexicographically first list of sets. So there is one answer.
///
/// Components that share no set are solved by themselves, each by branch and
/// bound over at most `maxNodes` nodes; beyond that, greedily. Cost:
/// exponential in the size of a component, bounded by `maxNodes`.
Cover solveCover(unsigned numElements, llvm::ArrayRef<CoverSet> sets,
                 unsigned maxNodes = 1 << 15);

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_PLAN_COVER_H
