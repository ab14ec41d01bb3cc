//===- PipelineCopies.cpp - The model of pipeline_copies --------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Copies to workgroup memory that run some steps ahead of their use. Layer:
// verifier.
//
//===----------------------------------------------------------------------===//

#include "verifier/clauses/Clauses.h"
#include "verifier/models/Models.h"
#include "verifier/models/gpu/KernelVectors.h"
#include "verifier/models/gpu/TriedSteps.h"

using namespace mlir;
using namespace formwork::verifier;

static constexpr StringLiteral kDeep = "copies further ahead than is tried";

/// transform.formwork.pipeline_copies: another loop stands for each target,
/// whose copies are `depth` - 1 steps ahead; each of its buffers is `depth`
/// times as large.
static void propagatePipelineCopies(const Step &step) {
  constexpr StringLiteral cannotPipeline = "fw-cannot-pipeline";
  NodeList targets(step.lookup(step.op->getOperand(0)).nodes);
  Count count = step.lookup(step.op->getOperand(0)).count(step.payload);
  bool isSure = count.lo > 0;
  SmallVector<MixedNumber> depth =
      getMixedNumbers(step.op, "static_depth", /*segment=*/1);
  unsigned numLists = checkNumberOfValues(step, depth, count, "fw-bad-threads");
  for (unsigned target = 0; target != numLists; ++target)
    for (const Size &size : getNumbers(step, depth, target)) {
      if (isSure || !size.isSymbolic())
        requireAtLeast(step, size, 2, cannotPipeline, "copies.depth", "a depth",
                       isSure, /*silenceable=*/false);
      requireStagedDepth(step, size, isSure);
    }
  // Each step of the depth is written in front of the loop: no kernel has room
  // for that many buffers.
  constexpr int64_t mostTried = 1024;
  bool isDeep = llvm::any_of(depth, [&](const MixedNumber &number) {
    const int64_t *given = std::get_if<int64_t>(&number);
    return given && *given > mostTried;
  });
  if (isDeep)
    step.unprove(kDeep);
  std::optional<Replay> replay;
  if (count.hi != 0 && !isDeep)
    replay = tryStep(step);
  // The loop that was the target is gone behind the step.
  applyClauses(step);
  NodeList made(step.lookup(step.op->getResult(0)).nodes);
  if (replay)
    countTriedBytes(step, made, *replay);
}

void formwork::verifier::registerPipelineCopiesModels(ModelRegistry &models) {
  leavesOpen reasons = getUntriedReasons();
  reasons.push_back(kDeep);
  models
      .add("pipeline-copies", propagatePipelineCopies,
           decides{"fw-bad-threads", "fw-cannot-pipeline",
                   "fw-workgroup-memory"},
           std::move(reasons))
      .derivesConstraints = true;
}
