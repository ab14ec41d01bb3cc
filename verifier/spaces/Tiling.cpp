//===- Tiling.cpp - Iteration spaces under tiling ---------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Splits the loops of an iteration space by numbers and by terms. Layer:
// verifier.
//
//===----------------------------------------------------------------------===//

#include "verifier/spaces/Tiling.h"
#include "verifier/parameters/SymbolicSizes.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::verifier;

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

/// The number of tiles, and the size of one.
static SplitLoop splitLoop(Operation *op, unsigned dim, const Extent &loop,
                           Size tile, bool isNumThreads) {
  Extent trips, size;
  trips.reason = size.reason = loop.reason;
  if (!tile) {
    trips.reason.definite = size.reason.definite = false;
    return {trips, size};
  }
  if (!loop.size) {
    const DynamicReason &reason = loop.reason;
    if (isNumThreads)
      trips.size = tile;
    else if (tile == 1)
      size.size = 1;
    // The last tile may need as many steps as the others: folding can tell.
    else if (reason.tiledBy && reason.tile != 0 &&
             llvm::divideCeil(reason.tile, *tile) ==
                 llvm::divideCeil(reason.size % reason.tile, *tile))
      trips.reason.definite = false;
    return {trips, size};
  }
  int64_t extent = *loop.size;
  int64_t step = isNumThreads ? llvm::divideCeil(extent, *tile) : *tile;
  trips.size = isNumThreads ? *tile : llvm::divideCeil(extent, *tile);
  bool divides = extent % (isNumThreads ? *tile : step) == 0;
  if (divides)
    size.size = step;
  else
    // One tile that holds the whole loop is found static by folding alone.
    size.reason = {op,
                   dim,
                   extent,
                   step,
                   /*definite=*/step < extent,
                   isNumThreads && step * (*tile - 1) >= extent};
  return {trips, size};
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
    bool isSymbolic = given.isSymbolic() || loop.size.isSymbolic();
    auto [count, size] =
        isSymbolic && !given.isUnknown()
            ? splitSymbolicLoop(
                  terms, loop,
                  {op, dim, given, spec.isNumThreads, spec.mayLeaveOut(dim)})
            : splitLoop(op, dim, loop, given, spec.isNumThreads);
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
