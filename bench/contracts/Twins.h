//===- Twins.h - Schedules that show more of a step -------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Changes of a payload or a schedule after which a run says more of what its
// contracts claim. Bench.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_BENCH_CONTRACTS_TWINS_H
#define FORMWORK_BENCH_CONTRACTS_TWINS_H

#include "normalforms/Condition.h"

#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace formwork::mistakes {

/// Appends a match of each of `kinds` to the steps of `entry`, from the payload
/// of its argument, and a use: how many there are is then a fact.
void matchBehind(mlir::transform::NamedSequenceOp entry,
                 llvm::ArrayRef<llvm::StringRef> kinds);

/// Puts the steps of `entry` into a sequence that suppresses failures.
void suppressFailures(mlir::transform::NamedSequenceOp entry);

/// Matches each kind of op of `payload`, before the steps of `entry`, and uses
/// the handles, and those of results, behind them: what a step does to live
/// handles is then a fact.
void watchKinds(mlir::transform::NamedSequenceOp entry, mlir::ModuleOp payload);

/// Brings the payload of the argument of `entry` into the form called `form`,
/// in front of the last step.
void normalizeBefore(mlir::transform::NamedSequenceOp entry,
                     llvm::StringRef form);

/// Puts a copy of each op without effects behind it, and calls a function with
/// its result: two ops that may become one.
void duplicateOps(mlir::ModuleOp payload);

/// Functions that hold what few payloads have: ops that fold to constants of
/// several dialects, or views of buffers of unknown sizes.
llvm::SmallVector<mlir::OwningOpRef<mlir::Operation *>>
readFunctions(mlir::MLIRContext *context);
/// Adds a copy of `function`.
void addFunction(mlir::ModuleOp payload, mlir::Operation *function);

/// Gives the ops called `opName` below `schedule` the attribute of `condition`,
/// with a value for which it holds (or, with `isOther`, a value beside).
/// Returns false where no op can have it.
bool meetCondition(mlir::ModuleOp schedule, llvm::StringRef opName,
                   const normalforms::Condition &condition, bool isOther);

} // namespace formwork::mistakes

#endif // FORMWORK_BENCH_CONTRACTS_TWINS_H
