//===- SideEffects.cpp - What a step does to other payload ------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verifier/clauses/SideEffects.h"
#include "verifier/clauses/Conditions.h"

using namespace formwork::normalforms;

void formwork::verifier::applySideEffects(PayloadModel &payload,
                                          const Contract *contract) {
  if (!contract || contract->has(SideEffect::MayMerge))
    payload.mayMerge();
  if (!contract || contract->has(SideEffect::MayFold)) {
    payload.mayReslice();
    payload.mayFoldSlices(/*ofViews=*/true);
  } else if (contract->has(SideEffect::MayFoldValues)) {
    payload.mayFoldSlices(/*ofViews=*/false);
  }
  if (!contract || contract->has(SideEffect::MayReshape))
    payload.mayReshapeValues();
}

void formwork::verifier::applySideEffects(const Step &step) {
  applySideEffects(step.payload, &step.contract);
  if (const Contract *pass = getPassContract(step))
    applySideEffects(step.payload, pass);
}
