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
// pairs. Here, edits are made on a pair, and the oracle is part of this
// process.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_REDUCE_REDUCE_H
#define FORMWORK_TRANSFORMS_REDUCE_REDUCE_H

#include "transforms/reduce/Oracle.h"

#include "mlir/IR/OwningOpRef.h"
#include "mlir/IR/Value.h"

#include <chrono>

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

/// Reduces clones of the two, until each further edit loses the symptom that
/// `oracle` began with, or until `budget` has passed. `payload` may be null.
/// The result verifies.
ReducedPair reduce(mlir::ModuleOp payload, mlir::ModuleOp schedule,
                   Oracle &oracle, const OracleOptions &options,
                   std::chrono::milliseconds budget);

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
