//===- Tiling.cpp - Models of tiling ----------------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What tiling makes of an iteration space: the loops, their trip counts, and
// the sizes of a tile. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#include "verifier/models/structured/Tiling.h"
#include "verifier/clauses/Clauses.h"
#include "verifier/clauses/LoneSteps.h"
#include "verifier/clauses/Yields.h"
#include "verifier/findings/Requirements.h"
#include "verifier/models/Models.h"
#include "verifier/models/structured/Fusion.h"
#include "verifier/models/structured/ScheduleSteps.h"
#include "verifier/models/structured/TileSizes.h"
#include "verifier/models/structured/TiledNodes.h"
#include "verifier/solver/TermPrinter.h"
#include "verifier/step/Step.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/TransformOps/SCFTransformOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Transform/IR/TransformTypes.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/Support/InterleavedRange.h"

using namespace mlir;
using namespace formwork::engine;
using namespace formwork::verifier;

static void checkTileSize(const Step &step, unsigned loop, const Size &size,
                          bool definite);

NodeId formwork::verifier::addTiled(PayloadModel &payload, NodeId target,
                                    NodeId parent,
                                    std::shared_ptr<const IterationSpace> space,
                                    Operation *op) {
  NodeId tiled = payload.addBeside(target, op, /*kind=*/{},
                                   [&](Node &made, const Node &old) {
                                     made.ups = {{parent, UpKind::Inside}};
                                     made.space = std::move(space);
                                     made.producers = old.producers;
                                     made.body = old.body;
                                     made.bodySince = old.bodySince;
                                     made.tags = old.tags;
                                     made.tile.edit().partOf = target;
                                   });
  payload.inheritContents(target, tiled);
  return tiled;
}

NodeId formwork::verifier::addLoop(PayloadModel &payload, NodeId target,
                                   std::optional<NodeId> parent,
                                   const NodeKind &kind,
                                   std::shared_ptr<const LoopFacts> facts,
                                   Operation *op) {
  return payload.addBeside(target, op, kind, [&](Node &made, const Node &old) {
    if (parent)
      made.ups = {{*parent, UpKind::Inside}};
    else if (!old.exact)
      for (Up &up : made.ups)
        up.kind = UpKind::AtOrInside;
    made.tags = DictionaryAttr::get(op->getContext());
    made.loop = std::move(facts);
  });
}

std::optional<OperationName>
formwork::verifier::getMadeProducer(const PayloadModel &payload, NodeId id,
                                    int64_t number, MLIRContext *context) {
  const Node &node = payload[id];
  if (!node.fresh ||
      !isa_and_nonnull<transform::TileUsingForOp, transform::TileUsingForallOp>(
          node.origin))
    return std::nullopt;
  if (node.loop && !node.loop->isForall && number < 3 &&
      node.loop->trips.front().isStatic())
    return OperationName(arith::ConstantOp::getOperationName(), context);
  if (!node.space || number >= static_cast<int64_t>(node.space->maps.size()))
    return std::nullopt;
  uint64_t operand = number < 64 ? uint64_t(1) << number : 0;
  bool isPart = (node.tile->parts & operand) != 0;
  if ((node.tile->sliced & operand) == 0 ||
      payload.mayHaveFolded(node.createdAt, isPart && !node.space->onTensors))
    return std::nullopt;
  return OperationName(node.space->onTensors
                           ? tensor::ExtractSliceOp::getOperationName()
                           : memref::SubViewOp::getOperationName(),
                       context);
}

bool formwork::verifier::areIndices(Analysis &analysis, Value sizes,
                                    ArrayRef<NodeId> targets) {
  const PayloadModel &payload = analysis.state.payload;
  // The op as it was given, where it stood then.
  auto getGiven = [&](NodeId id) -> Operation * {
    const Node &node = payload[id];
    bool isThere = node.present == Certainty::Yes && node.exact &&
                   node.count.isExactly(1) && node.ups.size() == 1 &&
                   !node.ups.front().isLoose();
    return isThere ? node.op : nullptr;
  };
  const HandleState &handle = analysis.lookup(sizes);
  if (handle.kind != HandleState::Ops || handle.nodes.size() != targets.size())
    return false;
  return llvm::all_of(handle.nodes, [&](NodeId id) {
    Operation *size = getGiven(id);
    // A constant is taken for the number that it is.
    if (!size || size->getNumResults() != 1 ||
        !size->getResult(0).getType().isIndex() ||
        size->hasTrait<OpTrait::ConstantLike>())
      return false;
    return llvm::all_of(targets, [&](NodeId target) {
      Operation *reader = getGiven(target);
      return reader && reader->getBlock() == size->getBlock() &&
             size->isBeforeInBlock(reader);
    });
  });
}

