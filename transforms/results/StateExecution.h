//===- StateExecution.h - One state of a payload, executed ------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Executes the payload in front of all steps, or as it is behind one step, and
// compares the results of both. Layer: transforms; for a child process, whose
// answer is JSON, because MLIR, LLVM and the payload itself may crash.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_RESULTS_STATEEXECUTION_H
#define FORMWORK_TRANSFORMS_RESULTS_STATEEXECUTION_H

#include "engine/Child.h"
#include "transforms/results/Execution.h"
#include "transforms/results/Snapshots.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/JSON.h"

namespace formwork::transforms {

/// Where a child is, known when it dies.
enum class ExecutionPhase { Compiling, Running };

/// The results of the payload for one set of inputs.
struct ExpectedResults {
  InputSet inputs;
  std::vector<std::string> results;
};

/// The results of the payload in front of all steps.
struct ReferenceResults {
  std::vector<EntryParameter> parameters; ///< of the results, in their order
  std::vector<ExpectedResults> expected;
  /// For each result, the bytes that depend on unwritten memory.
  std::vector<std::string> undefined;
  /// The number of elements that do.
  uint64_t numUndefined = 0;
  /// The inputs are integers up to this one, with which all results are exact;
  /// 0 if they are not, because of `why`.
  int64_t magnitude = 0;
  std::string why;

  bool isExact() const { return magnitude != 0; }
};

/// Collects what is emitted as long as it lives.
class CompilationErrors {
public:
  explicit CompilationErrors(mlir::MLIRContext *context);

  /// fw-not-executed: "it cannot be compiled: MESSAGE", with the place of that.
  engine::Finding get(mlir::Location loc) const;

private:
  std::optional<engine::Finding> first;
  mlir::ScopedDiagnosticHandler handler;
};

/// Executes `original` with inputs from `seed`. The answer has an `end`: `ran`,
/// with what readReference reads; `uncompiled` or `faulty`, with a `finding`.
llvm::json::Object executeOriginal(mlir::ModuleOp original, uint64_t seed,
                                   const ExecutionOptions &options,
                                   engine::Shared<ExecutionPhase> &phase);

/// The results in an answer that ends with `ran`.
ReferenceResults readReference(const llvm::json::Object &answer,
                               mlir::ModuleOp original, uint64_t seed);

/// Executes the payload of `snapshot` with the same inputs. The answer has an
/// `end`: `ran`, if all results are the same; else `uncompiled`, `faulty` or
/// `differs`, with a `finding`. A negative `tolerance` is that of the types.
llvm::json::Object executeSnapshot(mlir::ModuleOp original,
                                   const Snapshot &snapshot,
                                   const ReferenceResults &reference,
                                   double tolerance, ExecutionOptions options,
                                   engine::Shared<ExecutionPhase> &phase);

} // namespace formwork::transforms

#endif // FORMWORK_TRANSFORMS_RESULTS_STATEEXECUTION_H
