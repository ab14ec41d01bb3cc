//===- TileReduction.cpp - Models of tiling reductions ----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tiling a reduction: a loop computes parts of it, and another op merges them
// behind the loop. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#include "verifier/clauses/Clauses.h"
#include "verifier/clauses/Yields.h"
#include "verifier/models/Models.h"
#include "verifier/models/structured/Fusion.h"
#include "verifier/models/structured/Reductions.h"
#include "verifier/models/structured/Rephrasing.h"
#include "verifier/models/structured/TileSizes.h"
#include "verifier/models/structured/TiledNodes.h"
#include "verifier/step/Step.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::engine;
using namespace formwork::verifier;

namespace {
/// The arguments of the step besides its targets.
struct ReductionTiling {
  SmallVector<int64_t> sizes;
  TileSpec spec;
  SmallVector<Attribute> mapping;
  bool byForall = false;
  /// No other dimensions are named than those with a size, and the mapping is
  /// one of the loops.
  bool isPlain = true;
};

/// The ops that the step makes of one target.
struct ReductionParts {
  NodeId init, part, merge, loop;
};
} // namespace

static ReductionTiling readTiling(const Step &step) {
  ReductionTiling tiling;
  bool isNumThreads = false;
  if (auto forall = dyn_cast<transform::TileReductionUsingForallOp>(step.op)) {
    tiling.byForall = true;
    isNumThreads = !forall.getNumThreads().empty();
    llvm::append_range(tiling.sizes, isNumThreads ? forall.getNumThreads()
                                                  : forall.getTileSizes());
    if (std::optional<ArrayAttr> mapping = forall.getMapping())
      llvm::append_range(tiling.mapping, *mapping);
    tiling.isPlain = forall.getReductionDims().empty();
  } else {
    auto loops = cast<transform::TileReductionUsingForOp>(step.op);
    for (auto size : loops.getTileSizes().getAsRange<IntegerAttr>())
      tiling.sizes.push_back(size.getInt());
    tiling.isPlain = loops.getReductionDims().empty();
  }
  tiling.spec = readSpec(step, Sizes(tiling.sizes.begin(), tiling.sizes.end()),
                         isNumThreads);
  tiling.isPlain &= step.op->getNumResults() == 4 &&
                    (tiling.mapping.empty() ||
                     (tiling.mapping.size() == tiling.spec.numLoops() &&
                      llvm::all_of(tiling.mapping,
                                   llvm::IsaPred<DeviceMappingAttrInterface>)));
  return tiling;
}

/// Whether `sizes` split a reduction of `space`, and nothing else.
static bool splitsReduction(const IterationSpace &space,
                            ArrayRef<int64_t> sizes) {
  if (sizes.size() > space.iterators.size())
    return false;
  bool splits = false;
  for (auto [size, iterator] : llvm::zip(sizes, space.iterators)) {
    if (size < 0 || (size != 0 && iterator != utils::IteratorType::reduction))
      return false;
    splits |= size != 0;
  }
  return splits;
}

/// The first parallel dimension of `space` that `sizes` tile.
static std::optional<unsigned> findParallel(const IterationSpace &space,
                                            ArrayRef<int64_t> sizes) {
  for (auto [dim, iterator] : llvm::enumerate(space.iterators))
    if (dim < sizes.size() && sizes[dim] > 0 &&
        iterator == utils::IteratorType::parallel)
      return dim;
  return std::nullopt;
}

/// Reports that upstream finds no reduction of tensors to do in parts where
/// `sizes` split `target`; returns false where it may.
static bool reportNoReduction(const Step &step, NodeId target,
                              ArrayRef<int64_t> sizes) {
  const Node &node = step.payload[target];
  bool isTiled = llvm::any_of(sizes, [](int64_t size) { return size > 0; });
  if (!node.space || !node.kind || !isTiled ||
      sizes.size() > node.space->iterators.size())
    return false;
  bool present = node.isSurelyThere();
  if (std::optional<unsigned> dim = findParallel(*node.space, sizes))
    step.report("fw-not-a-reduction",
                "requires tiled dimensions to be reductions but dimension " +
                    Twine(*dim) + " of '" + node.kind->getStringRef() +
                    "' is parallel",
                present)
        .note(NoteKind::FixIt, step.op->getLoc(),
              "give the dimension tile size 0, and tile it with tile_using_for "
              "or tile_using_forall");
  else if (!node.space->onTensors)
    step.report("fw-bufferized",
                "requires an op on tensors but '" + node.kind->getStringRef() +
                    "' is on buffers",
                present);
  else
    return false;
  return true;
}

