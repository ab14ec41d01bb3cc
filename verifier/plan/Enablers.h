//===- Enablers.h - Which steps only prepare others -------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tells clean-up from decisions: a step that exists only so that a later one
// applies or does its job. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_PLAN_ENABLERS_H
#define FORMWORK_VERIFIER_PLAN_ENABLERS_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/SmallVector.h"

namespace formwork::verifier {

/// Whether `op` cleans up: it runs rule groups, CSE, DCE, LICM or hoisting, a
/// pass that does, or a normalization. Rule groups that lower are counted too:
/// who removes a step has to look at what it did.
bool isEnabler(mlir::Operation *op);

/// The enablers of a schedule, in the order in which they stand there.
llvm::SmallVector<mlir::Operation *> getEnablers(mlir::Operation *schedule);

/// The transform ops of a schedule, without sequences and their terminators.
unsigned countSteps(mlir::Operation *schedule);

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_PLAN_ENABLERS_H
