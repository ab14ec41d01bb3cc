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

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace formwork::verifier;

/// Whether an op of `dialect` may have values of its type: `!memref` and the
/// ops of memref.
static bool hasTypeOf(Operation *op, StringRef dialect) {
  auto isOf = [&](Type type) {
    if (dialect == "tensor")
      return isa<TensorType>(type);
    if (dialect == "memref")
      return isa<BaseMemRefType>(type);
    return isa<VectorType>(type);
  };
  return llvm::any_of(op->getOperandTypes(), isOf) ||
         llvm::any_of(op->getResultTypes(), isOf) ||
         llvm::any_of(op->getRegions(), [&](Region &region) {
           return llvm::any_of(region.getArgumentTypes(), isOf);
         });
}

/// Whether `node` may have a value of the type that `pattern`, such as
/// `!tensor`, stands for.
static bool mayHaveType(const Node &node, StringRef pattern) {
  StringRef dialect = pattern.drop_front();
  if (node.op)
    return hasTypeOf(node.op, dialect);
  if (dialect == "tensor" && node.space)
    return node.space->onTensors;
  if (dialect == "tensor" && node.loop)
    return node.loop->hasResults;
  return true;
}

/// Whether an op of known kind may have the property that a pattern asks for
/// behind a `?`.
static bool mayHave(const Node &node, StringRef property) {
  if (property == "tensor-result")
    return !node.loop || node.loop->hasResults;
  if (!KindPattern("$structured").matches(*node.kind))
    return false;
  if (!node.space)
    return true;
  if (property == "constant-input")
    return llvm::any_of(
        ArrayRef(node.space->maps).drop_back(node.space->numInits),
        [](AffineMap map) { return map.isConstant(); });
  auto mayBeUnit = [](const Extent &loop) {
    return loop.size ? *loop.size == 1 : !loop.reason.definite;
  };
  auto hasConstant = [](AffineMap map) {
    return llvm::any_of(map.getResults(), llvm::IsaPred<AffineConstantExpr>);
  };
  return property != "unit-extent" ||
         llvm::any_of(node.space->loops, mayBeUnit) ||
         llvm::any_of(node.space->maps, hasConstant);
}

bool formwork::verifier::mayBeOfKind(const Node &node,
                                     ArrayRef<KindPattern> kinds) {
  return llvm::any_of(kinds, [&](const KindPattern &kind) {
    if (kind.getForm() == KindPattern::Form::Type)
      return mayHaveType(node, kind);
    StringRef property = kind.getProperty();
    return !node.kind || (kind.matches(*node.kind) &&
                          (property.empty() || mayHave(node, property)));
  });
}

bool formwork::verifier::mayHaveBelow(const Node &node) {
  if (node.hasBelow || node.exact || node.fresh)
    return node.hasBelow;
  return !node.kind || !node.kind->isRegistered() ||
         !node.kind->mightHaveTrait<OpTrait::ZeroRegions>();
}

bool formwork::verifier::isSurelyOfKind(const Node &node,
                                        ArrayRef<KindPattern> kinds) {
  if (node.kind)
    return matchesAnyKind(*node.kind, kinds);
  // Structured ops can be tiled, too.
  if (llvm::is_contained(kinds, node.cls) ||
      (node.cls == "$structured" && llvm::is_contained(kinds, "$tileable")))
    return true;
  return !node.among.empty() &&
         llvm::all_of(node.among, [&](OperationName kind) {
           return matchesAnyKind(kind, kinds);
         });
}

bool formwork::verifier::mayBeAmong(const std::optional<OperationName> &kind,
                                    ArrayRef<KindPattern> kinds) {
  return llvm::any_of(kinds, [&](const KindPattern &pattern) {
    return !kind || pattern.getForm() == KindPattern::Form::Type ||
           pattern.matches(*kind);
  });
}

/// Whether `kind` is among those `patterns` that name ops.
static bool matchesAnyNamed(StringRef kind, ArrayRef<KindPattern> patterns) {
  return llvm::any_of(patterns, [&](const KindPattern &pattern) {
    return pattern.names(kind);
  });
}

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

/// What structured ops at or below `scope` compute may be said by other ops
/// from now on, where ops of `kinds` said it.
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
  if (matchesAnyNamed("arith.constant", kinds))
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
      // What stood in it may stand in what takes its place.
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

bool PayloadModel::isUntouched(NodeId node) const {
  Operation *op = nodes[node].op;
  if (!op || !nodes[node].exact ||
      mayHide(node, [](const KindSet &kinds) { return !kinds.empty(); }))
    return false;
  size_t given = 0;
  op->walk([&](Operation *) { ++given; });
  auto below = getBelow(node);
  return below.size() + 1 == given && llvm::all_of(below, [&](const auto &one) {
           return one.second == Certainty::Yes && nodes[one.first].op &&
                  nodes[one.first].present == Certainty::Yes;
         });
}

