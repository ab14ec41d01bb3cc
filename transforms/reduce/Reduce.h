//===- Reduce.h - Reduces a pair that shows a finding -----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes a payload and a schedule as small as possible while they show the same
// finding, crash or difference. Layer: transforms.
//
// MLIR's own reducer (mlir-reduce) asks a script about one module and knows no
// pairs. Here, edits are made on a pair, and a function of this process judges
// it.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_REDUCE_REDUCE_H
#define FORMWORK_TRANSFORMS_REDUCE_REDUCE_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <chrono>
#include <functional>
#include <optional>
#include <string>

namespace formwork::transforms {

/// A reduced pair and its size.
struct ReducedPair {
  mlir::OwningOpRef<mlir::ModuleOp> payload, schedule;
  /// The number of operations before and after, without modules, terminators
  /// and the entry.
  unsigned payloadBefore = 0, payloadAfter = 0;
  unsigned scheduleBefore = 0, scheduleAfter = 0;
  unsigned numTrials = 0;
  /// Whether the budget ended the reduction.
  bool isCut = false;
};

struct ReduceOptions {
  /// The names of the sequence that is the schedule, and of the function that
  /// is executed; without a name, the only function is.
  std::string entryPoint, entry;
  std::chrono::milliseconds budget;
};

/// Whether a payload, which may be null, and a schedule show what is to stay.
using Symptom =
    llvm::function_ref<bool(mlir::ModuleOp payload, mlir::ModuleOp schedule)>;

/// Reduces clones of the two, until `shows` refuses each further edit, or until
/// the budget has passed. `payload` may be null. The result verifies.
ReducedPair reduce(mlir::ModuleOp payload, mlir::ModuleOp schedule,
                   const ReduceOptions &options, Symptom shows);

/// Gives the values below `root` the names that `nameOf` knows (`%x`, `%x#1`)
/// in their locations, for printPair.
void keepNames(
    mlir::Operation *root,
    const std::function<std::optional<std::string>(mlir::Value)> &nameOf);

/// Prints the pair as one file that Formwork and mlir-opt read: the operations
/// of the payload, then the schedule as a nested module. Names are those of
/// keepNames.
std::string printPair(mlir::ModuleOp payload, mlir::ModuleOp schedule);

} // namespace formwork::transforms

#endif // FORMWORK_TRANSFORMS_REDUCE_REDUCE_H
