//===- Prepare.h - From a schedule as written to one that works -*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Checks a schedule and plans the normalizations that its steps need, or
// refuses it. Layer: transforms.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_SCHEDULE_PREPARE_H
#define FORMWORK_TRANSFORMS_SCHEDULE_PREPARE_H

#include "normalforms/Libraries.h"
#include "transforms/schedule/ScheduleInput.h"
#include "verifier/plan/Plan.h"

namespace formwork::verifier {
struct StepKind;
}

namespace formwork::transforms {

class ScheduleVariant;

struct PrepareOptions {
  /// Meet what steps require and leave what they merely want.
  bool onlyRequired = false;
  /// Emit one remark for each insertion (fw-inserted): who needs it, and what
  /// happens without it.
  bool explain = true;
  /// With a payload, leave out what makes no difference on it (`fitPlan`).
  bool fitToPayload = false;
  /// Null: the limits common to all.
  const verifier::Target *target = nullptr;
  /// The form to end in, if any.
  std::optional<normalforms::AtomId> goal;
  /// The goal is the target's, and not asked for: without a payload, nothing
  /// shows whether a schedule gets there, and that is no reason to warn.
  bool isTargetsGoal = false;
  /// Whether the text at a place of the schedule is not that which is edited,
  /// so that nothing can be inserted there; null: no text is edited.
  std::function<bool(mlir::Location)> isFixed;
  /// The steps that may be inserted although they are the author's to decide.
  llvm::SmallVector<const verifier::StepKind *, 3> allowed;
  /// With `fitToPayload`: adds to a plan, which works on the payload, what
  /// makes steps without effect effective, and to its findings the steps that
  /// stay without; null: they stay so, and nothing is said.
  std::function<void(mlir::transform::NamedSequenceOp entry,
                     mlir::ModuleOp payload, verifier::Plan &plan,
                     const std::function<std::string(mlir::Value)> &nameOf)>
      enable;
};

/// The plan for `entry`, on `payload` or, when that is null, on any; emits
/// nothing. `nameOf` names handles; null: as the printer numbers them.
llvm::FailureOr<verifier::Plan>
makePlan(mlir::transform::NamedSequenceOp entry, mlir::Operation *payload,
         const normalforms::Libraries &libraries, const PrepareOptions &options,
         std::function<std::string(mlir::Value)> nameOf = nullptr);

/// Emits what the check that made `plan` found, the steps that are needed
/// besides and are the author's to decide (`addProposals`), and, as `options`
/// say, what there is to say of the insertions. Fails when the schedule is
/// refuted.
llvm::LogicalResult reportPlan(verifier::Plan &plan, ScheduleInput &input,
                               const normalforms::Libraries &libraries,
                               const PrepareOptions &options);

/// Erases the findings that `isErased` accepts, and returns their number.
unsigned
eraseFindings(engine::Findings &findings,
              llvm::function_ref<bool(const engine::Finding &)> isErased);

/// The payload of `input`, or null.
mlir::Operation *getPayload(ScheduleInput &input);

/// The schedule of `input` for the verifier. Errors: those of the model.
llvm::FailureOr<verifier::ScheduleModel> getModel(const ScheduleInput &input);

/// The options for a check of `input`, which must outlive them.
verifier::CheckOptions getCheckOptions(const ScheduleInput &input,
                                       const PrepareOptions &options);

/// Checks the schedule of `input` as it stands; emits nothing but the errors of
/// the model, without which there is no result.
llvm::FailureOr<verifier::CheckResult>
checkInput(ScheduleInput &input, const normalforms::Libraries &libraries,
           const verifier::CheckOptions &check);

/// Plans the normalizations that the schedule in `input` needs, fitted to the
/// payload where `options` say so; emits a remark for each insertion that makes
/// no difference there (fw-idle-insertion), of what is merely wanted only if
/// `options` ask for explanations; and emits what the check of the normalized
/// schedule finds, and fw-plan-bound when a smaller plan is not excluded.
/// Changes nothing. Fails when the check refutes the schedule.
llvm::FailureOr<verifier::Plan>
planSchedule(ScheduleInput &input, const normalforms::Libraries &libraries,
             const PrepareOptions &options);

/// A plan, and what it lacks because it makes no difference on the payload.
struct FittedPlan {
  verifier::Plan plan;
  llvm::SmallVector<verifier::Insertion> idle;
};

/// The plan for `variant` of the schedule of `input`, in terms of the variant,
/// fitted to the payload where `options` say so; emits nothing.
llvm::FailureOr<FittedPlan>
makeFittedPlan(ScheduleInput &input, const ScheduleVariant &variant,
               const normalforms::Libraries &libraries,
               const PrepareOptions &options);

/// `planSchedule` for what is left of the schedule of `input` in `variant`, in
/// terms of the schedule as written.
llvm::FailureOr<verifier::Plan>
planVariant(ScheduleInput &input, const ScheduleVariant &variant,
            const normalforms::Libraries &libraries,
            const PrepareOptions &options);

/// A handle to the ops, each once, that isolate the payload of `handle`.
mlir::Value createIsolatedParent(mlir::OpBuilder &builder, mlir::Location loc,
                                 mlir::Value handle);

/// Inserts the normalizations of `plan` into the schedule that it was made for.
void applyPlan(const verifier::Plan &plan,
               const normalforms::FormLibrary &forms);

/// The result of a check of a copy of a schedule. The copy is gone, so no step
/// of it is named.
struct InsertedCheck {
  engine::Findings findings;
  /// As `getOpenSteps` counts them.
  size_t numOpen = 0;
};

/// Checks a copy of the schedule of `entry` with the insertions of `plan`, on
/// the payload of `input`; emits nothing. None if the schedule has no model.
std::optional<InsertedCheck>
checkInserted(const verifier::Plan &plan,
              mlir::transform::NamedSequenceOp entry, ScheduleInput &input,
              const normalforms::Libraries &libraries,
              const PrepareOptions &options);

/// Checks the schedule as it stands, and emits what it finds; a required form
/// that no step establishes is an error (fw-missing-form), and a warning if
/// runs on the payload show that it makes no difference there (`fitPlan`).
llvm::LogicalResult refuseUnnormalized(ScheduleInput &input,
                                       const normalforms::Libraries &libraries,
                                       const PrepareOptions &options);

/// Checks the schedule as it stands, emits the errors alone, and fails if there
/// are any: for a run without normalization. Uses only the target and the goal
/// of `options`.
llvm::LogicalResult refuseFailing(ScheduleInput &input,
                                  const normalforms::Libraries &libraries,
                                  const PrepareOptions &options = {});

} // namespace formwork::transforms

#endif // FORMWORK_TRANSFORMS_SCHEDULE_PREPARE_H
