//===- DimensionKinds.cpp - Breakage of what is tiled ---------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/lib/schedules/mutants/loops/DimensionKinds.h"

#include "test/lib/schedules/mutants/edits/TilingEdit.h"

using namespace mlir;
using namespace formwork::testing;
using transform::NamedSequenceOp;
using transform::TileUsingForallOp;
using transform::TileUsingForOp;

/// Tiles by `sizes` instead; the loop results of `tile` from `first` on become
/// those that are `by` further on, or the nearest there is.
static bool retile(TileUsingForOp tile, ArrayRef<int64_t> sizes, unsigned first,
                   int by) {
  unsigned numLoops = countLoops(sizes);
  SmallVector<Type> types = {tile->getResult(0).getType()};
  types.append(numLoops, tile->getResult(1).getType());
  Operation *made = insertTiling(tile, tile.getTarget(), "tile_using_for",
                                 listNumbers(sizes), types);
  if (!made)
    return false;
  for (auto [number, result] : llvm::enumerate(tile->getResults())) {
    int to = number == 0 ? 0 : number >= first ? int(number) + by : int(number);
    if (number != 0)
      to = std::clamp<int>(to, 1, numLoops);
    result.replaceAllUsesWith(made->getResult(to));
  }
  tile->erase();
  return true;
}

/// A tiling that `retile` can write anew: by sizes alone, in their order.
static Operation *pickSimple(NamedSequenceOp entry, Random &random,
                             unsigned atLeast) {
  Ops found = getTilings(entry, /*withForall=*/true);
  llvm::erase_if(found, [&](Operation *op) {
    auto tile = dyn_cast<TileUsingForOp>(op);
    return countLoops(getSizes(op)) < atLeast ||
           (tile && (!tile.getInterchange().empty() ||
                     llvm::is_contained(tile.getScalableSizes(), true) ||
                     !llvm::all_equal(tile.getLoops().getTypes())));
  });
  return pickStep(found, random);
}

/// Gives an scf.forall other sizes, and a mapping without entry `number`, or
/// with one more there.
static bool resizeForall(TileUsingForallOp tile, ArrayRef<int64_t> sizes,
                         unsigned number, bool drops, bool alsoMapping) {
  tile.setStaticTileSizes(sizes);
  if (alsoMapping && tile.getMapping() && !tile.getMapping()->empty()) {
    SmallVector<Attribute> mapping(tile.getMapping()->getValue());
    if (drops && number < mapping.size())
      mapping.erase(mapping.begin() + number);
    if (!drops)
      mapping.push_back(mapping.back());
    tile.setMappingAttr(ArrayAttr::get(tile.getContext(), mapping));
  }
  return true;
}

/// Lets one tiling have the sizes of another that makes as many loops: one
/// dimension is tiled twice then, and one never.
static bool repeatSizes(NamedSequenceOp entry, Random &random) {
  SmallVector<std::pair<TileUsingForOp, TileUsingForOp>> pairs;
  Ops tilings = getTilings(entry, /*withForall=*/false);
  for (Operation *to : tilings)
    for (Operation *from : tilings)
      if (getSizes(to) != getSizes(from) &&
          countLoops(getSizes(to)) == countLoops(getSizes(from)))
        pairs.push_back({cast<TileUsingForOp>(to), cast<TileUsingForOp>(from)});
  if (pairs.empty())
    return false;
  auto [to, from] = pairs[random.below(pairs.size())];
  to.setStaticSizes(from.getStaticSizes());
  to.setScalableSizes(from.getScalableSizes());
  return true;
}

bool formwork::testing::dropDimension(NamedSequenceOp entry, Random &random) {
  Operation *op = pickSimple(entry, random, /*atLeast=*/2);
  if (!op || random.chance(0.3))
    return repeatSizes(entry, random);
  Numbers sizes = getSizes(op);
  unsigned loop = random.below(countLoops(sizes)), seen = 0;
  for (int64_t &size : sizes)
    if (size != 0 && seen++ == loop)
      size = 0;
  if (auto forall = dyn_cast<TileUsingForallOp>(op))
    return resizeForall(forall, sizes, loop, /*drops=*/true,
                        random.chance(0.6));
  return retile(cast<TileUsingForOp>(op), sizes, loop + 1,
                random.chance(0.65) ? -1 : 0);
}

