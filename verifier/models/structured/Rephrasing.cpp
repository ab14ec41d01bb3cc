//===- Rephrasing.cpp - Ops said in another way -----------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Generalization, specialization and the interchange of loops of a structured
// op: another op takes its place, and computes the same. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#include "verifier/models/structured/Rephrasing.h"
#include "normalforms/PayloadFacts.h"
#include "verifier/clauses/Clauses.h"
#include "verifier/models/Models.h"
#include "verifier/models/structured/Fusion.h"
#include "verifier/step/Step.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/TilingInterface.h"

using namespace mlir;
using namespace formwork::normalforms;
using namespace formwork::verifier;

/// Whether `body` has the maps and loops of `space`, and values as that.
static bool hasSpaceOf(Operation *body, const IterationSpace &space) {
  auto structured = dyn_cast_or_null<linalg::LinalgOp>(body);
  return structured &&
         structured.getIndexingMapsArray() == ArrayRef(space.maps) &&
         structured.getIteratorTypesArray() == ArrayRef(space.iterators) &&
         structured.hasPureTensorSemantics() == space.onTensors;
}

/// The result of `rewrite`, called `name`, on an op like the one of `old`; none
/// if the op is not known well enough.
static Rephrasing rephrase(Analysis &analysis, const Node &old,
                           const Twine &name, Rephrasings::Rewrite rewrite) {
  bool isKnown = analysis.state.payload.isLikeBody(old) && old.space &&
                 hasSpaceOf(old.body, *old.space);
  if (!isKnown)
    return {};
  return analysis.state.payload.getRephrasings().get(old.body, name.str(),
                                                     rewrite);
}

Operation *formwork::verifier::interchangeBody(Analysis &analysis,
                                               const Node &old,
                                               ArrayRef<unsigned> order) {
  if (!isKind<linalg::GenericOp>(old))
    return nullptr;
  std::string name = "interchange";
  for (unsigned loop : order)
    name += " " + std::to_string(loop);
  return rephrase(analysis, old, name,
                  [&](Operation *copy) -> Operation * {
                    IRRewriter rewriter(copy);
                    FailureOr<linalg::GenericOp> made =
                        linalg::interchangeGenericOp(
                            rewriter, cast<linalg::GenericOp>(copy), order);
                    return succeeded(made) ? made->getOperation() : nullptr;
                  })
      .made;
}

//===----------------------------------------------------------------------===//
// Reductions in parts
//===----------------------------------------------------------------------===//

/// Tiles `op`, a reduction along `dims`, with one tile for all, without a loop.
static ReductionBodies tileWhole(Operation *op, ArrayRef<unsigned> dims) {
  constexpr auto strategy =
      ReductionTilingStrategy::PartialReductionOuterReduction;
  auto structured = cast<linalg::LinalgOp>(op);
  auto reduction = dyn_cast<PartialReductionOpInterface>(op);
  // MLIR takes a size of 0 for a loop that is not tiled, and crashes.
  if (!reduction || structured.hasDynamicShape() ||
      llvm::is_contained(structured.getStaticLoopRanges(), 0))
    return {};
  OpBuilder builder(op);
  Location loc = op->getLoc();
  llvm::SetVector<unsigned> tiled(dims.begin(), dims.end());
  SmallVector<OpFoldResult> sizes = getAsIndexOpFoldResult(
      op->getContext(), structured.getStaticLoopRanges());
  SmallVector<OpFoldResult> offsets(sizes.size(), builder.getIndexAttr(0));
  SmallVector<OpFoldResult> numbers(dims.size(), builder.getIndexAttr(0));
  FailureOr<SmallVector<Value>> inits =
      reduction.generateInitialTensorForPartialReduction(builder, loc, sizes,
                                                         tiled);
  if (failed(inits) || inits->size() != 1)
    return {};
  FailureOr<TilingResult> part = reduction.tileToPartialReduction(
      builder, loc, strategy, *inits, offsets, sizes, tiled, numbers);
  if (failed(part) || part->tiledOps.size() != 1)
    return {};
  FailureOr<MergeResult> merged =
      reduction.mergeReductions(builder, loc, *inits, tiled);
  if (failed(merged) || merged->mergeOps.size() != 1)
    return {};
  return {inits->front().getDefiningOp(), part->tiledOps.front(),
          merged->mergeOps.front()};
}

