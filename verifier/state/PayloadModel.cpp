//===- PayloadModel.cpp - The payload, as far as a schedule tells --------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verifier/state/PayloadModel.h"

#include "engine/Check.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallSet.h"

using namespace mlir;
using namespace formwork::verifier;

//===----------------------------------------------------------------------===//
// Reading the payload
//===----------------------------------------------------------------------===//

static Extent extentOf(int64_t size) {
  if (!ShapedType::isDynamic(size))
    return {size, {}};
  Extent extent;
  extent.reason.definite = true;
  return extent;
}

static std::shared_ptr<const IterationSpace> readSpace(Operation *op) {
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (!linalgOp)
    return nullptr;
  auto space = std::make_shared<IterationSpace>();
  for (int64_t size : linalgOp.getStaticLoopRanges())
    space->loops.push_back(extentOf(size));
  llvm::append_range(space->iterators, linalgOp.getIteratorTypesArray());
  llvm::append_range(space->maps, linalgOp.getIndexingMapsArray());
  for (Value operand : op->getOperands())
    space->elementTypes.push_back(getElementTypeOrSelf(operand.getType()));
  space->numInits = linalgOp.getNumDpsInits();
  space->onTensors = linalgOp.hasPureTensorSemantics();
  return space;
}

static std::shared_ptr<const LoopFacts> readLoop(Operation *op) {
  auto tripCount = [](OpFoldResult lb, OpFoldResult ub, OpFoldResult step) {
    std::optional<int64_t> low = getConstantIntValue(lb),
                           high = getConstantIntValue(ub),
                           by = getConstantIntValue(step);
    if (!low || !high || !by || *by <= 0)
      return extentOf(ShapedType::kDynamic);
    return extentOf(std::max<int64_t>(0, llvm::divideCeil(*high - *low, *by)));
  };
  auto facts = std::make_shared<LoopFacts>();
  if (auto forall = dyn_cast<scf::ForallOp>(op)) {
    facts->isForall = true;
    for (auto [lb, ub, step] :
         llvm::zip(forall.getMixedLowerBound(), forall.getMixedUpperBound(),
                   forall.getMixedStep())) {
      facts->trips.push_back(tripCount(lb, ub, step));
      // Only a loop from 0 by 1 can be mapped as it stands.
      if (!isConstantIntValue(lb, 0) || !isConstantIntValue(step, 1))
        facts->trips.back() = extentOf(ShapedType::kDynamic);
    }
    if (std::optional<ArrayAttr> mapping = forall.getMapping())
      llvm::append_range(facts->mapping, *mapping);
  } else if (auto loop = dyn_cast<scf::ForOp>(op)) {
    facts->trips.push_back(
        tripCount(loop.getLowerBound(), loop.getUpperBound(), loop.getStep()));
  } else {
    return nullptr;
  }
  facts->hasResults = op->getNumResults() != 0;
  return facts;
}

/// The ops whose results something with a side effect, or a terminator, uses.
static llvm::SmallPtrSet<Operation *, 32> findLive(Operation *root) {
  llvm::SmallPtrSet<Operation *, 32> live;
  SmallVector<Operation *> work;
  root->walk([&](Operation *op) {
    if (op->hasTrait<OpTrait::IsTerminator>() || !isMemoryEffectFree(op))
      work.push_back(op);
  });
  while (!work.empty()) {
    Operation *op = work.pop_back_val();
    if (!live.insert(op).second)
      continue;
    for (Value operand : op->getOperands())
      if (Operation *def = operand.getDefiningOp())
        work.push_back(def);
  }
  return live;
}

PayloadModel::PayloadModel() {
  Node top;
  top.count = {0, Count::unbounded};
  nodes.push_back(std::move(top));
}

