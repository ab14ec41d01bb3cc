//===- TileAndFuse.cpp - Model of tiling that fuses -------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `structured.fuse` of a target and of the producers that it takes along: the
// loops, and the parts of the iteration spaces in them. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#include "verifier/clauses/Clauses.h"
#include "verifier/clauses/OpenParams.h"
#include "verifier/models/Models.h"
#include "verifier/models/structured/Fusion.h"
#include "verifier/models/structured/TileSizes.h"
#include "verifier/models/structured/TiledNodes.h"
#include "verifier/step/Step.h"

#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::engine;
using namespace formwork::verifier;

/// Whether an op that can be tiled, and whose tiling is known to crash or not
/// known at all, may be among what is fused.
static bool mayFuseUnusual(const PayloadModel &payload, NodeId root) {
  static constexpr KindPattern kinds[] = {"linalg.pack",
                                          "linalg.unpack",
                                          "linalg.softmax",
                                          "linalg.winograd_filter_transform",
                                          "linalg.winograd_input_transform",
                                          "linalg.winograd_output_transform"};
  return llvm::any_of(kinds, [&](const KindPattern &kind) {
    return payload.mayHold(root, kind);
  });
}

/// Whether each op comes before those that may read its result.
static bool isInPayloadOrder(const PayloadModel &payload,
                             const HandleState &handle) {
  auto stands = [&](NodeId node) {
    return payload[node].exact && payload[node].op;
  };
  return handle.ordered && llvm::all_of(handle.nodes, stands) &&
         llvm::is_sorted(handle.nodes, [&](NodeId a, NodeId b) {
           return payload[a].position < payload[b].position;
         });
}

/// Whether tiling the op of `node` may fuse that of `other` into its loops:
/// only what stands in a block around it can make what it reads.
static bool mayFuse(const PayloadModel &payload, NodeId node, NodeId other) {
  const Node &producer = payload[other];
  if (!producer.exact || producer.ups.size() != 1)
    return true;
  const Up &up = producer.ups.front();
  return up.kind != UpKind::Inside ||
         payload.isAtOrBelow(node, up.getSure()) != Certainty::No;
}

/// Whether a target of `handle` may be gone, fused into the loops of another,
/// when its turn comes.
static bool mayFuseTargets(const PayloadModel &payload,
                           const HandleState &handle) {
  if (handle.count(payload).hi <= 1 || isInPayloadOrder(payload, handle))
    return false;
  for (auto [i, node] : llvm::enumerate(handle.nodes)) {
    if (payload[node].count.hi > 1)
      return true;
    for (auto [j, other] : llvm::enumerate(handle.nodes))
      if (j != i && (j > i || !handle.ordered) && mayFuse(payload, node, other))
        return true;
  }
  return false;
}

//===----------------------------------------------------------------------===//
// Fused producers
//===----------------------------------------------------------------------===//

namespace {
/// An op of which a part is in the loops: the target, or a producer.
struct Fused {
  NodeId node;
  std::shared_ptr<const IterationSpace> space;
  /// The loops of the op of which the part begins at a place that is computed.
  SmallVector<bool> isSplit;
  /// It takes the place of what the loops carry.
  bool isCarried = false;
};
} // namespace

/// Whether operand `index` of `node` is for sure what a block is given.
static bool isArgument(const Node &node, unsigned index) {
  Operation *op = node.op ? node.op : node.body;
  return op && index < op->getNumOperands() &&
         isa<BlockArgument>(op->getOperand(index));
}

