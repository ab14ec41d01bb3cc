//===- Rewriting.cpp - Models of ops that rewrite a scope -------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What clean-up and vectorization leave of the payload model. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#include "verifier/models/rewriting/Rewriting.h"
#include "verifier/clauses/Clauses.h"
#include "verifier/clauses/Tracking.h"
#include "verifier/findings/Requirements.h"
#include "verifier/models/Models.h"
#include "verifier/models/gpu/KernelVectors.h"
#include "verifier/models/rewriting/Groups.h"
#include "verifier/models/structured/Vectorization.h"
#include "verifier/state/CleanUp.h"
#include "verifier/state/CseCandidates.h"
#include "verifier/step/Step.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"

using namespace mlir;
using namespace formwork::engine;
using namespace formwork::normalforms;
using namespace formwork::verifier;

//===----------------------------------------------------------------------===//
// Clean-up
//===----------------------------------------------------------------------===//

/// The nodes below `scope` that a clean-up may change which rewrites `kinds`
/// and folds as `folds` says. They include the structured ops and, if it
/// `merges`, the loops, which may be alike. Loops that hold others or
/// structured ops are looked at first, and left out if the clean-up leaves them
/// as they are.
static NodeList getChangedByCleanUp(const PayloadModel &payload, NodeId scope,
                                    ArrayRef<KindPattern> kinds, Folding folds,
                                    bool merges) {
  // A loop that a clean-up doubted was looked at then; one that may not be
  // there because of a path that was not taken still has its shape.
  auto isRestless = [&](const Node &node) {
    return merges || !node.loop || node.op || node.present == Certainty::Yes ||
           mayReshape(node, folds);
  };
  auto isRewritten = [&](const Node &node) { return mayBeOfKind(node, kinds); };
  auto isAmong = [&](const std::optional<OperationName> &kind) {
    return mayBeAmong(kind, kinds);
  };
  SmallVector<PayloadModel::Wanted, 5> wanted = {
      {folds == Folding::None ? NodeSet::Fading : NodeSet::Restless,
       isRestless},
      {NodeSet::Spaces},
      {NodeSet::Unsettled, isRewritten, isAmong}};
  // Below what is not exact, there may be a loop without what it holds.
  if (merges && payload[scope].exact)
    wanted.append({{NodeSet::Bottom}, {NodeSet::Loops, isRewritten, isAmong}});
  else if (merges)
    wanted.push_back({NodeSet::Loops});
  return payload.getBelow(scope, wanted);
}

/// Readers of an op that `givesWay` accepts may read another op afterwards.
static void forgetProducers(PayloadModel &payload, NodeId scope,
                            llvm::function_ref<bool(NodeId)> givesWay) {
  // One of them, or what has its place, is one still.
  auto isOrigin = [](const Node &node) {
    return isKind<arith::ConstantOp>(node) || isKind<tensor::EmptyOp>(node);
  };
  for (auto [id, place] : payload.getBelow(scope, NodeSet::Readers))
    for (auto [i, producer] :
         llvm::enumerate(llvm::to_vector(payload[id].producers))) {
      const Node &node = payload[producer];
      if (producer != PayloadModel::universe &&
          producer != PayloadModel::unknownProducer && !isOrigin(node) &&
          givesWay(producer))
        payload.edit(id).producers[i] = PayloadModel::unknownProducer;
    }
}

