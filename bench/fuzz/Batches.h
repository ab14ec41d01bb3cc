//===- Batches.h - Many inputs in one process -------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Gives inputs to a command, one after the other in one child, until one of
// them ends it. Bench.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_BENCH_FUZZ_BATCHES_H
#define FORMWORK_BENCH_FUZZ_BATCHES_H

#include "bench/fuzz/Mutations.h"
#include "bench/fuzz/Subject.h"
#include "engine/Child.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <array>

namespace formwork::fuzz {

struct BatchOptions {
  Command command = Command::Check;
  /// How many inputs a process takes, at most. It also ends, without fault,
  /// when what MLIR keeps for good has grown large.
  uint64_t size = 100'000;
  /// The limits of one input: seconds of a processor, and bytes.
  unsigned seconds = 10;
  uint64_t memory = uint64_t(3) << 30;
};

/// The counts of how inputs ended.
struct Counts {
  std::array<uint64_t, numLevels> made = {};
  uint64_t refusedByParser = 0, refused = 0, done = 0;
  /// The seconds of the slowest input that ended well.
  double slowest = 0;
  uint64_t slowestIndex = 0;

  void add(const Counts &other);
};

enum class Fault {
  None,
  Making,  ///< a mutation crashed, or MLIR as it printed one
  Parser,  ///< MLIR's parser or verifiers crashed
  Crash,   ///< the command crashed
  Overtime ///< the command took too long, or too much memory
};

llvm::StringRef getName(Fault fault);

/// An input that ended its process.
struct Found {
  Fault fault = Fault::None;
  Input input;
  /// Why, and the functions that were running, the innermost first.
  std::string reason;
  std::vector<std::string> stack;

  /// The same for inputs that fail in the same place.
  std::string getClass() const;
};

using MakeInput = llvm::function_ref<Input(uint64_t number, Level &level)>;

/// Makes the inputs from `begin` to before `end` and gives them to the command;
/// `report` hears of each that ends its process. The next goes on behind it.
Counts runMany(Subject &subject, uint64_t begin, uint64_t end, MakeInput make,
               llvm::function_ref<void(uint64_t, const Found &)> report,
               const BatchOptions &options);

/// Drops lines as long as the input fails in the same place. Cost: at most
/// `trials` processes.
Input shrink(Subject &subject, const Found &found, unsigned trials,
             const BatchOptions &options);

} // namespace formwork::fuzz

#endif // FORMWORK_BENCH_FUZZ_BATCHES_H
