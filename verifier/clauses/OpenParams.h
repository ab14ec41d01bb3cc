//===- OpenParams.h - Where open parameters go ------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Records the steps that take a parameter that is open and of which nothing is
// derived. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_CLAUSES_OPENPARAMS_H
#define FORMWORK_VERIFIER_CLAUSES_OPENPARAMS_H

#include "verifier/step/Step.h"

namespace formwork::verifier {

/// Takes the step for not proved where one of `operands`, of which it derives
/// nothing, is a parameter that is open.
void noteUnmodelledParams(const Step &step, mlir::ValueRange operands);

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_CLAUSES_OPENPARAMS_H
