//===- Reductions.cpp - The model of splitting a reduction ------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// When a reduction can be computed in parts, and the model of the step that
// splits it into parts that another op adds up. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#include "verifier/models/structured/Reductions.h"
#include "verifier/clauses/Clauses.h"
#include "verifier/models/Models.h"
#include "verifier/models/structured/Fusion.h"
#include "verifier/models/structured/TiledNodes.h"
#include "verifier/step/Step.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

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

bool formwork::verifier::hasParts(linalg::LinalgOp op) {
  SmallVector<Operation *, 4> combiners;
  return op.getNumDpsInits() == 1 && op->getNumRegions() == 1 &&
         writesReduced(op) &&
         matchReduction(op.getRegionOutputArgs(), 0, combiners) &&
         combiners.size() == 1 && combiners.front()->getNumOperands() == 2 &&
         combiners.front()->getResult(0).getType().isIntOrFloat() &&
         arith::getNeutralElement(combiners.front());
}

/// The results of transform.structured.split_reduction on `node`: the loops of
/// the parts, with one of `factor` steps inserted as loop number `place`, and
/// those of the op that adds the parts. None unless upstream splits it for
/// sure, and all sizes are in the types.
static std::optional<
    std::pair<std::shared_ptr<IterationSpace>, std::shared_ptr<IterationSpace>>>
splitSpace(const Node &node, unsigned place, int64_t factor) {
  auto body = dyn_cast_or_null<linalg::LinalgOp>(node.body);
  if (!body || !node.kind || !node.space || !node.space->onTensors ||
      !hasParts(body) || factor < 2)
    return std::nullopt;
  const IterationSpace &whole = *node.space;
  std::optional<unsigned> reduced;
  for (auto [loop, iterator] : llvm::enumerate(whole.iterators)) {
    if (!whole.loops[loop].isStatic())
      return std::nullopt;
    if (iterator != utils::IteratorType::reduction)
      continue;
    if (reduced)
      return std::nullopt;
    reduced = loop;
  }
  unsigned numResults = whole.maps.back().getNumResults();
  bool areKnown =
      reduced && *whole.loops[*reduced].size % factor == 0 &&
      place <= numResults && whole.maps.size() == body->getNumOperands() &&
      llvm::all_of(whole.maps,
                   [](AffineMap map) { return map.isProjectedPermutation(); });
  if (!areKnown)
    return std::nullopt;
  MLIRContext *context = body->getContext();
  auto parts = std::make_shared<IterationSpace>(whole);
  parts->loops[*reduced].size = Size(*whole.loops[*reduced].size / factor);
  Extent extent;
  extent.size = Size(factor);
  parts->loops.insert(parts->loops.begin() + place, extent);
  parts->iterators.insert(parts->iterators.begin() + place,
                          utils::IteratorType::parallel);
  unsigned numLoops = parts->loops.size();
  auto getDim = [&](unsigned loop) {
    return getAffineDimExpr(loop < place ? loop : loop + 1, context);
  };
  for (AffineMap &map : parts->maps) {
    bool isResult = &map == &parts->maps.back();
    SmallVector<AffineExpr> indices;
    for (auto [dim, index] : llvm::enumerate(map.getResults())) {
      unsigned loop = cast<AffineDimExpr>(index).getPosition();
      if (loop == *reduced || (isResult && dim == place))
        indices.push_back(getAffineDimExpr(place, context));
      indices.push_back(getDim(loop));
    }
    if (isResult && place == numResults)
      indices.push_back(getAffineDimExpr(place, context));
    map = AffineMap::get(numLoops, 0, indices, context);
  }
  auto sum = std::make_shared<IterationSpace>();
  for (AffineExpr index : parts->maps.back().getResults()) {
    unsigned loop = cast<AffineDimExpr>(index).getPosition();
    sum->loops.push_back(parts->loops[loop]);
    sum->iterators.push_back(loop == place ? utils::IteratorType::reduction
                                           : utils::IteratorType::parallel);
  }
  AffineMap all = AffineMap::getMultiDimIdentityMap(numResults + 1, context);
  sum->maps = {all, all.dropResult(place)};
  sum->elementTypes.assign(2, whole.elementTypes.back());
  return std::pair{parts, sum};
}

/// transform.structured.split_reduction: parts of the sum are computed side by
/// side, from where they begin, and another op adds them up.
static void propagateSplitReduction(const Step &step) {
  PayloadModel &payload = step.payload;
  MLIRContext *context = step.op->getContext();
  auto split = cast<transform::SplitReductionOp>(step.op);
  bool isPlain = !split.getInnerParallel() && !split.getUseScalingAlgorithm() &&
                 !split.getUseAlloc();
  HandleState source = step.lookup(step.op->getOperand(0));
  auto getSpaces = [&](NodeId target) {
    return splitSpace(payload[target], split.getInsertSplitDimension(),
                      split.getSplitFactor());
  };
  bool areKnown = isPlain && llvm::all_of(source.nodes, [&](NodeId target) {
                    return getSpaces(target).has_value();
                  });
  // The bodies of what is made are copies of the body of the whole.
  normalforms::KindPatterns introduces = {"linalg.yield", "arith.*"};
  for (NodeId target : source.nodes)
    llvm::append_range(introduces, getKindsBelow(step, target));
  if (!areKnown) {
    applyWriteOf(step, introduces);
    return applyClauses(step);
  }
  std::array<NodeList, 4> made;
  for (NodeId target : source.nodes) {
    auto [parts, sum] = *getSpaces(target);
    const Node old = payload[target];
    doubtYields(payload, target);
    payload.hideTags(target, [](NodeId) { return true; });
    SmallVector<NodeId, 3> read = old.producers;
    read.resize(old.space->maps.size(), PayloadModel::unknownProducer);
    NodeId empty = payload.add(makePlain<tensor::EmptyOp>(old, step.op));
    Node fill = makePlain<linalg::FillOp>(old, step.op);
    auto filled = std::make_shared<IterationSpace>(*sum);
    filled->iterators.assign(sum->loops.size(), utils::IteratorType::parallel);
    filled->maps = {AffineMap::get(sum->loops.size(), 0, context),
                    sum->maps.front()};
    fill.space = filled;
    fill.producers = {PayloadModel::unknownProducer, empty};
    NodeId begun = payload.add(std::move(fill));

    Node product = makePlain<linalg::GenericOp>(old, step.op);
    product.space = parts;
    for (auto [operand, map] :
         llvm::enumerate(ArrayRef(old.space->maps).drop_back())) {
      if (map.getNumResults() == parts->maps[operand].getNumResults()) {
        product.producers.push_back(read[operand]);
        continue;
      }
      Node expanded = makePlain<tensor::ExpandShapeOp>(old, step.op);
      expanded.producers = {read[operand]};
      product.producers.push_back(payload.add(std::move(expanded)));
    }
    product.producers.push_back(begun);
    NodeId added = payload.add(std::move(product));

    Node result = makePlain<linalg::GenericOp>(old, step.op);
    result.space = sum;
    result.producers = {added, read.back()};
    NodeId last = payload.add(std::move(result));
    replaceOp(step, target, last);
    for (auto [list, node] :
         llvm::zip_equal(made, std::array{empty, begun, added, last}))
      list.push_back(node);
  }
  // The nodes stand for the rest of what is made.
  applyWriteOf(step, introduces);
  for (auto [index, nodes] : llvm::enumerate(made))
    step.setResult(index, nodes, source.ordered);
}

void formwork::verifier::registerReductionsModels(ModelRegistry &models) {
  models.add("split-reduction", propagateSplitReduction);
}
