//===- RunSchedule.h - Applying a schedule to a payload ---------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs a schedule with the stock interpreter. Layer: transforms; it inserts and
// decides nothing.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_SCHEDULE_RUNSCHEDULE_H
#define FORMWORK_TRANSFORMS_SCHEDULE_RUNSCHEDULE_H

#include "transforms/TransformOps/NormalFormTransformOps.h"

#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace formwork::transforms {

/// Whether the interpreter runs the ops in the blocks of `op` one by one.
bool holdsSteps(mlir::Operation *op);

/// Refuses what the interpreter does not survive: it takes each step of
/// `entry`, and of the sequences that it leads to, for a transform op, without
/// asking. Errors: fw-not-a-transform-op.
llvm::LogicalResult checkSteps(mlir::transform::NamedSequenceOp entry);

/// Applies `entry` to `payload`, in place. `unchecked` turns the interpreter's
/// expensive checks off. The observers in `entry` call `observer`, if given.
/// Emits the interpreter's own diagnostics. After a failure the payload may be
/// half changed and must be dropped.
llvm::LogicalResult interpretSchedule(
    mlir::Operation *payload, mlir::transform::NamedSequenceOp entry,
    bool unchecked = false, PayloadObserver::Callback observer = nullptr);

/// The same, and verifies the result. Emits the diagnostics of `checkSteps`,
/// too, and fw-schedule-invalid when the result does not verify.
llvm::LogicalResult runSchedule(mlir::ModuleOp payload,
                                mlir::transform::NamedSequenceOp entry,
                                bool unchecked = false,
                                PayloadObserver::Callback observer = nullptr);

} // namespace formwork::transforms

#endif // FORMWORK_TRANSFORMS_SCHEDULE_RUNSCHEDULE_H
