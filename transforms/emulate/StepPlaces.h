//===- StepPlaces.h - The step that made an operation -----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Marks operations of a payload with the step of the schedule that made them,
// as part of their locations, which lowerings keep. Layer: transforms. It knows
// nothing of profiles, and not how a schedule is run.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_EMULATE_STEPPLACES_H
#define FORMWORK_TRANSFORMS_EMULATE_STEPPLACES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Location.h"
#include "llvm/ADT/DenseMap.h"

namespace formwork::transforms::emulate {

/// Follows a run of a schedule. An operation is marked with the last step that
/// made it, or that gave it another location.
class StepPlaces {
public:
  /// `payload`, before the first step.
  explicit StepPlaces(mlir::ModuleOp payload);

  /// Marks what `step` made, unless it only cleans up: what it makes then keeps
  /// the mark of what that is made of. Call it behind each step. Cost: a walk.
  void take(mlir::Operation *step, bool cleansUp);

private:
  mlir::ModuleOp payload;
  /// The operations behind the last step, with their locations.
  llvm::DenseMap<mlir::Operation *, mlir::Location> known;
};

/// The place of the step that `loc` is marked with; null if it has no mark.
mlir::FileLineColLoc findStepPlace(mlir::Location loc);

} // namespace formwork::transforms::emulate

#endif // FORMWORK_TRANSFORMS_EMULATE_STEPPLACES_H
