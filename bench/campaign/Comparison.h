//===- Comparison.h - What check says, and what is so -----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One pair of a payload and a schedule, as text: what `check` says of it when
// it runs no step, and what the stock interpreter does. Bench.
//
// Vocabulary: a pair is *wrong* when the two contradict each other, when
// something that `check` inferred is not so, or when it does not survive.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_BENCH_CAMPAIGN_COMPARISON_H
#define FORMWORK_BENCH_CAMPAIGN_COMPARISON_H

#include "normalforms/ContractLibrary.h"
#include "normalforms/FormLibrary.h"
#include "normalforms/Libraries.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <string>
#include <vector>

namespace formwork::campaign {

struct Pair {
  std::string payload;
  /// A module with an entry sequence.
  std::string schedule;
  /// Whether `check` is asked for all payload; it runs on `payload` anyhow.
  bool withoutPayload = false;
};

/// How a run ended: it left IR that verifies, an error was reported, invalid IR
/// was left, or the process crashed or did not come to an end.
enum class Truth { None, Runs, Fails, Invalid, Crashes, Hangs };
/// The verdict of `check`, or how it ended.
enum class Claim { None, Proved, Unproved, Refuted, Crashed, Hung };
enum class Wrong {
  No,
  ProvedFails,
  RefutedRuns,
  FalseFact,
  CheckCrashes,
  CheckHangs
};

llvm::StringRef getName(Truth truth);
llvm::StringRef getName(Claim claim);
llvm::StringRef getName(Wrong wrong);

struct Outcome {
  /// Why the pair is none: "payload" or "schedule" when that is not valid, else
  /// empty.
  std::string rejected;
  /// As in the pair.
  bool withoutPayload = false;
  Claim claim = Claim::None;
  Truth truth = Truth::None;
  /// The interpreter's first error, or how its process ended, or why the pair
  /// is none.
  std::string failure;
  /// A fact that `check` inferred and that is false. Or else the way in which
  /// the process ended that compared facts. Empty if there is neither.
  std::string falseFact;
  /// The ids of the errors of `check`.
  std::vector<std::string> errors;
  /// The steps of the schedule: names of transform ops and `pass:NAME`; each
  /// once, sorted.
  std::vector<std::string> steps;
  /// `OP.ATTRIBUTE` for each attribute that is written; each once, sorted.
  std::vector<std::string> attributes;
  /// The features of the payload, `ordinary` if it has none; each once.
  std::vector<std::string> features;
  /// The names of the payload's ops, each once, sorted.
  std::vector<std::string> payloadOps;

  Wrong getWrong() const;
};

/// The text of `module`, with its aliases.
std::string print(mlir::ModuleOp module);

/// Everything that a comparison needs, in one context without threads.
class Judge {
public:
  /// `contractFiles` take the place of built-in contracts: with wrong claims, a
  /// campaign shows that it finds them. With `comparesFacts`, what is inferred
  /// behind each step is compared, too.
  explicit Judge(llvm::ArrayRef<std::string> contractFiles = {},
                 bool comparesFacts = false);
  ~Judge();

  mlir::MLIRContext *getContext() { return &context; }
  const normalforms::ContractLibrary &getContracts() const {
    return *libraries.contracts;
  }
  const normalforms::FormLibrary &getForms() const { return *libraries.forms; }

  /// Parses and verifies `text`; null, and the first error in `error` if asked
  /// for, if it is not valid. Emits nothing.
  mlir::OwningOpRef<mlir::ModuleOp> parse(llvm::StringRef text,
                                          std::string *error = nullptr);

  /// Called between the parts of `judge`.
  struct Phases {
    /// Before `check` is asked.
    llvm::function_ref<void(const Outcome &)> beforeCheck;
    /// Before the schedule runs: crashes from here on are the interpreter's.
    llvm::function_ref<void(const Outcome &)> beforeRun;
    /// Before facts are compared, where they are.
    llvm::function_ref<void(const Outcome &)> beforeFacts;
  };

  /// Compares, in this process, which may crash or not come to an end: the
  /// phases tell where.
  Outcome judge(const Pair &pair, const Phases &phases);

  /// The verdict of `check`, found in this process. `None` if `pair` cannot be
  /// read, or its schedule is one that `check` or stock MLIR does not take.
  Claim claim(const Pair &pair);

private:
  mlir::MLIRContext context;
  normalforms::Libraries libraries;
  bool comparesFacts;
};

} // namespace formwork::campaign

#endif // FORMWORK_BENCH_CAMPAIGN_COMPARISON_H
