//===- Trials.h - What refutes a contract -----------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Validates schedules with a step of one contract, as `--validate` does: the
// violations of its clauses, the cases of the corpus of witnesses in variants,
// and pairs of the campaign that name the step. Bench.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_BENCH_CONTRACTS_TRIALS_H
#define FORMWORK_BENCH_CONTRACTS_TRIALS_H

#include "bench/campaign/Schedules.h"
#include "bench/contracts/Twins.h"
#include "bench/contracts/Violations.h"
#include "test/property/witnesses/Pairs.h"

#include <map>

namespace formwork::mistakes {

struct TrialOptions {
  uint64_t seed = 1;
  /// How many variants there are of each witness.
  unsigned variants = 10;
  /// How many pairs of the campaign are made, and looked through for a step.
  unsigned pairs = 60000;
  /// How many of them are tried for one contract, at most.
  unsigned perContract = 150;
  /// How many of the trials of a contract have further twins.
  size_t perTwin = 40;
  /// How long one of them may take.
  unsigned seconds = 5;
};

/// The consequence of contracts other than the built-in ones.
struct Consequence {
  /// Nothing in any trial; that less is said in some, and what is said is what
  /// the built-in contracts lead to; something else; or something that a run
  /// refutes.
  enum Kind { None, Less, Other, False } kind = None;
  /// The fact or the verdict that a run refutes.
  std::string refuted;
  /// The first trial in which something else is said, and what it is.
  std::string other = "";
};

class Trials {
public:
  Trials(campaign::Judge &judge, const TrialOptions &options);

  /// The consequence of `contracts` in the trials of the contract called
  /// `name`. Trials that the built-in contracts do not survive are left out.
  /// Cost: at worst that of all trials of the contract, the first time twice.
  Consequence tryContracts(llvm::StringRef name,
                           const normalforms::ContractLibrary &contracts);

  /// Tries the built-in contracts on all pairs, and calls `report` with each
  /// pair in which a run refutes what they lead to.
  void tryRight(
      llvm::function_ref<void(llvm::StringRef payload, llvm::StringRef schedule,
                              llvm::StringRef refuted)>
          report);

  /// How many trials the contract has.
  size_t count(llvm::StringRef name) { return getTrials(name).size(); }

private:
  /// A pair, or what is made of it.
  enum class Twin {
    /// As it is.
    Same,
    /// There are matches behind its steps.
    Matches,
    /// Failures are suppressed.
    Suppressed,
    /// Handles to all ops are used behind its steps.
    Watched,
    /// As `Watched`, and the payload has each op twice.
    Doubled,
    /// The payload has one more function, of several dialects.
    Beside,
    /// An attribute of the step has another value.
    Attribute,
    /// The form that a recorded violation lacks is established: the violation
    /// has to be gone.
    Mended
  };
  /// The verdict of a check, its findings as sorted numbers, and how many facts
  /// hold. A doubt says that something may fail; a claim is any other finding.
  struct Said {
    int verdict = 0;
    std::vector<uint64_t> claims, doubts;
    uint64_t numFacts = 0;
    /// Whether the clause that the trial violates is among what is said.
    bool namesClause = false;
    std::string refuted;
  };
  /// Whether `said` is a part of what is said `before`.
  static bool isLess(const Said &said, const Said &before);
  struct Trial {
    std::string payload, schedule;
    Twin twin = Twin::Same;
    /// The number of the function, or of the value for a condition.
    unsigned number = 0;
    /// The text of the clause that it violates, where it is recorded as a
    /// violation of the contract, or empty.
    std::string violated = "";
    /// The payload behind it, see `Violation`.
    std::string leaves = "";
    /// With the built-in contracts.
    Said said = {};
  };

  /// A text that compares what a contract says of `trial` with what the
  /// built-in one said, `before`.
  static std::string describe(const Said &before, const Said &said,
                              const Trial &trial);

  /// Those of a contract, of which the built-in contracts say nothing false.
  llvm::ArrayRef<Trial> getTrials(llvm::StringRef name);
  std::vector<Trial> makeTrials(llvm::StringRef name);
  /// Those of the violations, and of the corpus of witnesses.
  std::vector<Trial> makeWitnesses(llvm::StringRef name);
  /// The kinds of ops that schedules with a step of the contract look for.
  llvm::SmallVector<llvm::StringRef> getKinds(llvm::StringRef name) const;
  /// The conditions of a contract on attributes of its op, each once.
  std::vector<normalforms::Condition>
  getAttributeConditions(llvm::StringRef name) const;
  /// Calls `report` with the number of each trial that comes to an end within
  /// `seconds` (by default, those of the options), until that returns false.
  void tryAll(llvm::StringRef name, llvm::ArrayRef<Trial> trials,
              const normalforms::ContractLibrary &contracts,
              llvm::function_ref<bool(size_t, const Said &)> report,
              unsigned seconds = 0);
  /// In this process; none where the trial is not valid.
  std::optional<Said> tryOne(llvm::StringRef name, const Trial &trial,
                             const normalforms::ContractLibrary &contracts);

  campaign::Judge &judge;
  TrialOptions options;
  campaign::Generator generator;
  testing::WitnessPairs witnessPairs;
  llvm::StringMap<std::vector<Violation>> violations;
  /// For `Twin::Beside`.
  llvm::SmallVector<mlir::OwningOpRef<mlir::Operation *>> functions;
  std::vector<Trial> campaignPairs;
  std::map<std::string, std::vector<Trial>, std::less<>> known;
};

} // namespace formwork::mistakes

#endif // FORMWORK_BENCH_CONTRACTS_TRIALS_H
