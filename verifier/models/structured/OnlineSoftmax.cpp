//===- OnlineSoftmax.cpp - The model of online_softmax ----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A product and the softmax that it reads become a loop. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#include "verifier/clauses/Clauses.h"
#include "verifier/models/Models.h"
#include "verifier/models/gpu/TriedSteps.h"

using namespace mlir;
using namespace formwork::verifier;

/// transform.formwork.online_softmax: each target gives way to a loop along
/// what it sums over, and to a product in that.
static void propagateOnlineSoftmax(const Step &step) {
  Count count = step.lookup(step.op->getOperand(0)).count(step.payload);
  SmallVector<MixedNumber> sizes =
      getMixedNumbers(step.op, "static_step", /*segment=*/1);
  unsigned numLists = checkNumberOfValues(step, sizes, count, "fw-bad-threads");
  for (unsigned target = 0; target != numLists; ++target)
    for (const Size &size : getNumbers(step, sizes, target))
      requireAtLeast(step, size, 1, "fw-no-online-softmax", "softmax.positive",
                     "the step", count.lo > 0, /*silenceable=*/false);
  if (count.hi != 0)
    (void)tryStep(step);
  applyClauses(step);
}

void formwork::verifier::registerOnlineSoftmaxModels(ModelRegistry &models) {
  Model &model = models.add("online-softmax", propagateOnlineSoftmax,
                            decides{"fw-bad-threads", "fw-no-online-softmax"},
                            getUntriedReasons());
  model.derivesConstraints = true;
  model.isTriedFromHere = true;
}
