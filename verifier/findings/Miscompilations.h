//===- Miscompilations.h - Steps that change what is computed ---*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Warns of steps that MLIR 22.1 carries out so that the payload computes
// something else. It calls that success. Each was seen by executing the payload
// (run --after-each-step). Layer: verifier.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_FINDINGS_MISCOMPILATIONS_H
#define FORMWORK_VERIFIER_FINDINGS_MISCOMPILATIONS_H

#include "verifier/step/Step.h"

namespace formwork::verifier {

/// Warns if `step`, from the state in front of it, changes what one of its
/// targets computes (fw-step-miscompiles). Cost: constant for most steps, and a
/// copy of each target for those that look at what is made of it.
void warnOfMiscompilation(const Step &step);

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_FINDINGS_MISCOMPILATIONS_H
