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

#include "engine/Child.h"

#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace formwork::transforms {

/// Whether observers can be put between the steps in `block`: matchers take
/// nothing but ops that match.
bool takesObservers(mlir::Block &block);

/// The steps in all blocks of `schedule` that take observers.
llvm::SmallVector<mlir::Operation *> listObserved(mlir::Operation *schedule);

struct FailingStep {
  /// The last step that the interpreter came to, or null if the schedule runs:
  /// where failures are not suppressed, the one that fails or crashes.
  mlir::Operation *step = nullptr;
  /// It came to its end: what is around or behind it fails or crashes.
  bool isDone = false;
  /// How the process in which it ran ended.
  engine::ChildEnd end;
};

/// Runs `entry`, with observers in front of and behind each step, on a copy of
/// `payload` in a child; both stay as they are here. `unchecked` as in
/// `runSchedule`. Emits and prints nothing. Cost: a run.
FailingStep findFailingStep(mlir::ModuleOp payload,
                            mlir::transform::NamedSequenceOp entry,
                            bool unchecked = false);

} // namespace formwork::transforms

#endif // FORMWORK_TRANSFORMS_SCHEDULE_FAILINGSTEP_H