void formwork::verifier::checkTileSizes(const Step &step,
                                        ArrayRef<GivenSize> given) {
  HandleState &targets = step.lookup(step.op->getOperand(0));
  Count count = targets.count(step.payload);
  // Tiling with loops takes a size for each target; tiling with an scf.forall
  // takes one size for all.
  bool perTarget = isa<transform::TileUsingForOp>(step.op);
  for (auto [loop, size] : llvm::enumerate(given)) {
    auto [number, value] = size;
    if (!value) {
      checkTileSize(step, loop, number, count.lo > 0);
      continue;
    }
    HandleState &handle = step.lookup(value);
    for (unsigned i = 0; i < handle.params.size(); ++i)
      checkTileSize(step, loop, step.getParam(value, i), count.lo > 0);
    bool isParam = handle.kind == HandleState::Params;
    if (!isParam && perTarget && areIndices(step, value, targets.nodes))
      continue;
    int64_t numParams = handle.params.size();
    // Asked also where there is nothing to tile.
    if (isParam && numParams != 0 && perTarget && count.isExact() &&
        count.lo != numParams)
      step.report("fw-cardinality",
                  "requires one parameter value per payload op but " +
                      step.nameOf(value) + " has " + Twine(numParams) +
                      " for " + Twine(count.lo));
    else if (isParam && numParams != 0 && !perTarget && numParams != 1)
      step.report("fw-cardinality", "requires one parameter value but " +
                                        step.nameOf(value) + " has " +
                                        Twine(numParams));
    else if (!isParam || numParams == 0 || (perTarget && !count.isExact()))
      step.unprove("may have more or fewer parameter values than targets");
  }
  for (NodeId target : targets.nodes)
    if (step.payload[target].space &&
        llvm::any_of(step.payload[target].space->loops,
                     [](const Extent &loop) { return loop.size == 0; }))
      step.unprove("tiles a loop without iterations");
}

/// Whether upstream refuses each tile of the targets by `size`, a negative
/// number: where the loop is static and the number divides its trip count, the
/// tile has that size. Elsewhere the size is computed while the payload runs.
static bool isSignRefused(const Step &step, unsigned loop, int64_t size) {
  // A scalable size is no number.
  auto tile = dyn_cast<transform::TileUsingForOp>(step.op);
  if (tile && loop < tile.getScalableSizes().size() &&
      tile.getScalableSizes()[loop])
    return false;
  // Where an scf.forall comes to no tiles, nothing is refused.
  bool byForall = isa<transform::TileUsingForallOp>(step.op);
  return llvm::all_of(
      step.lookup(step.op->getOperand(0)).nodes, [&](NodeId target) {
        const std::shared_ptr<const IterationSpace> &space =
            step.payload[target].space;
        if (!space || !space->onTensors || loop >= space->loops.size() ||
            !llvm::all_of(space->loops, [&](const Extent &each) {
              return each.isStatic() && (!byForall || size > -*each.size);
            }))
          return false;
        int64_t trips = *space->loops[loop].size;
        return trips > 0 && trips % size == 0;
      });
}

