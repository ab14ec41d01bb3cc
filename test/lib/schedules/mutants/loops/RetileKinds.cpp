//===- RetileKinds.cpp - Breakage of how loops are made -------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/lib/schedules/mutants/loops/RetileKinds.h"

#include "test/lib/schedules/mutants/edits/TilingEdit.h"

#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"

using namespace mlir;
using namespace formwork::testing;
using transform::NamedSequenceOp;
using transform::TileUsingForallOp;
using transform::TileUsingForOp;

bool formwork::testing::swapTilings(NamedSequenceOp entry, Random &random) {
  Ops tilings = getTilings(entry, /*withForall=*/false);
  SmallVector<std::pair<TileUsingForOp, TileUsingForOp>> pairs;
  for (Operation *one : tilings)
    for (Operation *two : tilings)
      if (one->getNumResults() == two->getNumResults() &&
          getSizes(one) != getSizes(two))
        pairs.push_back({cast<TileUsingForOp>(one), cast<TileUsingForOp>(two)});
  if (pairs.empty())
    return false;
  auto [one, two] = pairs[random.below(pairs.size())];
  Numbers first = getSizes(one), second = getSizes(two);
  SmallVector<bool> flags(one.getScalableSizes());
  one.setStaticSizes(second);
  one.setScalableSizes(SmallVector<bool>(two.getScalableSizes()));
  two.setStaticSizes(first);
  two.setScalableSizes(flags);
  return true;
}

bool formwork::testing::mergeTilings(NamedSequenceOp entry, Random &random) {
  Ops found;
  for (Operation *op : getTilings(entry, /*withForall=*/false))
    if (auto before = op->getOperand(0).getDefiningOp<TileUsingForOp>())
      if (isPlain(before) && op->getOperand(0) == before->getResult(0) &&
          before->getBlock() == op->getBlock())
        found.push_back(op);
  Operation *second = pickStep(found, random);
  if (!second)
    return false;
  Operation *first = second->getOperand(0).getDefiningOp();
  Numbers outer = getSizes(first), inner = getSizes(second), both;
  // The loops in the order of the dimensions or, taken for that, of the steps.
  Values loops, written;
  llvm::append_range(written, first->getResults().drop_front());
  llvm::append_range(written, second->getResults().drop_front());
  unsigned nextOuter = 1, nextInner = 1;
  SmallVector<Values> ordered;
  for (unsigned i = 0, e = std::max(outer.size(), inner.size()); i < e; ++i) {
    int64_t wide = i < outer.size() ? outer[i] : 0;
    int64_t narrow = i < inner.size() ? inner[i] : 0;
    both.push_back(narrow != 0 ? narrow : wide);
    Values here;
    if (wide != 0)
      here.push_back(first->getResult(nextOuter++));
    if (narrow != 0)
      here.push_back(second->getResult(nextInner++));
    if (!here.empty())
      ordered.push_back(here);
  }
  SmallVector<Type> types{second->getResult(0).getType()};
  for (const Values &here : ordered)
    types.push_back(here.front().getType());
  Operation *merged = insertTiling(first, first->getOperand(0),
                                   "tile_using_for", listNumbers(both), types);
  if (!merged)
    return false;
  bool inOrder = random.chance(0.75);
  for (auto [number, here] : llvm::enumerate(ordered))
    if (inOrder || written.size() != ordered.size())
      for (Value loop : here)
        loop.replaceAllUsesWith(merged->getResult(number + 1));
    else
      written[number].replaceAllUsesWith(merged->getResult(number + 1));
  first->getResult(0).replaceAllUsesExcept(merged->getResult(0), second);
  second->getResult(0).replaceAllUsesWith(merged->getResult(0));
  second->erase();
  first->erase();
  return true;
}

