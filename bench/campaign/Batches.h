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
#include "engine/Child.h"

#include "llvm/Support/JSON.h"

#include <functional>

namespace formwork::campaign {

struct BatchOptions {
  /// How many comparisons a child does, at most.
  uint64_t size = 200;
  /// How long a check, and a run, may work.
  unsigned seconds = 10;
};

/// Ends this process after `seconds` of its own work (SIGPROF), or after many
/// times that by the clock (SIGALRM), which goes on while others work; 0: after
/// none.
void limitTime(unsigned seconds);

/// Calls `work` with the numbers from `begin` to before `end` in children, each
/// of which takes at most `atOnce` numbers: some end the process, and a context
/// keeps every type that it has met. Hands what each child wrote to `read`,
/// until that returns false. Where a child ended early, calls `explain` with
/// its last number, and goes on behind it.
void runInChildren(
    uint64_t begin, uint64_t end, uint64_t atOnce,
    const engine::ChildLimits &limits,
    llvm::function_ref<void(uint64_t, llvm::raw_ostream &)> work,
    llvm::function_ref<bool(llvm::StringRef)> read,
    llvm::function_ref<void(uint64_t, const engine::ChildEnd &)> explain = {});

/// Hands what each line of `text` holds to `take`. Leaves out what is no JSON:
/// the last line of a child that ended early may be torn.
void readLines(llvm::StringRef text,
               llvm::function_ref<void(const llvm::json::Value &)> take);

/// The limits of children that check and run pairs.
engine::ChildLimits getPairLimits();

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
