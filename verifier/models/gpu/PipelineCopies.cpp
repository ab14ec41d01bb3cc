//===- PipelineCopies.cpp - The model of pipeline_copies --------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loops of which the copies to workgroup memory run ahead of their use. Layer:
// verifier.
//
//===----------------------------------------------------------------------===//

#include "verifier/clauses/Clauses.h"
#include "verifier/models/Models.h"
#include "verifier/models/gpu/TriedSteps.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::engine;
using namespace formwork::verifier;

/// transform.formwork.pipeline_copies: a loop takes the place of each target,
/// in which copies are some steps ahead; their buffers are as many as that.
static void pipelineModel(const Step &step) {
  NodeList targets(step.lookup(step.op->getOperand(0)).nodes);
  Count count = step.lookup(step.op->getOperand(0)).count(step.payload);
  SmallVector<MixedNumber> depth =
      getMixedNumbers(step.op, "static_depth", /*segment=*/1);
  unsigned numLists = checkNumberOfValues(step, depth, count, "fw-bad-threads");
  for (unsigned target = 0; target != numLists; ++target)
    for (const Size &size : getNumbers(step, depth, target))
      requireAtLeast(step, size, 2, "fw-cannot-pipeline", "pipeline.depth",
                     "a depth", count.lo > 0, /*silenceable=*/false);
  std::optional<Replay> replay;
  if (count.hi != 0)
    replay = tryStep(step);
  applyClauses(step);
  if (replay)
    countTriedBytes(step, targets, *replay);
}

void formwork::verifier::registerPipelineCopiesModels(ModelRegistry &models) {
  models.add(
      "pipeline-copies", pipelineModel,
      decides{"fw-bad-threads", "fw-cannot-pipeline", "fw-workgroup-memory"},
      getUntriedReasons());
}
