//===- Replacement.cpp - Models of ops that replace one op ------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One op gives way to others: a branch to what it holds, any op to the one that
// a step writes out. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#include "verifier/clauses/Clauses.h"
#include "verifier/clauses/Tracking.h"
#include "verifier/models/Models.h"
#include "verifier/models/structured/Fusion.h"
#include "verifier/step/Step.h"

#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"

using namespace mlir;
using namespace formwork::normalforms;
using namespace formwork::verifier;

//===----------------------------------------------------------------------===//
// Branches
//===----------------------------------------------------------------------===//

static void propagateTakenBranch(const Step &step) {
  PayloadModel &payload = step.payload;
  for (NodeId target : NodeList(step.lookup(step.op->getOperand(0)).nodes)) {
    // A branch in the one that is taken can make what stands for its results.
    followReplaced(step, step.root,
                   [&](NodeId id, bool) { return id == target; });
    if (!payload[target].exact) {
      for (NodeId scope : getScopes(step, *step.contract.payload))
        payload.touch(scope, {}, KindPattern("*"));
      continue;
    }
    // The other branch goes, and what ends this one.
    for (auto [id, place] : payload.getBelow(target)) {
      payload.doubt(id);
      payload.forget(id);
    }
    payload.mayDissolve(target);
    replaceOp(step, target, PayloadModel::universe);
  }
  for (NodeId scope : getScopes(step, *step.contract.payload))
    payload.dropNeeds(scope);
  applyWriteOf(step, {});
}

//===----------------------------------------------------------------------===//
// Any op
//===----------------------------------------------------------------------===//

/// Whether `pattern` can stand for `old`, which no other op names: it has the
/// same results.
static bool canStandFor(Operation &pattern, Operation *old) {
  auto isSpecial = [](Operation *op) {
    return op->hasTrait<OpTrait::IsTerminator>() ||
           op->hasTrait<OpTrait::SymbolTable>() || isa<SymbolOpInterface>(op);
  };
  return pattern.getResultTypes() == old->getResultTypes() &&
         !isSpecial(&pattern) && !isSpecial(old);
}

/// Whether an op that reads a result of `op` may be valid for some values of it
/// only: steps and sizes are integers.
static bool mayBeVerified(Operation *op) {
  return llvm::any_of(op->getResults(), [](Value result) {
    return getElementTypeOrSelf(result.getType()).isIntOrIndex() &&
           !result.use_empty();
  });
}

static void propagateReplace(const Step &step) {
  Operation &pattern =
      cast<transform::ReplaceOp>(step.op).getBodyRegion().front().front();
  Contract instance = step.contract;
  for (PayloadClause &write : instance.writes)
    pattern.walk([&](Operation *inner) {
      write.introduces.push_back(inner->getName());
    });
  instance.joinWrites();
  for (NodeId target : step.lookup(step.op->getOperand(0)).nodes) {
    Operation *old = step.payload[target].op;
    if (!old)
      step.unprove("replaces an op whose results are not known");
    else if (!canStandFor(pattern, old))
      step.unprove(
          "replaces a symbol, a terminator, or an op of other results");
    else if (mayBeVerified(old))
      step.unprove("replaces an integer that others read, and may verify");
  }
  applyClauses(step.with(instance));
}

void formwork::verifier::registerReplacementModels(ModelRegistry &models) {
  models.add("take-branch", propagateTakenBranch);
  models.add(
      "replace", propagateReplace,
      leavesOpen{"replaces a symbol, a terminator, or an op of other results"});
}
