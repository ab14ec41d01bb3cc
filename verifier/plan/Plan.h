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

#include "verifier/Verifier.h"

namespace formwork::verifier {

struct PlanOptions {
  /// Whether to meet what ops want, beside what they require.
  bool includeWants = true;
  /// The target, the goal form and the names for the propagation.
  CheckOptions check;
};

/// One normalization to insert: payload of `handle` (or of its isolated parent)
/// to `form`, right before `before`.
struct Insertion {
  mlir::Operation *before;
  mlir::Value handle;
  /// `handle` is no anchor; take `get_parent_op {isolated_from_above}` first.
  bool viaIsolatedParent = false;
  normalforms::AtomId form;
  /// The op that asks for the form; equal to `before` unless that is the end of
  /// the sequence and the form is the goal.
  mlir::Operation *neededBy;
  /// `<op>.cN`, or `goal`.
  std::string clause;
  bool required = true;
  /// What happens without it.
  std::string consequence;
  /// Handles to payload inside the anchor that are used later: rewriting may
  /// shrink or retarget them.
  llvm::SmallVector<mlir::Value, 2> liveInside;
};

/// Laws: propagating the schedule with all insertions meets every need that has
/// any live handle to meet it; without any one of them a need is unmet.
struct Plan {
  /// In the order of execution; of two before one op, the first is run first.
  llvm::SmallVector<Insertion> insertions;
  /// Needs that no insertion can meet, and what the check of the normalized
  /// schedule finds.
  CheckResult after;
};

/// Greedy and forward: each unmet need is met as late as possible, then each
/// insertion whose absence leaves nothing unmet is dropped. Cost: one
/// propagation per insertion.
Plan planNormalization(const ScheduleModel &schedule, mlir::Operation *payload,
                       const normalforms::FormLibrary &forms,
                       const normalforms::ContractLibrary &contracts,
                       const PlanOptions &options = {});

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_PLAN_PLAN_H
