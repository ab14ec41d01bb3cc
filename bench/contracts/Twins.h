//===- Twins.h - Schedules that show more of a step -------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Changes of a schedule after which a run says more of what its contracts
// claim. Bench.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_BENCH_CONTRACTS_TWINS_H
#define FORMWORK_BENCH_CONTRACTS_TWINS_H

#include "mlir/Dialect/Transform/IR/TransformOps.h"

namespace formwork::mistakes {

/// Appends a match of each of `kinds` to the steps of `entry`, from the payload
/// of its argument, and a use: how many there are is then a fact.
void matchBehind(mlir::transform::NamedSequenceOp entry,
                 llvm::ArrayRef<llvm::StringRef> kinds);

/// Puts the steps of `entry` into a sequence that suppresses failures.
void suppressFailures(mlir::transform::NamedSequenceOp entry);

} // namespace formwork::mistakes

#endif // FORMWORK_BENCH_CONTRACTS_TWINS_H
