//===- TileForall.cpp - Model of tiling with an scf.forall ------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `structured.tile_using_forall`: one scf.forall around a tile of each target.
// Layer: verifier.
//
//===----------------------------------------------------------------------===//

#include "verifier/clauses/Clauses.h"
#include "verifier/clauses/Yields.h"
#include "verifier/models/Models.h"
#include "verifier/models/structured/Fusion.h"
#include "verifier/models/structured/OtherTiles.h"
#include "verifier/models/structured/TileSizes.h"
#include "verifier/models/structured/TiledNodes.h"
#include "verifier/step/Step.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/TransformOps/SCFTransformOps.h"

using namespace mlir;
using namespace formwork::engine;
using namespace formwork::verifier;

namespace {
/// The arguments of the step besides its targets.
struct ForallTiling {
  /// Of a target that has a loop for each size.
  TileSpec spec;
  /// The handle or parameter that lists the sizes; null where each is given.
  Value list;
  SmallVector<Attribute> mapping;
  /// How many loops it maps. A mask is there beside them.
  unsigned numMappings = 0;

  /// It is not known how many sizes the list has.
  bool isPacked() const { return list && spec.sizes.empty(); }
  /// Whether the loops that `target` makes are known: the mapping tells that
  /// none is left out.
  bool areLoopsKnown(const TileSpec &target) const {
    return target.numSureLoops() == target.numLoops() ||
           numMappings == target.numLoops();
  }
};
} // namespace

static ForallTiling readTiling(const Step &step,
                               transform::TileUsingForallOp tile) {
  ForallTiling tiling;
  bool byThreads =
      !tile.getStaticNumThreads().empty() || tile.getPackedNumThreads();
  GivenSizes given =
      byThreads
          ? getGivenSizes(tile.getStaticNumThreads(), tile.getNumThreads())
          : getGivenSizes(tile.getStaticTileSizes(), tile.getTileSizes());
  checkTileSizes(step, given);
  Sizes sizes = readSizes(step, given);
  tiling.list =
      byThreads ? tile.getPackedNumThreads() : tile.getPackedTileSizes();
  bool definite = step.lookup(tile.getTarget()).count(step.payload).lo > 0;
  unsigned length = tiling.list ? step.lookup(tiling.list).params.size() : 0;
  for (unsigned i = 0; i < length; ++i) {
    sizes.push_back(step.getParam(tiling.list, i));
    requireNonNegative(step, i, sizes.back(), definite);
  }
  tiling.spec = readSpec(step, sizes, byThreads);
  if (std::optional<ArrayAttr> mapping = tile.getMapping()) {
    llvm::append_range(tiling.mapping, *mapping);
    tiling.numMappings =
        llvm::count_if(*mapping, llvm::IsaPred<DeviceMappingAttrInterface>);
  }
  return tiling;
}

//===----------------------------------------------------------------------===//
// Which loops a target has
//===----------------------------------------------------------------------===//

/// The tiling of `target`, whose loops are `whole`, if they are known: it has
/// no loop for excess sizes.
static TileSpec readTargetSpec(const Step &step, NodeId target,
                               const ForallTiling &tiling,
                               const IterationSpace *whole) {
  TileSpec spec = tiling.spec;
  const Node &node = step.payload[target];
  if (!whole || spec.sizes.size() <= whole->loops.size())
    return spec;
  unsigned numLoops = whole->loops.size();
  TextEdits shorter;
  if (!tiling.list)
    shorter = step.analysis.fixes.truncateList(
        step.op, spec.isNumThreads ? "num_threads" : "tile_sizes", numLoops);
  step.warn("fw-too-many-tile-sizes",
            "requires at most " + Twine(numLoops) + " tile sizes for '" +
                node.kind->getStringRef() + "' but has " +
                Twine(spec.sizes.size()) + ", the last of which do nothing")
      .note(NoteKind::FixIt, step.op->getLoc(), "leave the last ones out",
            std::move(shorter));
  spec.truncate(numLoops);
  return spec;
}

//===----------------------------------------------------------------------===//
// Whether the scf.forall is right
//===----------------------------------------------------------------------===//

