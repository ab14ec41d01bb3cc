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

#include "normalforms/ContractLibrary.h"

#include "mlir/IR/Operation.h"
#include "llvm/ADT/SmallVector.h"

namespace formwork::verifier {

/// Whether `op` cleans up, as its contract says or that of the pass which it
/// runs. Rule groups that lower are counted too: who removes a step has to look
/// at what it did.
inline bool isEnabler(mlir::Operation *op,
                      const normalforms::ContractLibrary &contracts) {
  return contracts.has(op, normalforms::SideEffect::CleansUp);
}

/// The enablers of a schedule, in the order in which they stand there.
llvm::SmallVector<mlir::Operation *>
getEnablers(mlir::Operation *schedule,
            const normalforms::ContractLibrary &contracts);

/// The transform ops of a schedule, without sequences and their terminators.
unsigned countSteps(mlir::Operation *schedule);

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_PLAN_ENABLERS_H
