//===- TileAndFuse.cpp - Model of tiling that fuses -------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What `structured.fuse` makes of its target and of the producers that it takes
// along: the loops, and the parts of the iteration spaces in them. Layer:
// verifier.
//
//===----------------------------------------------------------------------===//

#include "verifier/clauses/Clauses.h"
#include "verifier/clauses/OpenParams.h"
#include "verifier/models/Models.h"
#include "verifier/models/structured/Fusion.h"
#include "verifier/models/structured/TileSizes.h"
#include "verifier/models/structured/TiledNodes.h"
#include "verifier/models/structured/Tiling.h"
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
/// none when that is not known.
static std::optional<SmallVector<Fused>>
followProducers(const PayloadModel &payload, Fused target, bool cleansUp) {
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
  SmallVector<Size> tiles;
  SmallVector<Extent> ranges;
  for (unsigned dim : spec.tiled) {
    tiles.push_back(spec.sizes[dim]);
    ranges.push_back(whole[dim]);
  }
  SmallVector<std::shared_ptr<LoopFacts>> loops;
  for (unsigned which : order) {
    if (loops.empty() || !isForall) {
      loops.push_back(std::make_shared<LoopFacts>());
      loops.back()->isForall = isForall;
      loops.back()->hasResults = true;
    }
    loops.back()->trips.push_back(
        isForall ? getForallTrip(trips[which], tiles[which]) : trips[which]);
    if (isForall)
      continue;
    if (ranges[which].size && tiles[which]) {
      loops.back()->range = *ranges[which].size;
      loops.back()->step = *tiles[which];
    }
    loops.back()->endsOpen = endsOpen(ranges[which], tiles[which]);
  }
  return loops;
}

/// Follows the loops around the one target of `op`, and what is fused into
/// them; false where it is not known which loops there are.
static bool fuseTarget(const Step &step) {
  auto fuse = cast<transform::FuseOp>(step.op);
  PayloadModel &payload = step.payload;
  HandleState source = step.lookup(fuse.getTarget());
  NodeId target = source.nodes.front();
  const Node old = payload[target];
  bool isForall = fuse.getUseForall();
  TileSpec spec = readSpec(
      readSizes(getGivenSizes(fuse.getStaticTileSizes(), fuse.getTileSizes()),
                [&](Value value) { return step.getParam(value); }),
      /*isNumThreads=*/false,
      [&](const Size &size) { return step.analysis.mayBeZero(size); });
  spec.truncate(old.space->loops.size());
  bool isSure = spec.numSureLoops() == spec.numLoops();
  std::optional<SmallVector<unsigned>> order = orderLoops(
      fuse.getStaticTileInterchange(), spec, old.space->loops.size());
  if (spec.isOpen() || !order || order->empty())
    return false;
  keepWithinLoops(step, target, spec.sizes);
  if (isForall)
    requireTiledLoops(step, spec.sizes, /*numMappings=*/0, old.isSurelyThere());
  if (!isSure)
    step.unprove("may leave out a loop, because a tile size may be 0");

  SmallVector<Extent> trips;
  Fused tile;
  tile.node = target;
  tile.space = tileSpace(step.op, old.space.get(), spec, step.terms, trips);
  tile.isCarried = true;
  tile.isSplit.assign(old.space->loops.size(), false);
  for (unsigned dim : spec.tiled)
    tile.isSplit[dim] = !spec.mayLeaveOut(dim);
  std::optional<SmallVector<Fused>> parts;
  // If a target may be erased, so may all parts.
  if (isSure && old.present == Certainty::Yes && old.count.isExactly(1))
    parts = followProducers(payload, tile, fuse.getApplyCleanup());
  normalforms::KindPatterns introduces = {
      "affine.*", "arith.*", "tensor.*", "scf.yield", "scf.forall.in_parallel"};
  if (!parts) {
    introduces = step.contract.payload->introduces;
    llvm::erase(introduces, "+*");
    llvm::append_range(introduces, getKindsBelow(step, step.root));
    forgetConsumed(step);
    applyWrite(step, &step.contract);
  }

  NodeKind kind = isForall ? getLoopKind<scf::ForallOp>(step.op->getContext())
                           : getLoopKind<scf::ForOp>(step.op->getContext());
  std::optional<NodeId> outer, inner;
  SmallVector<NodeList> loops(step.op->getNumResults() - 1);
  for (auto [i, facts] : llvm::enumerate(
           getLoopFacts(spec, old.space->loops, trips, *order, isForall))) {
    inner = addLoop(payload, target, inner, kind, std::move(facts), step.op);
    Node &loop = payload.edit(*inner);
    loop.present = isSure ? old.present : Certainty::Maybe;
    if (!isSure)
      loop.count.lo = 0;
    if (!outer)
      outer = inner;
    if (i < loops.size())
      loops[i].push_back(*inner);
  }
  NodeId tiled = addTiled(payload, target, *inner, tile.space, step.op);
  payload.edit(tiled).present = old.present;
  if (parts) {
    takePlace(step, target, *outer);
    llvm::DenseSet<NodeId> originals;
    for (const Fused &part : ArrayRef(*parts).drop_front()) {
      NodeId fused = addTiled(payload, part.node, *inner, part.space, step.op);
      replaceProducer(step, part.node, fused, *outer);
      // The original stays behind if something else reads it, if only slices
      // that nothing uses.
      payload.doubt(part.node);
      payload.edit(part.node).op = nullptr;
      payload.edit(part.node).live = false;
      originals.insert(part.node);
    }
    payload.doubtInside(originals, step.root);
  } else {
    payload.edit(tiled).producers.clear();
    takePlace(step, target, *outer);
  }
  applyWriteOf(step, introduces);
  step.setResult(0, {tiled}, source.ordered);
  for (auto [i, nodes] : llvm::enumerate(loops))
    if (isSure)
      step.setResult(i + 1, nodes, source.ordered);
    else
      step.setOpaque(i + 1);
  return true;
}

