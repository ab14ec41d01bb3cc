//===- Schedules.h - Schedules of a campaign --------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes schedules: chains of steps from templates, cases of the corpus of
// witnesses, queries between them, and attributes at the edge of what they may
// be. Bench.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_BENCH_CAMPAIGN_SCHEDULES_H
#define FORMWORK_BENCH_CAMPAIGN_SCHEDULES_H

#include "bench/campaign/Comparison.h"
#include "bench/campaign/Template.h"
#include "test/property/witnesses/Cases.h"

namespace formwork::campaign {

/// Chooses among pairs: the seed and a number decide all of one.
class Generator {
public:
  /// With `grows`, steps are added to a schedule while `check` proves it: long
  /// chains by chance mostly fail early, and say nothing of later steps.
  explicit Generator(Judge &judge, uint64_t seed, bool grows = false);

  /// The pair with this number. Cost: a few parses.
  Pair make(uint64_t number);

  /// Payload and steps that are known to work, for each contract.
  const testing::WitnessFile &getWitnesses() const { return witnesses; }

private:
  Judge &judge;
  uint64_t seed;
  bool grows;
  testing::WitnessFile witnesses;
  /// Contracts that have cases.
  std::vector<std::string> contracts;
  std::vector<std::string> passes, groups, conversions;
};

/// The words that a schedule is written with.
struct Vocabulary {
  /// A function of the payload.
  struct Function {
    std::string name;
    unsigned numArguments, numResults;
  };

  /// Finds the operations and functions of `payload`.
  void read(mlir::ModuleOp payload);

  llvm::ArrayRef<std::string> passes, groups, conversions;
  /// The names of the payload's operations, each once, sorted.
  std::vector<std::string> payloadOps;
  std::vector<Function> functions;
};

/// A module with an entry sequence of `length` steps from templates, behind
/// `steps`, which may use `%module`. With `accepts`, `length` is the most, and
/// a step is added only if the schedule with it is accepted; at last, there may
/// be one more step.
std::string
writeSchedule(llvm::ArrayRef<std::string> steps, unsigned length,
              const Vocabulary &vocabulary, Random &random,
              llvm::function_ref<bool(llvm::StringRef)> accepts = nullptr);

/// Gives an attribute of a transform op of `schedule` another value, removes
/// one, or adds one; with a pass, an option. The result may be invalid.
void changeAttribute(mlir::ModuleOp schedule, Random &random);

} // namespace formwork::campaign

#endif // FORMWORK_BENCH_CAMPAIGN_SCHEDULES_H
