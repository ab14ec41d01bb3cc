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
using transform::FuseOp;
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

/// A fusion, and the tiling that made the loop it goes into.
using TiledFusion = std::pair<FuseIntoContainingOp, Operation *>;

/// The fusions into the loops of tilings, with handles to any ops.
static SmallVector<TiledFusion> getTiledFusions(NamedSequenceOp entry) {
  Ops tilings = getUntypedTilings(entry);
  SmallVector<TiledFusion> found;
  for (Operation *step : getSteps(entry)) {
    auto fuse = dyn_cast<FuseIntoContainingOp>(step);
    Operation *tile =
        fuse ? getTilingOf(fuse.getContainingOp(), tilings) : nullptr;
    if (tile && isa<transform::AnyOpType>(fuse.getProducerOp().getType()) &&
        llvm::all_of(fuse->getResultTypes(),
                     llvm::IsaPred<transform::AnyOpType>))
      found.push_back({fuse, tile});
  }
  return found;
}

bool formwork::testing::fusionAsTiling(NamedSequenceOp entry, Random &random) {
  SmallVector<TiledFusion> found = getTiledFusions(entry);
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

/// The fusions into the loop that one tiling made, in their order, and that
/// tiling. Those that stand in another block are not among them.
static std::pair<SmallVector<FuseIntoContainingOp>, Operation *>
pickFusionsOfTiling(NamedSequenceOp entry, Random &random) {
  SmallVector<TiledFusion> found = getTiledFusions(entry);
  SmallVector<FuseIntoContainingOp> fusions;
  if (found.empty())
    return {fusions, nullptr};
  Operation *tiling = found[random.below(found.size())].second;
  for (auto [fuse, tile] : found)
    if (tile == tiling && fuse->getBlock() == tiling->getBlock())
      fusions.push_back(fuse);
  return {fusions, tiling};
}

/// Writes a tiling that fuses all producers out as a tiling, and the fusion of
/// one of them.
static bool writeOutFusion(NamedSequenceOp entry, Random &random) {
  auto fuse = pickStep<FuseOp>(entry, random, isPlainFusion);
  if (!fuse)
    return false;
  Value target = fuse.getTarget();
  Operation *producer =
      insertProducer(fuse, target, guessProduced(target, random));
  Operation *tile = insertPlainTiling(fuse);
  Operation *next =
      producer && tile
          ? insertFusion(fuse, producer->getResult(0), tile->getResult(1))
          : nullptr;
  if (!next)
    return false;
  // The step for the producer may read the wrong one of the two.
  if (random.chance(0.4) &&
      !insertOneOf(fuse,
                   random.chance(0.7) ? next->getResult(0)
                                      : producer->getResult(0),
                   random, opSteps))
    return false;
  return replaceStep(fuse, tile);
}

bool formwork::testing::fuseInSteps(NamedSequenceOp entry, Random &random) {
  auto [fusions, tile] = pickFusionsOfTiling(entry, random);
  if (fusions.empty())
    return writeOutFusion(entry, random);
  bool isForall = isa<TileUsingForallOp>(tile);
  StringRef flags = isForall ? pickText(random, {"{use_forall}", "{use_forall}",
                                                 "{use_forall, apply_cleanup}"})
                             : pickText(random, {"", "{apply_cleanup}"});
  Operation *fused =
      insertTiling(tile, tile->getOperand(0), "fuse",
                   listNumbers(getSizes(tile)), tile->getResultTypes(), flags);
  if (!replaceStep(tile, fused))
    return false;
  // The producers are in the loop by now. Most authors match them there.
  Value loop = fused->getResult(1);
  for (FuseIntoContainingOp fuse : fusions) {
    Value producer = fuse.getProducerOp();
    StringRef kind = guessKind(producer);
    if (!fuse.getFusedOp().use_empty() && random.chance(0.8)) {
      producer = insertMatch(fuse, loop,
                             kind.empty() ? "interface{LinalgOp}"
                                          : ("ops{[\"" + kind + "\"]}").str());
      if (!producer)
        return false;
    }
    fuse.getFusedOp().replaceAllUsesWith(producer);
    fuse.getNewContainingOp().replaceAllUsesWith(loop);
    fuse->erase();
  }
  return true;
}

/// Inserts a loop that fuses each of `producers` into `loop`, and a split of
/// the fused ops. Each turn reads `loop`, or looks for the loop around `tile`.
static Operation *insertFusionOfEach(Operation *place, Values producers,
                                     Value loop, Value tile, bool looks) {
  std::string list, types, parts;
  for (unsigned i = 0, e = producers.size(); i < e; ++i) {
    list += i ? ", %h" + std::to_string(i) : "%h";
    types += i ? ", @" : "@";
    parts += (i ? ", %p" : "%p") + std::to_string(i);
  }
  std::string last = "%h" + std::to_string(producers.size());
  std::string body = looks ? "%c = transform.get_parent_op " + last +
                                 " {op_name = \"" + guessKind(loop).str() +
                                 "\"} : (@) -> @\n"
                           : "";
  body += "%a, %b = transform.structured.fuse_into_containing_op %x into " +
          (looks ? "%c" : last) +
          " : (@, @) -> (@, @)\ntransform.yield %a, %b : @, @\n";
  Values handles = producers;
  handles.push_back(looks ? tile : loop);
  return insertSteps(
      place, handles,
      "%m = transform.merge_handles " + list +
          " : @\n%f, %n = transform.foreach %m : @ -> @, @ {\n^bb0(%x: @):\n" +
          body + "}\n" + parts + " = transform.split_handle %f : (@) -> (" +
          types + ")");
}

/// Tiles an op, and fuses one or two of its producers in a loop over them.
static bool fuseEachIntoNewLoop(NamedSequenceOp entry, Random &random) {
  std::optional<Spot> spot = pickSpotOfMatch(entry, random, isContractionKind);
  if (!spot)
    return false;
  Values producers;
  unsigned first = guessProduced(spot->handle, random);
  for (unsigned i = 0, e = random.between(1, 2); i < e; ++i) {
    Operation *producer =
        insertProducer(spot->place, spot->handle, (first + i) % 3);
    if (!producer)
      return false;
    producers.push_back(producer->getResult(0));
  }
  Operation *tile =
      insertLoops(spot->place, spot->handle,
                  pickText(random, {"tile_using_forall", "tile_using_for"}),
                  pickText(random, {"4", "8", "0, 4"}));
  return tile &&
         insertFusionOfEach(spot->place, producers, tile->getResult(1),
                            tile->getResult(0), /*looks=*/random.chance(0.5)) &&
         goOnWith(tile, spot->handle, 0.9, random);
}

bool formwork::testing::fuseEachProducer(NamedSequenceOp entry,
                                         Random &random) {
  auto [fusions, tile] = pickFusionsOfTiling(entry, random);
  if (fusions.empty())
    return fuseEachIntoNewLoop(entry, random);
  Operation *place = fusions.front();
  Values producers;
  for (FuseIntoContainingOp fuse : fusions) {
    Operation *made = fuse.getProducerOp().getDefiningOp();
    // A producer that is found on the way stays a step of its own.
    if (made && made->getBlock() == place->getBlock() &&
        !made->isBeforeInBlock(place))
      break;
    producers.push_back(fuse.getProducerOp());
  }
  fusions.truncate(producers.size());
  // A single producer mostly gets company: the producer of another operand.
  if (producers.size() == 1 && random.chance(0.6)) {
    Operation *other =
        insertProducer(place, tile->getResult(0), random.below(2));
    if (!other)
      return false;
    producers.push_back(other->getResult(0));
  }
  bool looks = random.chance(0.35);
  Operation *split =
      insertFusionOfEach(place, producers, fusions.front().getContainingOp(),
                         tile->getResult(0), looks);
  if (!split)
    return false;
  // Behind the loop, its new handle holds one loop for each turn.
  Value loop = looks && random.chance(0.7)
                   ? Value(tile->getResult(1))
                   : split->getOperand(0).getDefiningOp()->getResult(1);
  for (auto [i, fuse] : llvm::enumerate(fusions)) {
    fuse.getFusedOp().replaceAllUsesWith(split->getResult(i));
    fuse.getNewContainingOp().replaceAllUsesWith(loop);
    fuse->erase();
  }
  return true;
}
