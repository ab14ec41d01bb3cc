//===- Requirements.cpp - What a step requires of sizes ---------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Turns what a step requires of sizes into errors and constraints. Layer:
// verifier.
//
//===----------------------------------------------------------------------===//

#include "verifier/findings/Requirements.h"
#include "verifier/findings/Suggestions.h"
#include "verifier/solver/TermPrinter.h"
#include "verifier/spaces/Extents.h"

using namespace mlir;
using namespace formwork::engine;
using namespace formwork::verifier;
using solver::BoolTerm;

void Step::require(Operation *source, StringRef id, BoolTerm holds,
                   const Twine &text, ConstraintKind kind,
                   bool definite) const {
  if (parameters.isSurely(holds)) {
    ++parameters.numFolded;
    return;
  }
  // A step that may not run, or whose failure may go unseen or lead to another
  // alternative, excludes no value.
  if (!state.certain || state.survivesFailures()) {
    if (kind == ConstraintKind::Required)
      unprove("may not meet that " + text);
    return;
  }
  if (state.guard)
    holds = terms.implies(*state.guard, holds);
  if (!definite && kind != ConstraintKind::Required)
    return;
  if (!definite)
    kind = ConstraintKind::Conditional;
  parameters.add(id, holds, source, text, kind, op);
}

Finding *formwork::verifier::requireOne(const Step &step, Value handle,
                                        const Twine &unsure, bool silenceable) {
  Count count = step.lookup(handle).count(step.payload);
  if (count.lo > 1 || count.hi == 0)
    return &step.reportOf(
        handle, "fw-cardinality",
        "requires exactly one payload op but " + step.nameOf(handle) + " has " +
            (count.isExact() ? "" : "at least ") + Twine(count.lo),
        /*definite=*/true, silenceable);
  if (!count.isExactly(1))
    step.unprove(unsure);
  return nullptr;
}

bool formwork::verifier::require(const Step &step, const Requirement &need,
                                 BoolTerm holds,
                                 llvm::function_ref<void()> refute) {
  if (holds.isTrue())
    return true;
  if (holds.isFalse()) {
    refute();
    return false;
  }
  step.require(step.op, need.constraint, holds, need.text, need.kind,
               need.definite);
  return true;
}

bool formwork::verifier::requireAtMost(const Step &step, Requirement need,
                                       solver::IntTerm number, int64_t limit,
                                       const Twine &things, const Twine &why,
                                       llvm::function_ref<void()> refute) {
  BoolTerm holds = step.terms.lessEqual(number, step.terms.constant(limit));
  if (!holds.isTrue())
    need.text = ("the number of " + things + ", " + solver::toInfix(number) +
                 ", is at most " + Twine(limit) + why)
                    .str();
  return require(step, need, holds, refute);
}

void formwork::verifier::constrainStatic(const Step &step, const Extent &extent,
                                         const Twine &why, bool definite,
                                         bool wanted) {
  const StaticCondition &condition = *extent.condition;
  step.require(condition.tiledBy, "tile.divides", condition.holds,
               describeStatic(condition) + ", because " + why,
               wanted ? ConstraintKind::Wanted : ConstraintKind::Required,
               definite);
}

bool formwork::verifier::requireStatic(const Step &step, const Extent &extent,
                                       const StaticNeed &need,
                                       llvm::function_ref<Finding &()> refute) {
  if (extent.isStatic())
    return true;
  if (extent.size.isSymbolic() && extent.condition) {
    constrainStatic(step, extent, need.why, need.definite, need.wanted);
    return true;
  }
  if (!extent.reason.definite) {
    if (!need.unsure.empty())
      step.unprove(need.unsure, need.silenceable);
    return false;
  }
  Finding &finding = refute();
  if (extent.reason.tiledBy)
    explainTile(step, finding, extent.reason);
  return false;
}
