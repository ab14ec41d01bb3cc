//===- OnlineSoftmax.h - Products of a softmax in pieces --------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// With open knobs, no step shows the code of a loop over pieces of a softmax.
// The sizes of its two products follow from the payload: they say which values
// are worth a try, and nothing is proved of them. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_MODELS_STRUCTURED_ONLINESOFTMAX_H
#define FORMWORK_VERIFIER_MODELS_STRUCTURED_ONLINESOFTMAX_H

#include "verifier/step/Step.h"

namespace formwork::verifier {

/// Notes that `producer` is computed in `loop`: where it makes what the softmax
/// of that loop is taken of, both products are in the loop from here on.
void noteInLoop(const Step &step, NodeId producer, NodeId loop);

/// Notes that both products of a loop over a softmax become vectors.
void noteOnlineVectors(const Step &step);

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_MODELS_STRUCTURED_ONLINESOFTMAX_H