bool PayloadModel::mayHold(NodeId scope, const KindPattern &pattern) const {
  // A node of unknown kind that no step made stands for an op that another node
  // stands for, too, or that is hidden.
  auto concerns = [&](const Node &node) {
    return node.kind ? mayBeOfKind(node, pattern) : node.isUnlisted();
  };
  // What was recorded is looked up; all nodes are looked at only then.
  if (mayHide(scope,
              [&](const KindSet &kinds) { return kinds.intersects(pattern); }))
    return true;
  if (!hadNode(pattern))
    return false;
  auto isAmong = [&](const std::optional<OperationName> &kind) {
    return mayBeAmong(kind, pattern);
  };
  return concerns(nodes[scope]) ||
         !getBelow(scope, NodeSet::Present, concerns, isAmong).empty();
}

bool PayloadModel::isIntroduced(NodeId scope, const KindSet &kinds) const {
  const Node &node = nodes[scope];
  return node.exact && node.ups.size() <= 1 &&
         node.introducedHere.includes(kinds) &&
         node.introducedBelow.includes(kinds);
}

void PayloadModel::introduce(NodeId scope, ArrayRef<KindPattern> kinds) {
  const KindSet &all = kindSets.getIntroduced(kinds);
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
    introduce(scope, kindSets.getIntroduced(sure));
}

