//===- VersionKinds.cpp - Breakage by versions ----------------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/lib/schedules/mutants/order/VersionKinds.h"

#include "test/lib/schedules/mutants/edits/RecipeEdit.h"
#include "test/lib/schedules/mutants/edits/RegionEdit.h"

#include "mlir/IR/IRMapping.h"

#include <numeric>

using namespace mlir;
using namespace formwork::testing;
using transform::NamedSequenceOp;

/// The array of numbers that `step` tiles by, or null.
static DenseI64ArrayAttr getSizesOf(Operation *step, StringRef &name) {
  for (StringRef each : {"static_sizes", "static_tile_sizes", "tile_sizes"})
    if (auto sizes = step->getAttrOfType<DenseI64ArrayAttr>(each)) {
      name = each;
      return sizes;
    }
  return DenseI64ArrayAttr();
}

bool formwork::testing::bothVersions(NamedSequenceOp entry, Random &random) {
  Ops run = pickRun(entry, random, 4);
  StringRef name;
  auto isTiling = [&](Operation *step) {
    DenseI64ArrayAttr sizes = getSizesOf(step, name);
    return sizes && !sizes.empty();
  };
  if (run.empty() || llvm::none_of(run, isTiling))
    return false;
  // The second version takes its operands from the result of the first one.
  bool follows = random.chance(0.8);
  IRMapping mapping;
  if (follows)
    for (Operation *step : run)
      for (Value value : step->getOperands())
        if (consumes(step, value) && step->getNumResults() != 0 &&
            step->getResult(0).getType() == value.getType())
          for (Value result = step->getResult(0); result;) {
            // The last of the version, where it goes on with its own.
            mapping.map(value, result);
            auto user = llvm::find_if(run, [&](Operation *other) {
              return consumes(other, result) && other->getNumResults() != 0 &&
                     other->getResult(0).getType() == result.getType();
            });
            result = user == run.end() ? Value() : (*user)->getResult(0);
          }
  bool halves = random.chance(0.5);
  OpBuilder builder(run.back()->getNextNode());
  Ops copies;
  // Within the second version, names are those of the second.
  for (Operation *step : run) {
    Operation *copy = builder.clone(*step, mapping);
    copies.push_back(copy);
    if (!isTiling(copy))
      continue;
    Numbers sizes(getSizesOf(copy, name).asArrayRef());
    for (int64_t &size : sizes)
      if (!ShapedType::isDynamic(size))
        size = halves ? (size + 1) / 2 : 2 * size;
    copy->setAttr(name, builder.getDenseI64ArrayAttr(sizes));
  }
  if (random.chance(0.75))
    for (auto [step, copy] : llvm::zip_equal(run, copies))
      for (auto [old, made] :
           llvm::zip_equal(step->getResults(), copy->getResults()))
        rebindBehind(copies.back(), old, made);
  return true;
}

/// `sizes` in another order; the array may get longer.
static Numbers permute(Numbers sizes, unsigned manner) {
  if (sizes.size() < 2)
    sizes.resize(2, 0);
  switch (manner) {
  case 0:
    std::reverse(sizes.begin(), sizes.end());
    break;
  case 1:
    std::rotate(sizes.begin(), sizes.begin() + 1, sizes.end());
    break;
  case 2:
    std::swap(sizes[0], sizes[1]);
    break;
  default:
    std::swap(sizes[sizes.size() - 2], sizes.back());
  }
  return sizes;
}

bool formwork::testing::permuteDimensions(NamedSequenceOp entry,
                                          Random &random) {
  unsigned manner = random.below(4);
  bool all = random.chance(0.7), changed = false;
  Builder builder(entry.getContext());
  for (Operation *step : getSteps(entry)) {
    StringRef name;
    DenseI64ArrayAttr sizes = getSizesOf(step, name);
    if (!sizes || sizes.empty() || (!all && random.chance(0.4)))
      continue;
    Numbers permuted = permute(Numbers(sizes.asArrayRef()), manner);
    changed |= ArrayRef(permuted) != sizes.asArrayRef();
    step->setAttr(name, builder.getDenseI64ArrayAttr(permuted));
    if (auto scalable =
            step->getAttrOfType<DenseBoolArrayAttr>("scalable_sizes")) {
      SmallVector<bool> flags(scalable.asArrayRef());
      flags.resize(permuted.size(), false);
      step->setAttr("scalable_sizes", builder.getDenseBoolArrayAttr(flags));
    }
  }
  return changed;
}

bool formwork::testing::reorderIterators(NamedSequenceOp entry,
                                         Random &random) {
  std::optional<Spot> spot = pickSpotOfMatch(entry, random);
  if (!spot)
    return false;
  Operation *place = spot->place;
  unsigned rank = guessRank(spot->handle);
  if (random.chance(0.1))
    ++rank;
  Numbers order(rank);
  std::iota(order.begin(), order.end(), 0);
  order = permute(order, random.below(4));
  StringRef sizes = pickText(random, {"8", "4, 8", "0, 4", "2, 4"});
  unsigned numLoops = 1 + sizes.contains(',') - sizes.contains('0');
  bool tilesFirst = random.chance(0.35);
  Value op = spot->handle;
  Operation *tile = nullptr;
  auto insertNest = [&] {
    tile = insertLoops(place, op, "tile_using_for", sizes, numLoops);
    if (tile)
      op = tile->getResult(0);
    return tile;
  };
  if (tilesFirst && !insertNest())
    return false;
  if (random.chance(0.9)) {
    Operation *generalize = insertSteps(
        place, op, "%g = transform.structured.generalize %h : (@) -> @");
    if (!generalize)
      return false;
    op = generalize->getResult(0);
  }
  Operation *interchange = insertSteps(
      place, op,
      "%i = transform.structured.interchange %h iterator_interchange = [" +
          listNumbers(order) + "] : (@) -> @");
  if (!interchange)
    return false;
  // The handle from before is dead then.
  if (random.chance(0.9))
    op = interchange->getResult(0);
  if (!tilesFirst && !insertNest())
    return false;
  if (random.chance(0.25) &&
      !insertOneOf(place, tile->getResult(random.between(1, numLoops)), random,
                   loopSteps))
    return false;
  if (random.chance(0.15) && !insertOneOf(place, op, random, opSteps))
    return false;
  Operation *last = tilesFirst ? interchange : tile;
  return goOnWith(last, spot->handle, 0.92, random);
}