/// Whether somebody verifies the scf.forall that `spec` makes of `node`:
/// nothing erases or converts it before the end, and nothing throws the copy
/// away that alternatives work on.
static bool isForallVerified(const Step &step, const Node &node,
                             const TileSpec &spec) {
  auto isNegative = [](const Size &size) { return size && *size < 0; };
  auto hasNoIterations = [](const Extent &loop) { return loop.size == 0; };
  return node.space && node.live && !step.state.recovers &&
         llvm::none_of(spec.sizes, isNegative) &&
         llvm::none_of(node.space->loops, hasNoIterations) &&
         !step.analysis.schedule.hasReached<transform::ForallToForOp,
                                            transform::ForallToParallelOp>();
}

/// Checks that `spec` tiles a loop of `node`, and as many as are mapped.
static void checkTiledLoops(const Step &step, const Node &node,
                            const ForallTiling &tiling, const TileSpec &spec) {
  bool present = node.isSurelyThere();
  unsigned numMappings = tiling.numMappings;
  if (tiling.isPacked())
    return;
  if (spec.numLoops() == 0)
    // Without a number of threads, upstream reads a loop that is not there,
    // and what it finds there can be an op.
    step.report("fw-no-tiled-loop",
                "requires at least one tile size other than 0 but has none",
                present && !spec.isNumThreads, /*silenceable=*/false);
  else if (numMappings != 0 &&
           (numMappings > spec.numLoops() || numMappings < spec.numSureLoops()))
    step.report("fw-mapping-rank",
                "requires one mapping attribute per tiled loop but has " +
                    Twine(numMappings) + " for " + Twine(spec.numLoops()),
                present && isForallVerified(step, node, spec),
                /*silenceable=*/false)
        .note(NoteKind::Evidence, step.op->getLoc(),
              "the scf.forall would be invalid IR");
  else
    requireTiledLoops(step, spec.sizes, numMappings, present);
}

/// Whether dimension `dim` has one tile: nothing else races with it.
static bool hasOneTile(const Step &step, const IterationSpace &space,
                       const TileSpec &spec, unsigned dim) {
  if (spec.isNumThreads)
    return spec.sizes[dim] == 1;
  auto size = step.analysis.getTerm(spec.sizes[dim]),
       extent = step.analysis.getTerm(space.loops[dim].size);
  return size && extent &&
         step.parameters.isSurely(step.terms.lessEqual(*extent, *size));
}

/// Warns of reductions among the loops that `spec` tiles, which are `space`.
static void warnOfReductions(const Step &step, const Node &node,
                             const IterationSpace &space,
                             const TileSpec &spec) {
  for (unsigned dim : spec.tiled)
    if (dim < space.iterators.size() &&
        space.iterators[dim] == utils::IteratorType::reduction &&
        !hasOneTile(step, space, spec, dim))
      step.warn("fw-parallel-reduction",
                "requires parallel loops but dimension " + Twine(dim) +
                    " of '" + node.kind->getStringRef() +
                    "' is a reduction, whose tiles race in an scf.forall")
          .note(NoteKind::FixIt, step.op->getLoc(),
                "tile dimension " + Twine(dim) +
                    " with tile_using_for or tile_reduction_using_forall");
}

//===----------------------------------------------------------------------===//
// The loop and the tile
//===----------------------------------------------------------------------===//

namespace {
struct ForallTile {
  NodeId loop, tile;
};
} // namespace

/// The facts of the scf.forall over `trips`; null where they are not known.
static std::shared_ptr<LoopFacts> getForallFacts(const ForallTiling &tiling,
                                                 const TileSpec &spec,
                                                 const IterationSpace *space,
                                                 ArrayRef<Extent> trips) {
  if (!space || tiling.isPacked() || !tiling.areLoopsKnown(spec) ||
      spec.numLoops() == 0)
    return nullptr;
  auto facts = std::make_shared<LoopFacts>();
  facts->trips.assign(trips.begin(), trips.end());
  facts->mapping.assign(tiling.mapping.begin(), tiling.mapping.end());
  facts->isForall = true;
  facts->hasResults = space->hasResults();
  facts->hasStaticResults =
      llvm::all_of(space->loops, [](const Extent &e) { return e.isStatic(); });
  if (facts->hasResults && space->numInits == 1 && !space->maps.empty()) {
    facts->resultRank = space->maps.back().getNumResults();
    facts->resultElement = space->elementTypes.back();
  }
  return facts;
}