ReductionBodies
formwork::verifier::getReductionBodies(Analysis &analysis, const Node &old,
                                       ArrayRef<unsigned> dims) {
  std::string name = "parts";
  for (unsigned dim : dims)
    name += " " + std::to_string(dim);
  auto get = [&](StringRef which, Operation *ReductionBodies::*member) {
    return rephrase(
               analysis, old, name + ": " + which,
               [&](Operation *copy) { return tileWhole(copy, dims).*member; })
        .made;
  };
  return {get("init", &ReductionBodies::init),
          get("part", &ReductionBodies::part),
          get("merge", &ReductionBodies::merge)};
}

//===----------------------------------------------------------------------===//
// Named and generic
//===----------------------------------------------------------------------===//

static Node makeGeneric(const Step &step, NodeId target) {
  const Node old = step.payload[target];
  Node fresh = makeBeside(old, step.op,
                          OperationName(linalg::GenericOp::getOperationName(),
                                        step.op->getContext()));
  // The loops, the maps and the operands are the same.
  fresh.space = old.space;
  fresh.producers = old.producers;
  fresh.body =
      rephrase(step, old, "generalize", [](Operation *copy) -> Operation * {
        IRRewriter rewriter(copy);
        FailureOr<linalg::GenericOp> made =
            linalg::generalizeNamedOp(rewriter, cast<linalg::LinalgOp>(copy));
        return succeeded(made) ? made->getOperation() : nullptr;
      }).made;
  fresh.bodySince = step.payload.time();
  // A named op hands nothing else on.
  if (old.kind)
    fresh.tags = DictionaryAttr::get(step.op->getContext());
  return fresh;
}

static void propagateGeneralize(const Step &step) {
  PayloadModel &payload = step.payload;
  HandleState source = step.lookup(step.op->getOperand(0));
  NodeList results;
  for (NodeId target : source.nodes) {
    // A generic op stays as it is.
    if (isKind<linalg::GenericOp>(payload[target])) {
      results.push_back(target);
      continue;
    }
    results.push_back(payload.add(makeGeneric(step, target)));
    payload.inheritContents(target, results.back());
    takePlace(step, target, results.back());
  }
  // The nodes stand for all that is made.
  applyWriteOf(step, {});
  step.setResult(0, results, source.ordered);
}

Settled formwork::verifier::generalizeBelow(const Step &step, NodeId scope) {
  PayloadModel &payload = step.payload;
  Settled settled;
  auto isNamed = [](const Node &node) {
    return node.kind ? KindPattern("$structured").matches(*node.kind) &&
                           !isKind<linalg::GenericOp>(node)
                     : node.isUnlisted();
  };
  bool areAllKnown = true;
  auto isGeneric = [](const Node &node) {
    return isKind<linalg::GenericOp>(node);
  };
  for (auto [id, place] : payload.getBelow(scope, isGeneric))
    settled.nodes.insert(id);
  for (auto [id, place] : payload.getBelow(scope, isNamed)) {
    if (payload.isGone(id))
      continue;
    Node fresh = makeGeneric(step, id);
    if (place != Certainty::Yes || !payload[id].exact || !fresh.body) {
      // A node without an op of its own is among the others.
      areAllKnown &= !payload[id].exact && !payload[id].fresh;
      continue;
    }
    // Its body is folded in place.
    fresh.bodySince = 0;
    NodeId made = payload.add(std::move(fresh));
    payload.inheritContents(id, made);
    takePlace(step, id, made);
    settled.nodes.insert(made);
  }
  auto isHidden = [&](const KindPattern &mine) {
    if (mine.getForm() == KindPattern::Form::Name)
      return mine.getKind() != linalg::GenericOp::getOperationName() &&
             KindPattern("$structured")
                 .matches(OperationName(mine.getKind(), step.op->getContext()));
    return mine.isAny() || mine.isClass() || mine.getKind() == "linalg.*";
  };
  areAllKnown &= !payload.mayHide(scope, [&](const KindSet &kinds) {
    return llvm::any_of(kinds.getPatterns(), isHidden);
  });
  if (areAllKnown)
    settled.kinds = {"linalg.generic"};
  return settled;
}

