//===- Contractions.h - Contractions that are not valid ---------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which contractions of vectors rules may make that are not valid. Layer:
// verifier.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_MODELS_REWRITING_CONTRACTIONS_H
#define FORMWORK_VERIFIER_MODELS_REWRITING_CONTRACTIONS_H

#include "verifier/step/Step.h"

namespace formwork::verifier {

/// The step folds extensions of numbers into contractions. Unproves it where
/// these may be of factors of two types: what MLIR makes of them is not valid.
void foldExtensions(const Step &step);

/// Broadcasts are folded into contractions. A contraction to one number is not
/// valid without a dimension that only one of its factors has.
void foldBroadcasts(const Step &step);

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_MODELS_REWRITING_CONTRACTIONS_H
