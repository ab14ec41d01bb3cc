//===- PartialKinds.cpp - Breakage of partial results ---------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/lib/schedules/mutants/steps/PartialKinds.h"

#include "test/lib/schedules/mutants/edits/RecipeEdit.h"

using namespace mlir;
using namespace formwork::testing;
using transform::NamedSequenceOp;

/// Steps on the parts of a tiled reduction: %h initializes, %h1 sums up in
/// parts, %h2 combines, and %h3 is the loop.
static constexpr StringRef partSteps[] = {
    "transform.structured.vectorize %h : @",
    "transform.structured.vectorize %h1 : @",
    "transform.structured.vectorize %h2 : @",
    "%x, %y = transform.structured.tile_using_for %h tile_sizes [4] : (@) -> "
    "(@, @)",
    "%x, %y = transform.structured.tile_using_for %h1 tile_sizes [2] : (@) -> "
    "(@, @)",
    "%x, %y = transform.structured.tile_using_for %h2 tile_sizes [4] : (@) -> "
    "(@, @)",
    "%x = transform.structured.generalize %h1 : (@) -> @",
    "%x = transform.structured.generalize %h : (@) -> @",
    "%x, %y = transform.structured.fuse_into_containing_op %h into %h3 : (@, "
    "@) -> (@, @)",
    "%x = transform.get_producer_of_operand %h2[0] : (@) -> @\n"
    "transform.annotate %x \"mutant.sum\" : @",
    "%x = transform.get_consumers_of_result %h3[0] : (@) -> @\n"
    "transform.annotate %x \"mutant.sum\" : @",
    "%x = transform.merge_handles %h, %h1, %h2 : @\n"
    "transform.structured.vectorize %x : @",
    "%x = transform.merge_handles %h, %h2 : @\n"
    "%y = transform.structured.generalize %x : (@) -> @",
    "transform.loop.unroll %h3 {factor = 2} : @",
    "transform.loop.promote_if_one_iteration %h3 : @",
    "%x = transform.loop.forall_to_for %h3 : (@) -> @",
    "transform.apply_licm to %h3 : @",
    "%x = transform.get_parent_op %h3 {isolated_from_above, deduplicate} : (@) "
    "-> @\ntransform.apply_cse to %x : @"};

bool formwork::testing::partialSums(NamedSequenceOp entry, Random &random) {
  std::optional<Spot> spot = pickSpotOfMatch(entry, random, isContractionKind);
  if (!spot)
    return false;
  // The last dimension is mostly the one that is summed up.
  unsigned rank = guessRank(spot->handle);
  Numbers sizes(rank, 0);
  sizes.back() = random.oneOf(ArrayRef<int64_t>{2, 4, 8, 16});
  if (random.chance(0.08))
    std::swap(sizes.front(), sizes.back());
  std::string list = "[" + listNumbers(sizes) + "]";
  std::string tiling =
      random.chance(0.7)
          ? "tile_reduction_using_for %h by tile_sizes = " + list
          : "tile_reduction_using_forall %h by num_threads = " + list +
                " tile_sizes = []";
  Operation *tile = insertSteps(spot->place, spot->handle,
                                "%f, %p, %c, %l = transform.structured." +
                                    tiling + " : (@) -> (@, @, @, @)");
  if (!tile)
    return false;
  for (unsigned i = 0, e = random.between(1, 3); i < e; ++i) {
    if (!insertSteps(spot->place, Values(tile->getResults()),
                     pickText(random, partSteps)))
      return false;
  }
  unsigned next = random.chance(0.5) ? 1 : 2;
  return goOnWith(tile, spot->handle, 0.85, random, next);
}

bool formwork::testing::reductionApart(NamedSequenceOp entry, Random &random) {
  Ops tilings = getUntypedTilings(entry);
  bool takesAny = random.chance(0.25);
  llvm::erase_if(tilings, [&](Operation *tile) {
    StringRef kind = guessKind(tile->getOperand(0));
    return !isContractionKind(kind) ||
           !(takesAny || kind.contains("mat") || kind.contains("reduce"));
  });
  Operation *tile = pickStep(tilings, random);
  if (!tile)
    return false;
  Numbers outer = getSizes(tile);
  Numbers inner(guessRank(tile->getOperand(0)), 0);
  inner.back() = random.oneOf(ArrayRef<int64_t>{4, 8, 16});
  // A size of the reduction moves from the one tiling to the other.
  bool moves = isa<transform::TileUsingForOp>(tile) &&
               outer.size() == inner.size() && outer.back() > 0 &&
               countLoops(outer) > 1;
  Operation *first = tile;
  if (moves) {
    std::swap(outer.back(), inner.back());
    outer.back() = 0;
    first = insertLoops(tile, tile->getOperand(0), "tile_using_for",
                        listNumbers(outer), countLoops(outer));
    if (!first)
      return false;
  }
  Operation *parts = insertSteps(
      first->getNextNode(), first->getResult(0),
      "%f, %p, %c, %l = transform.structured.tile_reduction_using_for %h by "
      "tile_sizes = [" +
          listNumbers(inner) + "] : (@) -> (@, @, @, @)");
  if (!parts)
    return false;
  // Most go on with the op that sums up to parts; some keep the old handle.
  unsigned next = random.chance(0.7) ? 1 : random.below(3);
  if (!moves)
    return goOnWith(parts, tile->getResult(0), 0.8, random, next);
  tile->getResult(0).replaceAllUsesWith(parts->getResult(next));
  for (auto [i, loop] : llvm::enumerate(tile->getResults().drop_front()))
    loop.replaceAllUsesWith(i + 1 < first->getNumResults()
                                ? first->getResult(i + 1)
                                : parts->getResult(3));
  tile->erase();
  return true;
}
