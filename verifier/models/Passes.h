//===- Passes.h - The model of apply_registered_pass ----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which pass or pipeline a step runs, whether the registry knows it and its
// options, and on which op it can run. What it does to the payload is in its
// own contract. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_MODELS_PASSES_H
#define FORMWORK_VERIFIER_MODELS_PASSES_H

#include "verifier/step/Step.h"

namespace formwork::verifier {

/// The contract of the pass that `op` runs, if it runs one that has one; else
/// null.
const normalforms::Contract *getPassContract(const Step &step);

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_MODELS_PASSES_H
