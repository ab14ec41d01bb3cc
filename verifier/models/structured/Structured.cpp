//===- Structured.cpp - Models of steps on one structured op ----*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Splitting and interchange of an iteration space. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#include "verifier/clauses/Clauses.h"
#include "verifier/findings/Requirements.h"
#include "verifier/models/Models.h"
#include "verifier/models/structured/Fusion.h"
#include "verifier/models/structured/Rephrasing.h"
#include "verifier/models/structured/TileSizes.h"
#include "verifier/solver/TermPrinter.h"
#include "verifier/spaces/Splitting.h"
#include "verifier/spaces/Transposing.h"
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

/// Where `structured.split` divides a loop.
struct SplitPoints {
  /// Behind so many iterations; of a multiway split, for one part after
  /// another.
  SmallVector<Size> chunks;
  /// The sizes fit the targets.
  bool areKnown = true;
};

static SplitPoints readSplitPoints(const Step &step, transform::SplitOp split,
                                   const HandleState &source) {
  SplitPoints points;
  Value sizes = split.getDynamicChunkSizes();
  if (!sizes) {
    points.chunks = {static_cast<int64_t>(split.getStaticChunkSizes())};
    return points;
  }
  unsigned number = std::max<size_t>(step.lookup(sizes).params.size(), 1);
  for (unsigned i = 0; i < number; ++i) {
    points.chunks.push_back(step.getParam(sizes, i));
    // One part is all that an open number tells.
    points.areKnown &= number == 1 ? !points.chunks.back().isUnknown()
                                   : points.chunks.back() &&
                                         (i == 0 || *points.chunks.back() > 0);
  }
  points.areKnown &= source.count(step.payload).isExactly(1) &&
                     (number == 1 || split.getMultiway());
  bool arePoints =
      !split.getMultiway() && areIndices(step, sizes, source.nodes);
  if (!points.areKnown && !arePoints)
    step.unprove("splits at points that are not known");
  return points;
}

/// Requires that `parts` of dimension `dim` of `target`, split after `chunk`
/// iterations, both have some.
static void requireParts(const Step &step, const Node &target, unsigned dim,
                         const LoopParts &parts, const Size &chunk) {
  std::string first = "the part " +
                      solver::toInfix(*step.analysis.getTerm(chunk)) +
                      " that is split off ";
  bool definite = target.isSurelyThere();
  require(step, {"split.positive", first + "has iterations", definite},
          parts.isPositive,
          [&] { step.unprove("may split off a part without iterations"); });
  // Otherwise there is one part, which is enough for some that follow.
  if (!step.parameters.isSurely(parts.hasRest))
    step.state.assumed.push_back(parts.hasRest);
  step.require(step.op, "split.rest", parts.hasRest,
               first + "is less than " +
                   solver::toInfix(
                       *step.analysis.getTerm(target.space->loops[dim].size)) +
                   ", the size of dimension " + Twine(dim),
               ConstraintKind::Required, /*definite=*/false);
}

/// Checks that a multiway split has one op to split.
static void checkSplit(const Step &step, transform::SplitOp split,
                       const HandleState &source) {
  Count targets = source.count(step.payload);
  if (split.getMultiway() && (targets.lo > 1 || targets.hi == 0))
    step.report("fw-cardinality",
                "requires exactly one payload op for a multiway split but " +
                    step.nameOf(split.getTarget()) + " has " +
                    Twine(targets.lo))
        .note(NoteKind::Evidence, step.op->getLoc(),
              "requires exactly one target when multiway split is enabled");
  else if (split.getMultiway() && !targets.isExactly(1))
    step.unprove("requires exactly one payload op, and the number of ops in "
                 "the handle is not known");
}

