//===- Tracking.cpp - Handles that outlive a rewrite ------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Handles that a rewrite does not consume: they follow the op that replaces
// theirs, shrink when theirs is erased, and make the rewrite fail when a later
// use needs an op that cannot be followed. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#include "verifier/clauses/Tracking.h"
#include "verifier/state/Places.h"
#include "verifier/step/Step.h"

#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "llvm/ADT/DenseMap.h"

using namespace mlir;
using namespace formwork::normalforms;
using namespace formwork::verifier;

/// Whether `a` runs before `b`, which is at or inside the op after it.
static bool happensBefore(Operation *a, Operation *b) {
  do {
    if (a->isProperAncestor(b))
      return false;
    if (Operation *around = a->getBlock()->findAncestorOpInBlock(*b))
      return a->isBeforeInBlock(around);
    a = a->getParentOp();
  } while (a);
  return false;
}

Operation *Analysis::getRunning(Region *region, Operation *op) const {
  if (region->isAncestor(op->getParentRegion()))
    return region->findAncestorOpInRegion(*op);
  auto *here = llvm::find_if(running, [&](Operation *step) {
    return step->getParentRegion() == region;
  });
  return here == running.end() ? nullptr : *here;
}

bool Analysis::isUsedLater(Value value, Operation *op) const {
  if (value.use_empty())
    return false;
  // A handle of a region around counts from the op that is running there. A
  // region that is not running has no handles any more.
  Operation *step = getRunning(value.getParentRegion(), op);
  return step && llvm::any_of(value.getUsers(), [&](Operation *user) {
           return user != step && !happensBefore(user, step);
         });
}

void Analysis::forEachFollowing(
    Operation *op, llvm::function_ref<void(Value, HandleState &)> fn) {
  auto isForsaken = [&](Value value) {
    if (!op)
      return false;
    Operation *step = getRunning(value.getParentRegion(), op);
    return !step || llvm::all_of(value.getUsers(), [&](Operation *user) {
      return user != step && happensBefore(user, step);
    });
  };
  state.forEachFollowing(isForsaken, fn);
}

void formwork::verifier::checkTracking(
    const Step &step, NodeId scope,
    llvm::function_ref<bool(NodeId)> isReplaced) {
  Places places(step.payload, scope);
  Value lost;
  step.analysis.forEachFollowing(
      step.op, [&](Value value, const HandleState &handle) {
        if (lost || handle.kind != HandleState::Ops || handle.forsaken ||
            value.use_empty())
          return;
        bool concerns = llvm::any_of(handle.nodes, [&](NodeId id) {
          return id != scope && step.payload[id].present != Certainty::No &&
                 isReplaced(id) && places.get(id) != Certainty::No;
        });
        if (concerns && step.analysis.isUsedLater(value, step.op))
          lost = value;
      });
  if (!lost)
    return;
  step.unprove("may replace payload of " + step.nameOf(lost) +
               ", which is used later, by something that no handle can "
               "follow");
  // The replacement of an op depends on each op there: a trial decides.
  step.analysis.knowsOnlyKinds = true;
}

/// A possible replacement of an op: its kind, if it is known, and the isolated
/// region that it comes from.
namespace {
struct Replacement {
  std::optional<OperationName> kind;
  Up around;
};
} // namespace

/// `toAnyKind`: also to one of another kind than `old`.
static Replacement inferReplacement(const PayloadModel &payload, NodeId old,
                                    bool isValue, bool toAnyKind) {
  const Node &was = payload[old];
  // The replacement of a value comes from the same isolated region.
  NodeId around = payload.getAncestor(old, /*proper=*/true, {"$isolated"})
                      .value_or(PayloadModel::universe);
  // Upstream follows an op to an op of its kind or to a constant, and a value
  // to any op. Loops and structured ops are hardly ever folded to a constant.
  bool keepsKind = !isValue && !toAnyKind && (was.space || was.loop);
  // An argument of the region is a value of the op around it; and what is that
  // op itself, perhaps, may have stayed.
  bool isInside = !isValue && payload.isStrictlyInside(old, around);
  return {keepsKind ? was.kind : std::nullopt,
          {around, isInside ? UpKind::Inside : UpKind::AtOrInside}};
}

/// Whether `was` stands for such a replacement already.
static bool standsFor(const Node &was, const Replacement &replacement) {
  return !was.exact && !was.fresh && was.isRecorded &&
         was.kind == replacement.kind && was.present == Certainty::Maybe &&
         was.ups.size() == 1 && !was.ups.front().isLoose() &&
         was.ups.front().node == replacement.around.node &&
         was.ups.front().kind == replacement.around.kind;
}