void formwork::verifier::cleanUp(const Step &step, NodeId scope,
                                 const RewriteNames &names, bool consumes,
                                 const Settled &settled) {
  RewriteNames active = getActive(step, scope, names);
  Rewrites rewrites = getRewrites(step, active);
  llvm::erase_if(rewrites.introduces, [&](const KindPattern &kind) {
    return llvm::is_contained(settled.kinds, kind);
  });
  PayloadModel &payload = step.payload;
  step.state.unread.clear();
  if (step.op)
    checkMasks(step, scope, active);
  // A driver merges constants even where it is given no rules.
  payload.mayMerge();
  applySideEffectsOf(step, names);
  SmallVector<KindPattern, 16> changing = rewrites.rewrites;
  if (rewrites.folds != Folding::None)
    changing.push_back("*");
  payload.mayRewrite(changing);
  NodeList below = getChangedByCleanUp(payload, scope, rewrites.rewrites,
                                       rewrites.folds, rewrites.merges);
  // CSE by itself folds nothing, as every greedy rewrite does: what is needed
  // is replaced only by one like it.
  bool isGreedy = step.contract.has(SideEffect::MayFoldValues);
  bool onlyMerges =
      !isGreedy && llvm::all_equal(names) && llvm::is_contained(names, "cse");
  // DCE by itself puts nothing in the place of anything.
  bool onlyErases =
      !isGreedy && llvm::all_equal(names) && llvm::is_contained(names, "dce");
  auto survives = [&](NodeId id) {
    const Node &node = payload[id];
    return survivesCleanUp(node, rewrites.folds) ||
           (onlyErases && payload.isNeeded(id)) ||
           (onlyMerges && node.live && node.kind && node.space);
  };
  llvm::DenseSet<NodeId> replaced, rewritten, holders;
  for (NodeId id : below) {
    const Node &node = payload[id];
    if (mayBeOfKind(node, rewrites.rewrites) && !settled.nodes.contains(id))
      rewritten.insert(id);
    if (rewritten.contains(id) || !survives(id))
      replaced.insert(id);
    // The replacement of a structured op has a body of its own.
    if (rewritten.contains(id) && node.space && node.hasBelow)
      holders.insert(id);
    if (mayTakeContents(node, rewrites.folds) &&
        !(onlyErases && payload.isNeeded(id))) {
      holders.insert(id);
      if (isCopied(node))
        llvm::append_range(rewrites.introduces, getKindsBelow(step, id));
    }
  }
  if (rewrites.merges) {
    CseCandidates candidates(payload, scope);
    for (NodeId id : below)
      if (payload[id].space && !replaced.contains(id))
        candidates.keep(id);
    NodeList mergeable;
    candidates.forEach(below, [&](NodeId id) {
      mergeable.push_back(id);
      rewritten.insert(id);
      replaced.insert(id);
      // Its contents are erased with it.
      if (payload[id].hasBelow)
        holders.insert(id);
    });
    // Those around others were not among these.
    llvm::append_range(below, mergeable);
    llvm::sort(below);
    below.erase(llvm::unique(below), below.end());
  }
  // Their contents have no replacement.
  payload.doubtInside(holders, scope);
  // Handles follow an op that is merged with an equal one, but then two handles
  // hold one op. An op that an earlier step may have erased may also be erased
  // only now.
  if (step.op && !onlyErases && !onlyMerges)
    checkTracking(step, scope, [&](NodeId id) {
      return replaced.contains(id) ||
             (payload[id].present == Certainty::Maybe && !survives(id));
    });
  if (!consumes && !onlyErases)
    followReplaced(step, scope, [&](NodeId id, bool isValue) {
      return rewritten.contains(id) ||
             (!onlyMerges && mayBecomeAnother(payload[id], rewrites.folds)) ||
             (isValue && mayBeCast(payload[id], rewrites.folds));
    });
  if (!onlyErases && !onlyMerges)
    forgetProducers(payload, scope, [&](NodeId id) {
      return rewritten.contains(id) ||
             mayBecomeAnother(payload[id], rewrites.folds);
    });
  for (NodeId id : below) {
    if (mayReshape(payload[id], rewrites.folds) ||
        (rewritten.contains(id) && mayReshape(payload[id])))
      payload.edit(id).loop = nullptr;
    payload.forget(id);
    if (!replaced.contains(id))
      continue;
    payload.doubt(id);
    // Folding may leave an equal op.
    const Node &node = payload[id];
    if (node.kind && !node.space && !node.loop &&
        !node.kind->mightHaveTrait<OpTrait::ZeroResults>())
      rewrites.introduces.push_back(*node.kind);
  }
  // New ops have at most the attributes of the ops they are made from. Ops that
  // certainly stay are not among these.
  if (!rewrites.introduces.empty())
    payload.hideTags(scope, rewritten,
                     /*doubted=*/rewrites.folds != Folding::None);
  // Sunk ops are copied.
  if (llvm::is_contained(names, "sink-index-computations"))
    payload.hideTags(scope);
  payload.touch(scope, rewrites.introduces, {});
  if (rewrites.moves)
    payload.loosen(scope);
}

/// The nearest op isolated from above, or the node itself.
static NodeId getAnchor(const PayloadModel &payload, NodeId node) {
  return payload.getAncestor(node, /*proper=*/false, {"$isolated"})
      .value_or(node);
}

static void propagateCleanUp(const Step &step) {
  RewriteNames names = step.contract.getProcedures();
  for (NodeId target : NodeList(step.lookup(step.op->getOperand(0)).nodes)) {
    if (llvm::is_contained(names, "cse") || llvm::is_contained(names, "dce"))
      step.payload.eraseUnused(target,
                               /*repeatedly=*/llvm::is_contained(names, "dce"));
    cleanUp(step, target, names);
    step.state.forms.cleanUp(step.payload, getAnchor(step.payload, target),
                             names, getPreserved(step, names));
  }
}

//===----------------------------------------------------------------------===//
// Vectorization
//===----------------------------------------------------------------------===//

