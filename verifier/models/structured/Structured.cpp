//===- Structured.cpp - Models of steps on one structured op ----*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What splitting and interchange make of an iteration space. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#include "verifier/clauses/Clauses.h"
#include "verifier/models/Models.h"
#include "verifier/models/structured/Fusion.h"
#include "verifier/models/structured/Rephrasing.h"
#include "verifier/models/structured/Tiling.h"
#include "verifier/solver/TermPrinter.h"
#include "verifier/step/Step.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::engine;
using namespace formwork::verifier;

/// A node like `old`, in its place.
static Node makeInPlace(const Node &old, Operation *op) {
  Node node = makeBeside(old, op);
  node.producers = old.producers;
  node.body = old.body;
  node.bodySince = old.bodySince;
  node.tags = old.tags;
  return node;
}

//===----------------------------------------------------------------------===//
// Splitting
//===----------------------------------------------------------------------===//

static void propagateSplitLoop(const Step &step) {
  auto split = cast<transform::SplitOp>(step.op);
  PayloadModel &payload = step.payload;
  HandleState source = step.lookup(split.getTarget());
  Count targets = source.count(payload);
  Value dynamicSizes = split.getDynamicChunkSizes();
  Size chunk;
  // Of a multiway split, all chunks but the first.
  SmallVector<int64_t> furtherChunks;
  bool areKnown = true;
  if (!dynamicSizes) {
    chunk = static_cast<int64_t>(split.getStaticChunkSizes());
  } else {
    chunk = step.getParam(dynamicSizes);
    unsigned number = step.lookup(dynamicSizes).params.size();
    areKnown = !chunk.isUnknown() && targets.isExactly(1) &&
               (number == 1 || (number > 1 && split.getMultiway()));
    for (unsigned i = 1; areKnown && i < number; ++i) {
      Size further = step.getParam(dynamicSizes, i);
      areKnown &= chunk && further && *further > 0;
      furtherChunks.push_back(further ? *further : 0);
    }
    bool arePoints =
        !split.getMultiway() && areIndices(step, dynamicSizes, source.nodes);
    if (!areKnown && !arePoints)
      step.unprove("splits at points that are not known");
  }
  if (chunk && *chunk <= 0)
    step.unprove("splits off a part without iterations");
  solver::TermContext &terms = step.terms;
  if (split.getMultiway()) {
    if (targets.lo > 1 || targets.hi == 0)
      step.report("fw-cardinality",
                  "requires exactly one payload op for a multiway split but " +
                      step.nameOf(split.getTarget()) + " has " +
                      Twine(targets.lo))
          .note(NoteKind::Evidence, step.op->getLoc(),
                "requires exactly one target when multiway split is enabled");
    else if (!targets.isExactly(1))
      step.unprove("requires exactly one payload op in a handle of which no "
                   "count is known");
  }

  unsigned dim = split.getDimension();
  NodeList first, second;
  bool allHaveSecond = true, someHaveSecond = false;
  for (NodeId target : source.nodes) {
    const Node old = payload[target];
    if (!old.space) {
      step.unprove("splits an op whose loops are not known");
    } else if (dim >= old.space->loops.size()) {
      step.report("fw-no-such-dimension",
                  "requires a dimension of '" + old.kind->getStringRef() +
                      "', which has " + Twine(old.space->loops.size()) +
                      ", but has " + Twine(dim),
                  old.present == Certainty::Yes && old.count.lo > 0)
          .note(NoteKind::Established,
                source.origin ? source.origin->getLoc() : step.op->getLoc(),
                "handle " + step.nameOf(split.getTarget()) + " is set here")
          .note(NoteKind::Evidence, step.op->getLoc(),
                "dimension " + Twine(dim) + " does not exist in target op");
      return step.setOpaque(0);
    }
    Extent extent;
    if (old.space)
      extent = old.space->loops[dim];
    if (extent.size && chunk && *chunk >= *extent.size) {
      // There is nothing to split off, and the op stays.
      first.push_back(target);
      allHaveSecond = false;
      continue;
    }
    bool isSure = old.space && chunk && (extent.size || extent.reason.definite);
    // What is split off where a knob says so.
    Extent symbolicFirst, symbolicRest;
    bool isStaticOnce =
        extent.size ||
        (extent.size.isSymbolic() && extent.condition && furtherChunks.empty());
    bool isSymbolic = areKnown && !chunk.isUnknown() && isStaticOnce &&
                      (chunk.isSymbolic() || extent.size.isSymbolic());
    if (isSymbolic) {
      solver::IntTerm first = *step.analysis.getTerm(chunk);
      solver::IntTerm whole = *step.analysis.getTerm(extent.size);
      std::string name = solver::toInfix(first);
      step.require(step.op, "split.positive",
                   terms.less(terms.constant(0), first),
                   "the part " + name + " that is split off has iterations",
                   ConstraintKind::Required,
                   old.present == Certainty::Yes && old.count.lo > 0);
      // Otherwise there is one part, which is enough for some that follow.
      solver::BoolTerm hasRest = terms.less(first, whole);
      if (!step.parameters.isSurely(hasRest))
        step.state.assumed.push_back(hasRest);
      step.require(step.op, "split.rest", hasRest,
                   "the part " + name + " that is split off is less than " +
                       solver::toInfix(whole) + ", the size of dimension " +
                       Twine(dim),
                   ConstraintKind::Required, /*definite=*/false);
      isSure = true;
      auto makeStatic = [&](solver::IntTerm size) {
        StaticCondition condition{terms.truth(true), step.op, dim, "", ""};
        if (extent.condition) {
          condition = *extent.condition;
          condition.tiles += " (split after " + name + ")";
        }
        Extent part;
        part.size = Size::symbolic(size);
        part.condition =
            std::make_shared<StaticCondition>(std::move(condition));
        return part;
      };
      symbolicFirst = makeStatic(first);
      symbolicRest = makeStatic(terms.sub(whole, first));
    }
    auto addPart = [&](bool isSecond) {
      Node part = makeInPlace(old, step.op);
      if (old.space) {
        auto space = std::make_shared<IterationSpace>(*old.space);
        Extent &loop = space->loops[dim];
        if (isSymbolic)
          loop = isSecond ? symbolicRest : symbolicFirst;
        else if (!chunk || extent.size.isSymbolic())
          loop = Extent();
        else if (!isSecond)
          loop.size = extent.size ? chunk : Size();
        else if (extent.size)
          loop.size = *extent.size - *chunk;
        part.space = std::move(space);
        // Of all but scalars it reads slices, which stand in front of it.
        for (auto [producer, map] : llvm::zip(part.producers, old.space->maps))
          if (map.getNumResults() != 0)
            producer = PayloadModel::universe;
        // The second part reads what the first has inserted.
        if (isSecond && part.producers.size() >= old.space->numInits)
          for (NodeId &producer :
               MutableArrayRef(part.producers).take_back(old.space->numInits))
            producer = PayloadModel::universe;
      } else {
        part.producers.clear();
      }
      if (!isSure) {
        part.exact = false;
        if (isSecond)
          part.count.lo = 0;
      }
      return payload.add(std::move(part));
    };
    first.push_back(addPart(/*isSecond=*/false));
    second.push_back(addPart(/*isSecond=*/true));
    // Each further chunk is split off the rest, as long as there is one.
    int64_t left = isSure && chunk && extent.size ? *extent.size - *chunk : 0;
    for (int64_t further : furtherChunks) {
      if (!areKnown || further >= left)
        break;
      NodeId rest = second.back();
      auto resize = [&](NodeId part, int64_t size) {
        auto space = std::make_shared<IterationSpace>(*payload[part].space);
        space->loops[dim].size = size;
        payload.edit(part).space = std::move(space);
      };
      resize(rest, further);
      left -= further;
      second.push_back(addPart(/*isSecond=*/true));
      resize(second.back(), left);
    }
    payload.inheritContents(target, first.back());
    for (NodeId part : second)
      payload.inheritContents(target, part);
    someHaveSecond = true;
    // What read the old result reads slices, through which nothing is fused.
    replaceOp(step, target, PayloadModel::universe);
    allHaveSecond &= isSure;
  }
  if (someHaveSecond && !allHaveSecond && source.nodes.size() > 1)
    step.unprove("may split only some of the targets");
  bool simple = !split.getMultiway() || (chunk && areKnown);
  applyWriteOf(step, step.contract.payload->introduces);
  if (!simple)
    return step.setOpaque(0);
  bool ordered = source.ordered;
  llvm::append_range(first, second);
  step.setResult(0, first, ordered);
}

