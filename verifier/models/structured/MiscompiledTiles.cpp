//===- MiscompiledTiles.cpp - Tiles that compute something else -----------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The errors of MLIR 22.1 where a step divides the loops of a structured op:
// `linalg.index` in bodies, maps that are not additive, and the first value of
// a reduction. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#include "verifier/models/Miscompilations.h"
#include "verifier/models/structured/TiledNodes.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"

using namespace mlir;
using namespace formwork::engine;
using namespace formwork::verifier;

//===----------------------------------------------------------------------===//
// How a step divides loops
//===----------------------------------------------------------------------===//

namespace {
/// How a step divides one loop: where a tile begins, for each iteration.
struct Division {
  /// Tiles are that long; 0 where the loop stays whole or is split, and none
  /// where it is not known.
  std::optional<int64_t> size = 0;
  /// Where a second part begins; 0 for none.
  int64_t second = 0;

  bool mayBeWhole() const { return !size || (*size == 0 && second == 0); }
  int64_t begin(int64_t iteration) const {
    if (second)
      return iteration < second ? 0 : second;
    return size && *size ? iteration / *size * *size : 0;
  }
};
using Divisions = SmallVector<Division>;
} // namespace

/// Of loops that tiles of `sizes` divide.
static Divisions divideBySizes(ArrayRef<int64_t> sizes) {
  Divisions all;
  for (int64_t size : sizes)
    all.push_back({size < 0 ? std::nullopt : std::optional(size)});
  return all;
}

/// Of loops of which each of `numbers` threads has one part.
static Divisions divideByNumbers(ArrayRef<int64_t> numbers,
                                 const IterationSpace &space) {
  Divisions all;
  for (auto [number, loop] : llvm::zip(numbers, space.loops)) {
    std::optional<int64_t> size;
    if (number == 0)
      size = 0;
    else if (number > 0 && loop.size)
      size = llvm::divideCeil(*loop.size, number);
    all.push_back({size});
  }
  return all;
}

/// How `op` divides the loops of `space`; loops without an entry stay whole.
static Divisions getDivisions(Operation *op, const IterationSpace &space) {
  if (auto tile = dyn_cast<transform::TileUsingForOp>(op)) {
    bool isScalable = llvm::is_contained(tile.getScalableSizes(), true);
    return isScalable ? Divisions() : divideBySizes(tile.getStaticSizes());
  }
  if (auto tile = dyn_cast<transform::TileUsingForallOp>(op))
    return tile.getStaticTileSizes().empty()
               ? divideByNumbers(tile.getStaticNumThreads(), space)
               : divideBySizes(tile.getStaticTileSizes());
  if (auto fuse = dyn_cast<transform::FuseOp>(op))
    return divideBySizes(fuse.getStaticTileSizes());
  if (auto tile = dyn_cast<transform::TileReductionUsingForOp>(op)) {
    SmallVector<int64_t> sizes;
    for (IntegerAttr size : tile.getTileSizes().getAsRange<IntegerAttr>())
      sizes.push_back(size.getInt());
    return divideBySizes(sizes);
  }
  if (auto tile = dyn_cast<transform::TileReductionUsingForallOp>(op))
    return tile.getTileSizes().empty()
               ? divideByNumbers(tile.getNumThreads(), space)
               : divideBySizes(tile.getTileSizes());
  if (auto pack = dyn_cast<transform::PackOp>(op))
    return divideBySizes(pack.getStaticPackedSizes());
  auto split = dyn_cast<transform::SplitOp>(op);
  if (!split || split.getDynamicChunkSizes() || split.getMultiway() ||
      split.getDimension() >= space.loops.size())
    return {};
  Divisions all(split.getDimension() + 1);
  all.back().second = split.getStaticChunkSizes();
  return all;
}

/// Whether tiles divide the loop into parts: it is longer than one tile.
static bool isParted(const Division &division, const Extent &loop) {
  if (division.mayBeWhole())
    return false;
  return !loop.size || division.begin(*loop.size - 1) != 0;
}