NodeId PayloadModel::addPayload(Operation *root) {
  llvm::SmallPtrSet<Operation *, 32> live = findLive(root);
  root->walk<WalkOrder::PreOrder>([&](Operation *op) {
    Node node;
    node.kind = op->getName();
    node.op = op;
    node.ups.push_back({op == root ? universe : byOp.lookup(op->getParentOp()),
                        UpKind::Inside});
    node.count = Count::exactly(1);
    node.exact = true;
    node.live = live.contains(op);
    node.space = readSpace(op);
    node.loop = readLoop(op);
    byOp[op] = add(std::move(node));
  });
  // A second pass, because a producer may stand behind its user in the order
  // of the walk.
  unsigned position = 0;
  root->walk([&](Operation *op) {
    NodeId id = byOp.lookup(op);
    Node &node = nodes[id];
    node.position = position++;
    if (!node.space)
      return;
    readers.push_back(id);
    for (Value operand : op->getOperands())
      node.producers.push_back(byOp.lookup(operand.getDefiningOp()));
  });
  return byOp.lookup(root);
}

//===----------------------------------------------------------------------===//
// The forest
//===----------------------------------------------------------------------===//

NodeId PayloadModel::add(Node node) {
  node.createdAt = now;
  NodeId id = nodes.size();
  present.push_back(id);
  if (!node.producers.empty())
    readers.push_back(id);
  nodes.push_back(std::move(node));
  attach(id);
  ++changes;
  return id;
}

bool PayloadModel::isIsolated(NodeId node) const {
  return nodes[node].kind && matchesKind(*nodes[node].kind, "$isolated");
}

void PayloadModel::attach(NodeId node) {
  Node &here = nodes[node];
  for (const Up &up : here.ups)
    nodes[up.node].hasBelow = true;
  here.isolatedAbove = universe;
  if (here.ups.size() != 1)
    return;
  NodeId above = here.ups.front().node;
  here.isolatedAbove = isIsolated(above) ? above : nodes[above].isolatedAbove;
}

/// `start` and all that may hold it.
static llvm::DenseSet<NodeId> getHolders(ArrayRef<Node> nodes, NodeId start) {
  llvm::DenseSet<NodeId> holders = {start};
  SmallVector<NodeId> work = {start};
  while (!work.empty())
    for (const Up &up : nodes[work.pop_back_val()].ups)
      if (holders.insert(up.node).second)
        work.push_back(up.node);
  return holders;
}

void PayloadModel::setUps(NodeId node, SmallVector<Up, 1> ups) {
  // No op holds itself: a place that says so is not known.
  for (Up &up : ups)
    if (getHolders(nodes, up.node).contains(node))
      up = {universe, UpKind::Inside};
  hasSecondWays |= ups.size() > 1;
  nodes[node].ups = std::move(ups);
  attach(node);
  // What was found clean on the old way up, for this node and those below it,
  // says nothing of the new one.
  lastHolderConsumed = now;
}

ArrayRef<NodeId> PayloadModel::getPresent() const {
  llvm::erase_if(present,
                 [&](NodeId id) { return nodes[id].present == Certainty::No; });
  return present;
}

ArrayRef<NodeId> PayloadModel::getReaders() const {
  llvm::erase_if(readers,
                 [&](NodeId id) { return nodes[id].present == Certainty::No; });
  return readers;
}

SmallVector<std::pair<NodeId, Certainty>>
PayloadModel::getBelow(NodeId scope,
                       llvm::function_ref<bool(const Node &)> concerns) const {
  // Per node, once it is known: whether the one sure way up meets `scope`.
  enum Answer : char { Unknown, Meets, Misses, Unsure };
  std::vector<Answer> answers(nodes.size(), Unknown);
  answers[universe] = scope == universe ? Meets : Misses;
  answers[scope] = Meets;
  auto answer = [&](NodeId id) {
    NodeId at = id;
    while (answers[at] == Unknown && nodes[at].ups.size() == 1 &&
           nodes[at].ups.front().looseSince == 0)
      at = nodes[at].ups.front().node;
    Answer found = answers[at] == Unknown ? Unsure : answers[at];
    for (; id != at; id = nodes[id].ups.front().node)
      answers[id] = found;
    return answers[at] = found;
  };
  SmallVector<std::pair<NodeId, Certainty>> below;
  for (NodeId id : getPresent()) {
    if (id == scope || (concerns && !concerns(nodes[id])))
      continue;
    Answer found = answer(id);
    Certainty certainty = Certainty::No;
    if (found == Meets)
      certainty = Certainty::Yes;
    else if (found == Unsure || !nodes[id].exact || !nodes[scope].exact)
      certainty = isAtOrBelow(id, scope);
    if (certainty != Certainty::No)
      below.push_back({id, certainty});
  }
  return below;
}

