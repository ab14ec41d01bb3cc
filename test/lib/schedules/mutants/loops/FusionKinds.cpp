//===- FusionKinds.cpp - Breakage by fusion or none -----------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/lib/schedules/mutants/loops/FusionKinds.h"

#include "test/lib/schedules/mutants/edits/OrderEdit.h"
#include "test/lib/schedules/mutants/edits/RecipeEdit.h"

using namespace mlir;
using namespace formwork::testing;
using transform::FuseIntoContainingOp;
using transform::NamedSequenceOp;
using transform::TileUsingForallOp;

/// The tiling that made `loop`, through fusions into it; null where another
/// step did.
static Operation *getTilingOf(Value loop, ArrayRef<Operation *> tilings) {
  Operation *made = loop.getDefiningOp();
  while (auto fuse = dyn_cast_or_null<FuseIntoContainingOp>(made))
    made = fuse.getContainingOp().getDefiningOp();
  return llvm::is_contained(tilings, made) ? made : nullptr;
}

bool formwork::testing::fusionAsTiling(NamedSequenceOp entry, Random &random) {
  Ops tilings = getUntypedTilings(entry);
  SmallVector<std::pair<FuseIntoContainingOp, Operation *>> found;
  for (Operation *step : getSteps(entry)) {
    auto fuse = dyn_cast<FuseIntoContainingOp>(step);
    Operation *tile =
        fuse ? getTilingOf(fuse.getContainingOp(), tilings) : nullptr;
    if (tile && isa<transform::AnyOpType>(fuse.getProducerOp().getType()) &&
        llvm::all_of(fuse->getResultTypes(),
                     llvm::IsaPred<transform::AnyOpType>))
      found.push_back({fuse, tile});
  }
  if (found.empty())
    return false;
  auto [fuse, tile] = found[random.below(found.size())];
  Value producer = fuse.getProducerOp();
  Numbers sizes = getSizes(tile);
  // The producer mostly lacks the loops of the reduction.
  if (unsigned rank = guessRank(producer);
      sizes.size() > rank && random.chance(0.85))
    sizes.truncate(rank);
  auto forall = dyn_cast<TileUsingForallOp>(tile);
  unsigned numLoops = forall ? 1 : countLoops(sizes);
  if (countLoops(sizes) == 0)
    return false;
  std::string flags;
  if (forall && forall.getMapping() && random.chance(0.7) &&
      countLoops(sizes) == forall.getMapping()->size())
    flags = getMappingText(tile);
  SmallVector<Type> types(numLoops + 1, producer.getType());
  Operation *apart = insertTiling(
      fuse, producer, forall ? "tile_using_forall" : "tile_using_for",
      listNumbers(sizes), types, flags);
  if (!apart)
    return false;
  // What comes next goes into the loop that there was, or into the new one.
  Value loop =
      random.chance(0.85) ? fuse.getContainingOp() : Value(apart->getResult(1));
  fuse.getFusedOp().replaceAllUsesWith(apart->getResult(0));
  fuse.getNewContainingOp().replaceAllUsesWith(loop);
  fuse->erase();
  return true;
}

bool formwork::testing::intoOtherLoop(NamedSequenceOp entry, Random &random) {
  SmallVector<std::pair<Operation *, Operation *>> pairs;
  Ops tilings = getUntypedTilings(entry);
  for (Operation *own : tilings)
    for (Operation *other : tilings)
      if (own->getBlock() == other->getBlock() && other->isBeforeInBlock(own) &&
          getOrigin(own->getOperand(0)) != getOrigin(other->getOperand(0)))
        pairs.push_back({own, other});
  if (pairs.empty())
    return false;
  auto [own, other] = pairs[random.below(pairs.size())];
  Value loop = other->getResult(random.between(1, other->getNumResults() - 1));
  Operation *fuse = insertFusion(own, own->getOperand(0), loop);
  if (!fuse)
    return false;
  own->getResult(0).replaceAllUsesWith(fuse->getResult(0));
  for (Value result : own->getResults().drop_front())
    result.replaceAllUsesWith(fuse->getResult(1));
  own->erase();
  if (random.chance(0.8))
    rebindToResult(fuse, loop, 1);
  return true;
}

bool formwork::testing::fusedInLoop(NamedSequenceOp entry, Random &random) {
  std::optional<Spot> spot = pickSpotOfMatch(entry, random);
  if (!spot)
    return false;
  Operation *place = spot->place;
  StringRef sizes = pickText(random, {"4", "8, 8", "4, 8", "0, 8", "16, 16"});
  unsigned numLoops = 1 + sizes.contains(',') - sizes.contains("0,");
  StringRef flags = pickText(random, {"", "", "{apply_cleanup}", "{use_forall}",
                                      "{apply_cleanup, use_forall}"});
  if (flags.contains("use_forall"))
    numLoops = 1;
  SmallVector<Type> types(numLoops + 1,
                          transform::AnyOpType::get(entry.getContext()));
  bool before = random.chance(0.35);
  Operation *producer =
      before ? insertProducer(place, spot->handle,
                              guessProduced(spot->handle, random))
             : nullptr;
  Operation *fuse =
      insertTiling(place, spot->handle, "fuse", sizes, types, flags);
  if (!fuse || (before && !producer))
    return false;
  Value part;
  if (producer) {
    // As it was known before: the copy in the loop is another op.
    part = producer->getResult(0);
  } else if (random.chance(0.3)) {
    Operation *made = insertProducer(place, fuse->getResult(0),
                                     guessProduced(spot->handle, random));
    part = made ? Value(made->getResult(0)) : Value();
  } else {
    StringRef kind =
        pickText(random, {"linalg.fill", "linalg.fill", "linalg.generic",
                          "linalg.matmul", "tensor.extract_slice"});
    part = insertMatch(place, fuse->getResult(random.between(1, numLoops)),
                       ("ops{[\"" + kind + "\"]}").str());
  }
  if (!part || !insertOneOf(place, part, random, opSteps))
    return false;
  return goOnWith(fuse, spot->handle, 0.85, random);
}
