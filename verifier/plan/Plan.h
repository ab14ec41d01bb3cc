//===- Plan.h - Which normalizations a schedule lacks -----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Plans the normalizations that make every form hold that a schedule requires
// or wants (DESIGN §7). A plan says where and why; it changes nothing:
// SourceEdits writes it into the text, transforms/ into the IR. Layer:
// verifier.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_PLAN_PLAN_H
#define FORMWORK_VERIFIER_PLAN_PLAN_H

#include "normalforms/Libraries.h"
#include "verifier/Verifier.h"

#include <compare>

namespace formwork::verifier {

struct PlanOptions {
  /// Whether to meet what ops want, beside what they require.
  bool includeWants = true;
  /// Whether something can be inserted before an op; null: before every op. An
  /// op that leads to a need, such as a call, is a point even if the need
  /// itself is not.
  std::function<bool(mlir::Operation *)> mayInsertBefore;
  /// The target, the goal form and the names for the propagation.
  CheckOptions check;
};

/// The value of a set of insertions; the least is best. Members are compared in
/// this order; source order decides between equal values.
struct Objective {
  /// Findings that make the schedule fail and are not there without the set.
  unsigned broken = 0;
  unsigned unmetRequired = 0;
  /// Steps that are no longer proved, or warned of, because of the set.
  unsigned doubted = 0;
  unsigned unmetWanted = 0;
  unsigned insertions = 0;
  /// Visits times weight of the form, in sum.
  uint64_t weight = 0;
  /// The sum of the points, negated: later is better.
  int64_t earliness = 0;

  auto operator<=>(const Objective &other) const = default;
};

/// One normalization to insert: payload of `handle` (or of its isolated parent)
/// to `form`, right before `before`.
struct Insertion {
  mlir::Operation *before;
  mlir::Value handle;
  /// `handle` is no anchor; take `get_parent_op {isolated_from_above}` first.
  bool viaIsolatedParent = false;
  /// `handle` is to a module.
  bool onModule = false;
  normalforms::AtomId form;
  /// The op that asks for the form; the terminator when that is the goal.
  mlir::Operation *neededBy;
  /// `<op>.cN`, `goal`, `run`: without it a run failed; or `effect`: without it
  /// the op had no effect in a run.
  std::string clause;
  bool required = true;
  /// The consequence of leaving it out.
  std::string consequence;
  /// The other ops that it serves.
  llvm::SmallVector<mlir::Operation *, 1> alsoNeededBy;
  /// Handles to payload inside the anchor that are used later: rewriting may
  /// shrink or retarget them.
  llvm::SmallVector<mlir::Value, 2> liveInside;
  /// Which of all visits of steps is the first of `before`; 0: not known.
  unsigned point = 0;

  static constexpr llvm::StringLiteral forRun = "run";
  static constexpr llvm::StringLiteral forEffect = "effect";
  bool isForGoal() const { return clause == "goal"; }
  bool isForRun() const { return clause == forRun; }
  bool isForEffect() const { return clause == forEffect; }
  /// Whether an op at `loc` needs it.
  bool serves(mlir::Location loc) const {
    return neededBy->getLoc() == loc ||
           llvm::any_of(alsoNeededBy, [&](mlir::Operation *op) {
             return op->getLoc() == loc;
           });
  }
};

/// Laws: propagating the schedule with all insertions finds `objective`; when
/// `exact`, no plan has a smaller one; otherwise no insertion can be left out.
struct Plan {
  /// In the order of execution; of two before one op, the first is run first.
  llvm::SmallVector<Insertion> insertions;
  /// Insertions that the plan goes without although a step wants them, since a
  /// step is less sure with them (fw-plan-conflict). One for each want, in the
  /// order of execution. A trial of that step on the payload may make it sure
  /// again.
  llvm::SmallVector<Insertion> declined;
  /// The findings of the check of the normalized schedule. There is also one
  /// for each need that is not met: fw-plan-conflict, an error if the need is
  /// required; fw-no-live-handle; or fw-no-source, if nothing can be inserted
  /// before the op that has the need, and no other place serves it.
  CheckResult after;
  Objective objective;
  bool exact = true;
  /// To meet all that can be met by itself takes at least so many insertions.
  unsigned lowerBound = 0;
};

/// The least plan, which is unique; found by `searchPlan`. Normalizations that
/// break a fact that a later step needs for sure are not part of it.
Plan planNormalization(const ScheduleModel &schedule, mlir::Operation *payload,
                       const normalforms::Libraries &libraries,
                       const PlanOptions &options = {});

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_PLAN_PLAN_H