bool formwork::testing::tileInTwo(NamedSequenceOp entry, Random &random) {
  Operation *op = pickStep(getTilings(entry, /*withForall=*/true), random);
  if (!op)
    return false;
  bool forall = isa<TileUsingForallOp>(op);
  StringRef name = forall ? "tile_using_forall" : "tile_using_for";
  Numbers outer = getSizes(op), inner(outer.size(), 0);
  // One loop becomes two of the same dimension.
  bool alone = countLoops(outer) == 1, either = forall || alone;
  unsigned kept = alone ? 1 : random.between(1, countLoops(outer) - 1);
  unsigned seen = 0;
  for (unsigned i = 0; i < outer.size(); ++i)
    if (alone)
      outer[i] = 2 * (inner[i] = outer[i]);
    else if (outer[i] != 0 && seen++ >= kept)
      std::swap(outer[i], inner[i]);
  // Some start with the inner dimensions.
  bool reversed = random.chance(0.2);
  auto results = op->getResults();
  SmallVector<Type> outerTypes{results[0].getType()};
  SmallVector<Type> innerTypes = outerTypes;
  for (unsigned i = 1; i < results.size(); ++i)
    (either || i <= kept ? outerTypes : innerTypes)
        .push_back(results[i].getType());
  if (either)
    innerTypes = outerTypes;
  Operation *steps[2] = {};
  Value handle = op->getOperand(0);
  for (unsigned i = 0; i < 2; ++i) {
    bool isOuter = (i == 0) != reversed;
    steps[i] =
        insertTiling(op, handle, name, listNumbers(isOuter ? outer : inner),
                     isOuter ? outerTypes : innerTypes);
    if (!steps[i])
      return false;
    // The new op, or still the old one.
    if (random.chance(0.85) &&
        steps[i]->getResult(0).getType() == handle.getType())
      handle = steps[i]->getResult(0);
  }
  Operation *outerStep = steps[reversed], *innerStep = steps[!reversed];
  results[0].replaceAllUsesWith(steps[1]->getResult(0));
  for (unsigned i = 1; i < results.size(); ++i) {
    bool inOuter = either ? random.chance(0.5) : i <= kept;
    Value loop = inOuter ? outerStep->getResult(i)
                         : innerStep->getResult(either ? i : i - kept);
    results[i].replaceAllUsesWith(loop);
  }
  op->erase();
  return true;
}

bool formwork::testing::fuseForTile(NamedSequenceOp entry, Random &random) {
  Operation *op = pickStep(getTilings(entry, /*withForall=*/true), random);
  if (!op)
    return false;
  StringRef flags =
      isa<TileUsingForallOp>(op)
          ? pickText(random, {"{use_forall}", "{use_forall, apply_cleanup}"})
          : pickText(random, {"", "{apply_cleanup}"});
  return replaceStep(op, insertTiling(op, op->getOperand(0), "fuse",
                                      listNumbers(getSizes(op)),
                                      op->getResultTypes(), flags));
}

bool formwork::testing::makeScalable(NamedSequenceOp entry, Random &random) {
  auto tile = pickStep<TileUsingForOp>(entry, random, isPlain);
  if (!tile)
    return false;
  SmallVector<bool> flags(tile.getScalableSizes());
  Numbers sizes = getSizes(tile);
  unsigned last = 0;
  for (unsigned i = 0; i < sizes.size(); ++i)
    if (sizes[i] != 0)
      last = i;
  flags[random.chance(0.8) ? last : random.below(flags.size())] = true;
  tile.setScalableSizes(flags);
  Value tiled = tile->getResult(0);
  if (!random.chance(0.3))
    return true;
  // The vectors are to have that size, too; a dimension that is not tiled has
  // some other.
  std::string list;
  for (auto [size, flag] : llvm::zip_equal(sizes, flags)) {
    std::string text = std::to_string(size == 0 ? 8 : size);
    list += (list.empty() ? "" : ", ") + (flag ? "[" + text + "]" : text);
  }
  return insertText(entry.getBody().front().getTerminator(), tiled,
                    "transform.structured.vectorize %h vector_sizes [" + list +
                        "] : " + getTypeText(tiled));
}