std::optional<unsigned> formwork::verifier::checkStaticLoops(const Step &step,
                                                             NodeId target,
                                                             bool needed) {
  const Node &node = step.payload[target];
  if (!node.space)
    return std::nullopt;
  bool present = node.isSurelyThere();
  // Asked before anything is changed. Else, what is dynamic is left alone.
  StaticNeed need{("'" + step.op->getName().getStringRef() +
                   (needed ? "' requires static shapes"
                           : "' vectorizes only static shapes"))
                      .str(),
                  needed ? "may meet a dynamic shape" : "", present,
                  /*wanted=*/!needed, /*silenceable=*/true};
  for (auto [dim, extent] : llvm::enumerate(node.space->loops)) {
    auto refute = [&, dim = dim, &extent = extent]() -> Finding & {
      std::string message =
          ("requires static shapes but dimension " + Twine(dim) + " of '" +
           node.kind->getStringRef() + "' is dynamic")
              .str();
      Finding &finding =
          needed ? step.report("fw-dynamic-shape", message, present)
                 : step.warn("fw-dynamic-shape",
                             message + ", so that it is not vectorized");
      if (!extent.reason.tiledBy)
        finding.note(NoteKind::Established, step.op->getLoc(),
                     "the payload's own shape is dynamic in dimension " +
                         Twine(dim));
      return finding;
    };
    if (!requireStatic(step, extent, need, refute) && extent.reason.definite)
      return dim;
  }
  return std::nullopt;
}

static void propagateVectorizeChildren(const Step &step) {
  PayloadModel &payload = step.payload;
  HandleState source = step.lookup(step.op->getOperand(0));
  checkHugeVectors(step, source.nodes);
  step.state.foldsExtensions |=
      cast<transform::VectorizeChildrenAndApplyPatternsOp>(step.op)
          .getFoldTypeExtensionsIntoContract();
  // The step erases the producers that fusion left behind.
  auto isUnread = [unread = std::exchange(step.state.unread, {})](NodeId id) {
    return llvm::any_of(unread, [&](const UnreadProducer &producer) {
      return producer.node == id;
    });
  };
  auto isStructured = [](const Node &node) { return node.space != nullptr; };
  for (NodeId target : source.nodes) {
    // An op with a form on vectors gets it, unless it is folded before.
    SmallVector<NodeId> gone;
    for (auto [id, presence] : payload.find(target, isStructured)) {
      bool isStatic =
          llvm::all_of(payload[id].space->loops,
                       [](const Extent &loop) { return loop.isStatic(); });
      if (isStatic && hasStaticForm(step, payload[id]) &&
          isSurelyOfKind(payload[id], KindPattern("$structured")))
        gone.push_back(id);
    }
    // The vector ops are folded into their readers.
    llvm::DenseSet<NodeId> vectorized;
    for (auto [id, place] : payload.getBelow(target)) {
      if (mayReshape(payload[id]))
        payload.edit(id).loop = nullptr;
      if (mayTakeContents(payload[id])) {
        vectorized.insert(id);
        if (isCopied(payload[id]))
          payload.touch(target, getKindsBelow(step, id), {});
      }
      if (!survivesCleanUp(payload[id]))
        payload.doubt(id);
    }
    for (auto [id, presence] : payload.find(target, isStructured)) {
      if (isa_and_nonnull<linalg::ConvolutionOpInterface>(payload[id].body))
        step.unprove("may not end: patterns that vectorize a convolution may "
                     "run forever");
      if (mayGiveUp(payload[id]))
        step.unprove("may not end: patterns retry an op whose body may not be "
                     "vectorizable");
      bool stays = payload[id].live &&
                   checkStaticLoops(step, id, /*needed=*/false).has_value();
      if (stays)
        continue;
      if (!isUnread(id))
        noteVectors(step, id);
      payload.doubt(id);
      vectorized.insert(id);
    }
    // Neither a structured op nor a loop leaves its attributes to others; what
    // is computed on vectors has those of what it was made of.
    payload.hideTags(target, [&](NodeId id) {
      const Node &node = payload[id];
      return !node.exact || !(node.space || node.loop);
    });
    for (auto [id, place] : payload.getBelow(target))
      payload.forget(id);
    payload.doubtInside(vectorized, target);
    for (NodeId id : gone)
      payload.edit(id).present = Certainty::No;
  }
  applyWriteOf(step, step.contract.payload->introduces);
  step.setResult(0, source.nodes, source.ordered);
}

void formwork::verifier::registerRewritingModels(ModelRegistry &models) {
  models.add("apply-cse", propagateCleanUp);
  models.add("apply-dce", propagateCleanUp);
  models.add("vectorize-children", propagateVectorizeChildren,
             decides{"fw-dynamic-shape", "fw-huge-vector"});
}
