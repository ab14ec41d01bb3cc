//===- SizeKinds.cpp - Breakage of how sizes are written ------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/lib/schedules/mutants/loops/SizeKinds.h"

#include "test/lib/schedules/mutants/edits/RecipeEdit.h"

using namespace mlir;
using namespace formwork::testing;
using transform::NamedSequenceOp;

namespace {
/// A size in the list at the start, and the parameter for it.
struct ListedSize {
  int64_t size;
  Value parameter;
};
} // namespace

/// Makes a parameter for each of `sizes` at the start, either there or in a
/// sequence that returns them.
static bool listSizes(NamedSequenceOp entry, ArrayRef<int64_t> sizes,
                      SmallVector<ListedSize> &listed, Random &random) {
  std::string text, names, types;
  for (auto [i, size] : llvm::enumerate(sizes)) {
    std::string name = "%p" + std::to_string(i);
    text += name + " = transform.param.constant " + std::to_string(size) +
            " : i64 -> $\n";
    names += (i ? ", " : "") + name;
    types += i ? ", $" : "$";
  }
  Operation *place = &entry.getBody().front().front();
  if (random.chance(0.4)) {
    if (!insertSequences(entry,
                         withTypes("transform.named_sequence @mutant_sizes() "
                                   "-> (" +
                                   types + ") {\n" + text + "transform.yield " +
                                   names + " : " + types + "\n}")))
      return false;
    Operation *include = insertText(
        place, {},
        withTypes("%p:" + std::to_string(sizes.size()) +
                  " = transform.include @mutant_sizes failures(propagate) () "
                  ": () -> (" +
                  types + ")"));
    if (!include)
      return false;
    for (auto [size, result] : llvm::zip_equal(sizes, include->getResults()))
      listed.push_back({size, result});
    return true;
  }
  Operation *last = insertText(place, {}, withTypes(text));
  if (!last)
    return false;
  Ops made;
  for (Operation *op = last; op; op = op->getPrevNode())
    made.push_back(op);
  for (auto [size, op] : llvm::zip_equal(sizes, llvm::reverse(made)))
    listed.push_back({size, op->getResult(0)});
  return true;
}

bool formwork::testing::sizesUpFront(NamedSequenceOp entry, Random &random) {
  Ops tilings = getTilings(entry, /*withForall=*/true);
  llvm::erase_if(tilings, [](Operation *tile) {
    return tile->getParentOfType<transform::AlternativesOp>() != nullptr;
  });
  if (tilings.empty())
    return false;
  // Equal sizes are one entry, or each has its own.
  bool shares = random.chance(0.5);
  Numbers sizes;
  for (Operation *tile : tilings)
    for (int64_t size : getSizes(tile))
      if (size > 0 && !(shares && llvm::is_contained(sizes, size)))
        sizes.push_back(size);
  SmallVector<ListedSize> listed;
  if (sizes.empty() || !listSizes(entry, sizes, listed, random))
    return false;
  if (listed.size() > 1 && random.chance(0.2)) {
    // Two parameters are mixed up.
    unsigned i = random.below(listed.size() - 1);
    std::swap(listed[i].parameter, listed[i + 1].parameter);
  }
  auto next = listed.begin();
  for (Operation *tile : tilings) {
    Numbers left = getSizes(tile);
    Values parameters;
    for (int64_t &size : left) {
      if (size <= 0)
        continue;
      if (shares)
        next = llvm::find_if(
            listed, [&](const ListedSize &each) { return each.size == size; });
      parameters.push_back(next++->parameter);
      size = ShapedType::kDynamic;
    }
    setSizes(tile, left, parameters);
  }
  return true;
}

bool formwork::testing::trailingZeros(NamedSequenceOp entry, Random &random) {
  Ops tilings = getTilings(entry, /*withForall=*/true);
  if (tilings.empty())
    return false;
  if (random.chance(0.4))
    tilings = {pickStep(tilings, random)};
  bool pads = random.chance(0.75), changed = false;
  // Zeros in front move the sizes to later dimensions.
  bool inFront = pads && random.chance(0.12);
  unsigned more = random.chance(0.25) ? 1 : 0;
  for (Operation *tile : tilings) {
    Numbers sizes = getSizes(tile);
    if (pads) {
      size_t length = guessRank(tile->getOperand(0)) + more;
      while (sizes.size() < length)
        sizes.insert(inFront ? sizes.begin() : sizes.end(), 0);
    } else {
      while (sizes.back() == 0)
        sizes.pop_back();
    }
    changed |= sizes != getSizes(tile);
    setSizes(tile, sizes);
  }
  return changed;
}

bool formwork::testing::halfParallel(NamedSequenceOp entry, Random &random) {
  Ops tilings = getUntypedTilings(entry);
  llvm::erase_if(
      tilings, [](Operation *tile) { return countLoops(getSizes(tile)) < 2; });
  Operation *tile = pickStep(tilings, random);
  if (!tile)
    return false;
  Numbers outer = getSizes(tile), inner = outer;
  SmallVector<unsigned> dimensions = getTiledDimensions(outer);
  unsigned number = random.between(1, dimensions.size() - 1);
  for (auto [i, dimension] : llvm::enumerate(dimensions))
    (i < number ? inner : outer)[dimension] = 0;
  if (random.chance(0.15))
    std::swap(inner, outer);
  auto forall = dyn_cast<transform::TileUsingForallOp>(tile);
  Operation *parallel = insertLoops(tile, tile->getOperand(0),
                                    "tile_using_forall", listNumbers(outer));
  if (!parallel)
    return false;
  if (forall && forall.getMapping()) {
    // Each parallel dimension keeps its unit. Some leave all units.
    ArrayRef<Attribute> units = forall.getMapping()->getValue();
    if (!random.chance(0.15))
      units = units.take_back(countLoops(outer));
    parallel->setAttr("mapping", ArrayAttr::get(entry.getContext(), units));
  }
  Operation *serial =
      insertLoops(tile, parallel->getResult(random.chance(0.9) ? 0 : 1),
                  "tile_using_for", listNumbers(inner), countLoops(inner));
  if (!serial)
    return false;
  tile->getResult(0).replaceAllUsesWith(serial->getResult(0));
  for (auto [i, loop] : llvm::enumerate(tile->getResults().drop_front())) {
    bool isParallel = forall || i < number;
    unsigned last = serial->getNumResults() - 1;
    loop.replaceAllUsesWith(isParallel && !random.chance(0.15)
                                ? parallel->getResult(1)
                                : serial->getResult(std::min<unsigned>(
                                      last, i < number ? 1 : 1 + i - number)));
  }
  tile->erase();
  return true;
}
