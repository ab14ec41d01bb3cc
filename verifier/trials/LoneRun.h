//===- LoneRun.h - A step, tried on a copy of one op ------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whether a step succeeds on an op that no step has changed, where that depends
// on nothing but the op: upstream says it of a copy. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_TRIALS_LONERUN_H
#define FORMWORK_VERIFIER_TRIALS_LONERUN_H

#include "verifier/state/PayloadModel.h"

#include "mlir/IR/Attributes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OperationSupport.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/SmallVector.h"

#include <memory>
#include <optional>
#include <string>

namespace formwork::verifier {

/// One op that a result of the step holds then.
struct LoneResult {
  mlir::OperationName kind;
  std::shared_ptr<const IterationSpace> space;
  /// Of its operands.
  llvm::SmallVector<mlir::Type> types;
  /// All that it says, in its own attributes.
  mlir::DictionaryAttr attributes;
  /// It stands in the block in which the payload op stood.
  bool isBeside;
};

struct LoneRun {
  /// The first error; none when the step succeeds and leaves what is valid.
  std::optional<std::string> failure;
  /// The id of that error, which is one of ours; empty for others.
  std::string id;
  /// The notes of such an error.
  std::vector<std::pair<mlir::Location, std::string>> notes;
  /// Whether that error can be recovered from.
  bool silenceable = false;
  /// The step fails, and what it leaves is not valid, as a conversion that
  /// stops half-way: what suppresses the failure does not mend that.
  bool spoils = false;
  /// The step succeeds, but what it leaves is not valid: a later step may mend
  /// or erase that before MLIR looks.
  bool leavesInvalid = false;
  /// The step succeeds, but hands back what it erased: nothing is known of it.
  bool isUnreadable = false;
  /// A rewrite of what is below the target succeeds, and finds nothing to do.
  bool changesNothing = false;
  /// Of a pass that is tried in its place: the payload behind it.
  std::shared_ptr<mlir::OwningOpRef<mlir::Operation *>> payload;
  /// Per result of the step; of one that is no handle to ops, nothing.
  llvm::SmallVector<llvm::SmallVector<LoneResult, 1>> results;
};

/// The facts about `op`, which a result holds.
LoneResult describeResult(mlir::Operation *op, bool isBeside);

/// A module with a sequence that runs a copy of `step` on its arguments, one
/// for each operand, and yields its results.
mlir::OwningOpRef<mlir::ModuleOp> wrapInSequence(mlir::Operation *step);

/// Runs `step` with `params` for its operands, and the ops `targets`, which are
/// at or below `top`, for those that have none. Changes what is below `top`,
/// and emits nothing. Cost: that of the step.
LoneRun runAlone(mlir::Operation *step,
                 llvm::ArrayRef<mlir::Operation *> targets,
                 mlir::Operation *top, llvm::ArrayRef<mlir::Attribute> params);

/// The result of a step on `target` may be in another tensor than the one that
/// the loops around it were given.
void doubtYields(PayloadModel &payload, NodeId target);

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_TRIALS_LONERUN_H