NodeId PayloadModel::addSomewhere(NodeId scope, UpKind relation,
                                  std::optional<OperationName> kind,
                                  Count count, Operation *origin) {
  Node node;
  node.kind = kind;
  node.origin = origin;
  node.ups.push_back({scope, relation});
  node.count = count;
  return add(std::move(node));
}

NodeId PayloadModel::addFresh(NodeId parent, OperationName kind,
                              Operation *origin) {
  Node node;
  node.kind = kind;
  node.origin = origin;
  node.ups.push_back({parent, UpKind::Inside});
  node.count = Count::exactly(1);
  node.exact = nodes[parent].exact;
  node.fresh = true;
  return add(std::move(node));
}

Certainty PayloadModel::isAtOrBelow(NodeId node, NodeId scope) const {
  if (node == scope || scope == universe)
    return Certainty::Yes;
  Certainty best = Certainty::No;
  llvm::SmallSet<NodeId, 16> seen;
  NodeId start = node;
  // As long as there is one sure way up, it needs no book-keeping.
  while (nodes[start].ups.size() == 1 && start != scope &&
         nodes[start].ups.front().looseSince == 0)
    start = nodes[start].ups.front().node;
  SmallVector<std::pair<NodeId, NodeId>> work;
  if (start != universe)
    work.push_back({start, universe});
  // Pairs of a node and the boundary below which the way to it is unsure
  // (`universe` when it is sure).
  while (!work.empty()) {
    auto [id, boundary] = work.pop_back_val();
    if (id == scope) {
      if (boundary == universe)
        return Certainty::Yes;
      best = Certainty::Maybe;
    }
    if (!seen.insert(id).second)
      continue;
    for (const Up &up : nodes[id].ups) {
      NodeId next = up.looseSince != 0 ? up.boundary : boundary;
      if (next == up.node)
        next = universe;
      work.push_back({up.node, next});
    }
  }
  if (best == Certainty::No && !(nodes[node].exact && nodes[scope].exact))
    return mayAffect(scope, node) ? Certainty::Maybe : Certainty::No;
  return best;
}

void PayloadModel::walkUp(NodeId node,
                          llvm::function_ref<bool(NodeId)> fn) const {
  // Nearly always there is one way up, which needs no book-keeping.
  while (nodes[node].ups.size() == 1) {
    if (!fn(node))
      return;
    const Up &up = nodes[node].ups.front();
    node = up.looseSince != 0 ? up.boundary : up.node;
  }
  if (nodes[node].ups.empty()) {
    fn(node);
    return;
  }
  llvm::SmallSet<NodeId, 16> seen;
  SmallVector<NodeId> work{node};
  for (size_t i = 0; i < work.size(); ++i) {
    NodeId id = work[i];
    if (!seen.insert(id).second)
      continue;
    if (!fn(id))
      return;
    for (const Up &up : nodes[id].ups)
      work.push_back(up.looseSince != 0 ? up.boundary : up.node);
  }
}

std::optional<NodeId>
PayloadModel::getAncestor(NodeId node, bool proper,
                          ArrayRef<std::string> kinds) const {
  // Loops nest deeply, what is isolated does not.
  if (!hasSecondWays && kinds.size() == 1 && kinds.front() == "$isolated") {
    if (!proper && isIsolated(node))
      return node;
    if (nodes[node].isolatedAbove != universe)
      return nodes[node].isolatedAbove;
  }
  std::optional<NodeId> found;
  walkUp(node, [&](NodeId id) {
    if ((proper && id == node) || !nodes[id].kind ||
        !matchesAnyKind(*nodes[id].kind, kinds))
      return true;
    found = id;
    return false;
  });
  return found;
}

