//===- WatchedRun.h - Runs a schedule and watches its effects ---*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs a schedule for commands that keep its outcome. The run happens in place,
// with the schedule as written and with observers around each step. Layer:
// transforms.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_SETTLE_WATCHEDRUN_H
#define FORMWORK_TRANSFORMS_SETTLE_WATCHEDRUN_H

#include "transforms/settle/StepEffects.h"

#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace formwork::transforms {

using OnStep =
    llvm::function_ref<void(mlir::Operation *step, bool isDone,
                            const mlir::transform::TransformState &state)>;

/// Does the work of `runSchedule`, with expensive checks. If the run succeeds,
/// it emits the findings of addEffectFindings and of a RecomputationWatch. The
/// schedule stays as it is. `onStep`, if given, is called in front of each step
/// and, with `isDone`, behind it, and sees the handles at that point. Errors:
/// those of `runSchedule`. Warnings: fw-step-idle, fw-step-partial,
/// fw-fused-again. Cost: at most a twentieth more than the run.
llvm::LogicalResult
runWatched(mlir::ModuleOp payload, mlir::transform::NamedSequenceOp entry,
           const normalforms::ContractLibrary &contracts,
           const std::function<std::string(mlir::Value)> &nameOf,
           OnStep onStep = nullptr);

} // namespace formwork::transforms

#endif // FORMWORK_TRANSFORMS_SETTLE_WATCHEDRUN_H
