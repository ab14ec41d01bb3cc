//===- Steps.h - Needed steps that the user has to allow --------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Steps that some ops need and that are more than rewriting in place: they
// change where buffers lie, which the author of a schedule decides. A plan has
// none of them; they are proposed, as edits of the source. Layer: verifier;
// text and IR in, edits out.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_PLAN_STEPS_H
#define FORMWORK_VERIFIER_PLAN_STEPS_H

#include "normalforms/Libraries.h"
#include "verifier/Verifier.h"
#include "verifier/source/SourceNames.h"

namespace formwork::verifier {

/// A kind of step, and the form that a need for it is about.
struct StepKind {
  enum Kind { Bufferize, Promote };
  Kind kind;
  llvm::StringLiteral name; ///< as the user allows it: `bufferize`
  llvm::StringLiteral form; ///< without the `@`
  llvm::StringLiteral does; ///< `bufferizes the module`
};

/// All of them, in a fixed order.
llvm::ArrayRef<StepKind> getStepKinds();
/// The kind that is allowed by `name`, or that reaches `form`; null if none.
const StepKind *lookupStepKind(llvm::StringRef name);
const StepKind *lookupStepKindFor(const normalforms::Form &form);

/// A step that an op needs, and how it would be written.
struct StepProposal {
  const StepKind *step;
  /// Who needs it: a step, or the terminator of the entry for the goal, with a
  /// null `handle` then. For `handle`, its isolated parents count.
  mlir::Operation *neededBy;
  /// The op of the entry that is, holds or includes `neededBy`.
  mlir::Operation *top;
  mlir::Value handle;
  normalforms::AtomId form;
  std::string clause; ///< `<op>.cN`, or `goal`
  bool required = true;
  std::string otherwise;
  /// The ops to insert before `insertBefore`, one a line.
  mlir::Operation *insertBefore = nullptr;
  std::string text;
  /// The edits that carry it out, if there is a source and no obstacle: the
  /// insertion, and the renamed handles after it.
  engine::TextEdits edits;
  /// Why it cannot be written; empty if it can.
  std::string obstacle;
};

/// A step for each form clause of an op that `StepKind`s are about and that is
/// not known to hold there; and for the goal of `options`, if that includes
/// such a form. In the order in which the needs come up, the first of each op
/// and kind. Without `names` there are no edits.
///
/// The written step: `bufferize` is a one_shot_bufferize of the module, with
/// contiguous arguments; handles that are used behind it have to be to the
/// module or to all functions, which are matched again. `promote` is the pass
/// formwork-gpu-workgroup-buffers on the need's own gpu.module. Cost: two
/// propagations.
llvm::SmallVector<StepProposal, 0>
proposeSteps(const ScheduleModel &schedule, mlir::Operation *payload,
             const normalforms::Libraries &libraries,
             const CheckOptions &options, const SourceNames *names);

/// Writes the text, the edits or the obstacle of `proposals`, as proposeSteps
/// does. Their other members are set. Cost: one propagation.
void writeSteps(const ScheduleModel &schedule, mlir::Operation *payload,
                const normalforms::Libraries &libraries,
                const CheckOptions &options, const SourceNames *names,
                llvm::MutableArrayRef<StepProposal> proposals);

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_PLAN_STEPS_H