static bool areParted(ArrayRef<Division> divisions, const IterationSpace &space,
                      unsigned loop) {
  return loop < divisions.size() && loop < space.loops.size() &&
         isParted(divisions[loop], space.loops[loop]);
}

//===----------------------------------------------------------------------===//
// Indices
//===----------------------------------------------------------------------===//

/// The number of a loop that `step` divides, and whose index the body of `op`
/// reads where MLIR forgets where a tile begins.
static std::optional<unsigned> findForgottenIndex(const Step &step,
                                                  Operation *op,
                                                  const IterationSpace &space,
                                                  ArrayRef<Division> parts) {
  auto structured = dyn_cast<linalg::LinalgOp>(op);
  if (!structured || !structured.getBlock() ||
      !isa<transform::TileReductionUsingForOp,
           transform::TileReductionUsingForallOp, transform::PackOp>(step.op))
    return std::nullopt;
  for (auto index : structured.getBlock()->getOps<linalg::IndexOp>()) {
    unsigned loop = index.getDim();
    if (index->use_empty() || loop >= parts.size() ||
        loop >= space.loops.size())
      continue;
    // The index of a packed loop counts tiles.
    bool isPacked = isa<transform::PackOp>(step.op) &&
                    parts[loop].size.value_or(0) > 1 &&
                    space.loops[loop].size != 1;
    if (isPacked || (!isa<transform::PackOp>(step.op) &&
                     isParted(parts[loop], space.loops[loop])))
      return loop;
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Maps
//===----------------------------------------------------------------------===//

namespace {
/// The slices of an operand in one of its dimensions.
enum class Slices {
  Right,         ///< or nothing is known of them
  OtherElements, ///< some iteration reads another element than in the whole
  BeforeFirst    ///< one of them begins in front of the first element
};
} // namespace

/// The slices that tiles read through `expr`. MLIR takes a slice from where the
/// tile begins, less the place of the first element, and applies the map to the
/// place within the tile.
static Slices findSlices(AffineExpr expr, ArrayRef<Division> parts,
                         const IterationSpace &space) {
  static constexpr int64_t mostIterations = 1 << 14;
  if (isa<AffineDimExpr, AffineConstantExpr>(expr))
    return Slices::Right;
  unsigned numLoops = space.loops.size();
  SmallVector<unsigned> used;
  int64_t number = 1;
  for (unsigned loop = 0; loop != numLoops; ++loop) {
    if (!expr.isFunctionOfDim(loop))
      continue;
    const Size &size = space.loops[loop].size;
    if (!size || *size <= 0 || *size > mostIterations ||
        (loop < parts.size() && !parts[loop].size))
      return Slices::Right;
    used.push_back(loop);
    number *= *size;
    if (number > mostIterations)
      return Slices::Right;
  }
  AffineMap map = AffineMap::get(numLoops, 0, expr, expr.getContext());
  auto apply = [&](ArrayRef<int64_t> at) { return map.compose(at).front(); };
  SmallVector<int64_t> at(numLoops, 0), begin(numLoops, 0), within(numLoops, 0);
  int64_t atZero = apply(at);
  Slices slices = Slices::Right;
  for (int64_t i = 0; i != number; ++i) {
    int64_t rest = i;
    for (unsigned loop : used) {
      at[loop] = rest % *space.loops[loop].size;
      rest /= *space.loops[loop].size;
      begin[loop] = loop < parts.size() ? parts[loop].begin(at[loop]) : 0;
      within[loop] = at[loop] - begin[loop];
    }
    if (apply(at) != apply(begin) - atZero + apply(within))
      return Slices::OtherElements;
    if (apply(begin) < atZero)
      slices = Slices::BeforeFirst;
  }
  return slices;
}

/// The first operand's slices that are not right.
static Slices findSlices(ArrayRef<Division> parts,
                         const IterationSpace &space) {
  bool isDivided = llvm::any_of(llvm::seq<unsigned>(parts.size()), [&](auto i) {
    return areParted(parts, space, i);
  });
  if (!isDivided)
    return Slices::Right;
  for (AffineMap map : space.maps) {
    if (map.isProjectedPermutation(/*allowZeroInResults=*/true) ||
        map.getNumDims() != space.loops.size() || map.getNumSymbols() != 0)
      continue;
    for (AffineExpr expr : map.getResults())
      if (Slices slices = findSlices(expr, parts, space);
          slices != Slices::Right)
        return slices;
  }
  return Slices::Right;
}

//===----------------------------------------------------------------------===//
// The first value of a reduction
//===----------------------------------------------------------------------===//

/// The op that `fuse` takes into a loop over tiles of a reduction, although it
/// makes the value that the reduction starts with; null if there is none.
static const Node *findRestart(const Step &step, transform::FuseOp fuse,
                               const Node &node, ArrayRef<Division> parts) {
  const IterationSpace &space = *node.space;
  bool dividesReduction =
      llvm::any_of(llvm::enumerate(space.iterators), [&](auto pair) {
        return pair.value() == utils::IteratorType::reduction &&
               areParted(parts, space, pair.index());
      });
  if (!dividesReduction || node.producers.size() != space.maps.size())
    return nullptr;
  for (unsigned i = space.maps.size() - space.numInits, e = space.maps.size();
       i != e; ++i) {
    const Node &made = step.payload[node.producers[i]];
    bool isFused = made.exact && made.present == Certainty::Yes && made.kind &&
                   made.space && made.space->onTensors &&
                   KindPattern("$structured").matches(*made.kind) &&
                   areSiblings(made, node);
    // Clean-up folds a slice that is the whole, behind which nothing is fused.
    bool isSliced =
        !fuse.getApplyCleanup() ||
        llvm::any_of(space.maps[i].getResults(), [&](AffineExpr expr) {
          auto loop = dyn_cast<AffineDimExpr>(expr);
          return loop && areParted(parts, space, loop.getPosition());
        });
    if (isFused && isSliced)
      return &made;
  }
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Threads without iterations
//===----------------------------------------------------------------------===//

/// Whether `expr` is a sum of loops times positive numbers.
static bool isWindow(AffineExpr expr) {
  if (isa<AffineDimExpr>(expr))
    return true;
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary || !isWindow(binary.getLHS()))
    return false;
  if (expr.getKind() == AffineExprKind::Add)
    return isWindow(binary.getRHS());
  auto factor = dyn_cast<AffineConstantExpr>(binary.getRHS());
  return expr.getKind() == AffineExprKind::Mul && factor &&
         factor.getValue() > 0;
}

/// Whether the last of the threads that have no iteration of `loop` takes a
/// slice of `extent` elements through `expr` that reaches over their end. MLIR
/// takes the window of a tile of size 0, which still has elements, from behind
/// the end of the loop.
static bool reachesOver(AffineExpr expr, int64_t extent, unsigned loop,
                        int64_t numThreads, ArrayRef<Division> parts,
                        const IterationSpace &space) {
  if (!isWindow(expr) || isa<AffineDimExpr>(expr) ||
      !expr.isFunctionOfDim(loop))
    return false;
  unsigned numLoops = space.loops.size();
  SmallVector<int64_t> begin(numLoops, 0), last(numLoops, 0);
  for (unsigned other = 0; other != numLoops; ++other) {
    if (!expr.isFunctionOfDim(other))
      continue;
    const Size &size = space.loops[other].size;
    if (!size || *size <= 0 || (other < parts.size() && !parts[other].size))
      return false;
    int64_t tile = other < parts.size() ? *parts[other].size : 0;
    last[other] = (tile == 0 ? *size : std::min(tile, *size)) - 1;
  }
  begin[loop] = (numThreads - 1) * *parts[loop].size;
  last[loop] = -1;
  if (begin[loop] < *space.loops[loop].size)
    return false;
  AffineMap map = AffineMap::get(numLoops, 0, expr, expr.getContext());
  int64_t length = map.compose(last).front() + 1;
  return length > 0 && map.compose(begin).front() + length > extent;
}

/// The number of threads that `tile` gives a loop of `op`, of which some have
/// no iteration and reach over the end of an operand; none if none does.
static std::optional<int64_t> findIdleReach(transform::TileUsingForallOp tile,
                                            Operation *op,
                                            const IterationSpace &space,
                                            ArrayRef<Division> parts) {
  auto structured = dyn_cast<linalg::LinalgOp>(op);
  ArrayRef<int64_t> threads = tile.getStaticNumThreads();
  if (!structured || !tile.getStaticTileSizes().empty() ||
      space.maps.size() != structured->getNumOperands() ||
      structured.getNumLoops() != space.loops.size())
    return std::nullopt;
  // The operands are those of `op` only if it is as it was given.
  for (auto [size, loop] :
       llvm::zip_equal(structured.getStaticLoopRanges(), space.loops))
    if (loop.size != size)
      return std::nullopt;
  for (unsigned loop = 0, e = std::min(parts.size(), threads.size()); loop != e;
       ++loop) {
    if (threads[loop] < 2 || threads[loop] > (1 << 20) || !parts[loop].size ||
        !space.loops[loop].size)
      continue;
    for (auto [operand, map] :
         llvm::zip(structured->getOperands(), space.maps)) {
      auto type = dyn_cast<ShapedType>(operand.getType());
      if (!type || map.getNumDims() != space.loops.size())
        continue;
      for (auto [extent, expr] : llvm::zip(type.getShape(), map.getResults()))
        if (!ShapedType::isDynamic(extent) &&
            reachesOver(expr, extent, loop, threads[loop], parts, space))
          return threads[loop];
    }
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

static std::optional<Miscompiled> findInTiles(const Step &step, NodeId target) {
  const Node &node = step.payload[target];
  if (!node.space || !node.exact || !node.isSurelyThere())
    return std::nullopt;
  Divisions parts = getDivisions(step.op, *node.space);
  if (auto fuse = dyn_cast<transform::FuseOp>(step.op))
    if (const Node *made = findRestart(step, fuse, node, parts))
      return Miscompiled{
          "'" + made->kind->getStringRef().str() +
              "' is fused into the loop over the tiles of a reduction, and "
              "each tile starts from it again",
          "give the reduction the size 0 here, and tile it by a "
          "'transform.structured.tile_using_for' behind this step"};
  if (step.payload.isLikeBody(node))
    if (std::optional<unsigned> loop =
            findForgottenIndex(step, node.body, *node.space, parts))
      return Miscompiled{"'linalg.index " + std::to_string(*loop) +
                         "' in its body does not count from where a tile "
                         "begins"};
  auto forall = dyn_cast<transform::TileUsingForallOp>(step.op);
  if (forall && step.payload.isLikeBody(node))
    if (std::optional<int64_t> threads =
            findIdleReach(forall, node.body, *node.space, parts))
      return Miscompiled{"of its " + std::to_string(*threads) +
                             " threads, some have no iteration, but take "
                             "a window from behind the end",
                         "use tile_sizes, or fewer threads",
                         /*reachesOut=*/true};
  bool takesSlices = !isa<transform::PackOp, transform::TileReductionUsingForOp,
                          transform::TileReductionUsingForallOp>(step.op);
  Slices slices = takesSlices ? findSlices(parts, *node.space) : Slices::Right;
  if (slices == Slices::OtherElements)
    return Miscompiled{
        "one of its maps divides by a number that does not suit the tiles, "
        "which read other elements"};
  if (slices == Slices::BeforeFirst)
    return Miscompiled{"one of its maps has its first element behind "
                       "others, and a tile takes a slice from in front "
                       "of the operand",
                       /*fix=*/{}, /*reachesOut=*/true};
  return std::nullopt;
}

void formwork::verifier::addMiscompiledTiles(MiscompilationRegistry &registry) {
  registry.add<transform::TileUsingForOp, transform::TileUsingForallOp,
               transform::FuseOp, transform::SplitOp, transform::PackOp,
               transform::TileReductionUsingForOp,
               transform::TileReductionUsingForallOp>(findInTiles);
}
