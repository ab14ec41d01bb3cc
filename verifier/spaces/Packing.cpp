//===- Packing.cpp - Operands in tiles ------------------------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verifier/spaces/Packing.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

bool formwork::verifier::canPack(const IterationSpace &space) {
  bool hasZeros = llvm::all_of(space.elementTypes, [](Type type) {
    return getElementTypeOrSelf(type).isIntOrIndexOrFloat();
  });
  auto readsOnce = [&](AffineMap map) {
    return llvm::all_of(llvm::seq<unsigned>(map.getNumDims()), [&](unsigned i) {
      return llvm::count_if(map.getResults(), [&](AffineExpr expr) {
               return expr.isFunctionOfDim(i);
             }) <= 1;
    });
  };
  return hasZeros && llvm::all_of(space.maps, readsOnce);
}

unsigned formwork::verifier::countTiles(AffineMap map,
                                        ArrayRef<int64_t> sizes) {
  unsigned tiles = 0;
  for (auto [dim, size] : llvm::enumerate(sizes))
    tiles += size != 0 && map.isFunctionOfDim(dim);
  return tiles;
}