/// The part of `producer` that `reader` reads as operand `index`, if it is sure
/// that it is fused; `cleansUp`: slices that are the whole are folded before.
static std::optional<Fused> followProducer(const PayloadModel &payload,
                                           NodeId producer, const Fused &reader,
                                           unsigned index, const Node &target,
                                           bool cleansUp) {
  const Node &made = payload[producer];
  bool isKnown = made.exact && made.present == Certainty::Yes && made.space &&
                 made.space->onTensors && areSiblings(made, target);
  AffineMap read = reader.space->maps[index];
  if (!isKnown || read.getNumResults() == 0)
    return std::nullopt;
  Fused part;
  part.node = producer;
  part.space = fuseSpace(*made.space, *reader.space, index);
  if (!part.space)
    return std::nullopt;
  part.isSplit.assign(part.space->loops.size(), false);
  bool isWhole = true;
  for (auto [from, to] :
       llvm::zip(read.getResults(), made.space->maps.back().getResults())) {
    bool isSplit = reader.isSplit[cast<AffineDimExpr>(from).getPosition()];
    part.isSplit[cast<AffineDimExpr>(to).getPosition()] = isSplit;
    isWhole &= !isSplit;
  }
  if (isWhole && cleansUp)
    return std::nullopt;
  part.isCarried = reader.isCarried &&
                   index + reader.space->numInits >= reader.space->maps.size();
  return part;
}

/// The parts of all that is fused into the loops around `target`, itself first;
/// none when that is not known. What is copied into the loops as it is goes to
/// `copied`.
static std::optional<SmallVector<Fused>>
followProducers(const PayloadModel &payload, Fused target, bool cleansUp,
                NodeList &copied) {
  SmallVector<Fused> parts = {std::move(target)};
  llvm::DenseSet<NodeId> seen;
  for (unsigned next = 0; next < parts.size(); ++next) {
    const Fused reader = parts[next];
    const Node &node = payload[reader.node];
    unsigned numOperands = reader.space->maps.size();
    if (node.producers.size() != numOperands)
      return std::nullopt;
    for (unsigned i = 0; i < numOperands; ++i) {
      NodeId producer = node.producers[i];
      if (producer == PayloadModel::universe) {
        if (!isArgument(node, i))
          return std::nullopt;
        continue;
      }
      const std::optional<OperationName> &kind = payload[producer].kind;
      if (!kind)
        return std::nullopt;
      if (!KindPattern("$tileable").matches(*kind)) {
        // Clean-up reads through slices and casts, to what they are of.
        bool isOrigin = llvm::is_contained({"tensor.empty", "arith.constant"},
                                           kind->getStringRef());
        // An op that cannot be tiled is still copied into the loops.
        bool isFlat = llvm::is_contained({"affine", "arith", "tensor"},
                                         kind->getDialectNamespace()) &&
                      kind->mightHaveTrait<OpTrait::ZeroRegions>();
        if (!isFlat || (cleansUp && !isOrigin))
          return std::nullopt;
        copied.push_back(producer);
        continue;
      }
      // A producer that is read twice is fused twice. The destination of a
      // fused producer may or may not be found through the loops.
      bool isOfCarried = next != 0 && reader.isCarried &&
                         i + reader.space->numInits >= numOperands;
      std::optional<Fused> part;
      if (!isOfCarried && seen.insert(producer).second)
        part = followProducer(payload, producer, reader, i,
                              payload[parts.front().node], cleansUp);
      if (!part)
        return std::nullopt;
      parts.push_back(std::move(*part));
    }
  }
  return parts;
}

//===----------------------------------------------------------------------===//
// The step
//===----------------------------------------------------------------------===//

/// The trip count that a loop has in the scf.forall, whose steps are as long as
/// the tiles: the others are no loops that can be mapped.
static Extent getForallTrip(const Extent &trip, const Size &tile) {
  if (tile == 1)
    return trip;
  Extent open;
  open.reason.definite = trip.size && *trip.size > 1 && tile;
  return open;
}

/// The facts of the loops that `spec` makes, outermost first: one of the
/// scf.forall, or one of each scf.for.
static SmallVector<std::shared_ptr<LoopFacts>>
getLoopFacts(const TileSpec &spec, ArrayRef<Extent> whole,
             ArrayRef<Extent> trips, ArrayRef<unsigned> order, bool isForall) {
  SmallVector<std::shared_ptr<LoopFacts>> loops;
  for (unsigned which : order) {
    unsigned dim = spec.tiled[which];
    const Size &tile = spec.sizes[dim];
    if (!isForall) {
      loops.push_back(getForFacts(whole[dim], tile, trips[which],
                                  /*hasResults=*/true));
      continue;
    }
    if (loops.empty()) {
      loops.push_back(std::make_shared<LoopFacts>());
      loops.back()->isForall = true;
      loops.back()->hasResults = true;
    }
    loops.back()->trips.push_back(getForallTrip(trips[which], tile));
  }
  return loops;
}

