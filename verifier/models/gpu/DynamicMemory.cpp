//===- DynamicMemory.cpp - Workgroup memory of a launch ---------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Buffers that a launch asks for. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#include "verifier/models/gpu/DynamicMemory.h"
#include "verifier/clauses/Clauses.h"
#include "verifier/models/Models.h"
#include "verifier/models/gpu/TriedSteps.h"

#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"

using namespace mlir;
using namespace formwork::verifier;

bool formwork::verifier::reusesWorkgroupMemory(Operation *op) {
  return op->getName().getStringRef() ==
             "transform.formwork.use_dynamic_workgroup_memory" &&
         op->hasAttr("reuse");
}

static constexpr StringLiteral kNotLast =
    "takes the buffers of a kernel from its launch, and later steps may "
    "allocate "
    "more";

/// transform.formwork.use_dynamic_workgroup_memory: what the kernel of each
/// launch had in workgroup memory is now part of what the launch asks for, of
/// which there is more.
static void propagateDynamicMemory(const Step &step) {
  // The buffers of these steps are declared in addition to the memory of the
  // launch.
  for (Operation *later = step.op->getNextNode(); later;
       later = later->getNextNode())
    if (!isa<transform::YieldOp, transform::AnnotateOp, transform::MatchOp>(
            later)) {
      step.unprove(kNotLast);
      break;
    }
  NodeList targets(step.lookup(step.op->getOperand(0)).nodes);
  std::optional<Replay> replay;
  if (step.lookup(step.op->getOperand(0)).count(step.payload).hi != 0)
    replay = tryStep(step);
  // The answer of a trial for all targets is known of one target alone.
  std::optional<int64_t> saved;
  if (!reusesWorkgroupMemory(step.op))
    saved = 0;
  else if (replay && replay->bytes.size() == 1)
    saved = -replay->bytes.front();
  for (NodeId target : targets)
    takeMemoryFromLaunch(step, target, saved);
  // Behind that, since the launch may be another one from here on.
  applyClauses(step);
}

void formwork::verifier::registerDynamicMemoryModels(ModelRegistry &models) {
  models.add("dynamic-workgroup-memory", propagateDynamicMemory,
             decides{"fw-kernel-allocation", "fw-workgroup-memory"}, [] {
               leavesOpen reasons = getUntriedReasons();
               reasons.push_back(kNotLast);
               reasons.push_back(reusesUnknownBytes);
               return reasons;
             }());
}
