//===- TripKinds.cpp - Breakage by levels and trips -----------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/lib/schedules/mutants/loops/TripKinds.h"

#include "test/lib/schedules/mutants/edits/RecipeEdit.h"

#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"

using namespace mlir;
using namespace formwork::testing;
using transform::NamedSequenceOp;

bool formwork::testing::oneByOne(NamedSequenceOp entry, Random &random) {
  Ops found = getUntypedTilings(entry);
  llvm::erase_if(found, [](Operation *step) {
    return !isa<transform::TileUsingForOp>(step) ||
           countLoops(getSizes(step)) < 2;
  });
  // A parallel level may be done by loops just as well.
  if (found.empty()) {
    found = getUntypedTilings(entry);
    llvm::erase_if(found, [](Operation *step) {
      auto forall = dyn_cast<transform::TileUsingForallOp>(step);
      return !forall || forall.getMapping() || countLoops(getSizes(step)) < 2;
    });
  }
  Operation *tile = pickStep(found, random);
  if (!tile)
    return false;
  Numbers sizes = getSizes(tile);
  SmallVector<unsigned> dimensions;
  for (auto [dimension, size] : llvm::enumerate(sizes))
    if (size != 0)
      dimensions.push_back(dimension);
  for (unsigned i = dimensions.size() - 1; i > 0; --i)
    std::swap(dimensions[i], dimensions[random.below(i + 1)]);
  bool isFor = isa<transform::TileUsingForOp>(tile);
  Value handle = tile->getOperand(0);
  Values loops(sizes.size());
  for (unsigned dimension : dimensions) {
    Numbers one(dimension + 1, 0);
    one[dimension] = sizes[dimension];
    Operation *step = insertLoops(
        tile, handle, isFor ? "tile_using_for" : "tile_using_forall",
        listNumbers(one));
    if (!step)
      return false;
    // Seldom, one goes on with what has been tiled already.
    if (!random.chance(0.07))
      handle = step->getResult(0);
    loops[dimension] = step->getResult(1);
  }
  llvm::erase(loops, Value());
  tile->getResult(0).replaceAllUsesWith(handle);
  // A parallel loop had all the dimensions; the outermost comes closest.
  for (auto [i, result] : llvm::enumerate(tile->getResults().drop_front()))
    result.replaceAllUsesWith(loops[i]);
  tile->erase();
  return true;
}

bool formwork::testing::oneTrip(NamedSequenceOp entry, Random &random) {
  Operation *tile = pickStep(getUntypedTilings(entry), random);
  if (!tile)
    return false;
  Numbers sizes = getSizes(tile);
  SmallVector<unsigned> dimensions = getTiledDimensions(sizes);
  if (dimensions.empty())
    return false;
  bool all = dimensions.size() == 1 || random.chance(0.4);
  unsigned chosen = random.oneOf(ArrayRef(dimensions));
  // Mostly beyond each extent, or what many payloads have.
  int64_t size = random.oneOf(ArrayRef<int64_t>{64, 128, 1024, 4096, 65536});
  for (unsigned dimension : dimensions)
    if (all || dimension == chosen)
      sizes[dimension] = size;
  if (sizes == getSizes(tile))
    return false;
  unsigned loop = 1;
  setSizes(tile, sizes);
  if (isa<transform::TileUsingForOp>(tile))
    loop += llvm::find(dimensions, chosen) - dimensions.begin();
  if (random.chance(0.25))
    return true;
  Operation *place = random.chance(0.6) ? tile->getNextNode()
                                        : tile->getBlock()->getTerminator();
  StringRef step = pickText(
      random,
      {"transform.loop.promote_if_one_iteration %h : @",
       "transform.loop.promote_if_one_iteration %h : @",
       "%f = transform.get_parent_op %h {isolated_from_above, deduplicate} : "
       "(@) -> @\ntransform.apply_patterns to %f {\n"
       "transform.apply_patterns.scf.for_loop_canonicalization\n"
       "transform.apply_patterns.canonicalization\n} : @",
       "%f = transform.get_parent_op %h {isolated_from_above, deduplicate} : "
       "(@) -> @\ntransform.apply_patterns to %f {\n"
       "transform.apply_patterns.canonicalization\n} : @\n"
       "transform.annotate %h \"mutant.once\" : @"});
  if (!insertSteps(place, tile->getResult(loop), step))
    return false;
  if (random.chance(0.4))
    return insertOneOf(place, tile->getResult(0), random, opSteps);
  return true;
}

