//===- TileFor.cpp - Model of tiling with loops -----------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `structured.tile_using_for`: a nest of scf.for around a tile of each target.
// Layer: verifier.
//
//===----------------------------------------------------------------------===//

#include "verifier/clauses/Clauses.h"
#include "verifier/models/Models.h"
#include "verifier/models/structured/Fusion.h"
#include "verifier/models/structured/OtherTiles.h"
#include "verifier/models/structured/TileSizes.h"
#include "verifier/models/structured/TiledNodes.h"
#include "verifier/step/Step.h"

#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Transform/IR/TransformTypes.h"
#include "llvm/Support/InterleavedRange.h"

using namespace mlir;
using namespace formwork::engine;
using namespace formwork::verifier;

namespace {
/// The arguments of the step besides its targets.
struct ForTiling {
  GivenSizes sizes;
  /// The dimensions whose size is scaled, in order.
  SmallVector<unsigned, 0> scaled;
  /// The order of the loops; empty for theirs.
  ArrayRef<int64_t> interchange;
  /// It names each loop once.
  bool isPermutation = true;
};

/// The ops that the step makes of one target.
struct ForTile {
  NodeId tile;
  /// Outermost first.
  NodeList loops;
  /// None of the loops may be left out.
  bool loopsAreSure;
};
} // namespace

//===----------------------------------------------------------------------===//
// The arguments
//===----------------------------------------------------------------------===//

/// Reports an interchange that does not name each loop once.
static void checkInterchange(const Step &step, ForTiling &tiling) {
  ArrayRef<int64_t> given = tiling.interchange;
  tiling.isPermutation = llvm::all_of(given, [&](int64_t i) {
    return i >= 0 && i < static_cast<int64_t>(given.size()) &&
           llvm::count(given, i) == 1;
  });
  if (!tiling.isPermutation)
    step.report("fw-bad-interchange",
                "requires an interchange that names each loop once but has " +
                    llvm::interleaved_array(given).str(),
                step.lookup(step.op->getOperand(0)).count(step.payload).lo > 0);
}

static ForTiling readTiling(const Step &step, transform::TileUsingForOp tile) {
  ForTiling tiling;
  tiling.sizes = getGivenSizes(tile.getStaticSizes(), tile.getDynamicSizes());
  checkTileSizes(step, tiling.sizes);
  checkParamTypes(step, tile.getDynamicSizes(), /*definite=*/true,
                  /*silenceable=*/false);
  if (DenseI64ArrayAttr interchange = tile.getInterchangeAttr())
    tiling.interchange = interchange;
  checkInterchange(step, tiling);
  for (auto [dim, isScalable] : llvm::enumerate(tile.getScalableSizes()))
    if (isScalable)
      tiling.scaled.push_back(dim);
  return tiling;
}

//===----------------------------------------------------------------------===//
// One target
//===----------------------------------------------------------------------===//

/// A scalable size is a multiple of one that only the machine knows: the loop
/// is split, in how many steps is not known. Returns false where a size is
/// scaled of which it is not known that it is positive.
static bool forgetScalable(const ForTiling &tiling, TileSpec &spec) {
  bool arePositive = true;
  for (unsigned dim : tiling.scaled) {
    const GivenSize &size = tiling.sizes[dim];
    arePositive &= !size.value && size.number > 0;
    spec.sizes[dim] = std::nullopt;
    auto *place = llvm::lower_bound(spec.tiled, dim);
    if (place == spec.tiled.end() || *place != dim)
      spec.tiled.insert(place, dim);
  }
  return arePositive;
}

/// The tiling of target `index` of `targets` by the sizes.
static TileSpec readTargetSpec(const Step &step, const ForTiling &tiling,
                               ArrayRef<NodeId> targets, unsigned index) {
  // A parameter has a value for each target; of any integer type here.
  TileSpec spec = readSpec(step, readSizes(tiling.sizes, [&](Value value) {
                             return step.getParam(value, index,
                                                  /*anyWidth=*/true);
                           }));
  for (auto [dim, size] : llvm::enumerate(tiling.sizes)) {
    bool isKnown = !spec.sizes[dim].isUnknown() ||
                   (size.value && areIndices(step, size.value, targets));
    if (isKnown)
      continue;
    step.unprove("has tile sizes that are not known");
    // A constant that is 0 makes no loop.
    if (!spec.mayLeaveOut(dim))
      spec.mayBeZero.push_back(dim);
  }
  if (!forgetScalable(tiling, spec))
    step.unprove("scales a tile size that may be 0");
  return spec;
}

/// Reports more tile sizes than `target` has loops.
static void checkTileCount(const Step &step, NodeId target, unsigned numSizes) {
  const Node &node = step.payload[target];
  if (!node.space || numSizes <= node.space->loops.size())
    return;
  step.report("fw-too-many-tile-sizes",
              "requires at most " + Twine(node.space->loops.size()) +
                  " tile sizes for '" + node.kind->getStringRef() +
                  "' but has " + Twine(numSizes),
              node.isSurelyThere());
}

