//===- ResultSpaces.cpp - Loops that clauses state --------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tiled spaces and spaces in another order, of the integers that a step has.
// Layer: verifier.
//
//===----------------------------------------------------------------------===//

#include "verifier/clauses/ResultSpaces.h"
#include "verifier/spaces/Tiling.h"
#include "verifier/spaces/Transposing.h"

#include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;
using namespace formwork::normalforms;
using namespace formwork::verifier;

/// The tile that `numbers` make of `old`. Markers of dynamic sizes stand for
/// the operands that `term` names, of which parameters are known.
static std::shared_ptr<const IterationSpace>
getTile(const Step &step, const SpaceTerm &term, ArrayRef<int64_t> numbers,
        const IterationSpace &old, unsigned index) {
  unsigned firstSize = term.firstSize.value_or(step.op->getNumOperands());
  auto values = step.op->getOperands().drop_front(
      std::min(firstSize, step.op->getNumOperands()));
  size_t numOpen = llvm::count_if(numbers, ShapedType::isDynamic);
  if (numbers.size() > old.loops.size() || numOpen > values.size() ||
      llvm::any_of(numbers, [](int64_t number) {
        return number < 0 && !ShapedType::isDynamic(number);
      }))
    return nullptr;
  Sizes sizes = readSizes(getGivenSizes(numbers, values), [&](Value value) {
    return isa<transform::TransformParamTypeInterface>(value.getType())
               ? step.getParam(value, index)
               : Size();
  });
  TileSpec spec =
      readSpec(sizes, /*isNumThreads=*/false,
               [&](const Size &size) { return step.analysis.mayBeZero(size); });
  // One that is not known may be 0, too.
  if (spec.isOpen() || !spec.mayBeZero.empty())
    return nullptr;
  SmallVector<Extent> trips;
  std::shared_ptr<IterationSpace> tile =
      tileSpace(step.op, &old, spec, step.terms, trips);
  // The contract does not say what the step makes of a tile that is smaller.
  for (unsigned dim : spec.tiled)
    tile->loops[dim].reason.definite = false;
  return tile;
}

std::shared_ptr<const IterationSpace>
formwork::verifier::getResultSpace(const Step &step, const SpaceTerm &term,
                                   const IterationSpace &old, unsigned index) {
  if (term.kind == SpaceTerm::Same)
    return std::make_shared<IterationSpace>(old);
  std::optional<SmallVector<int64_t>> numbers = term.getNumbers(step.op);
  if (!numbers)
    return nullptr;
  if (term.kind == SpaceTerm::Tile)
    return getTile(step, term, *numbers, old, index);
  SmallVector<unsigned> order(numbers->begin(), numbers->end());
  llvm::SmallBitVector seen(old.loops.size());
  for (unsigned loop : order)
    if (loop < seen.size())
      seen.set(loop);
  bool isPermutation = order.size() == seen.size() && seen.all();
  return isPermutation ? interchange(old, order) : nullptr;
}
