//===- Tiling.cpp - Iteration spaces under tiling ---------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Splits the loops of an iteration space. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#include "verifier/spaces/Tiling.h"
#include "verifier/solver/TermPrinter.h"
#include "verifier/spaces/Extents.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace formwork::verifier;
using solver::BoolTerm;
using solver::IntTerm;
using solver::TermContext;

/// The nearest sizes below and above `tile` that divide `size`: among so many
/// candidates that a reader is interested in them, and otherwise 1 and `size`.
static std::pair<int64_t, int64_t> findDividingSizes(int64_t size,
                                                     int64_t tile) {
  constexpr int64_t maxTried = 1 << 16;
  if (tile < 1 || tile >= size)
    return {std::min(tile, size), tile};
  int64_t lowest = std::max<int64_t>(1, tile - maxTried), below = tile;
  while (below > lowest && size % below != 0)
    --below;
  int64_t highest = size - tile > maxTried ? tile + maxTried : size,
          above = tile;
  while (above < highest && size % above != 0)
    ++above;
  return {size % below == 0 ? below : 1, size % above == 0 ? above : size};
}

int64_t formwork::verifier::getNearestDividingSize(int64_t size, int64_t tile) {
  auto [below, above] = findDividingSizes(size, tile);
  return above <= size && above - tile < tile - below ? above : below;
}

std::string formwork::verifier::getDividingSizes(int64_t size, int64_t tile) {
  auto [below, above] = findDividingSizes(size, tile);
  std::string text = std::to_string(below);
  if (above <= size && above != below)
    text += " or " + std::to_string(above);
  return text;
}

/// The condition that the tile is static, with what a reader is told of the
/// tile sizes and of what they divide.
static StaticCondition makeCondition(const Extent &loop, const LoopSplit &split,
                                     BoolTerm holds, IntTerm given) {
  StaticCondition condition{holds, split.op, split.dim, "", ""};
  if (split.given && !loop.size.isSymbolic())
    return condition; // of numbers, nobody is told
  condition.tiles = toInfix(given);
  if (loop.condition && !loop.condition->tiles.empty()) {
    condition.tiles = loop.condition->tiles + ", then " + condition.tiles;
    condition.whole = loop.condition->whole;
  } else if (loop.size) {
    condition.whole = std::to_string(*loop.size);
  } else if (loop.size.isSymbolic()) {
    condition.whole = toInfix(loop.size.getTerm());
  }
  if (split.isCount)
    condition.tiles = "the number of threads " + toInfix(given);
  return condition;
}

/// For a loop whose size is not known, or that may or may not be static.
static SplitLoop splitUnknown(TermContext &terms, const Extent &loop,
                              const LoopSplit &split, IntTerm given) {
  const DynamicReason &reason = loop.reason;
  SplitLoop result;
  if (split.isCount) {
    BoolTerm isLeft = split.mayBeZero ? terms.equal(given, terms.constant(0))
                                      : terms.truth(false);
    result.trips =
        makeExtent(terms.select(isLeft, terms.constant(1), given),
                   {terms.truth(true), split.op, split.dim, "", ""}, {});
    result.tile.reason = reason;
    return result;
  }
  if (split.mayBeZero)
    return result;
  bool areNumbers = split.given && !loop.size.isSymbolic();
  if (!areNumbers && !reason.definite) {
    // The tile is at most what is given.
    result.tile.size = Size::symbolic(given);
    result.tile.reason = reason;
    return result;
  }
  // A single element is static, whatever the dimension is.
  BoolTerm isSingle = terms.equal(given, terms.constant(1));
  result.tile =
      makeExtent(given, makeCondition(loop, split, isSingle, given), reason);
  if (!areNumbers)
    return result;
  result.trips.reason = reason;
  // The last tile may need as many steps as the others: folding can tell.
  if (!isSingle.isTrue() && reason.tiledBy && reason.tile != 0 &&
      llvm::divideCeil(reason.tile, *split.given) ==
          llvm::divideCeil(reason.size % reason.tile, *split.given))
    result.trips.reason.definite = false;
  return result;
}

/// Why a tile of `given`, or one of so many, does not divide `size`.
static DynamicReason explainUneven(const LoopSplit &split, int64_t size,
                                   int64_t given) {
  int64_t tile = split.isCount ? llvm::divideCeil(size, given) : given;
  // One tile that holds the whole loop is found static by folding alone.
  return {split.op,
          split.dim,
          size,
          tile,
          /*definite=*/tile < size,
          /*hasIdleThreads=*/split.isCount && tile * (given - 1) >= size};
}