//===----------------------------------------------------------------------===//
// Interchange
//===----------------------------------------------------------------------===//

static void propagateInterchange(const Step &step) {
  auto interchange = cast<transform::InterchangeOp>(step.op);
  PayloadModel &payload = step.payload;
  HandleState source = step.lookup(interchange.getTarget());
  ArrayRef<int64_t> order = interchange.getIteratorInterchange();
  if (order.empty()) {
    step.setResult(0, source.nodes, source.ordered);
    return;
  }
  NodeList results;
  normalforms::KindPatterns introduces = step.contract.payload->introduces;
  for (NodeId target : source.nodes) {
    const Node old = payload[target];
    Node fresh = makeInPlace(old, step.op);
    fresh.body = nullptr;
    // The number of a loop is reckoned from those of all of them.
    auto body = dyn_cast_or_null<linalg::LinalgOp>(old.body);
    if (!body || body.hasIndexSemantics())
      introduces.append({"affine.apply", "linalg.index"});
    if (!old.space) {
      step.unprove("interchanges loops of which the number is not known");
    } else if (order.size() != old.space->loops.size()) {
      step.report("fw-bad-interchange",
                  "requires one entry per loop of '" +
                      old.kind->getStringRef() + "', which has " +
                      Twine(old.space->loops.size()) + ", but has " +
                      Twine(order.size()),
                  old.present == Certainty::Yes && old.count.lo > 0)
          .note(NoteKind::Established,
                source.origin ? source.origin->getLoc() : step.op->getLoc(),
                "handle " + step.nameOf(interchange.getTarget()) +
                    " is set here");
    } else {
      auto space = std::make_shared<IterationSpace>(*old.space);
      SmallVector<unsigned> permutation(order.begin(), order.end());
      AffineMap inverse = inversePermutation(
          AffineMap::getPermutationMap(permutation, step.op->getContext()));
      for (auto [to, from] : llvm::enumerate(order)) {
        space->loops[to] = old.space->loops[from];
        space->iterators[to] = old.space->iterators[from];
      }
      for (AffineMap &map : space->maps)
        map = map.compose(inverse);
      fresh.space = std::move(space);
      fresh.body = interchangeBody(step, old, permutation);
      fresh.bodySince = payload.time();
    }
    results.push_back(payload.add(std::move(fresh)));
    payload.inheritContents(target, results.back());
    takePlace(step, target, results.back());
  }
  applyWriteOf(step, introduces);
  step.setResult(0, results, source.ordered);
}

void formwork::verifier::registerStructuredModels(ModelRegistry &models) {
  models
      .add("split-loop", propagateSplitLoop,
           decides{"fw-cardinality", "fw-no-such-dimension"},
           leavesOpen{"splits off a part without iterations"})
      .derivesConstraints = true;
  models.add("interchange", propagateInterchange,
             decides{"fw-bad-interchange"});
}