std::optional<NodeList> PayloadModel::getFunctions(NodeId node) const {
  if (!nodes[node].exact || !nodes[node].kind ||
      nodes[node].kind->getStringRef() != "builtin.module" ||
      mayHide(node,
              [](const KindSet &kinds) { return kinds.contains("func.func"); }))
    return std::nullopt;
  NodeList functions;
  for (NodeId id : getPresent())
    if (nodes[id].kind && matchesKind(*nodes[id].kind, "$isolated") &&
        llvm::any_of(nodes[id].ups,
                     [&](const Up &up) { return up.node == node; }))
      functions.push_back(id);
  return functions;
}

bool PayloadModel::isCoveredBy(NodeId node, ArrayRef<NodeId> anchors) const {
  auto covers = [&](NodeId inner) {
    return llvm::any_of(anchors, [&](NodeId anchor) {
      return isAtOrBelow(inner, anchor) == Certainty::Yes;
    });
  };
  if (covers(node))
    return true;
  std::optional<NodeList> functions = getFunctions(node);
  return functions && !functions->empty() && llvm::all_of(*functions, covers);
}

//===----------------------------------------------------------------------===//
// Consumption
//===----------------------------------------------------------------------===//

void PayloadModel::consume(NodeId node, Operation *by, bool certain) {
  Consumption event{now, node, by, /*partial=*/false, certain};
  nodes[node].consumed.push_back(event);
  // A set of which an element dies has a dead element.
  Consumption partial = event;
  partial.partial = true;
  SmallVector<NodeId> sets{node};
  while (!sets.empty())
    for (const Up &up : nodes[sets.pop_back_val()].ups)
      if (up.kind == UpKind::Element) {
        nodes[up.node].consumed.push_back(partial);
        sets.push_back(up.node);
      }
  (nodes[node].exact ? exactEvents : fuzzyEvents).push_back(event);
  if (nodes[node].hasBelow)
    lastHolderConsumed = now;
}

/// Ops that can only hold scalar code.
static bool holdsOnlyScalars(OperationName kind) {
  return kind.getDialectNamespace() == "linalg" ||
         llvm::is_contained({"tensor.pad", "tensor.generate"},
                            kind.getStringRef());
}

static bool isScalarCode(OperationName kind) {
  StringRef dialect = kind.getDialectNamespace();
  StringRef name = kind.getStringRef();
  if (dialect == "linalg")
    return name == "linalg.yield" || name == "linalg.index";
  return !llvm::is_contained({"scf", "func", "gpu", "memref", "builtin"},
                             dialect);
}

NodeId PayloadModel::getExactAncestor(NodeId node) const {
  NodeId found = universe;
  walkUp(node, [&](NodeId above) {
    if (nodes[above].exact)
      found = above;
    return !nodes[above].exact;
  });
  return found;
}

bool PayloadModel::isStrictlyInside(NodeId node, NodeId scope) const {
  bool inside = false;
  // Only a single sure way up counts: on others the answer is "not known".
  while (node != scope) {
    if (nodes[node].ups.size() != 1)
      return false;
    const Up &up = nodes[node].ups.front();
    if (up.looseSince != 0 && up.boundary != scope)
      return false;
    inside |= up.kind == UpKind::Inside;
    node = up.looseSince != 0 ? up.boundary : up.node;
  }
  return inside;
}

