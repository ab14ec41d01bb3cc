//===- Trial.h - Variants of a schedule, and what they yield ----*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Copies of a schedule that lack some of its steps; runs of schedules on copies
// of the payload, each in a process of its own, because only the answer counts
// and MLIR may crash; and whether two results are the same after one common
// canonicalization. Layer: transforms; it decides nothing and writes no file.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_SCHEDULE_TRIAL_H
#define FORMWORK_TRANSFORMS_SCHEDULE_TRIAL_H

#include "engine/FindingTransfer.h"
#include "normalforms/FormLibrary.h"
#include "verifier/plan/Plan.h"

#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/JSON.h"

#include <optional>
#include <string>

namespace formwork::transforms {

/// Whether the step `op` only finds payload.
bool isNavigation(mlir::Operation *op);

/// The outermost op around `entry`: the module of the whole schedule.
mlir::Operation *getWholeSchedule(mlir::transform::NamedSequenceOp entry);

/// A copy of a schedule without some steps.
class ScheduleVariant {
public:
  /// A copy of the module of `entry` without `steps`, which are enablers in it,
  /// and without the matches and other navigation that only they used. None
  /// when a result of a step is used and is not of its operand's type: what
  /// stands in for it is that operand.
  static std::optional<ScheduleVariant>
  create(mlir::transform::NamedSequenceOp entry,
         llvm::ArrayRef<mlir::Operation *> steps);

  mlir::transform::NamedSequenceOp getEntry() const { return entry; }
  mlir::ModuleOp getModule() const { return module.get(); }
  /// All ops that the copy lacks, in the original.
  llvm::ArrayRef<mlir::Operation *> getRemoved() const { return removed; }

  /// `plan`, which was made for the copy, for the original.
  verifier::Plan toOriginal(const verifier::Plan &plan) const;
  mlir::Value toOriginal(mlir::Value value) const;
  /// Whether `op`, in the copy, was there from the beginning.
  bool hasOriginal(mlir::Operation *op) const { return originals.contains(op); }
  /// `plan`, which was made for the original, for the copy; all of its ops and
  /// handles must be there.
  verifier::Plan fromOriginal(const verifier::Plan &plan) const;

private:
  mlir::OwningOpRef<mlir::ModuleOp> module;
  mlir::transform::NamedSequenceOp entry;
  llvm::SmallVector<mlir::Operation *> removed;
  llvm::DenseMap<mlir::Operation *, mlir::Operation *> originals;
  llvm::DenseMap<mlir::Operation *, mlir::Operation *> copies;
};

/// The result of a run of a schedule on a copy of the payload.
struct Trial {
  bool runs = false;
  /// A limit ended it: more of the same is no use.
  bool isStopped = false;
  /// The first error, if not, and where it was reported; or how the process
  /// ended.
  std::string error;
  std::optional<mlir::Location> where;
  /// Stands for the result after normalization to @canonical: equal results
  /// have equal digests, in all processes.
  std::string digest;

  bool agreesWith(const Trial &other) const {
    return runs && other.runs && digest == other.digest;
  }
};

/// The result of a form's check on the payload after a run.
struct ResultCheck {
  struct Violation {
    mlir::Location loc;
    std::string message; ///< with the clause
  };
  bool runs = false;
  /// Whether the result is in the form; not if it does not run.
  bool holds = false;
  llvm::SmallVector<Violation> violations;
};

/// Changes a schedule where it is about to run, in another process: here it
/// stays as it is.
using PrepareRun = llvm::function_ref<void()>;

/// The limits of a run of a schedule where only its answer counts: the clock,
/// so that a trial that never ends is an answer, and enough memory for any
/// payload of a test.
engine::ChildLimits getTrialLimits();

/// The answer of `work` in a child, where it may change all IR and print
/// anything.
engine::ChildAnswer
answerInChild(mlir::MLIRContext *context,
              llvm::function_ref<llvm::json::Object()> work,
              const engine::ChildLimits &limits = getTrialLimits());

/// Runs `entry`, changed by `prepare`, on a copy of `payload` with the
/// interpreter's expensive checks; emits and prints nothing. The digest is of
/// the result in the form called `compared`. Cost: the run, a process, and one
/// normalization.
Trial runTrial(mlir::ModuleOp payload, mlir::transform::NamedSequenceOp entry,
               const normalforms::FormLibrary &forms,
               PrepareRun prepare = nullptr,
               const engine::ChildLimits &limits = getTrialLimits(),
               llvm::StringRef compared = "canonical");

/// Runs `entry` in the same way, and checks `form` on what that leaves.
ResultCheck checkResult(mlir::ModuleOp payload,
                        mlir::transform::NamedSequenceOp entry,
                        const normalforms::FormLibrary &forms,
                        const normalforms::Form &form,
                        PrepareRun prepare = nullptr);

} // namespace formwork::transforms

#endif // FORMWORK_TRANSFORMS_SCHEDULE_TRIAL_H