void PayloadModel::touch(NodeId scope, ArrayRef<KindPattern> introduces,
                         ArrayRef<KindPattern> rewrites) {
  if (!introduces.empty())
    introduce(scope, introduces);
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
  if (matchesAnyNamed("arith.constant", rewrites))
    forgetBounds(scope);
  llvm::DenseSet<NodeId> holders;
  for (auto [id, place] :
       getBelow(scope, NodeSet::Unsettled, canChange, isAmong)) {
    forget(id);
    doubt(id);
    Node &node = change(id);
    bool isLoop = node.loop != nullptr;
    // What takes its place may have other loops.
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
  if (matchesAnyNamed("scf.if", rewrites))
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
  // What is exact is inside only where a way up leads there.
  SmallVector<NodeId> start(holders.begin(), holders.end());
  SmallVector<NodeId> inside = *getIndex().getReached(start, nodes.size());
  llvm::append_range(inside, select(NodeSet::Exposed, nullptr, std::nullopt));
  llvm::sort(inside);
  inside.erase(llvm::unique(inside), inside.end());
  Places placesBelow(*this, scope);
  // What the nodes on one way up have in common is looked up once a holder.
  SmallVector<std::pair<NodeId, Places>, 0> places;
  for (NodeId holder : holders)
    places.push_back({holder, Places(*this, holder)});
  for (NodeId id : inside) {
    if (id == scope || nodes[id].present != Certainty::Yes || isIsolated(id) ||
        placesBelow.get(id) == Certainty::No)
      continue;
    // What may have moved out may still be there.
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

bool formwork::verifier::isOwnAttribute(OperationName kind, StringAttr name) {
  return kind.isRegistered() &&
         llvm::is_contained(kind.getAttributeNames(), name);
}

bool formwork::verifier::isDialectAttribute(StringAttr name) {
  auto [dialect, rest] = name.getValue().split('.');
  return !rest.empty() && !dialect.empty() &&
         name.getContext()->getDialectRegistry().getDialectAllocator(dialect);
}

bool formwork::verifier::isMeaningful(OperationName kind, StringAttr name,
                                      bool isOfDialect) {
  return isOfDialect || !kind.isRegistered() || isOwnAttribute(kind, name);
}

void PayloadModel::hideTagsOf(const Node &node) {
  // What is not fresh stands for ops that have nodes, or that are hidden.
  if (!node.tags.isKnown())
    hidesAnyTag |= node.exact || node.fresh;
  node.tags.forEachName([&](StringAttr name) { hiddenTags.insert(name); });
}

NodeList PayloadModel::getTaggedBelow(
    NodeId scope, llvm::function_ref<bool(const Node &)> concerns) const {
  NodeList tagged;
  Places places(*this, scope);
  auto look = [&](NodeId id) {
    const Node &node = nodes[id];
    if (id != scope && node.present != Certainty::No && !node.tags.isEmpty() &&
        concerns(node) && places.get(id) != Certainty::No)
      tagged.push_back(id);
  };
  // The usual cases, of no op and of scalar code without regions, need no set
  // of all nodes with tags: of what is exact, only what was put there is there.
  bool isFlat = nodes[scope].exact;
  if (isFlat)
    index.forEachBelow(scope,
                       [&](NodeId id) { isFlat &= !index.hasBelow(id); });
  if (!isFlat) {
    for (auto [id, place] : getBelow(scope, NodeSet::Tagged, concerns))
      tagged.push_back(id);
    return tagged;
  }
  index.forEachBelow(scope, look);
  if (hasInexact)
    llvm::for_each(getIndex(NodeSet::Inexact).get(nodes, NodeSet::Inexact),
                   look);
  return tagged;
}

void PayloadModel::hideTags(NodeId scope,
                            llvm::function_ref<bool(NodeId)> concerns) {
  if (!hasVisibleTags())
    return;
  if (concerns(scope))
    hideTagsOf(nodes[scope]);
  for (NodeId id : getTaggedBelow(scope, [](const Node &) { return true; }))
    if (concerns(id))
      hideTagsOf(nodes[id]);
}

void PayloadModel::hideTags(NodeId scope, const llvm::DenseSet<NodeId> &these,
                            bool doubted) {
  if (!hasVisibleTags())
    return;
  for (NodeId id : these)
    hideTagsOf(nodes[id]);
  if (!doubted)
    return;
  if (nodes[scope].present != Certainty::Yes)
    hideTagsOf(nodes[scope]);
  for (auto [id, place] : getBelow(scope, NodeSet::Doubted))
    hideTagsOf(nodes[id]);
}

void PayloadModel::forgetTags(NodeId scope) {
  hideTags();
  auto forgetOf = [&](NodeId id) {
    forget(id);
    change(id).tags = std::nullopt;
  };
  forgetOf(scope);
  for (auto [id, place] : getBelow(scope))
    forgetOf(id);
}

void PayloadModel::openTag(NodeId scope, StringAttr name,
                           llvm::function_ref<bool(const Node &)> concerns) {
  ++changes;
  hasTags = true;
  hiddenTags.insert(name);
  bool isOfDialect = isDialectAttribute(name);
  auto openOf = [&](NodeId id) {
    Node &node = change(id);
    node.tags.makeOpen(name);
    if (!node.kind || isMeaningful(*node.kind, name, isOfDialect))
      forget(id);
  };
  if (concerns(nodes[scope]))
    openOf(scope);
  for (auto [id, place] : getBelow(scope, concerns))
    openOf(id);
}

void PayloadModel::introduce(NodeId scope, const KindSet &kinds) {
  // An op that is not known may be, or be around or inside, any that is known
  // in the same function.
  NodeId around = scope;
  if (!nodes[scope].exact)
    around =
        getAncestor(scope, /*proper=*/false, {"$isolated"}).value_or(universe);
  changes += nodes.write(around).introducedHere.insert(kinds);
  introduceBelow(scope, kinds);
}

void PayloadModel::introduceBelow(NodeId node, const KindSet &kinds) {
  // What is below a node is below all that is around it, so that the first one
  // that knows ends a single way up.
  walkEveryWay(node, [&](NodeId above) {
    bool grew = nodes.write(above).introducedBelow.insert(kinds);
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
    // What is transformed stays, whatever becomes of what it holds.
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

void PayloadModel::loosen(NodeId scope) {
  for (auto [id, place] : getBelow(scope, NodeSet::Movable)) {
    if (place != Certainty::Yes)
      continue;
    for (Up &up : change(id).ups) {
      if (up.isLoose() || up.node == universe || up.node == scope ||
          !mayBeLoop(nodes[up.node]))
        continue;
      ++changes;
      ++ways;
      hasLooseWays = true;
      up.looseSince = now;
      up.boundary = scope;
    }
  }
}

void PayloadModel::mayDissolve(NodeId node) {
  doubt(node);
  forget(node);
  ++changes;
  ArrayRef<Up> ups = nodes[node].ups;
  NodeId around =
      ups.size() == 1 && !ups.front().isLoose() ? ups.front().node : universe;
  hasLooseWays = true;
  ++ways;
  // What could not have left it can now.
  for (auto [id, place] : getBelow(node, NodeSet::Present))
    for (Up &up : change(id).ups)
      if (up.isLoose() && up.boundary == node)
        up.boundary = around;
  for (NodeId id : getDirectlyBelow(node))
    for (Up &up : change(id).ups)
      if (up.node == node && up.kind == UpKind::Inside && !up.isLoose()) {
        up.looseSince = std::max<Time>(now, 1);
        up.boundary = around;
      }
  lastHolderConsumed = now;
}

void PayloadModel::reparent(NodeId from, NodeId to) {
  ++changes;
  // What holds `to` stays where it is; it cannot also lie in it.
  llvm::DenseSet<NodeId> holders = getHolders(to);
  hasMoved = true;
  ++ways;
  for (NodeId id : getDirectlyBelow(from))
    for (Up &up : change(id).ups)
      if (up.node == from && up.kind == UpKind::Inside &&
          !holders.contains(id)) {
        up.node = to;
        index.attach(id, to);
        // What died with the op that held it stays dead.
        for (Consumption event : nodes[from].consumed) {
          event.certain &= !event.partial;
          change(id).consumed.push_back(event);
        }
        llvm::stable_sort(change(id).consumed,
                          [](const Consumption &a, const Consumption &b) {
                            return a.time < b.time;
                          });
      }
  nodes.write(to).hasBelow = true;
  lastHolderConsumed = now;
  introduce(to, nodes[from].introducedHere);
  introduceBelow(to, nodes[from].introducedBelow);
}

void PayloadModel::inheritContents(NodeId from, NodeId to) {
  const Node &old = nodes[from];
  KindSet kinds = old.introducedBelow;
  if (old.hasBelow && old.op)
    for (Region &region : old.op->getRegions())
      region.walk(
          [&](Operation *op) { kinds.insert(KindPattern(op->getName())); });
  else if (mayHaveBelow(old) && old.kind && holdsOnlyScalars(*old.kind))
    kinds.insert({"affine.*", "arith.*", "complex.*", "index.*", "linalg.index",
                  "linalg.yield", "math.*", "memref.*", "scf.*", "tensor.*"});
  else if (mayHaveBelow(old))
    kinds.insert(KindPattern("*"));
  if (kinds.empty())
    return;
  // Once any tag may be hidden, no more can be.
  auto hasMoreTags = [&](const Node &node) {
    bool hasMore = !node.tags.isKnown() && (node.exact || node.fresh);
    node.tags.forEachName(
        [&](StringAttr name) { hasMore |= !hiddenTags.contains(name); });
    return hasMore;
  };
  if (!hidesAnyTag)
    for (NodeId id : getTaggedBelow(from, hasMoreTags))
      hideTagsOf(nodes[id]);
  introduce(to, kinds);
}

void PayloadModel::inheritIntroduced(NodeId from, NodeId to) {
  introduce(to, KindSet(nodes[from].introducedBelow));
}

bool PayloadModel::isGone(NodeId node) const {
  // What holds an op that is there is there.
  unsigned numGone = ways + getIndex().getNumHoldersGone();
  NodeId at = node;
  while (at != universe && nodes[at].ups.size() == 1) {
    bool isThere = nodes[at].present != Certainty::No;
    if (at != node && !isThere)
      return true;
    if (isThere && found[at].thereAt == numGone)
      break;
    at = nodes[at].ups.front().getSure();
  }
  bool hasOneWay = at == universe || nodes[at].ups.size() == 1;
  if (hasOneWay) {
    for (; node != at; node = nodes[node].ups.front().getSure())
      if (nodes[node].present != Certainty::No)
        found[node].thereAt = numGone;
    return false;
  }
  bool gone = false;
  walkUp(node, [&](NodeId above) {
    gone |= above != node && nodes[above].present == Certainty::No;
    return !gone;
  });
  return gone;
}

SmallVector<std::pair<NodeId, Certainty>>
PayloadModel::find(NodeId scope, llvm::function_ref<bool(const Node &)> matches,
                   NodeIndex::KindTest kinds) const {
  Places places(*this, scope);
  std::optional<NodeId> holder;
  if (nodes[scope].exact)
    holder = scope;
  SmallVector<NodeId> exact = select(NodeSet::Exact, kinds, holder);
  if (holder && !llvm::is_contained(exact, scope) &&
      nodes[scope].present != Certainty::No &&
      (!kinds || kinds(nodes[scope].kind)))
    exact.insert(llvm::lower_bound(exact, scope), scope);
  SmallVector<std::pair<NodeId, Certainty>> all;
  for (NodeId id : exact) {
    const Node &node = nodes[id];
    if (!matches(node))
      continue;
    Certainty place = places.get(id);
    if (place != Certainty::No && !isGone(id))
      all.push_back({id, std::min(place, node.present)});
  }
  return all;
}

bool PayloadModel::mayHide(
    NodeId scope, llvm::function_ref<bool(const KindSet &)> matches) const {
  if (!nodes[scope].exact || matches(nodes[scope].introducedBelow))
    return true;
  // Ops around others mostly have the same.
  const KindSet *last = &nodes[scope].introducedBelow;
  bool hidden = false;
  walkUp(scope, [&](NodeId above) {
    const KindSet &here = nodes[above].introducedHere;
    hidden |= !here.isShared(*last) && matches(here);
    last = &here;
    return !hidden;
  });
  return hidden;
}
