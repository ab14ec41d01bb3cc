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

#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace formwork::transforms {

/// Whether the interpreter runs the ops in the blocks of `op` one by one.
bool holdsSteps(mlir::Operation *op);

/// Refuses what the interpreter does not survive: it takes each step of
/// `entry`, and of the sequences that it leads to, for a transform op, without
/// asking. Errors: fw-not-a-transform-op.
llvm::LogicalResult checkSteps(mlir::transform::NamedSequenceOp entry);

/// Applies `entry` to `payload`, in place, and verifies the result. `unchecked`
/// turns the interpreter's expensive checks off. Emits the interpreter's own
/// diagnostics, those of `checkSteps`, and fw-schedule-invalid when the result
/// does not verify. After a failure the payload may be half changed and must be
/// dropped. `initialize` prepares the interpreter's state, if given.
llvm::LogicalResult runSchedule(
    mlir::ModuleOp payload, mlir::transform::NamedSequenceOp entry,
    bool unchecked = false,
    llvm::function_ref<void(mlir::transform::TransformState &)> initialize =
        nullptr);

} // namespace formwork::transforms

#endif // FORMWORK_TRANSFORMS_SCHEDULE_RUNSCHEDULE_H
