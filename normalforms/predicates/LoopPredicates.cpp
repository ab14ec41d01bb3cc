//===- LoopPredicates.cpp - Predicates on loops -----------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "normalforms/predicates/Predicates.h"

#include "normalforms/IR/NormalFormOps.h"
#include "normalforms/predicates/PerOp.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace formwork::normalforms;

/// perfect-loop-nest: required by interchange, coalescing and multi-level
/// tiling.
static void checkPerfectNest(Operation *op, ViolationSink &sink) {
  // Check each loop against the loop directly around it. The anchor itself,
  // when it is a loop, is then part of the nest.
  if (!isa<LoopLikeOpInterface>(op))
    return;
  Operation *parent = op->getParentOp();
  if (!isa<LoopLikeOpInterface>(parent))
    return;
  for (Operation &other : *op->getBlock())
    if (&other != op && !other.hasTrait<OpTrait::IsTerminator>())
      sink.report(&other, 1,
                  "requires nothing beside the inner loop but " +
                      toText(parent) + " has " + toText(&other));
}

/// normalized-loops: required by coalescing and mapping by position.
static void checkNormalizedLoops(Operation *op, ViolationSink &sink) {
  auto loop = dyn_cast<LoopLikeOpInterface>(op);
  if (!loop)
    return;
  auto lower = loop.getLoopLowerBounds();
  auto steps = loop.getLoopSteps();
  if (lower && llvm::any_of(*lower, [](OpFoldResult bound) {
        return !isConstantIntValue(bound, 0);
      }))
    sink.report(
        op, 1, "requires lower bounds of 0 but " + toText(op) + " has another");
  if (steps && llvm::any_of(*steps, [](OpFoldResult step) {
        return !isConstantIntValue(step, 1);
      }))
    sink.report(op, 2,
                "requires steps of 1 but " + toText(op) + " has another");
}

/// static-trip-counts: required by full unrolling and pipelining.
static void checkStaticTripCounts(Operation *op, ViolationSink &sink) {
  auto loop = dyn_cast<LoopLikeOpInterface>(op);
  if (!loop)
    return;
  auto isDynamic = [](std::optional<SmallVector<OpFoldResult>> values) {
    return values && llvm::any_of(*values, [](OpFoldResult value) {
             return !getConstantIntValue(value);
           });
  };
  if (isDynamic(loop.getLoopLowerBounds()) ||
      isDynamic(loop.getLoopUpperBounds()) || isDynamic(loop.getLoopSteps()))
    sink.report(op, 1,
                "requires constant bounds and steps but " + toText(op) +
                    " has others");
}

void formwork::normalforms::registerLoopPredicates(NormalFormDialect &dialect) {
  dialect.registerPredicate(createPerOpPredicate(
      "perfect-loop-nest",
      {"no op beside a loop that is directly in another loop"},
      checkPerfectNest));
  dialect.registerPredicate(
      createPerOpPredicate("normalized-loops",
                           {"no loop with a lower bound other than 0",
                            "no loop with a step other than 1"},
                           checkNormalizedLoops));
  dialect.registerPredicate(createPerOpPredicate(
      "static-trip-counts", {"no loop whose bounds or step are not constant"},
      checkStaticTripCounts));
}
