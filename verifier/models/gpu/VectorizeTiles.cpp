//===- VectorizeTiles.cpp - The model of vectorize_tiles --------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Vectors for tiles that they need not fill. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#include "verifier/clauses/Clauses.h"
#include "verifier/models/Models.h"
#include "verifier/models/gpu/KernelVectors.h"
#include "verifier/models/gpu/TriedSteps.h"

using namespace mlir;
using namespace formwork::verifier;

/// The loops around `target` may carry what it computes as vectors from now on.
static void doubtCarried(PayloadModel &payload, NodeId target) {
  payload.walkEveryWay(target, [&](NodeId above) {
    if (above == PayloadModel::universe || !payload[above].loop ||
        !payload[above].loop->hasResults)
      return true;
    auto facts = std::make_shared<LoopFacts>(*payload[above].loop);
    facts->mayCarryVectors = true;
    payload.edit(above).loop = std::move(facts);
    return true;
  });
}

/// A loop around `target` that carries its tile carries a vector then: another
/// loop takes its place.
static void replaceCarrying(PayloadModel &payload, NodeId target) {
  NodeList loops;
  payload.walkUp(target, [&](NodeId above) {
    if (isKind<scf::ForOp>(payload[above]))
      loops.push_back(above);
    return true;
  });
  for (NodeId loop : loops)
    payload.forget(loop);
}

/// transform.formwork.vectorize_tiles: each target gives way to operations on
/// vectors of the sizes.
static void propagateVectorizeTiles(const Step &step) {
  Count count = step.lookup(step.op->getOperand(0)).count(step.payload);
  SmallVector<MixedNumber> sizes =
      getMixedNumbers(step.op, "static_sizes", /*segment=*/1);
  unsigned numLists = checkNumberOfValues(step, sizes, count, "fw-bad-threads");
  for (unsigned target = 0; target != numLists; ++target)
    for (const Size &size : getNumbers(step, sizes, target))
      requireAtLeast(step, size, 0, "fw-vector-sizes", "vector.size",
                     "vector sizes", count.lo > 0, /*silenceable=*/true);
  if (count.hi != 0)
    (void)tryStep(step);
  for (NodeId target : NodeList(step.lookup(step.op->getOperand(0)).nodes)) {
    noteVectors(step, target, getNumbers(step, sizes, 0));
    doubtCarried(step.payload, target);
    replaceCarrying(step.payload, target);
    step.payload.edit(target).present = Certainty::No;
  }
  applyClauses(step);
}

void formwork::verifier::registerVectorizeTilesModels(ModelRegistry &models) {
  models
      .add("vectorize-tiles", propagateVectorizeTiles,
           decides{"fw-bad-threads", "fw-no-vector-form", "fw-vector-sizes"},
           getUntriedReasons())
      .derivesConstraints = true;
}