/// Adds loops with these facts around `target`, outermost first.
static NodeList addLoops(const Step &step, NodeId target,
                         ArrayRef<std::shared_ptr<LoopFacts>> facts) {
  MLIRContext *context = step.op->getContext();
  NodeList loops;
  std::optional<NodeId> parent;
  for (const std::shared_ptr<LoopFacts> &each : facts) {
    NodeKind kind = each->isForall ? getLoopKind<scf::ForallOp>(context)
                                   : getLoopKind<scf::ForOp>(context);
    parent = addLoop(step.payload, target, parent, kind, each, step.op);
    loops.push_back(*parent);
  }
  return loops;
}

/// Moves the producers that are fused, `parts` but for the first one, into the
/// loops from `outer` to `inner`.
static void fuseProducers(const Step &step, ArrayRef<Fused> parts, NodeId outer,
                          NodeId inner) {
  PayloadModel &payload = step.payload;
  llvm::DenseSet<NodeId> originals;
  for (const Fused &part : parts.drop_front()) {
    NodeId fused = addTiled(payload, part.node, inner, part.space, step.op);
    replaceProducer(step, part.node, fused, outer);
    // The original stays behind if something else reads it, if only slices
    // that nothing uses.
    payload.doubt(part.node);
    payload.edit(part.node).op = nullptr;
    payload.edit(part.node).live = false;
    originals.insert(part.node);
  }
  payload.doubtInside(originals, step.root);
}

/// Where it is not known what is fused: all that is below the root may be
/// copied into the loops. Returns the kinds that there may be afterwards.
static normalforms::KindPatterns forgetFused(const Step &step) {
  normalforms::KindPatterns introduces = step.contract.payload->introduces;
  llvm::erase(introduces, "+*");
  llvm::append_range(introduces, getKindsBelow(step, step.root));
  forgetConsumed(step);
  applyWrite(step, &step.contract);
  return introduces;
}

namespace {
/// The loops that are made around one target, and what is fused into them.
struct Nest {
  TileSpec spec;
  SmallVector<unsigned> order;
  SmallVector<Extent> trips;
  Fused tile;
  /// The tile first; none where it is not known what is fused.
  std::optional<SmallVector<Fused>> parts;
  NodeList copied;

  /// Whether no tile size may be 0.
  bool isSure() const { return spec.numSureLoops() == spec.numLoops(); }
};
/// What is made of one target.
struct Tiled {
  NodeId tile;
  /// Outermost first.
  NodeList loops;
};
} // namespace

/// The loops around `target`; none where it is not known which there are.
static std::optional<Nest> readNest(const Step &step, transform::FuseOp fuse,
                                    NodeId target, ArrayRef<Size> sizes) {
  const Node &old = step.payload[target];
  unsigned numDims = old.space->loops.size();
  Nest nest;
  nest.spec = readSpec(step, sizes);
  nest.spec.truncate(numDims);
  std::optional<SmallVector<unsigned>> order =
      orderLoops(fuse.getStaticTileInterchange(), nest.spec, numDims);
  if (nest.spec.isOpen() || !order || order->empty())
    return std::nullopt;
  nest.order = std::move(*order);
  nest.tile.node = target;
  nest.tile.space =
      tileSpace(step.op, old.space.get(), nest.spec, step.terms, nest.trips);
  nest.tile.isCarried = true;
  nest.tile.isSplit.assign(numDims, false);
  for (unsigned dim : nest.spec.tiled)
    nest.tile.isSplit[dim] = !nest.spec.mayLeaveOut(dim);
  // If a target may be erased, so may all parts.
  if (nest.isSure() && old.present == Certainty::Yes && old.count.isExactly(1))
    nest.parts = followProducers(step.payload, nest.tile,
                                 fuse.getApplyCleanup(), nest.copied);
  return nest;
}