bool PayloadModel::mayAffect(NodeId consumed, NodeId other) const {
  const Node &a = nodes[consumed], &b = nodes[other];
  // Ops below disjoint ones are disjoint, wherever they are.
  NodeId aroundA = getExactAncestor(consumed),
         aroundB = getExactAncestor(other);
  if (aroundA != universe && aroundB != universe &&
      isAtOrBelow(aroundA, aroundB) == Certainty::No &&
      isAtOrBelow(aroundB, aroundA) == Certainty::No)
    return false;
  // An op cannot be at or below one that is inside it.
  if (b.count.hi == 1 && isStrictlyInside(consumed, other))
    return false;
  // What a step made later is not, and does not hold, what was there before.
  if (a.fresh && a.createdAt > b.createdAt && !b.fresh)
    return false;
  // Two elements of one set are two ops.
  for (const Up &mine : a.ups)
    for (const Up &theirs : b.ups)
      if (mine.kind == UpKind::Element && theirs.kind == UpKind::Element &&
          mine.node == theirs.node && a.count.hi == 1 && b.count.hi == 1 &&
          a.origin == b.origin)
        return false;
  if (!a.kind || !b.kind || *a.kind == *b.kind)
    return true;
  if (a.kind->mightHaveTrait<OpTrait::ZeroRegions>())
    return !a.kind->isRegistered();
  if (holdsOnlyScalars(*a.kind))
    return isScalarCode(*b.kind);
  bool isolatedBelow = matchesKind(*b.kind, "$isolated");
  if (isolatedBelow && llvm::is_contained({"scf", "linalg", "func", "affine"},
                                          a.kind->getDialectNamespace()))
    return false;
  return true;
}

bool PayloadModel::isSurelyClean(NodeId node, Time since) const {
  NodeId at = node;
  while (at != universe) {
    const Node &here = nodes[at];
    if (!here.consumed.empty() && here.consumed.back().time >= since)
      return false;
    // Only what others are below matters to them, so that the last answer holds
    // until such a node is consumed.
    bool isKnown = at != node && here.cleanAt > lastHolderConsumed &&
                   here.cleanSince <= since;
    if (isKnown)
      break;
    if (here.ups.size() != 1 || here.ups.front().looseSince != 0)
      return false;
    at = here.ups.front().node;
  }
  for (; node != at; node = nodes[node].ups.front().node) {
    nodes[node].cleanSince = since;
    nodes[node].cleanAt = now;
  }
  return true;
}

Invalidation PayloadModel::getInvalidation(NodeId node, Time since) const {
  Invalidation result;
  auto consider = [&](const Consumption &event, Certainty certainty) {
    if (event.time < since || certainty == Certainty::No)
      return;
    bool better =
        certainty > result.certainty ||
        (certainty == result.certainty && event.time < result.event.time);
    if (better)
      result = {certainty, event};
  };

  // Ancestors: whatever holds the op dies with it.
  llvm::SmallSet<NodeId, 16> seen;
  struct Step {
    NodeId id;
    NodeId boundary; // `universe`: the way here is sure
    Time looseSince;
    bool inside; // reached through at least one `Inside` link
  };
  SmallVector<Step> work;
  if (!isSurelyClean(node, since))
    work.push_back({node, universe, 0, false});
  while (!work.empty()) {
    Step step = work.pop_back_val();
    // Only where ways part can they meet again.
    if (nodes[step.id].ups.size() > 1 && !seen.insert(step.id).second)
      continue;
    for (const Consumption &event : nodes[step.id].consumed) {
      bool loose = step.boundary != universe && event.time > step.looseSince;
      bool sure = event.certain && !loose && !(event.partial && step.inside);
      consider(event, sure ? Certainty::Yes : Certainty::Maybe);
    }
    for (const Up &up : nodes[step.id].ups) {
      Step next{up.node, step.boundary, step.looseSince,
                step.inside || up.kind != UpKind::Element};
      if (up.looseSince != 0 && step.boundary == universe) {
        next.boundary = up.boundary;
        next.looseSince = up.looseSince;
      }
      if (next.boundary == up.node)
        next.boundary = universe;
      // An element shares the fate of its set, not the other way round.
      work.push_back(next);
    }
  }
  if (result.certainty == Certainty::Yes)
    return result;

  // Ops of unknown place that may be this one, or hold it.
  auto scan = [&](const std::vector<Consumption> &events) {
    for (const Consumption &event : llvm::reverse(events)) {
      if (event.time < since)
        return;
      if (event.node != node && mayAffect(event.node, node))
        consider(event, Certainty::Maybe);
    }
  };
  scan(fuzzyEvents);
  if (!nodes[node].exact)
    scan(exactEvents);
  return result;
}

