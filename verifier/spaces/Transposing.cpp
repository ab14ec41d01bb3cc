//===- Transposing.cpp - Dimensions in another order ----------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verifier/spaces/Transposing.h"

using namespace mlir;
using namespace formwork::verifier;

std::shared_ptr<IterationSpace>
formwork::verifier::interchange(const IterationSpace &space,
                                ArrayRef<unsigned> order) {
  auto result = std::make_shared<IterationSpace>(space);
  if (order.empty())
    return result;
  for (auto [to, from] : llvm::enumerate(order)) {
    result->loops[to] = space.loops[from];
    result->iterators[to] = space.iterators[from];
  }
  for (AffineMap &map : result->maps)
    map = map.compose(inversePermutation(
        AffineMap::getPermutationMap(order, map.getContext())));
  return result;
}

std::shared_ptr<IterationSpace> formwork::verifier::transposePacked(
    const IterationSpace &space, const PackFacts &pack, ArrayRef<int64_t> outer,
    ArrayRef<int64_t> inner) {
  auto result = std::make_shared<IterationSpace>(space);
  AffineMap &map = result->maps[pack.operand];
  SmallVector<AffineExpr> dims;
  for (unsigned i = 0; i < pack.rank; ++i)
    dims.push_back(map.getResult(outer.empty() ? i : outer[i]));
  for (unsigned i = 0; i < pack.numTiles; ++i)
    dims.push_back(map.getResult(pack.rank + (inner.empty() ? i : inner[i])));
  map = AffineMap::get(map.getNumDims(), map.getNumSymbols(), dims,
                       map.getContext());
  return result;
}
