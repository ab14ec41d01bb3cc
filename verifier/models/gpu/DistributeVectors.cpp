//===- DistributeVectors.cpp - The model of distribute_vectors --*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sharing of a block's vectors among its threads. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#include "verifier/clauses/Clauses.h"
#include "verifier/models/Models.h"
#include "verifier/models/gpu/KernelVectors.h"
#include "verifier/models/gpu/TriedSteps.h"

using namespace mlir;
using namespace formwork::verifier;

/// transform.formwork.distribute_vectors: the block of each launch, which had
/// one thread, gets the threads of the list; each has a part of every vector.
/// Operations that combine elements across warps get a buffer of workgroup
/// memory. The launch stays, with other code in it.
static void propagateDistribute(const Step &step) {
  constexpr StringLiteral badThreads = "fw-bad-threads";
  NodeList targets(step.lookup(step.op->getOperand(0)).nodes);
  Count count = step.lookup(step.op->getOperand(0)).count(step.payload);
  bool isSure = count.lo > 0;
  SmallVector<MixedNumber> threads =
      getMixedNumbers(step.op, "static_threads", /*segment=*/1);
  SmallVector<MixedNumber> width =
      getMixedNumbers(step.op, "static_width", /*segment=*/2);
  unsigned numLists =
      std::max(checkNumberOfValues(step, threads, count, badThreads),
               checkNumberOfValues(step, width, count, badThreads));
  for (unsigned target = 0; target != numLists; ++target) {
    std::optional<solver::IntTerm> product =
        requireThreads(step, getNumbers(step, threads, target), /*factor=*/1,
                       "threads.positive", "numbers of threads", isSure);
    for (const Size &size : getNumbers(step, width, target))
      requireAtLeast(step, size, 1, badThreads, "width.positive", "a width",
                     isSure, /*silenceable=*/false);
    if (product)
      requireTensorThreads(step, *product);
  }
  std::optional<Replay> replay;
  if (count.hi != 0)
    replay = tryStep(step);
  applyClauses(step);
  if (replay)
    countTriedBytes(step, targets, *replay);
}

void formwork::verifier::registerDistributeVectorsModels(
    ModelRegistry &models) {
  models
      .add("distribute-vectors", propagateDistribute,
           decides{"fw-bad-threads", "fw-cannot-distribute",
                   "fw-not-for-tensor-cores", "fw-threads-taken",
                   "fw-uneven-warps", "fw-workgroup-memory"},
           getUntriedReasons())
      .derivesConstraints = true;
}