/// Whether each dimension of the result of `op` is as static in its type as the
/// loop is. MLIR gives the parts the sizes of the loops, and what merges them
/// the type of the result.
static bool hasSizesOfLoops(linalg::LinalgOp op) {
  OpOperand &init = op.getDpsInitsMutable()[0];
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  return llvm::all_of(
      llvm::zip_equal(op.getShape(&init),
                      op.getMatchingIndexingMap(&init).getResults()),
      [&](auto pair) {
        auto [size, index] = pair;
        return size == ranges[cast<AffineDimExpr>(index).getPosition()];
      });
}

//===----------------------------------------------------------------------===//
// The loop and its ops
//===----------------------------------------------------------------------===//

/// The parts, one for each index of the result and of the tiled loops: those of
/// an element, or of the loop's steps, which are `trips`.
static std::shared_ptr<IterationSpace>
getPartialSpace(const IterationSpace &whole, const ReductionTiling &tiling,
                ArrayRef<Extent> trips) {
  auto space = std::make_shared<IterationSpace>();
  for (AffineExpr index : whole.maps.back().getResults())
    space->loops.push_back(
        whole.loops[cast<AffineDimExpr>(index).getPosition()]);
  for (auto [number, dim] : llvm::enumerate(tiling.spec.tiled)) {
    Extent loop = trips[number];
    if (!tiling.byForall) {
      loop = Extent();
      loop.size = tiling.spec.sizes[dim];
    }
    space->loops.push_back(std::move(loop));
  }
  space->elementTypes.assign(2, whole.elementTypes.back());
  return space;
}

/// Where the parts begin: all of them with the same value.
static std::shared_ptr<IterationSpace>
getInitSpace(const IterationSpace &partial, MLIRContext *context) {
  auto space = std::make_shared<IterationSpace>(partial);
  unsigned rank = space->loops.size();
  space->iterators.assign(rank, utils::IteratorType::parallel);
  space->maps = {AffineMap::get(rank, 0, context),
                 AffineMap::getMultiDimIdentityMap(rank, context)};
  return space;
}

/// The iteration space of the op that merges the parts: the last `numTiled`
/// loops are reductions.
static std::shared_ptr<IterationSpace>
getMergeSpace(const IterationSpace &partial, unsigned numTiled,
              MLIRContext *context) {
  auto space = std::make_shared<IterationSpace>(partial);
  unsigned rank = space->loops.size();
  space->iterators.assign(rank - numTiled, utils::IteratorType::parallel);
  space->iterators.append(numTiled, utils::IteratorType::reduction);
  AffineMap all = AffineMap::getMultiDimIdentityMap(rank, context);
  space->maps = {
      all,
      AffineMap::get(rank, 0, all.getResults().drop_back(numTiled), context)};
  return space;
}

/// The loops around a part; the outermost, and the innermost.
static std::pair<NodeId, NodeId> addLoops(const Step &step, NodeId target,
                                          const ReductionTiling &tiling,
                                          ArrayRef<Extent> trips) {
  PayloadModel &payload = step.payload;
  MLIRContext *context = step.op->getContext();
  std::shared_ptr<const IterationSpace> whole = payload[target].space;
  if (tiling.byForall) {
    std::shared_ptr<LoopFacts> facts;
    // A loop over tiles counts elements, in steps of a tile.
    if (tiling.spec.isNumThreads) {
      facts = std::make_shared<LoopFacts>();
      facts->trips.assign(trips.begin(), trips.end());
      facts->mapping.assign(tiling.mapping.begin(), tiling.mapping.end());
      facts->isForall = facts->hasResults = true;
    }
    NodeId loop = addLoop(payload, target, std::nullopt,
                          getLoopKind<scf::ForallOp>(context), facts, step.op);
    return {loop, loop};
  }
  std::optional<NodeId> outermost, innermost;
  for (auto [number, dim] : llvm::enumerate(tiling.spec.tiled)) {
    innermost =
        addLoop(payload, target, innermost, getLoopKind<scf::ForOp>(context),
                getForFacts(whole->loops[dim], tiling.spec.sizes[dim],
                            trips[number], /*hasResults=*/true),
                step.op);
    if (!outermost)
      outermost = innermost;
  }
  return {*outermost, *innermost};
}

