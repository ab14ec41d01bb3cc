//===- KernelSizes.cpp - Tiles and threads of a kernel ----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/strategies/KernelSizes.h"

#include "transforms/strategies/Products.h"
#include "verifier/target/Target.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Interfaces/TilingInterface.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace formwork::transforms;

/// The largest divisor of `extent` that is at most `most` and a multiple of
/// `multiple`; 0 if there is none.
static int64_t getDivisor(int64_t extent, int64_t most, int64_t multiple = 1) {
  for (int64_t value = std::min(extent, most); value > 0; --value)
    if (extent % value == 0 && value % multiple == 0)
      return value;
  return 0;
}

/// A tile along a loop that need not be full: a divisor where there is one that
/// is not much smaller than `most`.
static int64_t chooseTile(int64_t extent, int64_t most, int64_t multiple,
                          bool &isUneven) {
  int64_t divisor = getDivisor(extent, most, multiple);
  if (divisor * 4 > std::min(extent, most))
    return divisor;
  isUneven = true;
  return most;
}

static int64_t floorPowerOfTwo(int64_t value) {
  return value < 1 ? 1 : int64_t(llvm::bit_floor(uint64_t(value)));
}

bool formwork::transforms::isUnevenContraction(Operation *op,
                                               const Strategy &strategy) {
  auto linalgOp = cast<linalg::LinalgOp>(op);
  ProductLoops loops = *getProductLoops(linalgOp);
  SmallVector<int64_t> extents = linalgOp.getStaticLoopRanges();
  SmallVector<int64_t, 3> multiple = strategy.multiple;
  if (multiple.empty())
    multiple.assign(3, 1);
  bool isUneven = false;
  (void)chooseTile(extents[loops.rows], strategy.tile[0], multiple[0],
                   isUneven);
  (void)chooseTile(extents[loops.columns], strategy.tile[1], multiple[1],
                   isUneven);
  (void)chooseTile(extents[loops.steps], strategy.step, multiple[2], isUneven);
  return isUneven;
}

static KernelSizes chooseContraction(const KernelGroup &group) {
  const Strategy &strategy = *group.strategy;
  const KernelPart *anchor =
      llvm::find_if(group.parts, [&](const KernelPart &part) {
        return part.op == group.anchor;
      });
  auto op = cast<linalg::LinalgOp>(group.anchor);
  ProductLoops loops = *getProductLoops(op);
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  SmallVector<int64_t, 3> multiple = strategy.multiple;
  if (multiple.empty())
    multiple.assign(3, 1);

  KernelSizes sizes;
  sizes.tile.assign(group.blockLoops.size(), 0);
  for (unsigned loop : loops.single)
    sizes.tile[anchor->rootLoops[loop]] = 1;
  int64_t m = chooseTile(extents[loops.rows], strategy.tile[0], multiple[0],
                         sizes.isUneven);
  int64_t n = chooseTile(extents[loops.columns], strategy.tile[1], multiple[1],
                         sizes.isUneven);
  int64_t k = chooseTile(extents[loops.steps], strategy.step, multiple[2],
                         sizes.isUneven);
  sizes.tile[anchor->rootLoops[loops.rows]] = m;
  sizes.tile[anchor->rootLoops[loops.columns]] = n;
  sizes.stepLoop = loops.steps;
  sizes.step = k == extents[loops.steps] ? 0 : k;
  sizes.singleSteps = loops.singleSteps;
  sizes.isSplit = loops.isSplit;
  // A thread has up to 4x4 of the tile.
  sizes.rows = floorPowerOfTwo(llvm::divideCeil(m, 4));
  sizes.columns = floorPowerOfTwo(llvm::divideCeil(n, 4));
  while (sizes.rows * sizes.columns > strategy.threads)
    (sizes.rows > sizes.columns ? sizes.rows : sizes.columns) /= 2;
  while (sizes.rows * sizes.columns < 32)
    (sizes.rows < sizes.columns ? sizes.rows : sizes.columns) *= 2;
  return sizes;
}

/// Whether the kernel has a grid, also of one block: where nothing is tiled, a
/// loop of the root that is parallel is done in one step.
static bool ensureGrid(KernelSizes &sizes, const KernelGroup &group,
                       ArrayRef<int64_t> extents) {
  if (llvm::any_of(sizes.tile, [](int64_t size) { return size != 0; }))
    return true;
  SmallVector<utils::IteratorType> kinds =
      cast<TilingInterface>(group.getRoot()).getLoopIteratorTypes();
  for (int64_t loop = extents.size(); loop-- > 0;)
    if (kinds[loop] == utils::IteratorType::parallel) {
      sizes.tile[loop] = extents[loop];
      return true;
    }
  return false;
}

