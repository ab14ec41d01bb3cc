//===- PayloadModel.cpp - The payload, as far as a schedule tells *- C++
//-*-===//
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
  root->walk([&](Operation *op) {
    Node &node = nodes[byOp.lookup(op)];
    if (!node.space)
      return;
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
  nodes.push_back(std::move(node));
  ++changes;
  return nodes.size() - 1;
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
  SmallVector<std::pair<NodeId, NodeId>> work{{start, universe}};
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
  for (NodeId id = 1; id < nodes.size(); ++id)
    if (nodes[id].present != Certainty::No && nodes[id].kind &&
        matchesKind(*nodes[id].kind, "$isolated") &&
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
  bool exact = nodes[node].exact;
  walkUp(node, [&](NodeId above) {
    if (above != node)
      (exact ? nodes[above].exactBelow : nodes[above].fuzzyBelow)
          .push_back(event);
    return true;
  });
}

/// Ops that can only hold scalar code.
static bool holdsOnlyScalars(OperationName kind) {
  return kind.getDialectNamespace() == "linalg";
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

bool PayloadModel::mayAffect(NodeId consumed, NodeId other) const {
  const Node &a = nodes[consumed], &b = nodes[other];
  // Ops below disjoint ones are disjoint, wherever they are.
  NodeId aroundA = getExactAncestor(consumed),
         aroundB = getExactAncestor(other);
  if (aroundA != universe && aroundB != universe &&
      isAtOrBelow(aroundA, aroundB) == Certainty::No &&
      isAtOrBelow(aroundB, aroundA) == Certainty::No)
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
  if (holdsOnlyScalars(*a.kind))
    return isScalarCode(*b.kind);
  bool isolatedBelow = matchesKind(*b.kind, "$isolated");
  if (isolatedBelow && llvm::is_contained({"scf", "linalg", "func", "affine"},
                                          a.kind->getDialectNamespace()))
    return false;
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
  SmallVector<Step> work{{node, universe, 0, false}};
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
  bool exact = nodes[node].exact;
  walkUp(node, [&](NodeId above) {
    if (above == node)
      return true;
    auto scan = [&](ArrayRef<Consumption> events) {
      for (const Consumption &event : llvm::reverse(events)) {
        if (event.time < since)
          return;
        if (event.node != node && mayAffect(event.node, node))
          consider(event, Certainty::Maybe);
      }
    };
    scan(nodes[above].fuzzyBelow);
    if (!exact)
      scan(nodes[above].exactBelow);
    return true;
  });
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
  for (NodeId id = 1; id < nodes.size(); ++id) {
    Node &node = nodes[id];
    if (id == scope || node.present == Certainty::No ||
        (node.kind && !matchesAnyKind(*node.kind, rewrites)) ||
        isAtOrBelow(id, scope) == Certainty::No)
      continue;
    node.op = nullptr;
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
  for (NodeId id = 1; id < nodes.size(); ++id) {
    if (id == scope || nodes[id].present == Certainty::No ||
        dependsOnLoops(nodes[id]))
      continue;
    for (Up &up : nodes[id].ups) {
      if (up.looseSince != 0 || up.node == universe || up.node == scope ||
          !nodes[up.node].kind || !matchesKind(*nodes[up.node].kind, "$loop") ||
          isAtOrBelow(id, scope) != Certainty::Yes)
        continue;
      up.looseSince = now;
      up.boundary = scope;
    }
  }
}

void PayloadModel::reparent(NodeId from, NodeId to) {
  ++changes;
  for (Node &node : nodes)
    for (Up &up : node.ups)
      if (up.node == from && up.kind == UpKind::Inside &&
          node.present != Certainty::No)
        up.node = to;
  introduceBelow(to, nodes[from].introducedBelow.getPatterns());
}

SmallVector<std::pair<NodeId, Certainty>>
PayloadModel::find(NodeId scope,
                   llvm::function_ref<bool(const Node &)> matches) const {
  SmallVector<std::pair<NodeId, Certainty>> found;
  for (NodeId id = 1; id < nodes.size(); ++id) {
    const Node &node = nodes[id];
    if (node.present == Certainty::No || !node.exact || !matches(node))
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
