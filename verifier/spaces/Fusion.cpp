//===- Fusion.cpp - Iteration spaces under fusion ---------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Cuts the loops of a producer to what a consumer reads. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#include "verifier/spaces/Fusion.h"

using namespace mlir;
using namespace formwork::verifier;

std::shared_ptr<IterationSpace>
formwork::verifier::fuseSpace(const IterationSpace &producer,
                              const IterationSpace &consumer,
                              unsigned operand) {
  if (operand >= consumer.maps.size() ||
      producer.maps.size() < producer.numInits || producer.numInits != 1)
    return nullptr;
  AffineMap read = consumer.maps[operand];
  AffineMap written = producer.maps.back();
  if (read.getNumResults() != written.getNumResults())
    return nullptr;
  auto space = std::make_shared<IterationSpace>(producer);
  for (auto [from, to] : llvm::zip(read.getResults(), written.getResults())) {
    auto readDim = dyn_cast<AffineDimExpr>(from);
    auto writtenDim = dyn_cast<AffineDimExpr>(to);
    if (!readDim || !writtenDim)
      return nullptr;
    space->loops[writtenDim.getPosition()] =
        consumer.loops[readDim.getPosition()];
  }
  return space;
}