SplitLoop formwork::verifier::splitLoop(TermContext &terms, const Extent &loop,
                                        const LoopSplit &split) {
  SplitLoop result;
  std::optional<IntTerm> given = toTerm(terms, split.given);
  bool isNegative = given && given->isConstant() && given->getConstant() < 0;
  if (!given || isNegative) {
    result.trips.reason = result.tile.reason = loop.reason;
    result.trips.reason.definite = result.tile.reason.definite = false;
    return result;
  }
  std::optional<IntTerm> whole = toTerm(terms, loop.size);
  if (!whole || (!loop.size && !loop.condition))
    return splitUnknown(terms, loop, split, *given);
  IntTerm one = terms.constant(1);
  BoolTerm always = terms.truth(true);
  BoolTerm isWholeStatic = loop.condition ? loop.condition->holds : always;
  BoolTerm isLeft = split.mayBeZero ? terms.equal(*given, terms.constant(0))
                                    : terms.truth(false);
  BoolTerm divides =
      terms.logicalAnd(isWholeStatic, terms.divides(*given, *whole));
  DynamicReason uneven;
  if (whole->isConstant() && given->isConstant() && given->getConstant() != 0)
    uneven = explainUneven(split, whole->getConstant(), given->getConstant());
  StaticCondition ofTrips{always, split.op, split.dim, "", ""};
  if (split.isCount) {
    result.trips = makeExtent(terms.select(isLeft, one, *given), ofTrips, {});
    if (!split.mayBeZero)
      result.tile =
          makeExtent(terms.ceilDiv(*whole, *given),
                     makeCondition(loop, split, divides, *given), uneven);
    return result;
  }
  result.trips =
      makeExtent(terms.select(isLeft, one, terms.ceilDiv(*whole, *given)),
                 loop.condition ? *loop.condition : ofTrips, {});
  BoolTerm isSingle = terms.equal(*given, one);
  BoolTerm isStatic =
      terms.choose(isLeft, isWholeStatic, terms.logicalOr(isSingle, divides));
  result.tile =
      makeExtent(terms.select(isLeft, *whole, *given),
                 makeCondition(loop, split, isStatic, *given), uneven);
  return result;
}

void TileSpec::truncate(unsigned numDims) {
  if (sizes.size() <= numDims)
    return;
  auto isLeftOut = [&](unsigned dim) { return dim >= numDims; };
  sizes.resize(numDims);
  llvm::erase_if(tiled, isLeftOut);
  llvm::erase_if(mayBeZero, isLeftOut);
}

TileSpec
formwork::verifier::readSpec(ArrayRef<Size> sizes, bool isNumThreads,
                             llvm::function_ref<bool(const Size &)> mayBeZero) {
  TileSpec spec;
  spec.sizes.assign(sizes.begin(), sizes.end());
  spec.isNumThreads = isNumThreads;
  for (auto [dim, size] : llvm::enumerate(sizes)) {
    if (size == 0)
      continue;
    spec.tiled.push_back(dim);
    if (size.isSymbolic() && mayBeZero(size))
      spec.mayBeZero.push_back(dim);
  }
  return spec;
}

GivenSizes formwork::verifier::getGivenSizes(ArrayRef<int64_t> numbers,
                                             ValueRange values) {
  auto next = values.begin();
  return llvm::map_to_vector<usualLoops>(numbers, [&](int64_t number) {
    return ShapedType::isDynamic(number) ? GivenSize{0, *next++}
                                         : GivenSize{number, Value()};
  });
}

Sizes formwork::verifier::readSizes(ArrayRef<GivenSize> given,
                                    llvm::function_ref<Size(Value)> getParam) {
  return llvm::map_to_vector<usualLoops>(given, [&](const GivenSize &size) {
    return size.value ? getParam(size.value) : Size(size.number);
  });
}

bool formwork::verifier::endsOpen(const Extent &whole, const Size &tile) {
  bool isOwnSize =
      whole.size.isUnknown() && whole.reason.definite && !whole.reason.tiledBy;
  return isOwnSize && tile && *tile > 1;
}

std::shared_ptr<IterationSpace>
formwork::verifier::tileSpace(Operation *op, const IterationSpace *whole,
                              const TileSpec &spec, solver::TermContext &terms,
                              SmallVectorImpl<Extent> &trips) {
  std::shared_ptr<IterationSpace> space;
  if (whole)
    space = std::make_shared<IterationSpace>(*whole);
  for (unsigned dim : spec.tiled) {
    if (!space || dim >= space->loops.size()) {
      trips.push_back({});
      continue;
    }
    const Extent &loop = space->loops[dim];
    const Size &given = spec.sizes[dim];
    auto [count, size] =
        splitLoop(terms, loop,
                  {op, dim, given, spec.isNumThreads, spec.mayLeaveOut(dim)});
    trips.push_back(std::move(count));
    space->loops[dim] = std::move(size);
  }
  return space;
}

std::optional<SmallVector<unsigned>>
formwork::verifier::orderLoops(ArrayRef<int64_t> interchange,
                               const TileSpec &spec, unsigned numDims) {
  auto isDim = [&](int64_t dim) { return dim >= 0 && dim < numDims; };
  interchange = interchange.take_front(numDims);
  if (!llvm::all_of(interchange, isDim))
    return std::nullopt;
  SmallVector<unsigned> order;
  for (int64_t dim : interchange)
    if (const auto *it = llvm::find(spec.tiled, dim); it != spec.tiled.end())
      order.push_back(it - spec.tiled.begin());
  for (auto [number, dim] : llvm::enumerate(spec.tiled))
    if (dim >= interchange.size() && isDim(dim))
      order.push_back(number);
  return order;
}