/// Adds one part of `target`, whose loop `dim` has `extent`. A part that is not
/// `isSure` may be the whole, and a second part may not be there.
static NodeId addPart(const Step &step, NodeId target, unsigned dim,
                      const Extent &extent, bool isSecond, bool isSure) {
  PayloadModel &payload = step.payload;
  const Node old = payload[target];
  Node part = makeInPlace(old, step.op);
  if (old.space) {
    auto space = std::make_shared<IterationSpace>(*old.space);
    space->loops[dim] = extent;
    part.space = std::move(space);
    // It reads slices of all operands but scalars; the slices stand before it.
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
  NodeId id = payload.add(std::move(part));
  payload.inheritContents(target, id);
  return id;
}

/// The parts into which the targets are split.
struct SplitNodes {
  /// The parts in front, and all that follow them.
  NodeList first, second;
  bool allHaveSecond = true, someHaveSecond = false;
};

/// Splits loop `dim` of `target`, and adds its parts to `nodes`.
static void splitTarget(const Step &step, NodeId target, unsigned dim,
                        const SplitPoints &points, SplitNodes &nodes) {
  const Node old = step.payload[target];
  const Extent loop = old.space ? old.space->loops[dim] : Extent();
  Size chunk = points.areKnown ? points.chunks.front() : Size();
  // Further parts are split off numbers only.
  std::optional<LoopParts> parts;
  if (points.chunks.size() == 1 || loop.size)
    parts = splitAfter(step.terms, step.op, dim, loop, chunk);
  if (parts && parts->hasRest.isFalse()) {
    // There is nothing to split off, and the op stays.
    nodes.first.push_back(target);
    nodes.allHaveSecond = false;
    return;
  }
  if (parts)
    requireParts(step, old, dim, *parts, chunk);
  else if (chunk && *chunk <= 0)
    step.unprove("may split off a part without iterations");
  bool isSure = parts || (old.space && chunk && !loop.size.isSymbolic() &&
                          loop.reason.definite);
  // Without a static size, the parts are as dynamic as the whole.
  Extent unknown = chunk && !loop.size.isSymbolic() ? loop : Extent();
  nodes.first.push_back(addPart(step, target, dim,
                                parts ? parts->first : unknown,
                                /*isSecond=*/false, isSure));
  auto addSecond = [&](const Extent &extent) {
    nodes.second.push_back(
        addPart(step, target, dim, extent, /*isSecond=*/true, isSure));
  };
  // Each further part is split off the rest, as long as there is one.
  Extent rest = parts ? parts->rest : unknown;
  for (const Size &further : ArrayRef(points.chunks).drop_front()) {
    std::optional<LoopParts> next =
        parts ? splitAfter(step.terms, step.op, dim, rest, further)
              : std::nullopt;
    if (!next || !next->hasRest.isTrue())
      break;
    addSecond(next->first);
    rest = next->rest;
  }
  addSecond(rest);
  nodes.someHaveSecond = true;
  // Readers of the old result read slices, through which nothing is fused.
  replaceOp(step, target, PayloadModel::universe);
  nodes.allHaveSecond &= isSure;
}

static void propagateSplitLoop(const Step &step) {
  auto split = cast<transform::SplitOp>(step.op);
  HandleState source = step.lookup(split.getTarget());
  SplitPoints points = readSplitPoints(step, split, source);
  checkSplit(step, split, source);
  unsigned dim = split.getDimension();
  SplitNodes nodes;
  for (NodeId target : source.nodes) {
    const Node &old = step.payload[target];
    if (!old.space) {
      step.unprove("splits an op whose loops are not known");
    } else if (dim >= old.space->loops.size()) {
      step.reportOf(split.getTarget(), "fw-no-such-dimension",
                    "requires a dimension of '" + old.kind->getStringRef() +
                        "', which has dimensions 0 to " +
                        Twine(old.space->loops.size() - 1) + ", but has " +
                        Twine(dim),
                    old.isSurelyThere())
          .note(NoteKind::Evidence, step.op->getLoc(),
                "dimension " + Twine(dim) + " does not exist in target op");
      return step.setOpaque(0);
    }
    splitTarget(step, target, dim, points, nodes);
  }
  if (nodes.someHaveSecond && !nodes.allHaveSecond && source.nodes.size() > 1)
    step.unprove("may split only some of the targets");
  applyWriteOf(step, step.contract.payload->introduces);
  bool isNumber = points.areKnown && points.chunks.front();
  if (split.getMultiway() && !isNumber)
    return step.setOpaque(0);
  llvm::append_range(nodes.first, nodes.second);
  step.setResult(0, nodes.first, source.ordered);
}

//===----------------------------------------------------------------------===//
// Interchange
//===----------------------------------------------------------------------===//

static void propagateInterchange(const Step &step) {
  auto op = cast<transform::InterchangeOp>(step.op);
  PayloadModel &payload = step.payload;
  HandleState source = step.lookup(op.getTarget());
  ArrayRef<int64_t> order = op.getIteratorInterchange();
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
      step.unprove("interchanges an unknown number of loops");
    } else if (order.size() != old.space->loops.size()) {
      step.reportOf(op.getTarget(), "fw-bad-interchange",
                    "requires one entry per loop of '" +
                        old.kind->getStringRef() + "', which has " +
                        Twine(old.space->loops.size()) + ", but has " +
                        Twine(order.size()),
                    old.isSurelyThere());
    } else {
      SmallVector<unsigned> permutation(order.begin(), order.end());
      fresh.space = interchange(*old.space, permutation);
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
           leavesOpen{"may split off a part without iterations"})
      .derivesConstraints = true;
  models.add("interchange", propagateInterchange,
             decides{"fw-bad-interchange"});
}
