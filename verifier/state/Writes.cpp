//===- Writes.cpp - What a step may change in the payload -------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Doubt, motion and new ops: what a write leaves of what was known, and what a
// later match can find. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#include "verifier/state/PayloadModel.h"

#include "verifier/state/Places.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace formwork::verifier;

/// Whether the op is there for what it does, and not for its results or for
/// those of the op that it ends.
static bool isThereForItself(const Node &node) {
  return node.kind && (node.kind.isIsolated() ||
                       (node.kind->hasTrait<OpTrait::ZeroResults>() &&
                        !node.kind->hasTrait<OpTrait::IsTerminator>()));
}

void PayloadModel::forgetBounds(NodeId scope) {
  for (auto [id, place] : getBelow(scope, NodeSet::Loops)) {
    auto facts = std::make_shared<LoopFacts>(*nodes[id].loop);
    for (Extent &trip : facts->trips)
      trip = Extent();
    facts->range = facts->step = 0;
    facts->endsOpen = false;
    change(id).loop = std::move(facts);
  }
}

/// Whether ops in the body of `op` are of one of `kinds`.
static bool holdsAny(Operation *op, ArrayRef<KindPattern> kinds) {
  return llvm::any_of(op->getRegions(), [&](Region &region) {
    return region
        .walk([&](Operation *inner) {
          return matchesAnyKind(inner->getName(), kinds)
                     ? WalkResult::interrupt()
                     : WalkResult::advance();
        })
        .wasInterrupted();
  });
}

/// The structured ops at or below `scope` that other ops may replace with the
/// same meaning, if they have `kinds`.
static SmallVector<NodeId> getRephrased(const PayloadModel &payload,
                                        NodeId scope,
                                        ArrayRef<KindPattern> kinds) {
  SmallVector<NodeId> rephrased;
  auto concerns = [&](const Node &node) {
    return node.body && holdsAny(node.body, kinds);
  };
  if (payload[scope].space && concerns(payload[scope]))
    rephrased.push_back(scope);
  for (auto [id, place] : payload.getBelow(scope, NodeSet::Spaces, concerns))
    rephrased.push_back(id);
  return rephrased;
}

void PayloadModel::remove(NodeId scope, ArrayRef<KindPattern> kinds) {
  if (kinds.empty())
    return;
  ++changes;
  auto concerns = [&](const Node &node) { return mayBeOfKind(node, kinds); };
  KindPatterns names;
  for (const KindPattern &kind : kinds)
    if (kind.getForm() != KindPattern::Form::Type)
      names.push_back(kind);
  bool noTensors = llvm::is_contained(kinds, "!tensor");
  if (mayChangeBounds(kinds))
    forgetBounds(scope);
  for (NodeId id : getRephrased(*this, scope, names))
    change(id).body = nullptr;
  auto isAmong = [&](const std::optional<OperationName> &kind) {
    return mayBeAmong(kind, kinds);
  };
  for (auto [id, place] :
       getBelow(scope, NodeSet::Present, concerns, isAmong)) {
    Node &node = change(id);
    node.op = nullptr;
    bool isNamed = node.kind && matchesAnyKind(*node.kind, names);
    if (isNamed && place == Certainty::Yes && node.exact) {
      // Its contents may move into its replacement.
      if (node.hasBelow)
        mayDissolve(id);
      change(id).present = Certainty::No;
      continue;
    }
    // Loops and structured ops are rebuilt around buffers, one for one.
    if (!isNamed && noTensors && node.loop) {
      auto facts = std::make_shared<LoopFacts>(*node.loop);
      facts->hasResults = false;
      node.loop = std::move(facts);
      continue;
    }
    bool isStructured =
        node.kind && KindPattern("$structured").matches(*node.kind);
    if (!isNamed && noTensors && node.space && isStructured) {
      auto space = std::make_shared<IterationSpace>(*node.space);
      space->onTensors = false;
      node.space = std::move(space);
      continue;
    }
    // Functions and modules are changed in place.
    if (isNamed || !isIsolated(id))
      doubt(id);
    // Ops that are still there are on buffers.
    if (noTensors)
      change(id).body = nullptr;
  }
  nodes.write(scope).introducedHere.erase(names);
  nodes.write(scope).introducedBelow.erase(names);
}

bool PayloadModel::isNeeded(NodeId id) const {
  const Node &node = nodes[id];
  if (!node.live || !dropsUses || node.space || node.loop)
    return node.live;
  return isThereForItself(node);
}

void PayloadModel::mayReshapeValues() {
  ++changes;
  auto isAmong = [](const std::optional<OperationName> &kind) {
    return !kind || foldsIntoReshape(*kind);
  };
  for (NodeId id : select(NodeSet::Present, isAmong, std::nullopt))
    if (nodes[id].live && nodes[id].space)
      change(id).live = false;
}

