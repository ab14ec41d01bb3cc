//===- Shrink.h - The smallest pair that is wrong ---------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes a wrong pair small, names its class, and writes it as a file with
// instructions. Bench.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_BENCH_CAMPAIGN_SHRINK_H
#define FORMWORK_BENCH_CAMPAIGN_SHRINK_H

#include "bench/campaign/Batches.h"

namespace formwork::campaign {

/// The text of an error of the interpreter without the types, sizes and names
/// in it.
std::string generalize(llvm::StringRef text);

/// The class of a wrong pair: pairs that are wrong for one reason share the
/// way, the step to blame, and the error, as far as an outcome tells.
std::string getClass(const Pair &pair, const Outcome &outcome);

/// Drops steps, attributes and payload ops as long as the outcome stays wrong
/// in the same way and with the same error. Cost: at most `trials` comparisons.
Pair shrink(Judge &judge, Pair pair, const Outcome &outcome, unsigned trials,
            const BatchOptions &options);

/// Writes `pair` to `folder` as `NAME.mlir`, with its command in the first line
/// and what happens behind it; what needs two files gets `NAME-payload.mlir`,
/// too. False where a file cannot be written.
bool writeReproducer(Judge &judge, const Pair &pair, const Outcome &outcome,
                     llvm::StringRef folder, llvm::StringRef name);

} // namespace formwork::campaign

#endif // FORMWORK_BENCH_CAMPAIGN_SHRINK_H