static void propagateFuse(const Step &step) {
  auto fuse = cast<transform::FuseOp>(step.op);
  noteUnmodelledParams(step, fuse.getTileInterchange());
  GivenSizes given =
      getGivenSizes(fuse.getStaticTileSizes(), fuse.getTileSizes());
  checkTileSizes(step, given);
  Sizes sizes =
      readSizes(given, [&](Value value) { return step.getParam(value); });
  bool isOpen =
      !fuse.getTileInterchange().empty() ||
      llvm::any_of(sizes, [](const Size &size) { return size.isUnknown(); });
  auto mayTile = [](const Size &size) { return size != 0; };
  HandleState source = step.lookup(fuse.getTarget());
  // A target that is fused into the loops of an earlier one is gone.
  if (source.count(step.payload).hi > 1 &&
      !isInPayloadOrder(step.payload, source))
    step.unprove("fuses more than one target, of which one may be fused into "
                 "another");
  bool isFollowed = source.nodes.size() == 1;
  for (NodeId target : source.nodes) {
    const Node &node = step.payload[target];
    bool present = node.isSurelyThere();
    if (!node.space || !node.exact || !node.kind ||
        !KindPattern("$structured").matches(*node.kind)) {
      step.unprove("tiles an op whose loops are not known");
      isFollowed = false;
      continue;
    }
    requireLoopOrder(step, target, fuse.getStaticTileInterchange());
    // The op makes no use of the others, but expects a loop for each of them;
    // an scf.forall is one loop in any case.
    unsigned numUsed = std::min(sizes.size(), node.space->loops.size());
    ArrayRef<Size> used = ArrayRef(sizes).take_front(numUsed),
                   beyond = ArrayRef(sizes).drop_front(numUsed);
    isFollowed &= node.space->onTensors;
    if (!node.space->onTensors)
      step.report("fw-bufferized",
                  "requires an op on tensors but '" +
                      node.kind->getStringRef() + "' is on buffers",
                  present, /*silenceable=*/false);
    else if (llvm::any_of(beyond, mayTile) && !fuse.getUseForall())
      step.report("fw-loops-beyond-target",
                  "requires at most " + Twine(node.space->loops.size()) +
                      " tile sizes for '" + node.kind->getStringRef() +
                      "' but has " + Twine(sizes.size()),
                  present && llvm::any_of(beyond,
                                          [](const Size &size) {
                                            return size && *size != 0;
                                          }),
                  /*silenceable=*/false)
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
  }
  if (!isFollowed || isOpen || !fuseTarget(step))
    applyClauses(step);
  // Each target has a tile of its own.
  step.lookup(step.op->getResult(0)).distinctAt = step.payload.time();
}

void formwork::verifier::registerTileAndFuseModels(ModelRegistry &models) {
  models
      .add("fuse", propagateFuse,
           decides{"fw-bad-interchange", "fw-bufferized", "fw-cardinality",
                   "fw-loops-beyond-target", "fw-negative-tile-size",
                   "fw-no-tiled-loop"},
           leavesOpen{"fuses more than one target, of which one may be fused "
                      "into another",
                      "may fuse an op that may not be tileable",
                      "tiles a loop without iterations"})
      .derivesConstraints = true;
}