void PayloadModel::dropUnused(NodeId scope) {
  ++changes;
  for (auto [id, place] :
       getBelow(scope, dropsUses ? NodeSet::Unsettled : NodeSet::Unneeded)) {
    if (isNeeded(id) || isIsolated(id))
      continue;
    change(id).op = nullptr;
    doubt(id);
  }
}

/// Whether clean-up erases `op` if nothing reads it, unless it finds another
/// use for it before.
static bool isErasedUnread(Operation *op) {
  // An equal constant that folding makes may be replaced by it. An op in one
  // of several blocks may never be visited.
  return wouldOpBeTriviallyDead(op) && !op->hasTrait<OpTrait::ConstantLike>() &&
         op->getParentRegion()->hasOneBlock();
}

void PayloadModel::eraseUnused(NodeId scope, bool repeatedly) {
  llvm::DenseSet<NodeId> erased;
  auto isErased = [&](Operation *op) {
    for (; op; op = op->getParentOp())
      if (NodeId id = byOp.lookup(op); id != universe && erased.contains(id))
        return true;
    return false;
  };
  auto concerns = [&](const Node &node) {
    return node.op && node.exact && node.present == Certainty::Yes &&
           (repeatedly || node.op->use_empty());
  };
  auto below = getBelow(scope, NodeSet::Unneeded, concerns);
  // Readers of an op come after it, and what it holds, too.
  for (auto [id, place] : llvm::reverse(below)) {
    Operation *op = nodes[id].op;
    if (place != Certainty::Yes || byOp.lookup(op) != id ||
        !llvm::all_of(op->getUsers(), isErased) || !isErasedUnread(op) ||
        (op->getNumRegions() != 0 && !isUntouched(id)))
      continue;
    erased.insert(id);
  }
  if (erased.empty())
    return;
  ++changes;
  SmallVector<NodeId> all(erased.begin(), erased.end());
  for (NodeId id : erased)
    for (auto [inner, place] : getBelow(id)) {
      if (place == Certainty::Yes)
        all.push_back(inner);
      else
        doubt(inner);
    }
  for (NodeId id : all) {
    Node &node = change(id);
    node.op = nullptr;
    // Consuming an op later does not invalidate handles to it.
    if (node.present == Certainty::Yes)
      node.doubtedSince = now;
    node.present = Certainty::No;
  }
  ++ways;
}

void PayloadModel::blur(NodeId node, NodeId scope) {
  SmallVector<NodeId> blurred = {node};
  for (auto [id, place] : getBelow(node))
    blurred.push_back(id);
  for (NodeId id : blurred) {
    change(id).op = nullptr;
    // A search no longer meets the node itself.
    hideTagsOf(nodes[id]);
    change(id).exact = false;
    hasInexact = true;
    doubt(id);
    introduce(scope, KindSet(getPattern(nodes[id])));
  }
  ++changes;
}

bool PayloadModel::isIntroduced(NodeId scope, const KindSet &kinds) const {
  const Node &node = nodes[scope];
  return node.exact && node.ups.size() <= 1 &&
         node.introducedHere.includes(kinds) &&
         node.introducedBelow.includes(kinds);
}

/// The kinds of what is introduced, of those that are marked `+` as well.
static KindSet getIntroduced(ArrayRef<KindPattern> kinds) {
  return KindSet(llvm::map_to_vector<32>(kinds, [](const KindPattern &kind) {
    return kind.isMoreOfThem() ? kind.getThem().withoutProperty() : kind;
  }));
}

void PayloadModel::introduce(NodeId scope, ArrayRef<KindPattern> kinds) {
  KindSet all = getIntroduced(kinds);
  if (isIntroduced(scope, all))
    return;
  auto isMore = [](const KindPattern &kind) { return kind.isMoreOfThem(); };
  if (llvm::none_of(kinds, isMore))
    return introduce(scope, all);
  SmallVector<KindPattern, 32> sure;
  for (const KindPattern &kind : kinds)
    if (!isMore(kind) || mayHold(scope, kind.getThem()))
      sure.push_back(kind);
  if (!sure.empty())
    introduce(scope, getIntroduced(sure));
}

