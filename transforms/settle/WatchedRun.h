//===- WatchedRun.h - Runs a schedule and watches its effects ---*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For commands whose run is the one that counts: it happens in place, as the
// schedule is written, with observers around each step. Layer: transforms.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_SETTLE_WATCHEDRUN_H
#define FORMWORK_TRANSFORMS_SETTLE_WATCHEDRUN_H

#include "transforms/settle/StepEffects.h"

#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace formwork::transforms {

using OnStep = llvm::function_ref<void(
    mlir::Operation *step, bool isDone,
    const mlir::transform::TransformState &state)>;

/// Does what `runSchedule` does, with expensive checks, and if that succeeds
/// emits what addEffectFindings finds, and
/// what a RecomputationWatch does. The schedule stays as it is. Errors:
/// those of `runSchedule`; warnings: fw-step-idle, fw-step-partial. `onStep`,
/// if given, is told of each step in front of it and, with `isDone`, behind it,
/// with what the handles hold there. Cost: at most a twentieth more than the
/// run.
llvm::LogicalResult
runWatched(mlir::ModuleOp payload, mlir::transform::NamedSequenceOp entry,
           const normalforms::ContractLibrary &contracts,
           const std::function<std::string(mlir::Value)> &nameOf,
           OnStep onStep = nullptr);

} // namespace formwork::transforms

#endif // FORMWORK_TRANSFORMS_SETTLE_WATCHEDRUN_H
