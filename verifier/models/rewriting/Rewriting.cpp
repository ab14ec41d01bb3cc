//===- Rewriting.cpp - Models of ops that rewrite a scope -------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Vectorization and lone clean-up steps. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#include "verifier/models/rewriting/Rewriting.h"
#include "verifier/clauses/Clauses.h"
#include "verifier/clauses/LoneSteps.h"
#include "verifier/findings/Requirements.h"
#include "verifier/models/Models.h"
#include "verifier/models/gpu/KernelVectors.h"
#include "verifier/models/rewriting/Contractions.h"
#include "verifier/models/rewriting/Groups.h"
#include "verifier/models/rewriting/ScopeCleanUp.h"
#include "verifier/models/structured/OnlineSoftmax.h"
#include "verifier/models/structured/Vectorization.h"
#include "verifier/state/CleanUp.h"
#include "verifier/step/Step.h"

#include "engine/AnyBelow.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"

using namespace mlir;
using namespace formwork::engine;
using namespace formwork::normalforms;
using namespace formwork::verifier;

//===----------------------------------------------------------------------===//
// Clean-up
//===----------------------------------------------------------------------===//

/// The nearest op isolated from above, or the node itself.
static NodeId getAnchor(const PayloadModel &payload, NodeId node) {
  return payload.getAncestor(node, /*proper=*/false, {"$isolated"})
      .value_or(node);
}

static void propagateCleanUp(const Step &step) {
  RewriteNames names = step.contract.getProcedures();
  bool isIdle = stayAsGivenIfIdle(step);
  for (NodeId target : NodeList(step.lookup(step.op->getOperand(0)).nodes)) {
    if (!isIdle) {
      if (llvm::is_contained(names, "cse") || llvm::is_contained(names, "dce"))
        step.payload.eraseUnused(
            target, /*repeatedly=*/llvm::is_contained(names, "dce"));
      cleanUp(step, target, names);
    }
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

/// Whether patterns that vectorize `op` may not come to an end.
static bool mayNotEnd(Operation *op) {
  return isa<linalg::ConvolutionOpInterface>(op) || mayGiveUp(op);
}

/// Whether an op below `target` that has no node, or of which the body is not
/// known, may be made of a given one of which vectorization may not end.
static bool mayHideEndless(const Step &step, NodeId target) {
  const PayloadModel &payload = step.payload;
  Operation *given = step.analysis.payloadRoot;
  if (given && !anyBelow(given, mayNotEnd))
    return false;
  auto isOpen = [](const std::optional<OperationName> &kind) {
    return !kind || isKind<linalg::GenericOp>(kind) ||
           (KindPattern("$structured").matches(*kind) &&
            kind->hasInterface<linalg::ConvolutionOpInterface>());
  };
  auto mayBeOpen = [&](const KindPattern &kind) {
    if (kind.getForm() == KindPattern::Form::Name)
      return isOpen(OperationName(kind.getKind(), step.op->getContext()));
    return kind.isAny() || kind.isClass() || kind.getKind() == "linalg.*";
  };
  auto isUnknown = [&](const Node &node) {
    return !node.body &&
           (node.kind ? isOpen(node.kind) : node.space || node.isUnlisted());
  };
  return !payload.getBelow(target, NodeSet::Present, isUnknown, isOpen)
              .empty() ||
         payload.mayHide(target, [&](const KindSet &kinds) {
           return llvm::any_of(kinds.getPatterns(), mayBeOpen);
         });
}

static void propagateVectorizeChildren(const Step &step) {
  PayloadModel &payload = step.payload;
  HandleState source = step.lookup(step.op->getOperand(0));
  checkHugeVectors(step, source.nodes);
  if (cast<transform::VectorizeChildrenAndApplyPatternsOp>(step.op)
          .getFoldTypeExtensionsIntoContract())
    foldExtensions(step);
  foldBroadcasts(step);
  // The step erases the producers that fusion left behind.
  auto isUnread = [unread = std::exchange(step.state.unread, {})](NodeId id) {
    return llvm::any_of(unread, [&](const UnreadProducer &producer) {
      return producer.node == id;
    });
  };
  auto isStructured = [](const Node &node) { return node.space != nullptr; };
  noteOnlineVectors(step);
  for (NodeId target : source.nodes) {
    if (mayHideEndless(step, target))
      step.unprove("may not end: patterns may vectorize an op of which the "
                   "body is not known");
    // An op with a form on vectors gets it, unless it is folded before.
    SmallVector<NodeId> gone;
    for (auto [id, presence] : payload.find(target, isStructured)) {
      bool isStatic =
          llvm::all_of(payload[id].space->loops,
                       [](const Extent &loop) { return loop.isStatic(); });
      if (isStatic && hasStaticForm(payload[id]) &&
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
      if (payload[id].body && mayGiveUp(payload[id].body))
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
             decides{"fw-dynamic-shape", "fw-huge-vector"},
             leavesOpen{"may make a contraction of factors of two types",
                        "may drop a dimension of a contraction to one number"});
}