static void propagateSpecialize(const Step &step) {
  PayloadModel &payload = step.payload;
  HandleState source = step.lookup(step.op->getOperand(0));
  auto specialize = [&](const Node &old) {
    return rephrase(
        step, old, "specialize", [](Operation *copy) -> Operation * {
          IRRewriter rewriter(copy);
          FailureOr<linalg::LinalgOp> made = linalg::specializeGenericOp(
              rewriter, cast<linalg::GenericOp>(copy));
          return succeeded(made) ? made->getOperation() : nullptr;
        });
  };
  bool isKnown = llvm::all_of(source.nodes, [&](NodeId target) {
    const Node &old = payload[target];
    bool isNamed = old.kind && !isKind<linalg::GenericOp>(old);
    if (isNamed)
      return true;
    return old.kind && old.body && hasElementsOfWidth(old.body) &&
           specialize(old).made;
  });
  if (!isKnown)
    return applyClauses(step);
  NodeList results;
  for (NodeId target : source.nodes) {
    const Node old = payload[target];
    // A named op stays as it is.
    if (!isKind<linalg::GenericOp>(old)) {
      results.push_back(target);
      continue;
    }
    auto [named, keepsOperands] = specialize(old);
    Node fresh = makeBeside(old, step.op, named->getName());
    fresh.body = named;
    fresh.bodySince = payload.time();
    fresh.tags = DictionaryAttr::get(step.op->getContext());
    // Operands may be exchanged, and loops.
    if (keepsOperands && hasSpaceOf(named, *old.space)) {
      fresh.space = old.space;
      fresh.producers = old.producers;
    }
    results.push_back(payload.add(std::move(fresh)));
    payload.inheritContents(target, results.back());
    // Of numbers of one bit, it computes the same in another way.
    KindPatterns computes;
    named->walk([&, named = named](Operation *inner) {
      if (inner != named)
        computes.push_back(inner->getName());
    });
    payload.touch(results.back(), computes, {});
    takePlace(step, target, results.back());
  }
  // The nodes stand for all that is made.
  applyWriteOf(step, {});
  step.setResult(0, results, source.ordered);
}

static void propagateTransposeMatmul(const Step &step) {
  PayloadModel &payload = step.payload;
  HandleState source = step.lookup(step.op->getOperand(0));
  bool isLeft =
      cast<transform::TransposeMatmulOp>(step.op).getInputToTranspose() ==
      transform::TransposeMatmulInput::lhs;
  auto transpose = [&](Operation *copy) -> Operation * {
    IRRewriter rewriter(copy);
    FailureOr<Operation *> made = failure();
    if (auto matmul = dyn_cast<linalg::MatmulOp>(copy))
      made = linalg::transposeMatmul(rewriter, matmul, isLeft);
    else if (auto batch = dyn_cast<linalg::BatchMatmulOp>(copy))
      made = linalg::transposeBatchMatmul(rewriter, batch, isLeft);
    return succeeded(made) ? *made : nullptr;
  };
  SmallVector<Operation *> bodies;
  for (NodeId target : source.nodes)
    bodies.push_back(rephrase(step, payload[target],
                              isLeft ? "transpose lhs" : "transpose rhs",
                              transpose)
                         .made);
  if (!llvm::all_of(bodies, [](Operation *body) { return body != nullptr; }))
    return applyClauses(step);
  NodeList results;
  for (auto [target, body] : llvm::zip_equal(source.nodes, bodies)) {
    const Node old = payload[target];
    Node fresh = makeBeside(old, step.op, body->getName());
    fresh.body = body;
    fresh.bodySince = payload.time();
    // The loops are the same, and in the same order; one operand is another.
    auto space = std::make_shared<IterationSpace>(*old.space);
    space->maps.clear();
    llvm::append_range(space->maps,
                       cast<linalg::LinalgOp>(body).getIndexingMapsArray());
    fresh.space = std::move(space);
    fresh.tags = DictionaryAttr::get(step.op->getContext());
    results.push_back(payload.add(std::move(fresh)));
    payload.inheritContents(target, results.back());
    takePlace(step, target, results.back());
  }
  // The nodes stand for the rest of what is made.
  applyWriteOf(step, {"linalg.transpose", "linalg.yield", "tensor.empty",
                      "tensor.dim", "arith.constant"});
  step.setResult(0, results, source.ordered);
}

void formwork::verifier::registerRephrasingModels(ModelRegistry &models) {
  models.add("generalize", propagateGeneralize);
  models.add("specialize", propagateSpecialize);
  models.add("transpose-matmul", propagateTransposeMatmul);
}
