//===- OnlineSoftmax.cpp - The model of online_softmax ----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A product and the softmax that it reads become a loop. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#include "verifier/models/structured/OnlineSoftmax.h"
#include "verifier/clauses/Clauses.h"
#include "verifier/models/Models.h"
#include "verifier/models/gpu/TriedSteps.h"
#include "verifier/spaces/Fusion.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;
using namespace formwork::verifier;

/// The op that makes what each element of `value` is computed of, one by one.
static Operation *skipElementwise(Value value) {
  Operation *op = value.getDefiningOp();
  while (auto generic = dyn_cast_or_null<linalg::GenericOp>(op)) {
    bool isElementwise =
        generic.getNumDpsInputs() == 1 &&
        generic.getNumLoops() == generic.getNumParallelLoops() &&
        llvm::all_of(generic.getIndexingMapsArray(),
                     [](AffineMap map) { return map.isIdentity(); });
    if (!isElementwise)
      break;
    op = generic.getDpsInputs().front().getDefiningOp();
  }
  return op;
}

/// The loop of `space` that it sums over; none unless there is one.
static std::optional<unsigned> getSumLoop(const IterationSpace &space) {
  std::optional<unsigned> sum;
  for (auto [loop, iterator] : llvm::enumerate(space.iterators))
    if (iterator == utils::IteratorType::reduction) {
      if (sum)
        return std::nullopt;
      sum = loop;
    }
  return sum;
}

/// The products of the loop over pieces of `size` that the step makes of
/// `target`; none where the payload does not show both.
static std::optional<OnlineProducts>
findOnlineProducts(const Step &step, NodeId target, const Size &size) {
  const PayloadModel &payload = step.payload;
  const Node &node = payload[target];
  auto body = dyn_cast_or_null<linalg::LinalgOp>(node.body);
  if (!body || !node.space || size.isUnknown() || body.getNumDpsInputs() != 2)
    return std::nullopt;
  std::optional<unsigned> sumLoop = getSumLoop(*node.space);
  std::optional<solver::IntTerm> length, pieces = step.analysis.getTerm(size);
  if (sumLoop)
    length = step.analysis.getTerm(node.space->loops[*sumLoop].size);
  if (!length || !pieces)
    return std::nullopt;
  auto piece = std::make_shared<IterationSpace>(*node.space);
  piece->loops[*sumLoop] = Extent{size, {}};
  for (unsigned factor : {0, 1}) {
    auto softmax = dyn_cast_or_null<linalg::SoftmaxOp>(
        skipElementwise(body.getDpsInputs()[factor]));
    Operation *scores = softmax ? skipElementwise(softmax.getInput()) : nullptr;
    if (!scores)
      continue;
    NodeId id = payload.lookup(scores);
    std::shared_ptr<const IterationSpace> whole = payload[id].space, part;
    if (whole)
      part = fuseSpace(*whole, *piece, factor);
    if (!part)
      continue;
    std::optional<unsigned> keys;
    AffineMap read = piece->maps[factor], made = part->maps.back();
    for (auto [dim, loop] : llvm::enumerate(read.getResults()))
      if (loop == getAffineDimExpr(*sumLoop, step.op->getContext()))
        keys = made.getDimPosition(dim);
    if (!keys)
      continue;
    solver::IntTerm iterations = step.terms.ceilDiv(*length, *pieces);
    return OnlineProducts{id,
                          {std::move(part), topNode, iterations, keys},
                          {std::move(piece), topNode, iterations, sumLoop}};
  }
  return std::nullopt;
}

void formwork::verifier::noteInLoop(const Step &step, NodeId producer,
                                    NodeId loop) {
  std::optional<OnlineProducts> &online = step.state.vectors.online;
  if (online && online->scores == producer && online->first.loop == loop)
    online->areTogether = true;
}

void formwork::verifier::noteOnlineVectors(const Step &step) {
  KernelVectors &vectors = step.state.vectors;
  if (!vectors.online || !vectors.online->areTogether ||
      !vectors.products.empty())
    return;
  vectors.products = {vectors.online->first, vectors.online->second};
  vectors.areInOrder = true;
}

/// transform.formwork.online_softmax: each target gives way to a loop along
/// the dimension of its sum, and to a product in that, of the same kind.
static void propagateOnlineSoftmax(const Step &step) {
  Count count = step.lookup(step.op->getOperand(0)).count(step.payload);
  SmallVector<MixedNumber> sizes =
      getMixedNumbers(step.op, "static_step", /*segment=*/1);
  unsigned numLists = checkNumberOfValues(step, sizes, count, "fw-bad-threads");
  for (unsigned target = 0; target != numLists; ++target)
    for (const Size &size : getNumbers(step, sizes, target))
      requireAtLeast(step, size, 1, "fw-no-online-softmax", "softmax.positive",
                     "the step", count.lo > 0, /*silenceable=*/false);
  if (count.hi != 0)
    (void)tryStep(step);
  NodeList targets(step.lookup(step.op->getOperand(0)).nodes);
  std::optional<OnlineProducts> online;
  if (SmallVector<Size> given = getNumbers(step, sizes, 0);
      targets.size() == 1 && given.size() == 1)
    online = findOnlineProducts(step, targets.front(), given.front());
  applyClauses(step);
  if (NodeList loops(step.lookup(step.op->getResult(1)).nodes);
      online && loops.size() == 1)
    online->first.loop = online->second.loop = loops.front();
  step.state.vectors.online = std::move(online);
}

void formwork::verifier::registerOnlineSoftmaxModels(ModelRegistry &models) {
  Model &model = models.add("online-softmax", propagateOnlineSoftmax,
                            decides{"fw-bad-threads", "fw-no-online-softmax"},
                            getUntriedReasons());
  model.derivesConstraints = true;
  model.isTriedFromHere = true;
}