bool formwork::testing::warpLevel(NamedSequenceOp entry, Random &random) {
  SmallVector<transform::TileUsingForallOp> blocks;
  for (Operation *step : getUntypedTilings(entry))
    if (auto tile = dyn_cast<transform::TileUsingForallOp>(step))
      if (countLoops(getSizes(step)) != 0)
        blocks.push_back(tile);
  if (blocks.empty())
    return false;
  auto block = blocks[random.below(blocks.size())];
  Numbers sizes = getSizes(block);
  static constexpr StringRef units[] = {"#gpu.warp<x>", "#gpu.warp<y>",
                                        "#gpu.warp<z>"};
  SmallVector<StringRef> mapping;
  bool isSparse = random.chance(0.4);
  for (int64_t &size : llvm::reverse(sizes)) {
    if (size <= 0)
      continue;
    // Half of the block's tile, or less; or only one dimension is split.
    bool keeps =
        mapping.size() == 3 || (isSparse && !mapping.empty()) || size == 1;
    size = keeps ? 0 : std::max<int64_t>(1, size / random.between(2, 4));
    if (!keeps)
      mapping.push_back(units[mapping.size()]);
  }
  if (mapping.empty())
    return false;
  std::reverse(mapping.begin(), mapping.end());
  std::string flags;
  if (!random.chance(0.15))
    flags = "(mapping = [" + llvm::join(mapping, ", ") + "])";
  // Mostly behind the fusions into the blocks, which read the loop.
  Operation *place = block->getNextNode();
  while (random.chance(0.8) && isa<transform::FuseIntoContainingOp>(place))
    place = place->getNextNode();
  Value tile = block->getResult(0);
  SmallVector<Type> types(2, tile.getType());
  Operation *warps = insertTiling(place, tile, "tile_using_forall",
                                  listNumbers(sizes), types, flags);
  if (!warps)
    return false;
  if (random.chance(0.4)) {
    Operation *producer =
        insertProducer(place, tile, guessProduced(tile, random));
    if (!producer)
      return false;
    producer->moveBefore(warps);
    if (!insertFusion(place, producer->getResult(0), warps->getResult(1)))
      return false;
  }
  return goOnWith(warps, tile, 0.9, random);
}

/// Steps on a loop, of which some hand it on as `%x`.
static constexpr StringRef stepsInRow[] = {
    "transform.loop.unroll %h {factor = 2} : @",
    "transform.loop.unroll %h {factor = 4} : @",
    "%x = transform.loop.coalesce %h : (@) -> @",
    "%x, %y = transform.loop.peel %h : (@) -> (@, @)",
    "%x, %y = transform.loop.peel %h {peel_front = true} : (@) -> (@, @)",
    "transform.apply_licm to %h : @",
    "transform.loop.hoist_loop_invariant_subsets %h : @",
    "%x, %y = transform.loop.outline %h {func_name = \"mutant_row\"} : (@) -> "
    "(@, @)",
    "%x = transform.loop.pipeline %h : (@) -> @",
    "transform.loop.promote_if_one_iteration %h : @",
    "transform.apply_cse to %h : @",
    "transform.annotate %h \"mutant.row\" : @"};

bool formwork::testing::loopStepsInRow(NamedSequenceOp entry, Random &random) {
  std::optional<Spot> spot = pickRecipeSpot(entry, random);
  if (!spot)
    return false;
  Operation *tile =
      insertLoops(spot->place, spot->handle, "tile_using_for",
                  pickText(random, {"4", "8", "2", "0, 4", "16"}));
  if (!tile)
    return false;
  Value loop = tile->getResult(1);
  for (unsigned i = 0, e = random.between(2, 3); i < e; ++i) {
    Operation *step = insertOneOf(spot->place, loop, random, stepsInRow);
    if (!step)
      return false;
    // The new loop, or the handle that there was.
    if (step->getNumResults() != 0 && random.chance(0.8))
      loop = step->getResult(0);
  }
  return goOnWith(tile, spot->handle, 0.6, random);
}
