//===- WholePayload.h - Claims about all of the payload ---------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compares what a match of any kind of op, or of any attribute, would be said
// to find in the payload with what is there, whether a step matches it or not.
// Layer: transforms.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_VALIDATE_WHOLEPAYLOAD_H
#define FORMWORK_TRANSFORMS_VALIDATE_WHOLEPAYLOAD_H

#include "transforms/validate/OpFacts.h"

namespace formwork::transforms {

/// The first kind of op, in the order of their names, of which there are fewer
/// or more at or below `top` than `model` says of `root`; or the first
/// discardable attribute that more ops have. None where `model` leaves that
/// open. `numFacts` grows by the number of claims.
std::optional<OpDifference> compareWhole(const verifier::PayloadModel &model,
                                         verifier::NodeId root,
                                         mlir::Operation *top,
                                         uint64_t &numFacts);

} // namespace formwork::transforms

#endif // FORMWORK_TRANSFORMS_VALIDATE_WHOLEPAYLOAD_H
