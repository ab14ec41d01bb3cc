//===- OpenParams.h - Where open parameters go ----------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which ops are known to say what they require of a parameter that is open, and
// what is said of all others. The table in docs/design/009 is the same list.
// Layer: verifier.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_MODELS_HANDLES_OPENPARAMS_H
#define FORMWORK_VERIFIER_MODELS_HANDLES_OPENPARAMS_H

#include "verifier/step/Step.h"

namespace formwork::verifier {

/// Says where `op` takes a parameter that is open and nothing is derived of
/// it.
void noteUnmodelledParams(const Step &step);

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_MODELS_HANDLES_OPENPARAMS_H