/// A node for what took the place of `was`, or, unless it `isThere`, for what
/// may have.
static Node makeReplacement(const Node &was, const Replacement &replacement,
                            bool isThere, Time now) {
  Node node;
  node.kind = replacement.kind;
  node.isRecorded = true;
  node.origin = was.origin;
  node.ups = {replacement.around};
  node.count = was.count;
  if (isThere && was.present == Certainty::Yes)
    return node;
  node.count.lo = 0;
  node.present = Certainty::Maybe;
  node.doubtedSince = now;
  return node;
}

void formwork::verifier::followReplaced(
    const Step &step, NodeId scope,
    llvm::function_ref<bool(NodeId, bool)> isReplaced, bool toAnyKind,
    llvm::function_ref<bool(NodeId)> hasValues) {
  PayloadModel &payload = step.payload;
  Places places(payload, scope);
  // Whether a node, or its results, are replaced.
  llvm::SmallDenseMap<std::pair<NodeId, char>, bool, 16> answers;
  auto concerns = [&](NodeId id, bool isValue) {
    auto [it, isNew] = answers.try_emplace({id, isValue}, false);
    if (isNew)
      it->second = id != scope && payload[id].present != Certainty::No &&
                   isReplaced(id, isValue) && places.get(id) != Certainty::No;
    return it->second;
  };
  /// An entry of a handle that gets another node.
  struct Followed {
    NodeId old;
    bool isValue;
    bool isThere;
    bool isUnused;
    NodeId *entry;
    auto getKey() const { return std::tuple(old, isValue, isThere, isUnused); }
  };
  std::vector<Followed> followed;
  step.analysis.forEachFollowing(
      step.op, [&](Value value, HandleState &handle) {
        bool isValue = handle.kind == HandleState::Values;
        bool isAsked = false;
        for (NodeId &id : handle.nodes) {
          if (!concerns(id, isValue))
            continue;
          // A dead handle stays dead, whatever it follows.
          if (!isAsked &&
              step.state.getInvalidation(handle).certainty == Certainty::Yes)
            return;
          isAsked = true;
          // Nothing is said of arguments of the op's regions.
          bool isThere = isValue && !handle.mayHoldArguments && hasValues(id);
          // A replacement may be replaced in turn, by a newer op.
          if (standsFor(payload[id],
                        inferReplacement(payload, id, isValue, toAnyKind)))
            payload.edit(id).createdAt = payload.time();
          else
            followed.push_back({id, isValue, isThere, value.use_empty(), &id});
        }
      });
  for (NodeId id : step.state.getUnused())
    payload.edit(id).createdAt = payload.time();
  // In the order of the nodes, not of the handles, which have none.
  llvm::sort(followed, [](const Followed &a, const Followed &b) {
    return a.getKey() < b.getKey();
  });
  for (size_t i = 0; i < followed.size(); ++i) {
    const Followed &here = followed[i];
    if (i != 0 && followed[i - 1].getKey() == here.getKey()) {
      *here.entry = *followed[i - 1].entry;
      continue;
    }
    Node node = makeReplacement(
        payload[here.old],
        inferReplacement(payload, here.old, here.isValue, toAnyKind),
        here.isThere, payload.time());
    *here.entry = here.isUnused ? step.state.addUnused(std::move(node))
                                : payload.add(std::move(node));
  }
}

void formwork::verifier::applyHandleEffects(const Step &step, NodeId scope,
                                            const PayloadClause &clause) {
  PayloadModel &payload = step.payload;
  const HandleEffects &effects = clause.handles;
  auto isRewritten = [&](const Node &node) {
    return !node.kind || mayBeOfKind(node, clause.rewrites) ||
           mayBeOfKind(node, clause.removes);
  };
  if (effects.failsIfUsedLater)
    checkTracking(step, scope,
                  [&](NodeId id) { return isRewritten(payload[id]); });
  // A handle follows what is replaced, unless it is that of the target.
  if (effects.failsIfUsedLater || effects.shrinks)
    followReplaced(
        step, scope, [&](NodeId id, bool) { return isRewritten(payload[id]); },
        // The replacement of a converted op has another kind.
        isa<transform::ApplyConversionPatternsOp>(step.op));
  if (effects.retargets)
    for (auto [id, place] : payload.getBelow(scope, isRewritten))
      payload.blur(id, scope);
  if (effects.shrinks)
    payload.dropUnused(scope);
  if (effects.moves)
    payload.loosen(scope);
}
