//===- Outcome.h - What a check has found out so far ------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The findings of the interpreter about the schedule, and the record by which
// it reports each once. Layer: verifier; internal to it; a value, so that what
// an attempt found out can be taken back.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_STEP_OUTCOME_H
#define FORMWORK_VERIFIER_STEP_OUTCOME_H

#include "verifier/Verifier.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringSet.h"

namespace formwork::verifier {

struct Outcome {
  CheckResult result;
  /// Errors on paths that need not be chosen, which are constraints instead.
  engine::Findings guarded;
  llvm::StringSet<> withoutContract;
  llvm::DenseSet<mlir::Operation *> unproved;
  /// Grows with each op that is not known to succeed, at each visit.
  unsigned doubts = 0;
  /// So many of them were failures that nobody sees.
  unsigned hiddenDoubts = 0;
  /// The ops of which that has been said.
  llvm::DenseSet<mlir::Operation *> hidden;
  /// The ops that were not followed.
  llvm::DenseSet<mlir::Operation *> summarized;
  /// The ops that may change payload, at each visit.
  unsigned numWrites = 0;
};

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_STEP_OUTCOME_H
