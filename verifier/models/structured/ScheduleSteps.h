//===- ScheduleSteps.h - Which steps a schedule has -------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For models of steps that later ones make something of. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_MODELS_STRUCTURED_SCHEDULESTEPS_H
#define FORMWORK_VERIFIER_MODELS_STRUCTURED_SCHEDULESTEPS_H

#include "engine/AnyBelow.h"
#include "mlir/IR/Operation.h"

namespace formwork::verifier {

/// Whether the module around `op` has such a step, in whatever sequence. Cost:
/// one walk.
template <typename Step> bool hasStep(mlir::Operation *op) {
  mlir::Operation *top = op;
  while (top->getParentOp())
    top = top->getParentOp();
  return engine::holdsAny<Step>(top);
}

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_MODELS_STRUCTURED_SCHEDULESTEPS_H
