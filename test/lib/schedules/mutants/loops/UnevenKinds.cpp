//===- UnevenKinds.cpp - Breakage by what does not divide -----------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/lib/schedules/mutants/loops/UnevenKinds.h"

#include "test/lib/schedules/mutants/edits/RecipeEdit.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace formwork::testing;
using transform::NamedSequenceOp;

bool formwork::testing::remainderApart(NamedSequenceOp entry, Random &random) {
  Operation *tile = pickStep(getUntypedTilings(entry), random);
  if (!tile)
    return false;
  Numbers sizes = getSizes(tile);
  SmallVector<unsigned> dimensions = getTiledDimensions(sizes);
  if (dimensions.empty())
    return false;
  unsigned dimension = random.oneOf(ArrayRef(dimensions));
  // Mostly some whole tiles, which may be more than there are.
  int64_t at = sizes[dimension] * random.between(1, 4);
  if (random.chance(0.2))
    at += 1;
  Operation *parts = insertSteps(
      tile, tile->getOperand(0),
      "%s = transform.structured.split %h after " + std::to_string(at) +
          " {dimension = " + std::to_string(dimension) +
          "} : @\n%a, %b = transform.split_handle %s : (@) -> (@, @)");
  if (!parts)
    return false;
  Value main = parts->getResult(0), rest = parts->getResult(1);
  if (random.chance(0.1))
    std::swap(main, rest);
  tile->setOperand(0, main);
  Operation *place = random.chance(0.6) ? tile->getNextNode()
                                        : tile->getBlock()->getTerminator();
  if (random.chance(0.2))
    return true;
  if (random.chance(0.45))
    return insertOneOf(place, rest, random, opSteps);
  IRMapping mapping;
  mapping.map(main, rest);
  Operation *copy = OpBuilder(place).clone(*tile, mapping);
  if (random.chance(0.5))
    return true;
  // The rest is for both.
  for (auto [one, two] :
       llvm::zip_equal(tile->getResults(), copy->getResults())) {
    Operation *merge = insertSteps(copy->getNextNode(), {one, two},
                                   "%m = transform.merge_handles %h, %h1 : @");
    rebindBehind(merge, one, merge->getResult(0));
  }
  return true;
}

bool formwork::testing::boundsOfTile(NamedSequenceOp entry, Random &random) {
  std::optional<Spot> spot = pickRecipeSpot(entry, random);
  if (!spot)
    return false;
  Operation *place = spot->place;
  StringRef sizes = pickText(random, {"5", "7", "0, 3", "6", "4"});
  Operation *tile =
      insertLoops(place, spot->handle,
                  pickText(random, {"tile_using_for", "tile_using_for",
                                    "tile_using_forall"}),
                  sizes);
  if (!tile)
    return false;
  Value loop = tile->getResult(1);
  if (random.chance(0.35)) {
    // The loop without its last step needs no bounds.
    Operation *peel = insertSteps(
        place, loop, "%p, %r = transform.loop.peel %h : (@) -> (@, @)");
    if (!peel)
      return false;
    if (random.chance(0.8))
      loop = peel->getResult(0);
  }
  StringRef kinds = pickText(
      random, {"ops{[\"affine.min\"]}", "ops{[\"affine.min\", \"affine.max\"]}",
               "ops{[\"affine.min\", \"affine.apply\"]}"});
  Value bounds = insertMatch(place, loop, kinds);
  if (!bounds ||
      (random.chance(0.3) &&
       !insertCleanUp(place, random.chance(0.5) ? bounds : tile->getResult(0),
                      random)))
    return false;
  StringRef next = pickText(
      random,
      {"transform.affine.simplify_min_max_affine_ops %h : @",
       "transform.affine.simplify_bounded_affine_ops %h with [] within [] and "
       "[] : @",
       "transform.foreach %h : @ {\n^bb0(%x: @):\n"
       "%c = transform.get_consumers_of_result %x[0] : (@) -> @\n"
       "transform.annotate %c \"mutant.bounded\" : @\n}",
       "%a, %b = transform.split_handle %h {fail_on_payload_too_small = false} "
       ": (@) -> (@, @)\ntransform.annotate %a \"mutant.bound\" : @",
       "transform.annotate %h \"mutant.bound\" : @"});
  if (!insertSteps(place, bounds, next))
    return false;
  if (random.chance(0.15))
    insertUse(place, bounds);
  if (random.chance(0.5) &&
      !insertOneOf(place, tile->getResult(0), random, opSteps))
    return false;
  return goOnWith(tile, spot->handle, 0.85, random);
}

bool formwork::testing::oddSizes(NamedSequenceOp entry, Random &random) {
  unsigned manner = random.below(4);
  auto makeOdd = [&](int64_t size) -> int64_t {
    if (ShapedType::isDynamic(size) || size < 2)
      return size;
    switch (manner) {
    case 0:
      return size + 1;
    case 1:
      return size - 1;
    case 2:
      return size + size / 2;
    default:
      return size / 2 * 2 - 1;
    }
  };
  bool changed = false;
  for (Operation *step : getSteps(entry)) {
    Numbers sizes;
    auto tile = dyn_cast<transform::TileUsingForOp>(step);
    auto forall = dyn_cast<transform::TileUsingForallOp>(step);
    if (!tile && !forall)
      continue;
    for (int64_t size : getSizes(step)) {
      sizes.push_back(makeOdd(size));
      changed |= sizes.back() != size;
    }
    if (tile)
      tile.setStaticSizes(sizes);
    else
      forall.setStaticTileSizes(sizes);
  }
  return changed;
}
