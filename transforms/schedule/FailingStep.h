//===- FailingStep.h - Where a run of a schedule ends -----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Many transform ops report a failure at the payload op that they do not take,
// so that the error does not say which step failed. Layer: transforms.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_SCHEDULE_FAILINGSTEP_H
#define FORMWORK_TRANSFORMS_SCHEDULE_FAILINGSTEP_H

#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace formwork::transforms {

/// The last step of `entry` that the interpreter comes to on a copy of
/// `payload`, or null if the schedule runs: where failures are not suppressed,
/// the one that fails. `entry` is of a copy of a schedule, which is left with
/// an observer in front of each step. Emits nothing. Cost: a run.
mlir::Operation *findFailingStep(mlir::ModuleOp payload,
                                 mlir::transform::NamedSequenceOp entry);

} // namespace formwork::transforms

#endif // FORMWORK_TRANSFORMS_SCHEDULE_FAILINGSTEP_H