/// The order of the loops that `spec` makes of `target`, outermost first.
static SmallVector<unsigned> getLoopOrder(const Step &step, NodeId target,
                                          const IterationSpace *space,
                                          const ForTiling &tiling,
                                          const TileSpec &spec) {
  SmallVector<unsigned> order;
  if (!space) {
    if (!tiling.interchange.empty())
      step.unprove("has an interchange of loops that are not known");
  } else if (std::optional<SmallVector<unsigned>> interchanged =
                 orderLoops(tiling.interchange, spec, space->loops.size())) {
    order = std::move(*interchanged);
  } else if (tiling.isPermutation) {
    requireLoopOrder(step, step.payload[target], tiling.interchange);
  }
  if (order.empty())
    llvm::append_range(order, llvm::seq<unsigned>(0, spec.numLoops()));
  return order;
}

/// Adds the loops that `spec` makes of `target`, whose own are `whole`, in
/// `order`.
static NodeList addLoops(const Step &step, NodeId target,
                         const IterationSpace *whole, const ForTiling &tiling,
                         const TileSpec &spec, ArrayRef<Extent> trips,
                         ArrayRef<unsigned> order) {
  PayloadModel &payload = step.payload;
  NodeKind kind = getLoopKind<scf::ForOp>(step.op->getContext());
  NodeList loops;
  std::optional<NodeId> parent;
  for (unsigned which : order) {
    unsigned dim = spec.tiled[which];
    std::shared_ptr<LoopFacts> facts;
    // Excess sizes have no loop.
    if (whole && dim < whole->loops.size()) {
      facts = getForFacts(whole->loops[dim], spec.sizes[dim], trips[which],
                          whole->hasResults());
      facts->endsOpen |= llvm::is_contained(tiling.scaled, dim);
    }
    parent = addLoop(payload, target, parent, kind, std::move(facts), step.op);
    if (spec.numSureLoops() != spec.numLoops()) {
      payload.edit(*parent).present = Certainty::Maybe;
      payload.edit(*parent).count.lo = 0;
    }
    loops.push_back(*parent);
  }
  return loops;
}

/// Tiles `target` as `spec` says.
static ForTile tileByFor(const Step &step, NodeId target,
                         const ForTiling &tiling, const TileSpec &spec) {
  PayloadModel &payload = step.payload;
  // Without a loop, the op is cloned where it stands.
  if (spec.numLoops() == 0 && !tiling.interchange.empty())
    step.unprove("interchanges loops of which it tiles none");
  checkTileCount(step, target, spec.sizes.size());
  keepWithinLoops(step, target, spec.sizes);
  std::shared_ptr<const IterationSpace> whole = payload[target].space;
  bool isTracked = whole != nullptr;
  if (!isTracked)
    whole = readOtherLoops(step, target);
  SmallVector<Extent> trips;
  std::shared_ptr<IterationSpace> space =
      tileSpace(step.op, whole.get(), spec, step.terms, trips);
  for (unsigned dim : tiling.scaled)
    if (space && dim < space->loops.size())
      space->loops[dim].reason = {step.op, dim, /*size=*/0,
                                  /*tile=*/0, /*definite=*/true};
  NodeList loops =
      addLoops(step, target, whole.get(), tiling, spec, trips,
               getLoopOrder(step, target, whole.get(), tiling, spec));
  NodeId tile = addTiled(payload, target, loops.empty() ? target : loops.back(),
                         isTracked ? space : nullptr, step.op);
  if (isTracked)
    recordSlices(payload, target, tile, spec);
  else
    describeOtherTile(step, target, tile);
  if (loops.empty())
    payload.setUps(tile, payload[target].ups);
  return {tile, loops, spec.numSureLoops() == spec.numLoops()};
}

static void propagateTileFor(const Step &step) {
  auto tile = cast<transform::TileUsingForOp>(step.op);
  ForTiling tiling = readTiling(step, tile);
  const HandleState &source = step.lookup(tile.getTarget());
  NodeList targets(source.nodes);
  bool ordered = source.ordered;
  NodeList tiled;
  SmallVector<NodeList> loops(step.op->getNumResults() - 1);
  bool loopsAreSure = true;
  for (auto [index, target] : llvm::enumerate(targets)) {
    TileSpec spec = readTargetSpec(step, tiling, targets, index);
    ForTile made = tileByFor(step, target, tiling, spec);
    loopsAreSure &= made.loopsAreSure;
    tiled.push_back(made.tile);
    for (auto [nodes, loop] : llvm::zip(loops, made.loops))
      nodes.push_back(loop);
    takePlace(step, target,
              made.loops.empty() ? made.tile : made.loops.front());
  }
  applyWriteOf(step, step.contract.payload->introduces);
  step.setResult(0, tiled, ordered);
  if (!loopsAreSure)
    step.unprove("may leave out a loop, because a tile size may be 0");
  for (auto [i, nodes] : llvm::enumerate(loops))
    if (loopsAreSure)
      step.setResult(i + 1, nodes, ordered);
    else
      step.setOpaque(i + 1);
}

void formwork::verifier::registerTileForModels(ModelRegistry &models) {
  models
      .add("tile-using-for", propagateTileFor,
           decides{"fw-any-param", "fw-bad-interchange", "fw-cardinality",
                   "fw-negative-tile-size", "fw-too-many-tile-sizes"},
           leavesOpen{"scales a tile size that may be 0",
                      "tiles a loop without iterations",
                      "interchanges loops of which it tiles none"})
      .derivesConstraints = true;
}