bool formwork::testing::addDimension(NamedSequenceOp entry, Random &random) {
  Operation *op = pickSimple(entry, random, /*atLeast=*/1);
  if (!op)
    return false;
  Numbers sizes = getSizes(op);
  // One that was left out, or the next, which may not be there.
  SmallVector<unsigned> free;
  for (auto [number, size] : llvm::enumerate(sizes))
    if (size == 0)
      free.push_back(number);
  if (free.empty() || random.chance(0.3)) {
    free = {static_cast<unsigned>(sizes.size())};
    sizes.push_back(0);
  }
  unsigned place = free[random.below(free.size())];
  sizes[place] = random.oneOf(ArrayRef<int64_t>{1, 2, 4, 4, 8});
  unsigned before = countLoops(ArrayRef(sizes).take_front(place));
  if (auto forall = dyn_cast<TileUsingForallOp>(op))
    return resizeForall(forall, sizes, before, /*drops=*/false,
                        random.chance(0.5));
  // Who forgets it has the handles of other loops than before.
  return retile(cast<TileUsingForOp>(op), sizes, before + 1,
                random.chance(0.65) ? 1 : 0);
}

bool formwork::testing::borrowSize(NamedSequenceOp entry, Random &random) {
  SmallVector<std::tuple<Operation *, StringRef, unsigned, int64_t>> found;
  for (Operation *op : getSteps(entry))
    for (StringRef name :
         {"static_sizes", "static_tile_sizes", "static_num_threads",
          "static_vector_sizes", "static_packed_sizes"})
      if (auto sizes = op->getAttrOfType<DenseI64ArrayAttr>(name))
        for (auto [number, size] : llvm::enumerate(sizes.asArrayRef()))
          if (size > 0)
            found.push_back({op, name, number, size});
  SmallVector<std::pair<unsigned, unsigned>> pairs;
  for (unsigned to = 0; to < found.size(); ++to)
    for (unsigned from = 0; from < found.size(); ++from)
      if (std::get<0>(found[to]) != std::get<0>(found[from]) &&
          std::get<3>(found[to]) != std::get<3>(found[from]))
        pairs.push_back({to, from});
  if (pairs.empty())
    return false;
  auto [to, from] = pairs[random.below(pairs.size())];
  auto [op, name, number, size] = found[to];
  Numbers sizes(op->getAttrOfType<DenseI64ArrayAttr>(name).asArrayRef());
  sizes[number] = std::get<3>(found[from]);
  op->setAttr(name, DenseI64ArrayAttr::get(entry.getContext(), sizes));
  return true;
}