/// Adds the scf.forall and the tile that `spec` makes of `target`, whose loops
/// are `whole`, if they are known; `isTracked`: to the payload model.
static ForallTile addForall(const Step &step, NodeId target,
                            const ForallTiling &tiling, const TileSpec &spec,
                            const IterationSpace *whole, bool isTracked) {
  PayloadModel &payload = step.payload;
  SmallVector<Extent> trips;
  std::shared_ptr<IterationSpace> space =
      tileSpace(step.op, whole, spec, step.terms, trips);
  std::shared_ptr<LoopFacts> facts =
      getForallFacts(tiling, spec, space.get(), trips);
  NodeId loop = addLoop(payload, target, std::nullopt,
                        getLoopKind<scf::ForallOp>(step.op->getContext()),
                        facts, step.op);
  if (tiling.isPacked() || !isTracked)
    space = nullptr;
  NodeId tile = addTiled(payload, target, loop, space, step.op);
  if (facts && isTracked)
    recordSlices(payload, target, tile, spec);
  if (!isTracked)
    describeOtherTile(step, target, tile);
  // A target that may have no dimensions may get no loop.
  if (!whole) {
    ArrayRef<Up> ups = payload[target].ups;
    Time since = std::max<Time>(payload.time(), 1);
    NodeId around =
        ups.size() == 1 ? ups.front().getSure() : PayloadModel::universe;
    payload.setUps(tile, {{loop, UpKind::Inside, since, around}});
  }
  return {loop, tile};
}

static ForallTile tileByForall(const Step &step, NodeId target,
                               const ForallTiling &tiling) {
  const Node &node = step.payload[target];
  std::shared_ptr<const IterationSpace> whole = node.space;
  bool isTracked = whole != nullptr;
  if (!isTracked)
    whole = readOtherLoops(step, target);
  TileSpec spec = readTargetSpec(step, target, tiling, whole.get());
  if (!spec.isNumThreads)
    keepWithinLoops(step, target, spec.sizes);
  checkTiledLoops(step, node, tiling, spec);
  if (!tiling.areLoopsKnown(spec))
    step.unprove("may leave out a loop, because a tile size may be 0");
  if (whole)
    warnOfReductions(step, node, *whole, spec);
  return addForall(step, target, tiling, spec, whole.get(), isTracked);
}

static void propagateTileForall(const Step &step) {
  auto tile = cast<transform::TileUsingForallOp>(step.op);
  ForallTiling tiling = readTiling(step, tile);
  NodeList targets(step.lookup(tile.getTarget()).nodes);
  bool ordered = step.lookup(tile.getTarget()).ordered;
  if (tiling.isPacked() || tiling.spec.isOpen())
    step.unprove("has tile sizes that are not known");
  auto isScalar = [&](NodeId target) {
    const Node &node = step.payload[target];
    return node.space && node.space->loops.empty();
  };
  if (llvm::any_of(targets, isScalar)) {
    step.unprove(
        "tiles an op without loops, for which MLIR's result is not defined");
    return summarize(step);
  }
  NodeList tiled, loops;
  for (NodeId target : targets) {
    ForallTile made = tileByForall(step, target, tiling);
    loops.push_back(made.loop);
    tiled.push_back(made.tile);
    takePlace(step, target, made.loop);
  }
  applyWriteOf(step, step.contract.payload->introduces);
  step.setResult(0, tiled, ordered);
  step.setResult(1, loops, ordered);
}

void formwork::verifier::registerTileForallModels(ModelRegistry &models) {
  models
      .add("tile-using-forall", propagateTileForall,
           decides{"fw-cardinality", "fw-mapping-rank", "fw-negative-tile-size",
                   "fw-no-tiled-loop", "fw-parallel-reduction",
                   "fw-too-many-tile-sizes"},
           leavesOpen{"tiles a loop without iterations",
                      "tiles an op without loops, for which MLIR's result is "
                      "not defined"})
      .derivesConstraints = true;
}
