//===- Operands.cpp - Which loops index an operand --------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads indexing maps. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#include "verifier/spaces/Operands.h"

using namespace mlir;
using namespace formwork::verifier;

IndexedOperands formwork::verifier::readIndexed(const IterationSpace &space) {
  IndexedOperands indexed;
  indexed.byLoop.resize(space.iterators.size());
  for (auto [operand, map] : llvm::enumerate(space.maps)) {
    if (operand >= 64)
      break;
    uint64_t bit = uint64_t(1) << operand;
    auto addDim = [&](AffineExpr part) {
      auto dim = dyn_cast<AffineDimExpr>(part);
      if (!dim)
        return;
      if (dim.getPosition() >= indexed.byLoop.size())
        indexed.byLoop.resize(dim.getPosition() + 1);
      indexed.byLoop[dim.getPosition()] |= bit;
      indexed.byAny |= bit;
    };
    for (AffineExpr result : map.getResults())
      result.walk(addDim);
  }
  return indexed;
}