/// Requires that a size of `loop` is not negative.
static void checkTileSize(const Step &step, unsigned loop, const Size &size,
                          bool definite) {
  std::optional<solver::IntTerm> term = step.analysis.getTerm(size);
  bool isIdle = step.lookup(step.op->getOperand(0)).count(step.payload).hi == 0;
  if (!term || isIdle)
    return;
  auto forall = dyn_cast<transform::TileUsingForallOp>(step.op);
  bool areCounts = forall && (!forall.getStaticNumThreads().empty() ||
                              forall.getPackedNumThreads());
  Requirement need{"tile.nonnegative", {}, definite};
  if (size.isSymbolic())
    need.text = (areCounts ? "the number of threads " : "the tile size ") +
                solver::toInfix(*term) + " of dimension " +
                std::to_string(loop) + " is not negative";
  require(step, need, step.terms.lessEqual(step.terms.constant(0), *term), [&] {
    step.report("fw-negative-tile-size",
                "requires tile sizes and numbers of threads that are "
                "not negative but has " +
                    solver::toInfix(*term),
                definite && size && isSignRefused(step, loop, *size),
                /*silenceable=*/false);
  });
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

/// Whether somebody verifies the scf.forall that `spec` makes of `node`:
/// nothing erases or converts it before the end.
static bool isForallVerified(const Step &step, const Node &node,
                             const TileSpec &spec) {
  auto isNegative = [](const Size &size) { return size && *size < 0; };
  auto hasNoIterations = [](const Extent &loop) { return loop.size == 0; };
  return node.space && node.live && llvm::none_of(spec.sizes, isNegative) &&
         llvm::none_of(node.space->loops, hasNoIterations) &&
         !hasStep<transform::ForallToForOp>(step.op) &&
         !hasStep<transform::ForallToParallelOp>(step.op);
}

/// Records which operands `tile`, made of `target`, reads through slices.
static void recordSlices(PayloadModel &payload, NodeId target, NodeId tile,
                         const TileSpec &spec, IndexedOperands &last) {
  TileFacts &made = payload.edit(tile).tile.edit();
  const Node &old = payload[target];
  const IndexedOperands &indexed = readIndexed(*payload[tile].space, last);
  made.lastParts = 0;
  for (unsigned dim : spec.tiled)
    if (dim < indexed.byLoop.size() && !spec.mayLeaveOut(dim))
      made.lastParts |= indexed.byLoop[dim];
  made.parts = made.sliced = made.lastParts;
  // An operand that is not sliced again is read as before.
  bool isAsMade =
      isa_and_nonnull<transform::TileUsingForOp, transform::TileUsingForallOp>(
          old.origin);
  if (isAsMade && !payload.mayHaveFolded(old.createdAt, /*isViewOfPart=*/false))
    made.sliced |= old.tile->sliced;
  if (isAsMade && !payload.mayHaveFolded(old.createdAt, /*isViewOfPart=*/true))
    made.parts |= old.tile->parts;
  // A linalg op is tiled with a slice of each operand, the whole of it if no
  // tiled loop indexes it.
  if (spec.numSureLoops() != 0 && old.kind &&
      old.kind->hasInterface<linalg::LinalgOp>())
    made.sliced |= indexed.byAny;
  made.parts &= made.sliced;
}

/// The loops of `op`, if it is a softmax of the payload; they index each
/// operand by all of them. No other model follows them.
static std::shared_ptr<IterationSpace> readSoftmax(Operation *op) {
  auto softmax = dyn_cast_or_null<linalg::SoftmaxOp>(op);
  if (!softmax || !softmax.hasPureTensorSemantics())
    return nullptr;
  auto space = std::make_shared<IterationSpace>();
  ShapedType type = softmax.getInputOperandType();
  for (int64_t size : type.getShape()) {
    space->loops.emplace_back();
    if (!ShapedType::isDynamic(size))
      space->loops.back().size = size;
  }
  space->iterators = softmax.getLoopIteratorTypes();
  space->maps.assign(
      softmax->getNumOperands(),
      AffineMap::getMultiDimIdentityMap(type.getRank(), op->getContext()));
  space->elementTypes.assign(softmax->getNumOperands(), type.getElementType());
  return space;
}

static void propagateTileForall(const Step &step) {
  auto tile = cast<transform::TileUsingForallOp>(step.op);
  bool byThreads =
      !tile.getStaticNumThreads().empty() || tile.getPackedNumThreads();
  GivenSizes numbers =
      byThreads
          ? getGivenSizes(tile.getStaticNumThreads(), tile.getNumThreads())
          : getGivenSizes(tile.getStaticTileSizes(), tile.getTileSizes());
  Sizes sizes =
      readSizes(numbers, [&](Value value) { return step.getParam(value); });
  checkTileSizes(step, numbers);
  // A list of sizes, as long as it happens to be.
  Value list =
      byThreads ? tile.getPackedNumThreads() : tile.getPackedTileSizes();
  unsigned length = list ? step.lookup(list).params.size() : 0;
  bool packed = list && length == 0;
  for (unsigned i = 0; i < length; ++i) {
    sizes.push_back(step.getParam(list, i));
    checkTileSize(step, i, sizes.back(),
                  step.lookup(tile.getTarget()).count(step.payload).lo > 0);
  }
  TileSpec spec = readSpec(sizes, byThreads, [&](const Size &size) {
    return step.analysis.mayBeZero(size);
  });
  SmallVector<Attribute> mapping;
  unsigned numMappings = 0;
  if (std::optional<ArrayAttr> attr = tile.getMapping()) {
    llvm::append_range(mapping, *attr);
    // A mask is there beside the mappings of the loops.
    numMappings =
        llvm::count_if(mapping, llvm::IsaPred<DeviceMappingAttrInterface>);
  }
  NodeList targets(step.lookup(tile.getTarget()).nodes);
  bool ordered = step.lookup(tile.getTarget()).ordered;
  if (packed || llvm::any_of(spec.sizes,
                             [](const Size &size) { return size.isUnknown(); }))
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
  TileSpec given = spec;
  NodeList tiled, loops;
  for (NodeId target : targets) {
    const Node &node = step.payload[target];
    spec = given;
    std::shared_ptr<IterationSpace> untracked;
    if (!node.space) {
      const LoneRun *run = runAlone(step, /*index=*/0, target);
      if (!run || run->failure)
        step.unprove("tiles an op whose loops are not known");
      else
        untracked = readSoftmax(node.op);
    } else if (spec.sizes.size() > node.space->loops.size()) {
      step.warn("fw-too-many-tile-sizes",
                "requires at most " + Twine(node.space->loops.size()) +
                    " tile sizes for '" + node.kind->getStringRef() +
                    "' but has " + Twine(spec.sizes.size()) +
                    ", the last of which do nothing")
          .note(NoteKind::FixIt, step.op->getLoc(), "leave the last ones out",
                list ? TextEdits()
                     : step.analysis.fixes.truncateList(
                           step.op, byThreads ? "num_threads" : "tile_sizes",
                           node.space->loops.size()));
      spec.truncate(node.space->loops.size());
    }
    if (!byThreads)
      keepWithinLoops(step, target, spec.sizes);
    bool present = node.isSurelyThere();
    if (!packed && spec.numLoops() == 0)
      // Without a number of threads, upstream reads a loop that is not there,
      // and what it finds there can be an op.
      step.report("fw-no-tiled-loop",
                  "requires at least one tile size other than 0 but has none",
                  present && !byThreads, /*silenceable=*/false);
    else if (!packed && numMappings != 0 &&
             (numMappings > spec.numLoops() ||
              numMappings < spec.numSureLoops()))
      step.report("fw-mapping-rank",
                  "requires one mapping attribute per tiled loop but has " +
                      Twine(numMappings) + " for " + Twine(spec.numLoops()),
                  present && isForallVerified(step, node, spec),
                  /*silenceable=*/false)
          .note(NoteKind::Evidence, step.op->getLoc(),
                "the scf.forall would be invalid IR");
    else if (!packed)
      requireTiledLoops(step, spec.sizes, numMappings, present);
    if (spec.numSureLoops() != spec.numLoops() &&
        numMappings != spec.numLoops())
      step.unprove("may leave out a loop, because a tile size may be 0");
    const IterationSpace *loopsOf =
        untracked ? untracked.get() : node.space.get();
    if (loopsOf)
      for (unsigned dim : spec.tiled)
        if (dim < loopsOf->iterators.size() &&
            loopsOf->iterators[dim] == utils::IteratorType::reduction)
          step.warn("fw-parallel-reduction",
                    "requires parallel loops but dimension " + Twine(dim) +
                        " of '" + node.kind->getStringRef() +
                        "' is a reduction, whose tiles race in an scf.forall")
              .note(NoteKind::FixIt, step.op->getLoc(),
                    "tile dimension " + Twine(dim) +
                        " with tile_using_for or tile_reduction_using_forall");
    SmallVector<Extent> trips;
    std::shared_ptr<IterationSpace> space =
        tileSpace(step.op, loopsOf, spec, step.terms, trips);
    std::shared_ptr<LoopFacts> facts;
    bool loopsAreKnown = spec.numSureLoops() == spec.numLoops() ||
                         numMappings == spec.numLoops();
    if (space && !packed && loopsAreKnown && spec.numLoops() != 0) {
      facts = std::make_shared<LoopFacts>();
      facts->trips.assign(trips.begin(), trips.end());
      facts->mapping.assign(mapping.begin(), mapping.end());
      facts->isForall = true;
      facts->hasResults = space->onTensors;
    }
    NodeId loop = addLoop(step.payload, target, std::nullopt,
                          getLoopKind<scf::ForallOp>(step.op->getContext()),
                          facts, step.op);
    loops.push_back(loop);
    tiled.push_back(addTiled(step.payload, target, loop,
                             packed || untracked ? nullptr : space, step.op));
    if (facts && !untracked)
      recordSlices(step.payload, target, tiled.back(), spec,
                   step.analysis.lastIndexed);
    // A target that may have no dimensions may get no loop.
    if (!step.payload[target].space && !untracked) {
      ArrayRef<Up> ups = step.payload[target].ups;
      Time since = std::max<Time>(step.payload.time(), 1);
      NodeId around =
          ups.size() == 1 ? ups.front().getSure() : PayloadModel::universe;
      step.payload.setUps(tiled.back(),
                          {{loop, UpKind::Inside, since, around}});
    }
    takePlace(step, target, loop);
  }
  applyWriteOf(step, step.contract.payload->introduces);
  step.setResult(0, tiled, ordered);
  step.setResult(1, loops, ordered);
}

/// A scalable size is a multiple of one that only the machine knows: the loop
/// is split, in how many steps is not known. Returns false where a size is
/// scaled of which it is not known that it is positive.
static bool forgetScalable(ArrayRef<unsigned> scaled, ArrayRef<GivenSize> sizes,
                           TileSpec &spec) {
  bool arePositive = true;
  for (unsigned dim : scaled) {
    arePositive &= !sizes[dim].value && sizes[dim].number > 0;
    spec.sizes[dim] = std::nullopt;
    auto *place = llvm::lower_bound(spec.tiled, dim);
    if (place == spec.tiled.end() || *place != dim)
      spec.tiled.insert(place, dim);
  }
  return arePositive;
}

static void propagateTileFor(const Step &step) {
  auto tile = cast<transform::TileUsingForOp>(step.op);
  ValueRange values = tile.getDynamicSizes();
  GivenSizes sizes = getGivenSizes(tile.getStaticSizes(), values);
  checkTileSizes(step, sizes);
  for (Value size : values)
    if (isa<transform::AnyParamType>(size.getType()))
      step.report("fw-any-param",
                  "requires a tile size of type !transform.param but " +
                      step.nameOf(size) + " is !transform.any_param",
                  /*definite=*/true, /*silenceable=*/false)
          .note(NoteKind::Evidence, step.op->getLoc(),
                "MLIR takes the parameter for a handle and crashes")
          .note(NoteKind::FixIt, size.getLoc(),
                "give it the type !transform.param<i64>");

  ArrayRef<int64_t> given;
  if (DenseI64ArrayAttr interchange = tile.getInterchangeAttr())
    given = interchange;
  bool isPermutation = llvm::all_of(given, [&](int64_t i) {
    return i >= 0 && i < static_cast<int64_t>(given.size()) &&
           llvm::count(given, i) == 1;
  });
  if (!isPermutation)
    step.report("fw-bad-interchange",
                "requires an interchange that names each loop once but has " +
                    llvm::interleaved_array(given).str(),
                step.lookup(tile.getTarget()).count(step.payload).lo > 0);

  SmallVector<unsigned, 0> scaled;
  for (auto [dim, isScalable] : llvm::enumerate(tile.getScalableSizes()))
    if (isScalable)
      scaled.push_back(dim);
  if (!step.analysis.forKind)
    step.analysis.forKind = getLoopKind<scf::ForOp>(step.op->getContext());
  const HandleState &source = step.lookup(step.op->getOperand(0));
  NodeList targets(source.nodes);
  bool ordered = source.ordered;
  NodeList tiled;
  SmallVector<NodeList> loops(step.op->getNumResults() - 1);
  bool loopsAreKnown = true;
  for (auto [index, target] : llvm::enumerate(targets)) {
    // A parameter has a value for each target; of any integer type here.
    TileSpec spec = readSpec(
        readSizes(sizes,
                  [&](Value value) {
                    return step.getParam(value, index, /*anyWidth=*/true);
                  }),
        /*isNumThreads=*/false,
        [&](const Size &size) { return step.analysis.mayBeZero(size); });
    for (auto [dim, size] : llvm::enumerate(sizes)) {
      bool isKnown = !spec.sizes[dim].isUnknown() ||
                     (size.value && areIndices(step, size.value, targets));
      if (isKnown)
        continue;
      step.unprove("has tile sizes that are not known");
      // A constant that is 0 makes no loop.
      if (!spec.mayLeaveOut(dim))
        spec.mayBeZero.push_back(dim);
    }
    if (!forgetScalable(scaled, sizes, spec))
      step.unprove("scales a tile size that may be 0");
    // Without a loop, the op is cloned where it stands.
    if (spec.numLoops() == 0 && !given.empty())
      step.unprove("interchanges loops of which it tiles none");
    bool loopsAreSure = spec.numSureLoops() == spec.numLoops();
    loopsAreKnown &= loopsAreSure;
    checkTileCount(step, target, spec.sizes.size());
    keepWithinLoops(step, target, spec.sizes);
    const Node &node = step.payload[target];
    if (!node.space)
      step.unprove("tiles an op whose loops are not known");
    SmallVector<Extent> trips;
    std::shared_ptr<IterationSpace> space =
        tileSpace(step.op, node.space.get(), spec, step.terms, trips);
    for (unsigned dim : scaled)
      if (space && dim < space->loops.size())
        space->loops[dim].reason = {step.op, dim, /*size=*/0,
                                    /*tile=*/0, /*definite=*/true};
    SmallVector<unsigned> order;
    if (!space) {
      if (!given.empty())
        step.unprove("has an interchange of loops that are not known");
    } else if (std::optional<SmallVector<unsigned>> interchanged =
                   orderLoops(given, spec, space->loops.size())) {
      order = std::move(*interchanged);
    } else if (isPermutation) {
      requireLoopOrder(step, target, given);
    }
    if (order.empty())
      llvm::append_range(order, llvm::seq<unsigned>(0, trips.size()));
    std::optional<NodeId> parent;
    for (auto [i, which] : llvm::enumerate(order)) {
      std::shared_ptr<LoopFacts> facts;
      unsigned dim = spec.tiled[which];
      // Excess sizes have no loop.
      if (space && dim < space->loops.size()) {
        facts = std::make_shared<LoopFacts>();
        facts->trips.push_back(trips[which]);
        facts->hasResults = space->onTensors;
        const Extent &whole = step.payload[target].space->loops[dim];
        bool isScaled = llvm::is_contained(scaled, dim);
        if (whole.size && spec.sizes[dim] && !isScaled) {
          facts->range = *whole.size;
          facts->step = *spec.sizes[dim];
        }
        facts->endsOpen = isScaled || endsOpen(whole, spec.sizes[dim]);
      }
      parent = addLoop(step.payload, target, parent, step.analysis.forKind,
                       std::move(facts), step.op);
      if (!loopsAreSure) {
        step.payload.edit(*parent).present = Certainty::Maybe;
        step.payload.edit(*parent).count.lo = 0;
      }
      if (i < loops.size())
        loops[i].push_back(*parent);
    }
    NodeId place = parent.value_or(target);
    NodeId tile = addTiled(step.payload, target, place, space, step.op);
    if (space)
      recordSlices(step.payload, target, tile, spec, step.analysis.lastIndexed);
    if (!parent)
      step.payload.setUps(tile, step.payload[target].ups);
    tiled.push_back(tile);
    takePlace(step, target,
              loops.empty() || loops[0].empty() ? tile : loops[0].back());
  }
  applyWriteOf(step, step.contract.payload->introduces);
  step.setResult(0, tiled, ordered);
  if (!loopsAreKnown)
    step.unprove("may leave out a loop, because a tile size may be 0");
  for (auto [i, nodes] : llvm::enumerate(loops))
    if (loopsAreKnown)
      step.setResult(i + 1, nodes, ordered);
    else
      step.setOpaque(i + 1);
}

void formwork::verifier::registerTilingModels(ModelRegistry &models) {
  models
      .add("tile-using-forall", propagateTileForall,
           decides{"fw-cardinality", "fw-mapping-rank", "fw-negative-tile-size",
                   "fw-no-tiled-loop", "fw-parallel-reduction",
                   "fw-too-many-tile-sizes"},
           leavesOpen{"tiles a loop without iterations",
                      "tiles an op without loops, for which MLIR's result is "
                      "not defined"})
      .derivesConstraints = true;
  models
      .add("tile-using-for", propagateTileFor,
           decides{"fw-any-param", "fw-bad-interchange", "fw-cardinality",
                   "fw-negative-tile-size", "fw-too-many-tile-sizes"},
           leavesOpen{"scales a tile size that may be 0",
                      "tiles a loop without iterations",
                      "interchanges loops of which it tiles none"})
      .derivesConstraints = true;
}