void PayloadModel::touch(NodeId scope, ArrayRef<KindPattern> introduces,
                         ArrayRef<KindPattern> rewrites) {
  if (!introduces.empty())
    introduce(scope, introduces);
  // What computes may become a call.
  if (llvm::any_of(introduces, [](const KindPattern &kind) {
        return kind.names("func.call");
      }))
    bodies = Bodies::Any;
  if (rewrites.empty())
    return;
  mayRewrite(rewrites);
  for (NodeId id : getRephrased(*this, scope, rewrites))
    change(id).body = nullptr;
  auto canChange = [&](const Node &node) {
    return !node.kind || mayBeOfKind(node, rewrites);
  };
  auto isAmong = [&](const std::optional<OperationName> &kind) {
    return mayBeAmong(kind, rewrites);
  };
  if (mayChangeBounds(rewrites))
    forgetBounds(scope);
  llvm::DenseSet<NodeId> holders;
  for (auto [id, place] :
       getBelow(scope, NodeSet::Unsettled, canChange, isAmong)) {
    forget(id);
    doubt(id);
    Node &node = change(id);
    bool isLoop = node.loop != nullptr;
    // Its replacement may have other loops.
    if (!node.kind || matchesAnyNamed(node.kind->getStringRef(), rewrites)) {
      node.space = nullptr;
      node.loop = nullptr;
    }
    // The body of a loop outlives it.
    if (node.hasBelow && !isLoop)
      holders.insert(id);
  }
  doubtInside(holders, scope);
  // A branch that goes takes along the uses in it, whatever they are of.
  if (mayDropBranches(rewrites))
    dropNeeds(scope);
}

void PayloadModel::mayRewrite(ArrayRef<KindPattern> kinds) {
  if (kinds.empty())
    return;
  mayMerge();
  if (mayChangeSlices(kinds))
    mayFoldSlices(/*ofViews=*/true);
}

void PayloadModel::dropNeeds(NodeId scope) {
  ++changes;
  auto hasUses = [](const Node &node) { return node.live; };
  for (auto [id, place] : getBelow(scope, NodeSet::Present, hasUses))
    change(id).live = isThereForItself(nodes[id]);
}

void PayloadModel::doubtInside(const llvm::DenseSet<NodeId> &holders,
                               NodeId scope) {
  if (holders.empty())
    return;
  // An exact node is inside only if a way up leads there.
  SmallVector<NodeId> start(holders.begin(), holders.end());
  SmallVector<NodeId> inside = *index.getReached(start, nodes.size());
  llvm::append_range(inside, select(NodeSet::Exposed, nullptr, std::nullopt));
  llvm::sort(inside);
  inside.erase(llvm::unique(inside), inside.end());
  Places placesBelow(*this, scope);
  // The common part of the way up is looked up once for each holder.
  SmallVector<std::pair<NodeId, Places>, 0> places;
  for (NodeId holder : holders)
    places.push_back({holder, Places(*this, holder)});
  for (NodeId id : inside) {
    if (id == scope || nodes[id].present != Certainty::Yes || isIsolated(id) ||
        placesBelow.get(id) == Certainty::No)
      continue;
    // An op that may have moved out may still be inside.
    bool isInside = false;
    walkEveryWay(id, [&, id = id](NodeId above) {
      isInside |= above != id && holders.contains(above);
      return !isInside && above != scope;
    });
    if (!isInside && !nodes[id].exact)
      isInside = llvm::any_of(places, [&, id = id](auto &holder) {
        return id != holder.first && holder.second.get(id) != Certainty::No;
      });
    if (!isInside)
      continue;
    forget(id);
    doubt(id);
  }
}

void PayloadModel::introduce(NodeId scope, const KindSet &kinds) {
  // An op that is not known may be, or be around or inside, any that is known
  // in the same function; a function that is not known, any at all below what
  // is around it.
  NodeId around = scope;
  for (bool isProper = false; !nodes[around].exact && around != universe;
       isProper = true)
    around = getAncestor(around, isProper, {"$isolated"}).value_or(universe);
  changes += nodes.write(around).introducedHere.insert(kinds);
  introduceBelow(scope, kinds);
}

void PayloadModel::introduceBelow(NodeId node, const KindSet &kinds) {
  // Ops below a node are below all nodes around it, so that a single way up
  // ends at the first node that knows them.
  // Nodes around others mostly have the same, and share what that becomes.
  KindSet before, after;
  walkEveryWay(node, [&](NodeId above) {
    KindSet &here = nodes.write(above).introducedBelow;
    bool grew = here.isShared(before) && !after.empty();
    if (grew) {
      here = after;
    } else {
      before = here;
      grew = here.insert(kinds);
      after = grew ? here : KindSet();
    }
    changes += grew;
    return grew || nodes[above].ups.size() > 1;
  });
}

void PayloadModel::doubt(NodeId node) {
  if (nodes[node].present != Certainty::Yes)
    return;
  ++changes;
  Node &doubted = change(node);
  doubted.present = Certainty::Maybe;
  doubted.doubtedSince = now;
}

void PayloadModel::blur(NodeId node) {
  Places places(*this, node);
  for (NodeId id : select(NodeSet::Known, nullptr, std::nullopt)) {
    // The target of the step stays, whatever happens to its contents.
    bool isRoot =
        nodes[id].ups.size() == 1 && nodes[id].ups.front().node == universe;
    if (id == node || isRoot || places.get(id) == Certainty::No)
      continue;
    Node &blurred = change(id);
    blurred.op = nullptr;
    blurred.space = nullptr;
    blurred.loop = nullptr;
    doubt(id);
  }
}
