//===- Requirements.h - What a step requires of sizes -----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One path for sizes that are known, open and unknown: what a step requires of
// one ends in nothing, an error, a constraint, or a step that is not proved.
// Layer: verifier.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_FINDINGS_REQUIREMENTS_H
#define FORMWORK_VERIFIER_FINDINGS_REQUIREMENTS_H

#include "verifier/step/Step.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace formwork::verifier {

/// Requires that `handle` holds exactly one payload op; `unsure` is the reason
/// where their number is not known. Returns the finding, or null. Errors:
/// fw-cardinality.
engine::Finding *requireOne(const Step &step, mlir::Value handle,
                            const llvm::Twine &unsure, bool silenceable = true);

/// A requirement of a step on a size.
struct Requirement {
  /// The id of the constraint on open knobs, and its text behind "requires
  /// that".
  llvm::StringRef constraint;
  std::string text = {};
  /// The step surely meets the size.
  bool definite = true;
  /// The consequence if open knobs do not meet the requirement.
  ConstraintKind kind = ConstraintKind::Required;
};

/// Requires `holds`. True: nothing is said. False whatever the knobs are:
/// `refute` reports it. Else a constraint. Returns whether it may hold.
bool require(const Step &step, const Requirement &need, solver::BoolTerm holds,
             llvm::function_ref<void()> refute);

/// Requires that there are at most `limit` of `things`, which are `number`, for
/// the reason `why`; otherwise as `require`.
bool requireAtMost(const Step &step, Requirement need, solver::IntTerm number,
                   int64_t limit, const llvm::Twine &things,
                   const llvm::Twine &why, llvm::function_ref<void()> refute);

/// Why a step requires an extent to be static.
struct StaticNeed {
  /// The text of the constraint, behind "because".
  std::string why;
  /// The reason where it is not known whether the extent is static. If empty,
  /// such an extent is accepted.
  std::string unsure;
  /// The step surely meets the extent.
  bool definite = true;
  /// The step only does less without.
  bool wanted = false;
  /// Upstream asks before it changes anything.
  bool silenceable = false;
};

/// Requires `extent` to be static. Static: nothing is said. Static for some
/// knobs: a constraint. Dynamic: `refute` reports the error, and the tiling
/// that made it so is added. Returns false where the step cannot go on.
bool requireStatic(const Step &step, const Extent &extent,
                   const StaticNeed &need,
                   llvm::function_ref<engine::Finding &()> refute);

/// Adds the constraint that `extent`, which is symbolic, is static.
void constrainStatic(const Step &step, const Extent &extent,
                     const llvm::Twine &why, bool definite,
                     bool wanted = false);

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_FINDINGS_REQUIREMENTS_H
