//===- ContractOnTensorCores.cpp - Its model --------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Contractions that are marked for tensor cores. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#include "verifier/clauses/Clauses.h"
#include "verifier/models/Models.h"
#include "verifier/models/gpu/TriedSteps.h"
#include "verifier/solver/TermPrinter.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::engine;
using namespace formwork::verifier;

/// transform.formwork.contract_on_tensor_cores: each contraction is given the
/// warps that share its rows and its columns, and is else what it was.
static void contractModel(const Step &step) {
  constexpr StringLiteral badThreads = "fw-bad-threads";
  constexpr int64_t warpSize = 32;
  Count count = step.lookup(step.op->getOperand(0)).count(step.payload);
  bool isSure = count.lo > 0;
  SmallVector<MixedNumber> warps =
      getMixedNumbers(step.op, "static_warps", /*segment=*/1);
  unsigned numLists = checkNumberOfValues(step, warps, count, badThreads);
  solver::TermContext &terms = step.terms;
  for (unsigned target = 0; target != numLists; ++target) {
    solver::IntTerm threads = terms.constant(warpSize);
    bool isKnown = true;
    for (const Size &size : getNumbers(step, warps, target)) {
      bool isPositive =
          requireAtLeast(step, size, 1, badThreads, "warps.positive",
                         "numbers of threads", isSure, /*silenceable=*/false);
      isKnown &= isPositive && !size.isUnknown();
      if (isKnown)
        threads = terms.mul(threads, *step.analysis.getTerm(size));
    }
    if (isKnown && !threads.isConstant())
      step.require(
          step.op, "threads.limit",
          terms.lessEqual(threads, terms.constant(Target::maxThreadsPerBlock)),
          "the number of threads, " + solver::toInfix(threads) +
              ", is at most " + Twine(Target::maxThreadsPerBlock) +
              ", the most that a block can have",
          ConstraintKind::Required, isSure);
  }
  if (count.hi != 0)
    (void)tryStep(step);
  applyClauses(step);
}

void formwork::verifier::registerContractOnTensorCoresModels(
    ModelRegistry &models) {
  models.add("contract-on-tensor-cores", contractModel,
             decides{"fw-bad-threads", "fw-not-for-tensor-cores"},
             getUntriedReasons());
}