/// Tiles `target`, of which all is known that the step asks.
static ReductionParts tileReduction(const Step &step, NodeId target,
                                    const ReductionTiling &tiling) {
  PayloadModel &payload = step.payload;
  MLIRContext *context = step.op->getContext();
  const Node old = payload[target];
  ArrayRef<unsigned> tiled = tiling.spec.tiled;
  ReductionBodies bodies = getReductionBodies(step, old, tiled);
  auto makeNode = [&](StringRef kind, Operation *body,
                      std::shared_ptr<const IterationSpace> space) {
    Node node = makeBeside(old, step.op, OperationName(kind, context));
    node.tags = DictionaryAttr::get(context);
    node.space = std::move(space);
    node.body = body;
    node.bodySince = payload.time();
    return node;
  };
  SmallVector<Extent> trips;
  std::shared_ptr<IterationSpace> space =
      tileSpace(step.op, old.space.get(), tiling.spec, step.terms, trips);
  if (!tiling.byForall)
    for (unsigned dim : tiled) {
      AffineMap &map = space->maps.back();
      map =
          map.insertResult(getAffineDimExpr(dim, context), map.getNumResults());
      space->iterators[dim] = utils::IteratorType::parallel;
    }
  std::shared_ptr<IterationSpace> partial =
      getPartialSpace(*old.space, tiling, trips);

  Node init = makeNode(linalg::FillOp::getOperationName(), bodies.init,
                       getInitSpace(*partial, context));
  init.producers.assign(2, PayloadModel::unknownProducer);
  ReductionParts made;
  made.init = payload.add(std::move(init));

  NodeId innermost;
  std::tie(made.loop, innermost) = addLoops(step, target, tiling, trips);
  // Each step of an scf.forall computes one part, with a clone of the op.
  Node part = makeNode(linalg::GenericOp::getOperationName(), bodies.part,
                       std::move(space));
  if (tiling.byForall) {
    part.kind = old.kind;
    part.tags = old.tags;
    part.body = old.body;
    part.bodySince = old.bodySince;
  }
  part.ups = {{innermost, UpKind::Inside}};
  part.producers.assign(old.space->maps.size(), PayloadModel::unknownProducer);
  made.part = payload.add(std::move(part));

  Node merge = makeNode(linalg::ReduceOp::getOperationName(), bodies.merge,
                        getMergeSpace(*partial, tiled.size(), context));
  merge.producers = {made.loop, old.producers.empty()
                                    ? PayloadModel::unknownProducer
                                    : old.producers.back()};
  made.merge = payload.add(std::move(merge));
  return made;
}

static void propagateTileReduction(const Step &step) {
  ReductionTiling tiling = readTiling(step);
  HandleState source = step.lookup(step.op->getOperand(0));
  // The bodies of what is made are copies of the body of the whole.
  normalforms::KindPatterns inBodies;
  for (NodeId target : source.nodes)
    llvm::append_range(inBodies, getKindsBelow(step, target));
  bool areKnown = llvm::all_of(source.nodes, [&](NodeId target) {
    const Node &node = step.payload[target];
    auto body = dyn_cast_or_null<linalg::LinalgOp>(node.body);
    return body && node.kind && node.space && node.space->onTensors &&
           hasParts(body) && hasSizesOfLoops(body) &&
           splitsReduction(*node.space, tiling.sizes);
  });
  if (!tiling.isPlain || !areKnown) {
    bool isReported = false;
    for (NodeId target : source.nodes)
      isReported |= reportNoReduction(step, target, tiling.sizes);
    if (!isReported)
      step.unprove("tiles an op that may not be a reduction that can be "
                   "computed in parts");
    step.analysis.knowsOnlyKinds |= areKnown;
    applyWriteOf(step, inBodies);
    return applyClauses(step);
  }
  std::array<NodeList, 4> made;
  for (NodeId target : source.nodes) {
    doubtYields(step.payload, target);
    step.payload.hideTags(target, [](NodeId) { return true; });
    auto [init, part, merge, loop] = tileReduction(step, target, tiling);
    replaceOp(step, target, merge);
    for (auto [list, node] :
         llvm::zip_equal(made, std::array{init, part, merge, loop}))
      list.push_back(node);
  }
  // The nodes stand for the rest of what is made.
  normalforms::KindPatterns introduces = step.contract.payload->introduces;
  llvm::erase_if(introduces, [](const normalforms::KindPattern &pattern) {
    return pattern == "linalg.*" || pattern == "scf.for" ||
           pattern == "scf.forall";
  });
  llvm::append_range(introduces, inBodies);
  applyWriteOf(step, introduces);
  for (auto [index, nodes] : llvm::enumerate(made))
    step.setResult(index, nodes, source.ordered);
}

void formwork::verifier::registerTileReductionModels(ModelRegistry &models) {
  models.add("tile-reduction", propagateTileReduction,
             decides{"fw-bufferized", "fw-not-a-reduction"},
             leavesOpen{"tiles an op that may not be a reduction that can be "
                        "computed in parts"});
}