/// Gives a tiling its sizes by a parameter, which `text` makes as `%p`: the
/// dimension with the size that `size` says or, with it, others.
static bool tileByParameter(Operation *op, int64_t size, const Twine &text,
                            bool early, bool whole) {
  NamedSequenceOp entry = op->getParentOfType<NamedSequenceOp>();
  Operation *place = early ? &entry.getBody().front().front() : op;
  Operation *made = insertText(place, ArrayRef<Value>(), text);
  if (!made)
    return false;
  std::string list;
  for (int64_t each : getSizes(op))
    list += (list.empty() ? "" : ", ") + (each == size || (whole && each != 0)
                                              ? std::string("%h1")
                                              : std::to_string(each));
  bool forall = isa<TileUsingForallOp>(op);
  auto mapping = op->getAttr("mapping");
  Operation *tiled = insertTiling(
      op, op->getOperand(0), forall ? "tile_using_forall" : "tile_using_for",
      list, op->getResultTypes(), "", made->getResult(0));
  if (tiled && mapping)
    tiled->setAttr("mapping", mapping);
  return replaceStep(op, tiled);
}

/// One of the sizes that make loops.
static int64_t pickSize(Operation *op, Random &random) {
  Numbers sizes = getSizes(op);
  llvm::erase(sizes, 0);
  return random.oneOf(ArrayRef<int64_t>(sizes));
}

bool formwork::testing::shareParameter(NamedSequenceOp entry, Random &random) {
  Operation *op = pickStep(getTilings(entry, /*withForall=*/true), random);
  if (!op)
    return false;
  int64_t size = pickSize(op, random);
  std::string type =
      pickText(random, {"i64", "i64", "i64", "i32", "index"}).str();
  std::string param = "!transform.param<" + type + ">";
  return tileByParameter(op, size,
                         "%p = transform.param.constant " + Twine(size) +
                             " : " + type + " -> " + param,
                         random.chance(0.5), random.chance(0.5));
}

bool formwork::testing::knobSize(NamedSequenceOp entry, Random &random) {
  Operation *op = pickStep(getTilings(entry, /*withForall=*/true), random);
  if (!op)
    return false;
  int64_t size = pickSize(op, random);
  std::string chosen = std::to_string(random.chance(0.7) ? size : 2 * size);
  std::string selected =
      random.chance(0.7) ? " = " + chosen + " : i64 from" : std::string();
  return tileByParameter(op, size,
                         "%p = transform.tune.knob<\"mutant_size\">" +
                             selected + " options = [" + Twine(size) + ", " +
                             Twine(2 * size) + "] -> !transform.param<i64>",
                         random.chance(0.5), random.chance(0.3));
}

bool formwork::testing::outerLevel(NamedSequenceOp entry, Random &random) {
  Ops tilings = getUntypedTilings(entry);
  if (tilings.empty())
    return false;
  if (random.chance(0.35))
    tilings = {pickStep(tilings, random)};
  int64_t factor = random.oneOf(ArrayRef<int64_t>{2, 2, 4, 8});
  bool keepsMapping = random.chance(0.2), takesOuter = random.chance(0.3);
  for (Operation *tile : tilings) {
    Numbers sizes = getSizes(tile);
    for (int64_t &size : sizes)
      size *= factor;
    bool isForall = isa<TileUsingForallOp>(tile) && random.chance(0.5);
    unsigned numLoops = isForall ? 1 : countLoops(sizes);
    Operation *outer = insertTiling(
        tile, tile->getOperand(0),
        isForall ? "tile_using_forall" : "tile_using_for", listNumbers(sizes),
        SmallVector<Type>(numLoops + 1, tile->getOperand(0).getType()),
        isForall && keepsMapping ? getMappingText(tile) : "");
    if (!outer)
      return false;
    // The old tiling may still tile what it did.
    if (!random.chance(0.12))
      tile->setOperand(0, outer->getResult(0));
    // What is fused goes into the outer loops, or into the inner ones.
    if (takesOuter)
      for (auto [i, loop] : llvm::enumerate(tile->getResults().drop_front()))
        loop.replaceAllUsesWith(
            outer->getResult(std::min<unsigned>(i + 1, numLoops)));
  }
  return true;
}