//===----------------------------------------------------------------------===//
// Writes
//===----------------------------------------------------------------------===//

void PayloadModel::touch(NodeId scope, ArrayRef<std::string> introduces,
                         ArrayRef<std::string> rewrites) {
  ++changes;
  if (!introduces.empty()) {
    nodes[scope].introducedHere.insert(introduces);
    introduceBelow(scope, introduces);
  }
  if (rewrites.empty())
    return;
  auto canChange = [&](const Node &node) {
    bool isSettled = !node.op && node.present == Certainty::Maybe;
    return !isSettled && (!node.kind || matchesAnyKind(*node.kind, rewrites));
  };
  for (auto [id, place] : getBelow(scope, canChange)) {
    nodes[id].op = nullptr;
    doubt(id);
  }
}

void PayloadModel::introduceBelow(NodeId node, ArrayRef<std::string> kinds) {
  // What is below a node is below all that is around it, so that the first one
  // that knows ends a single way up.
  walkUp(node, [&](NodeId above) {
    return nodes[above].introducedBelow.insert(kinds) ||
           nodes[above].ups.size() > 1;
  });
}

void PayloadModel::doubt(NodeId node) {
  if (nodes[node].present != Certainty::Yes)
    return;
  nodes[node].present = Certainty::Maybe;
  nodes[node].doubtedSince = now;
}

/// Whether the op was made by tiling so that it reads the induction variables
/// of the loops around it, and no motion of invariants takes it out of them.
static bool dependsOnLoops(const Node &node) {
  if (!node.fresh)
    return false;
  return node.loop ||
         (node.space && llvm::is_contained(node.space->iterators,
                                           utils::IteratorType::reduction));
}

void PayloadModel::loosen(NodeId scope) {
  ++changes;
  for (auto [id, place] : getBelow(scope)) {
    if (place != Certainty::Yes || dependsOnLoops(nodes[id]))
      continue;
    for (Up &up : nodes[id].ups) {
      if (up.looseSince != 0 || up.node == universe || up.node == scope ||
          !nodes[up.node].kind || !matchesKind(*nodes[up.node].kind, "$loop"))
        continue;
      up.looseSince = now;
      up.boundary = scope;
    }
  }
}

void PayloadModel::reparent(NodeId from, NodeId to) {
  ++changes;
  // What holds `to` stays where it is; it cannot also lie in it.
  llvm::DenseSet<NodeId> holders = getHolders(nodes, to);
  for (NodeId id : getPresent())
    for (Up &up : nodes[id].ups)
      if (up.node == from && up.kind == UpKind::Inside && !holders.contains(id))
        up.node = to;
  nodes[to].hasBelow = true;
  lastHolderConsumed = now;
  introduceBelow(to, nodes[from].introducedBelow.getPatterns());
}

SmallVector<std::pair<NodeId, Certainty>>
PayloadModel::find(NodeId scope,
                   llvm::function_ref<bool(const Node &)> matches) const {
  SmallVector<std::pair<NodeId, Certainty>> found;
  for (NodeId id : getPresent()) {
    const Node &node = nodes[id];
    if (!node.exact || !matches(node))
      continue;
    Certainty place = isAtOrBelow(id, scope);
    if (place != Certainty::No)
      found.push_back({id, std::min(place, node.present)});
  }
  return found;
}

bool PayloadModel::mayHide(
    NodeId scope, llvm::function_ref<bool(const KindSet &)> matches) const {
  if (!nodes[scope].exact || matches(nodes[scope].introducedBelow))
    return true;
  bool hidden = false;
  walkUp(scope, [&](NodeId above) {
    hidden |= above != universe && matches(nodes[above].introducedHere);
    return !hidden;
  });
  return hidden;
}
