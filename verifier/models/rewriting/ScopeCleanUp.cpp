//===- ScopeCleanUp.cpp - What clean-up leaves of a scope -------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which ops below a scope a clean-up may rewrite, merge or erase, and what of
// them is known afterwards. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#include "verifier/models/rewriting/ScopeCleanUp.h"
#include "verifier/clauses/Clauses.h"
#include "verifier/clauses/Tracking.h"
#include "verifier/models/rewriting/Groups.h"
#include "verifier/payload/Kinds.h"
#include "verifier/state/CleanUp.h"
#include "verifier/state/CseCandidates.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace formwork::normalforms;
using namespace formwork::verifier;

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

namespace {
/// One clean-up below a scope.
class ScopeCleanUp {
public:
  ScopeCleanUp(const Step &step, NodeId scope, const RewriteNames &names,
               const Settled &settled);

  /// Finds the ops that it may rewrite, replace or merge, and doubts what they
  /// hold.
  void find(const Settled &settled);
  /// Says which handles cannot follow; `consumes`: none is to.
  void followHandles(bool consumes);
  /// Forgets what is not known of the ops any more.
  void forget();

private:
  /// Finds what may be merged with something alike.
  void findMerged();
  /// Whether the op, unless a rule rewrites it, is still there afterwards.
  bool survives(NodeId id) const {
    const Node &node = payload[id];
    return survivesCleanUp(node, rewrites.folds) ||
           (onlyErases && payload.isNeeded(id)) ||
           (onlyMerges && node.live && node.kind && node.space);
  }
  /// Whether a function returns each result of the op, a structured one, so
  /// that no reader absorbs the cast that clean-up may put behind it.
  bool areReturned(NodeId id) const;
  /// Whether a given loop may be replaced by one without results, as nothing
  /// reads its own: MLIR does not survive that where a handle holds it.
  bool mayLoseResults(NodeId id) const {
    const Node &node = payload[id];
    return rewrites.folds != Folding::None &&
           isa_and_nonnull<LoopLikeOpInterface>(node.op) &&
           node.op->getNumResults() != 0 &&
           llvm::none_of(node.op->getUsers(), [&](Operation *user) {
             return payload.isNeeded(payload.lookup(user));
           });
  }

  const Step &step;
  PayloadModel &payload;
  NodeId scope;
  const RewriteNames &names;
  Rewrites rewrites;
  /// CSE by itself folds nothing, as every greedy rewrite does: what is needed
  /// is replaced only by one like it.
  bool onlyMerges = false;
  /// DCE by itself puts nothing in the place of anything.
  bool onlyErases = false;
  /// The ops that it may change.
  NodeList below;
  /// Those of them that may be gone, that a rule may have rewritten, and whose
  /// contents have no replacement.
  llvm::DenseSet<NodeId> replaced, rewritten, holders;
};
} // namespace

/// Whether there is nothing below `scope` of which folding makes ops of `kind`,
/// if it makes them of ops of one kind only.
static bool isMadeOfNone(const PayloadModel &payload, NodeId scope,
                         const KindPattern &kind) {
  return llvm::any_of(getFoldedKinds(), [&](auto folded) {
    auto [from, to] = folded;
    return to == kind && !payload.mayHold(scope, from);
  });
}

ScopeCleanUp::ScopeCleanUp(const Step &step, NodeId scope,
                           const RewriteNames &names, const Settled &settled)
    : step(step), payload(step.payload), scope(scope), names(names) {
  RewriteNames active = getActive(step, scope, names);
  rewrites = getRewrites(step, active);
  llvm::erase_if(rewrites.introduces, [&](const KindPattern &kind) {
    return llvm::is_contained(settled.kinds, kind) ||
           isMadeOfNone(payload, scope, kind);
  });
  if (!step.contract.has(SideEffect::MayFoldValues) && llvm::all_equal(names)) {
    onlyMerges = llvm::is_contained(names, "cse");
    onlyErases = llvm::is_contained(names, "dce");
  }
  step.state.unread.clear();
  if (step.op)
    checkMasks(step, scope, active);
  // Clean-up finds no size that it does not find now.
  bool keepsMasked = !payload.mayCastMasked();
  // A driver merges constants even where it is given no rules.
  payload.mayMerge();
  applySideEffectsOf(step, names);
  SmallVector<KindPattern, 16> changing = rewrites.rewrites;
  if (rewrites.folds != Folding::None)
    changing.push_back("*");
  payload.mayRewrite(changing);
  if (keepsMasked)
    payload.keepMasked();
}

void ScopeCleanUp::find(const Settled &settled) {
  if (rewrites.moves)
    payload.mayMoveWork(scope);
  below = getChangedByCleanUp(payload, scope, rewrites.rewrites, rewrites.folds,
                              rewrites.merges);
  for (NodeId id : below) {
    const Node &node = payload[id];
    // One of which no more is known than that it may be there takes along what
    // it holds.
    bool isDoubted = !node.op && node.present == Certainty::Maybe &&
                     !node.space && !node.loop;
    if (!isDoubted) {
      if (mayBeOfKind(node, rewrites.rewrites) && !settled.nodes.contains(id))
        rewritten.insert(id);
      if (rewritten.contains(id) || !survives(id))
        replaced.insert(id);
    }
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
  if (rewrites.merges)
    findMerged();
  // Their contents have no replacement.
  payload.doubtInside(holders, scope);
}

void ScopeCleanUp::findMerged() {
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

bool ScopeCleanUp::areReturned(NodeId id) const {
  const Node &node = payload[id];
  auto isReturn = [&](Operation *user) {
    return isa<func::ReturnOp>(user) &&
           user->getBlock() == node.op->getBlock() &&
           payload[payload.lookup(user)].op;
  };
  return node.op && node.space &&
         llvm::all_of(node.op->getResults(), [&](Value result) {
           return llvm::any_of(result.getUsers(), isReturn);
         });
}

void ScopeCleanUp::followHandles(bool consumes) {
  // Handles follow an op that is merged with an equal one, but then two handles
  // hold one op. An op that an earlier step may have erased may also be erased
  // only now.
  if (step.op && !onlyErases && !onlyMerges)
    checkTracking(step, scope, [&](NodeId id) {
      return replaced.contains(id) || mayLoseResults(id) ||
             (payload[id].present == Certainty::Maybe && !survives(id));
    });
  if (!consumes && !onlyErases)
    followReplaced(
        step, scope,
        [&](NodeId id, bool isValue) {
          return rewritten.contains(id) ||
                 (!onlyMerges &&
                  mayBecomeAnother(payload[id], rewrites.folds)) ||
                 (isValue && mayBeCast(payload[id], rewrites.folds));
        },
        /*toAnyKind=*/false,
        [&](NodeId id) { return !replaced.contains(id) && areReturned(id); });
}

void ScopeCleanUp::forget() {
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
  auto isBared = [&](const Node &node) {
    return node.tags.isKnown() && mayBeBared(node, rewrites.folds);
  };
  if (rewrites.folds == Folding::All)
    for (auto [id, place] : payload.getBelow(scope, NodeSet::Tagged, isBared))
      payload.edit(id).tags.mayLoseAll();
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

void formwork::verifier::cleanUp(const Step &step, NodeId scope,
                                 const RewriteNames &names, bool consumes,
                                 const Settled &settled) {
  ScopeCleanUp clean(step, scope, names, settled);
  clean.find(settled);
  clean.followHandles(consumes);
  clean.forget();
}