/// Follows the loops around the target of `nest`, and what is fused into them.
static Tiled fuseTarget(const Step &step, transform::FuseOp fuse,
                        const Nest &nest) {
  PayloadModel &payload = step.payload;
  NodeId target = nest.tile.node;
  const Node old = payload[target];
  bool isForall = fuse.getUseForall(), isSure = nest.isSure();
  keepWithinLoops(step, target, nest.spec.sizes);
  if (isForall)
    requireTiledLoops(step, nest.spec.sizes, /*numMappings=*/0,
                      old.isSurelyThere());
  if (!isSure)
    step.unprove("may leave out a loop, because a tile size may be 0");

  normalforms::KindPatterns introduces = {
      "affine.*", "arith.*", "tensor.*", "scf.yield", "scf.forall.in_parallel"};
  if (!nest.parts)
    introduces = forgetFused(step);
  for (NodeId node : nest.copied)
    payload.hideTags(node);

  NodeList loops = addLoops(step, target,
                            getLoopFacts(nest.spec, old.space->loops,
                                         nest.trips, nest.order, isForall));
  for (NodeId loop : loops) {
    payload.edit(loop).present = isSure ? old.present : Certainty::Maybe;
    if (!isSure)
      payload.edit(loop).count.lo = 0;
  }
  NodeId outer = loops.front(), inner = loops.back();
  NodeId tiled = addTiled(payload, target, inner, nest.tile.space, step.op);
  payload.edit(tiled).present = old.present;
  if (!nest.parts)
    payload.edit(tiled).producers.clear();
  takePlace(step, target, outer);
  if (nest.parts)
    fuseProducers(step, *nest.parts, outer, inner);
  applyWriteOf(step, introduces);
  return {tiled, loops};
}

/// Whether what is fused with each of several targets is known, and none of
/// these is another target, of which loops are left when its reader's turn
/// comes.
static bool areFusedApart(ArrayRef<Nest> nests) {
  auto isTarget = [&](const Fused &part) {
    return llvm::any_of(
        nests, [&](const Nest &nest) { return nest.tile.node == part.node; });
  };
  return llvm::all_of(nests, [&](const Nest &nest) {
    return nest.parts &&
           llvm::none_of(ArrayRef(*nest.parts).drop_front(), isTarget);
  });
}

/// Follows the loops around `targets`, and sets the results; false, and no
/// change, where it is not known which loops there are.
static bool fuseTargets(const Step &step, transform::FuseOp fuse,
                        ArrayRef<NodeId> targets, ArrayRef<Size> sizes,
                        bool isOrdered) {
  SmallVector<Nest, 1> nests;
  for (NodeId target : targets) {
    std::optional<Nest> nest = readNest(step, fuse, target, sizes);
    if (!nest)
      return false;
    nests.push_back(std::move(*nest));
  }
  if (nests.size() > 1 && !areFusedApart(nests))
    return false;
  SmallVector<NodeList> results(step.op->getNumResults());
  for (const Nest &nest : nests) {
    auto [tile, loops] = fuseTarget(step, fuse, nest);
    results.front().push_back(tile);
    for (auto [loop, result] :
         llvm::zip(loops, MutableArrayRef(results).drop_front()))
      result.push_back(loop);
  }
  for (auto [i, nodes] : llvm::enumerate(results)) {
    if (i == 0 || nests.front().isSure())
      step.setResult(i, nodes, isOrdered);
    else
      step.setOpaque(i);
  }
  return true;
}