bool formwork::transforms::fitsAxes(const KernelGroup &group,
                                    const KernelSizes &sizes) {
  SmallVector<int64_t> extents = getLoopExtents(group.getRoot());
  ArrayRef<int64_t> room = verifier::Target::maxGridDims;
  // The last loop is along x, the one in front of it along y.
  for (int64_t loop = extents.size(); loop-- > 0;) {
    int64_t size = sizes.tile[loop];
    if (size == 0)
      continue;
    if (room.empty() ||
        llvm::divideCeilSigned(extents[loop], size) > room.front())
      return false;
    room = room.drop_front();
  }
  return true;
}

static std::optional<KernelSizes> choosePoints(const KernelGroup &group,
                                               bool mayBeUneven) {
  const Strategy &strategy = *group.strategy;
  SmallVector<int64_t> extents = getLoopExtents(group.getRoot());
  KernelSizes sizes;
  sizes.tile.assign(extents.size(), 0);
  int64_t left = strategy.elements, elements = 1;
  for (int64_t loop = extents.size(); loop-- > 0;) {
    if (!group.blockLoops.test(loop))
      continue;
    int64_t tile = mayBeUneven
                       ? chooseTile(extents[loop], left, 1, sizes.isUneven)
                       : getDivisor(extents[loop], left);
    if (tile != extents[loop])
      sizes.tile[loop] = tile;
    elements *= tile;
    left = std::max<int64_t>(left / tile, 1);
  }
  if (!ensureGrid(sizes, group, extents))
    return std::nullopt;
  sizes.columns =
      std::clamp<int64_t>(floorPowerOfTwo(elements / 4), 32, strategy.threads);
  return sizes;
}

static std::optional<KernelSizes> chooseRows(const KernelGroup &group) {
  const Strategy &strategy = *group.strategy;
  SmallVector<int64_t> extents = getLoopExtents(group.getRoot());
  KernelSizes sizes;
  sizes.tile.assign(extents.size(), 0);
  for (unsigned loop : group.blockLoops.set_bits())
    sizes.tile[loop] = 1;
  // How many elements of the largest part belong to one row.
  int64_t elements = 1;
  for (const KernelPart &part : group.parts) {
    int64_t own = 1;
    for (auto [extent, loop] :
         llvm::zip_equal(getLoopExtents(part.op), part.rootLoops))
      if (loop < 0 || !group.blockLoops.test(loop))
        own *= extent;
    elements = std::max(elements, own);
  }
  if (!ensureGrid(sizes, group, extents))
    return std::nullopt;
  // Warps that share nothing need no barrier: short rows have one each.
  int64_t lanes =
      std::clamp<int64_t>(floorPowerOfTwo(elements / 8), 32, strategy.threads);
  sizes.columns = lanes;
  int last = group.blockLoops.find_last();
  if (last >= 0 && lanes == 32 && sizes.tile[last] == 1) {
    int64_t rows =
        floorPowerOfTwo(std::min<int64_t>(4, strategy.threads / lanes));
    while (extents[last] % rows != 0)
      rows /= 2;
    sizes.rows = rows;
    sizes.tile[last] = rows;
  }
  return sizes;
}

std::optional<KernelSizes>
formwork::transforms::chooseSizes(const KernelGroup &group) {
  switch (group.strategy->fuse) {
  case FuseMode::Epilogue:
    return chooseContraction(group);
  case FuseMode::Rows:
    return chooseRows(group);
  case FuseMode::Points:
    // A tile that another part reads is full, as for contractions.
    return choosePoints(group, /*mayBeUneven=*/group.parts.size() == 1);
  case FuseMode::Loops:
    return choosePoints(group, /*mayBeUneven=*/false);
  }
  llvm_unreachable("all modes are listed");
}

SmallVector<int64_t>
formwork::transforms::getVectorSizes(const KernelGroup &group,
                                     const KernelPart &part,
                                     const KernelSizes &sizes) {
  SmallVector<int64_t> result = getLoopExtents(part.op);
  for (auto [size, loop] : llvm::zip_equal(result, part.rootLoops))
    if (loop >= 0 && sizes.tile[loop] != 0)
      size = sizes.tile[loop];
  if (part.op == group.anchor && sizes.step != 0)
    result[sizes.stepLoop] = sizes.step;
  return result;
}
