//===- Enablers.cpp - Which steps only prepare others -----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verifier/plan/Enablers.h"

#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.h"

using namespace mlir;
using namespace formwork::verifier;

/// Passes that clean up and decide nothing.
static bool isCleanUpPass(StringRef name) {
  return llvm::is_contained(
      {"affine-simplify-structures", "canonicalize", "control-flow-sink", "cse",
       "fold-memref-alias-ops", "gpu-launch-sink-index-computations",
       "int-range-optimizations", "loop-invariant-code-motion",
       "loop-invariant-subset-hoisting", "mem2reg",
       "optimize-allocation-liveness", "resolve-ranked-shaped-type-result-dims",
       "resolve-shaped-type-result-dims", "sccp",
       "scf-for-loop-canonicalization", "sroa", "symbol-dce"},
      name);
}

bool formwork::verifier::isEnabler(Operation *op) {
  if (isa<transform::ApplyPatternsOp,
          transform::ApplyCommonSubexpressionEliminationOp,
          transform::ApplyDeadCodeEliminationOp,
          transform::ApplyLoopInvariantCodeMotionOp>(op))
    return true;
  if (auto pass = dyn_cast<transform::ApplyRegisteredPassOp>(op))
    return isCleanUpPass(pass.getPassName());
  return llvm::is_contained(
      {"transform.normalform.normalize",
       "transform.loop.hoist_loop_invariant_subsets",
       "transform.structured.hoist_redundant_vector_transfers",
       "transform.structured.hoist_redundant_vector_broadcasts",
       "transform.bufferization.eliminate_empty_tensors",
       "transform.structured.eliminate_empty_tensors"},
      op->getName().getStringRef());
}

SmallVector<Operation *> formwork::verifier::getEnablers(Operation *schedule) {
  SmallVector<Operation *> enablers;
  schedule->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isEnabler(op))
      enablers.push_back(op);
  });
  return enablers;
}

unsigned formwork::verifier::countSteps(Operation *schedule) {
  unsigned count = 0;
  schedule->walk([&](Operation *op) {
    count += isa<transform::TransformOpInterface>(op) &&
             !isa<transform::NamedSequenceOp>(op) &&
             !op->hasTrait<OpTrait::IsTerminator>();
  });
  return count;
}
