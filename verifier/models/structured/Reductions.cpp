//===- Reductions.cpp - Models of tiling reductions in parts ----*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// When a reduction can be tiled in parts that are merged behind the loop.
// Layer: verifier.
//
//===----------------------------------------------------------------------===//

#include "verifier/clauses/Clauses.h"
#include "verifier/models/Models.h"
#include "verifier/models/structured/Fusion.h"
#include "verifier/step/Step.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::engine;
using namespace formwork::verifier;

/// Whether no reduction indexes what `op` writes.
static bool writesReduced(linalg::LinalgOp op) {
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  AffineMap map = op.getIndexingMapsArray().back();
  return map.isProjectedPermutation() &&
         llvm::none_of(map.getResults(), [&](AffineExpr expr) {
           return iterators[cast<AffineDimExpr>(expr).getPosition()] ==
                  utils::IteratorType::reduction;
         });
}

/// Whether `op` has one sum, made by one op, that can begin with a neutral
/// element, so that parts of it can, too. For the minimum or maximum of type
/// index, which has no width, upstream looks for that element and does not end.
static bool hasParts(linalg::LinalgOp op) {
  SmallVector<Operation *, 4> combiners;
  return op.getNumDpsInits() == 1 && op->getNumRegions() == 1 &&
         writesReduced(op) &&
         matchReduction(op.getRegionOutputArgs(), 0, combiners) &&
         combiners.size() == 1 && combiners.front()->getNumOperands() == 2 &&
         combiners.front()->getResult(0).getType().isIntOrFloat() &&
         arith::getNeutralElement(combiners.front());
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

static void propagateTileReduction(const Step &step) {
  SmallVector<int64_t> sizes;
  bool isPlain = step.op->getNumResults() == 4;
  if (auto forall = dyn_cast<transform::TileReductionUsingForallOp>(step.op)) {
    llvm::append_range(sizes, forall.getNumThreads());
    if (sizes.empty())
      llvm::append_range(sizes, forall.getTileSizes());
    isPlain &= !forall.getMapping() && forall.getReductionDims().empty();
  } else {
    auto loops = cast<transform::TileReductionUsingForOp>(step.op);
    for (auto size : loops.getTileSizes().getAsRange<IntegerAttr>())
      sizes.push_back(size.getInt());
    isPlain &= loops.getReductionDims().empty();
  }
  HandleState source = step.lookup(step.op->getOperand(0));
  bool areKnown = llvm::all_of(source.nodes, [&](NodeId target) {
    const Node &node = step.payload[target];
    auto body = dyn_cast_or_null<linalg::LinalgOp>(node.body);
    return body && node.kind && node.space && node.space->onTensors &&
           hasParts(body) && splitsReduction(*node.space, sizes);
  });
  if (!isPlain || !areKnown) {
    bool isReported = false;
    for (NodeId target : source.nodes)
      isReported |= reportNoReduction(step, target, sizes);
    if (!isReported)
      step.unprove("tiles an op that may not be a reduction that can be "
                   "computed in parts");
    step.analysis.knowsOnlyKinds |= areKnown;
    return applyClauses(step);
  }
  forgetConsumed(step);
  // No structured op but the parts, where they begin and what merges them; all
  // of them compute as the whole does.
  normalforms::KindPatterns introduces = step.contract.payload->introduces;
  static constexpr normalforms::KindPattern made[] = {
      "linalg.fill",   "linalg.generic", "linalg.reduce", "linalg.yield",
      "+linalg.index", "+math.*",        "+complex.*",    "+index.*"};
  llvm::erase(introduces, "linalg.*");
  llvm::append_range(introduces, made);
  for (NodeId target : source.nodes) {
    introduces.push_back(*step.payload[target].kind);
    // The parts have the attributes of the whole.
    step.payload.hideTags(target, [](NodeId) { return true; });
    replaceOp(step, target, PayloadModel::universe);
  }
  applyWriteOf(step, introduces);
  for (unsigned i = 0; i < step.op->getNumResults(); ++i)
    step.setOpaque(i);
  step.analysis.knowsOnlyKinds = true;
}

void formwork::verifier::registerReductionsModels(ModelRegistry &models) {
  models.add("tile-reduction", propagateTileReduction,
             decides{"fw-bufferized", "fw-not-a-reduction"},
             leavesOpen{"tiles an op that may not be a reduction that can be "
                        "computed in parts"});
}
