//===- Uses.h - The use of handles ------------------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whether what a step is given is alive and of a kind that it takes.
// Layer: verifier.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_CLAUSES_USES_H
#define FORMWORK_VERIFIER_CLAUSES_USES_H

#include "verifier/step/Step.h"

namespace formwork::verifier {

void checkOperands(const Step &step, bool defersConsumption);

/// A handle to values that may all be erased must not be used: the step is not
/// proved.
void checkForgotten(const Step &step, mlir::Value value);

void consumeHandle(const Step &step, mlir::Value value);

/// Says of what `op` is given that it is of a kind that it accepts, as it is
/// where anything runs behind it.
void assumeKinds(const Step &step);

void checkOperandClauses(const Step &step);

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_CLAUSES_USES_H
