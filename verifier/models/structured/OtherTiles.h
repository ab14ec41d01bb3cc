//===- OtherTiles.h - Tiles of ops that are not structured ------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Ops that can be tiled, but of which the payload model has no iteration space,
// such as a softmax or a packing: what tiling does to them is tried on a copy.
// Layer: verifier.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_MODELS_STRUCTURED_OTHERTILES_H
#define FORMWORK_VERIFIER_MODELS_STRUCTURED_OTHERTILES_H

#include "verifier/step/Step.h"

namespace formwork::verifier {

/// Tries the step, which tiles, on a copy of `target`, and leaves it unproved
/// where that fails or nothing can be tried. Returns the loops of a softmax or
/// a packing whose types are known, else null. Those of a packing have no maps:
/// they do not index the elements of a tile. No other model follows them.
std::shared_ptr<IterationSpace> readOtherLoops(const Step &step, NodeId target);

/// Says of `tile`, which the step made of `target`, what the copy showed: its
/// kind, and the types of its operands, by which the next step can be tried.
void describeOtherTile(const Step &step, NodeId target, NodeId tile);

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_MODELS_STRUCTURED_OTHERTILES_H
