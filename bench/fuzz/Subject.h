//===- Subject.h - What an input is given to --------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The work of the commands on an input once its text is read, again and again
// in one process. Bench; it writes no file and knows nothing of mutations.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_BENCH_FUZZ_SUBJECT_H
#define FORMWORK_BENCH_FUZZ_SUBJECT_H

#include "bench/fuzz/Corpus.h"
#include "normalforms/ContractLibrary.h"
#include "normalforms/Libraries.h"
#include "transforms/schedule/ScheduleInput.h"
#include "verifier/Verifier.h"
#include "verifier/solver/Solver.h"

#include "mlir/IR/MLIRContext.h"

#include <memory>

namespace formwork::fuzz {

enum class Command {
  Check,     ///< `check --static`, with all its fix-its as edits
  Settle,    ///< `check`, with the run in a child
  Fix,       ///< `check --fix`
  Normalize, ///< `normalize`
  Solve      ///< `solve`, and `solve -o`
};

/// How far an input got.
enum class Reached { Nothing, Refused, Done };

class Subject {
public:
  /// `budget` is that of the command, in seconds. Loads all dialects, so that a
  /// copy of this process has them.
  explicit Subject(double budget);
  ~Subject();

  mlir::MLIRContext &getContext() { return context; }

  /// MLIR's parser and verifiers alone.
  void parse(const Input &input);

  /// `Nothing` where the input is not read, `Refused` where the command has an
  /// error, and `Done` elsewhere.
  Reached run(const Input &input, Command command);

private:
  llvm::FailureOr<transforms::ScheduleInput> load(const Input &input);
  llvm::FailureOr<verifier::CheckResult>
  check(const transforms::ScheduleInput &input, mlir::ModuleOp payload);
  Reached runCheck(transforms::ScheduleInput &input, Command command);
  Reached normalize(transforms::ScheduleInput &input);
  Reached solve(transforms::ScheduleInput &input);

  mlir::MLIRContext context;
  normalforms::Libraries libraries;
  verifier::solver::SolverOptions solver;
  double budget;
};

} // namespace formwork::fuzz

#endif // FORMWORK_BENCH_FUZZ_SUBJECT_H
