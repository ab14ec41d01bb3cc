//===- Batches.h - Many comparisons in children -----------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// To make a process costs as much as a comparison, so that a child does many,
// until one ends it. Bench; it knows nothing of where pairs come from.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_BENCH_CAMPAIGN_BATCHES_H
#define FORMWORK_BENCH_CAMPAIGN_BATCHES_H

#include "bench/campaign/Comparison.h"

#include <functional>

namespace formwork::campaign {

struct BatchOptions {
  /// How many comparisons a child does, at most.
  uint64_t size = 200;
  /// How long a check, and a run, may work.
  unsigned seconds = 10;
};

/// Makes and judges the pairs with the numbers from `begin` to before `end`,
/// each made by `make`, in children, and hands each outcome to `report` in this
/// process, in order. A pair whose making ends the process is rejected as
/// "generator".
void judgeMany(Judge &judge, uint64_t begin, uint64_t end,
               std::function<Pair(uint64_t)> make,
               llvm::function_ref<void(uint64_t, const Outcome &)> report,
               const BatchOptions &options = {});

/// The outcome of one pair, in a child of its own.
Outcome judgeApart(Judge &judge, const Pair &pair,
                   const BatchOptions &options = {});

} // namespace formwork::campaign

#endif // FORMWORK_BENCH_CAMPAIGN_BATCHES_H