bool formwork::testing::tileDeep(NamedSequenceOp entry, Random &random) {
  std::optional<Spot> spot = pickSpotToAppend(entry, random, isStructuredKind);
  if (!spot)
    return false;
  Numbers levels = {16, 8, 4, 2, 1};
  unsigned number = random.between(2, 3), start = random.below(3);
  levels = Numbers(ArrayRef(levels).slice(start, number));
  // The small one outside leaves nothing to tile for the other.
  if (random.chance(0.2))
    std::reverse(levels.begin(), levels.end());
  bool twoLoops = random.chance(0.4);
  StringRef more = twoLoops ? pickText(random, {", 4", ", 2", ", 8"}) : "";
  Value tiled = spot->handle;
  Values loops;
  Operation *first = nullptr, *last = nullptr;
  for (int64_t size : levels) {
    SmallVector<Type> types = {spot->handle.getType()};
    types.append(twoLoops ? 2 : 1,
                 transform::AnyOpType::get(entry.getContext()));
    last = insertTiling(spot->place, tiled, "tile_using_for",
                        Twine(size) + more, types);
    if (!last)
      return false;
    first = first ? first : last;
    tiled = last->getResult(0);
    llvm::append_range(loops, llvm::drop_begin(last->getResults()));
  }
  // Mostly the innermost op is gone on with; else that of the first level.
  Operation *end = spot->place;
  goOnWith(random.chance(0.8) ? last : first, spot->handle, 0.7, random);
  for (unsigned i = 0, e = random.between(0, 2); i < e; ++i) {
    StringRef step =
        pickText(random, {"transform.loop.unroll %h {factor = 2} : @",
                          "transform.loop.promote_if_one_iteration %h : @",
                          "%c = transform.loop.coalesce %h : (@) -> @",
                          "transform.apply_licm to %h : @",
                          "transform.annotate %h \"mutant.level\" : @"});
    Value loop = random.oneOf(ArrayRef<Value>(loops));
    insertText(end, loop, fillIn(step, '@', anyOp));
  }
  return true;
}

bool formwork::testing::tileReduction(NamedSequenceOp entry, Random &random) {
  Ops found;
  for (Operation *op : getSteps(entry))
    if (isa<transform::TileUsingForallOp, transform::TileUsingForOp>(op))
      found.push_back(op);
  Operation *op = pickStep(found, random);
  if (!op)
    return false;
  if (auto tile = dyn_cast<transform::TileUsingForallOp>(op)) {
    SmallVector<int64_t> sizes(tile.getStaticTileSizes());
    sizes.push_back(random.between(1, 4));
    tile.setStaticTileSizes(sizes);
    return true;
  }
  auto tile = cast<transform::TileUsingForOp>(op);
  SmallVector<int64_t> sizes(tile.getStaticSizes());
  SmallVector<bool> scalable(tile.getScalableSizes());
  sizes.push_back(random.between(0, 4));
  scalable.push_back(false);
  tile.setStaticSizes(sizes);
  tile.setScalableSizes(scalable);
  return true;
}

bool formwork::testing::twoParameters(NamedSequenceOp entry, Random &random) {
  SmallVector<std::pair<Operation *, Value>> found;
  for (Operation *op : getSteps(entry))
    if (isa<transform::TileUsingForOp, transform::TileUsingForallOp>(op))
      found.push_back({op, op->getOperand(0)});
  if (found.empty())
    return false;
  auto [op, handle] = found[random.below(found.size())];
  std::string type;
  llvm::raw_string_ostream(type) << handle.getType();
  std::string merged = random.chance(0.5) ? "%m = transform.merge_handles %a, "
                                            "%b : !transform.param<i64>\n"
                                          : "%m = transform.param.constant 2 : "
                                            "i64 -> !transform.param<i64>\n";
  Operation *tile = insertText(
      op, handle,
      "%a = transform.param.constant 2 : i64 -> !transform.param<i64>\n"
      "%b = transform.param.constant 4 : i64 -> !transform.param<i64>\n" +
          merged +
          "%t, %l = transform.structured.tile_using_for %h tile_sizes [%m] : "
          "(" +
          type +
          ", !transform.param<i64>) -> (!transform.any_op, !transform.any_op)");
  if (!tile)
    return false;
  // The tile takes the place of what it was made of.
  handle.replaceUsesWithIf(tile->getResult(0), [&](OpOperand &use) {
    return use.getOwner() == op &&
           use.get().getType() == tile->getResult(0).getType();
  });
  return true;
}

bool formwork::testing::badInterchange(NamedSequenceOp entry, Random &random) {
  auto tile = pickStep<transform::TileUsingForOp>(entry, random);
  if (!tile)
    return false;
  SmallVector<int64_t> order;
  unsigned size = random.between(1, 4);
  for (unsigned i = 0; i < size; ++i)
    order.push_back(random.chance(0.6) ? size - 1 - i : random.below(size));
  tile.setInterchange(order);
  return true;
}
