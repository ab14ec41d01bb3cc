//===- LoneTrial.h - A step, tried in a child process -----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tries a step on one op where MLIR may crash or run without end, so that the
// check survives. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_TRIALS_LONETRIAL_H
#define FORMWORK_VERIFIER_TRIALS_LONETRIAL_H

#include "verifier/solver/Budget.h"
#include "verifier/trials/LoneRun.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace formwork::verifier {

/// Told of each op that result `result` of the step holds then.
using SeeResult = llvm::function_ref<void(unsigned result, mlir::Operation *op,
                                          bool isBeside)>;

/// `runAlone` with a look at the ops of the results, before what is left is
/// verified.
LoneRun runAlone(mlir::Operation *step,
                 llvm::ArrayRef<mlir::Operation *> targets,
                 mlir::Operation *top, llvm::ArrayRef<mlir::Attribute> params,
                 SeeResult see);

/// Whether `top` has few enough ops to be copied, written and read again.
bool isSmallEnoughToTry(mlir::Operation *top);

/// The result of `runAlone` in a child process: nothing changes here. None if
/// MLIR crashes, takes more than a few seconds or a gibibyte, or is not done
/// before `deadline`. With `keepsPayload`, what a pass leaves is read back,
/// unless it is large. Cost: five to ten milliseconds, and the step.
std::optional<LoneRun>
tryAlone(mlir::Operation *step, llvm::ArrayRef<mlir::Operation *> targets,
         mlir::Operation *top, llvm::ArrayRef<mlir::Attribute> params,
         const solver::Deadline &deadline, bool keepsPayload = false);

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_TRIALS_LONETRIAL_H