/// Checks that `node` can be tiled by `sizes`, and what is fused. Returns
/// whether the model can follow that.
static bool checkFuse(const Step &step, transform::FuseOp fuse,
                      const Node &node, ArrayRef<Size> sizes, bool isOpen) {
  if (!node.space || !node.exact || !node.kind ||
      !KindPattern("$structured").matches(*node.kind)) {
    step.unprove("tiles an op whose loops are not known");
    return false;
  }
  requireLoopOrder(step, node, fuse.getStaticTileInterchange());
  bool present = node.isSurelyThere();
  auto mayTile = [](const Size &size) { return size != 0; };
  auto tiles = [](const Size &size) { return size && *size != 0; };
  // The op makes no use of the others, but expects a loop for each of them;
  // an scf.forall is one loop in any case.
  unsigned numUsed = std::min(sizes.size(), node.space->loops.size());
  ArrayRef<Size> used = sizes.take_front(numUsed),
                 beyond = sizes.drop_front(numUsed);
  if (!node.space->onTensors)
    step.report("fw-bufferized",
                "requires an op on tensors but '" + node.kind->getStringRef() +
                    "' is on buffers",
                present, /*silenceable=*/false);
  else if (llvm::any_of(beyond, mayTile) && !fuse.getUseForall())
    step.report("fw-loops-beyond-target",
                "requires at most " + Twine(node.space->loops.size()) +
                    " tile sizes for '" + node.kind->getStringRef() +
                    "' but has " + Twine(sizes.size()),
                present && llvm::any_of(beyond, tiles), /*silenceable=*/false)
        .note(NoteKind::Evidence, step.op->getLoc(),
              "MLIR reads a loop for each size, also where it made none, and "
              "its behaviour is undefined then");
  else if (fuse.getUseForall() && llvm::none_of(used, mayTile))
    // Upstream reads a loop that is not there: what is there can be an op.
    step.report("fw-no-tiled-loop",
                "requires at least one tile size other than 0 but has none",
                /*definite=*/false, /*silenceable=*/false);
  else if (isOpen || llvm::none_of(used, mayTile))
    step.unprove("tiles by sizes that are not known, or by none");
  else if (mayFuseUnusual(step.payload, step.root))
    step.unprove("may fuse an op that may not be tileable");
  return node.space->onTensors;
}

static void propagateFuse(const Step &step) {
  auto fuse = cast<transform::FuseOp>(step.op);
  noteUnmodelledParams(step, fuse.getTileInterchange());
  GivenSizes given =
      getGivenSizes(fuse.getStaticTileSizes(), fuse.getTileSizes());
  checkParamTypes(step, fuse.getTileSizes(), /*definite=*/true);
  checkParamTypes(step, fuse.getTileInterchange(), /*definite=*/true);
  checkTileSizes(step, given);
  Sizes sizes = readSizes(step, given);
  bool isOpen =
      !fuse.getTileInterchange().empty() ||
      llvm::any_of(sizes, [](const Size &size) { return size.isUnknown(); });
  HandleState source = step.lookup(fuse.getTarget());
  // A target that is fused into the loops of an earlier one is gone.
  bool areApart = !mayFuseTargets(step.payload, source);
  if (!areApart)
    step.unprove("fuses more than one target, of which one may be fused into "
                 "another");
  bool isFollowed = areApart && !source.nodes.empty() && !isOpen;
  for (NodeId target : source.nodes)
    isFollowed &= checkFuse(step, fuse, step.payload[target], sizes, isOpen);
  if (!isFollowed ||
      !fuseTargets(step, fuse, source.nodes, sizes, source.ordered))
    applyClauses(step);
  // Each target has a tile of its own.
  step.lookup(step.op->getResult(0)).distinctAt = step.payload.time();
}

void formwork::verifier::registerTileAndFuseModels(ModelRegistry &models) {
  models
      .add("fuse", propagateFuse,
           decides{"fw-any-param", "fw-bad-interchange", "fw-bufferized",
                   "fw-cardinality", "fw-loops-beyond-target",
                   "fw-negative-tile-size", "fw-no-tiled-loop"},
           leavesOpen{"fuses more than one target, of which one may be fused "
                      "into another",
                      "may fuse an op that may not be tileable",
                      "tiles a loop without iterations"})
      .derivesConstraints = true;
}
