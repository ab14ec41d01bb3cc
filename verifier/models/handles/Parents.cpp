//===- Parents.cpp - Model of the search for a parent -----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which op is around a handle's payload. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#include "verifier/models/Models.h"
#include "verifier/step/Step.h"

#include "mlir/Dialect/Transform/IR/TransformOps.h"
using namespace mlir;
using namespace formwork;
using namespace formwork::verifier;

/// Whether no op of `kinds` is below that of `node`.
static bool isOnlyOne(const PayloadModel &payload, NodeId node,
                      const normalforms::KindPatterns &kinds) {
  auto mayBeOne = [&](const Node &below) {
    return below.kind ? matchesAnyKind(*below.kind, kinds) : below.isUnlisted();
  };
  return payload[node].exact && payload.getBelow(node, mayBeOne).empty() &&
         !payload.mayHide(node, [&](const KindSet &hidden) {
           return llvm::any_of(kinds, [&](const KindPattern &kind) {
             return hidden.intersects(kind);
           });
         });
}

/// The kinds that `op` searches for; none if no op is of that kind.
static normalforms::KindPatterns getWanted(transform::GetParentOp op) {
  std::optional<StringRef> name = op.getOpName();
  if (!name)
    return {op.getIsolatedFromAbove() ? KindPattern("$isolated")
                                      : KindPattern("*")};
  KindPattern kind = KindPattern::of(*name);
  bool isIsolated =
      KindPattern("$isolated").matches(OperationName(*name, op.getContext()));
  if (!kind.isName() || (op.getIsolatedFromAbove() && !isIsolated))
    return {};
  return {kind};
}

namespace {
/// Finds the parents of one target after another.
class ParentSearch {
public:
  ParentSearch(const Step &step, transform::GetParentOp op)
      : step(step), payload(step.payload), op(op), kinds(getWanted(op)) {}

  /// Adds the parent of `node`. Returns false where that surely has none.
  bool add(NodeId node);
  ArrayRef<NodeId> getParents() const { return parents; }

private:
  /// The way up from a node.
  struct Way {
    /// Where it leads.
    NodeId end;
    /// Each step of it is known.
    bool isKnown;
    /// It is known, and one of the parents is not there.
    bool hasNone = false;
  };
  Way climb(NodeId node);
  /// Whether `parent` is outside of a scope that alternatives try something on,
  /// which has nothing around it, and `node` is inside.
  bool leavesScope(NodeId node, NodeId parent) const;
  /// An op of the wanted kind, or else an isolated one, that is the parent of
  /// `node`, or holds it; none where the parent need not be that near.
  std::optional<NodeId> getHolder(NodeId node);
  /// A node for the parent of `node`, which is `holder`, or in it.
  NodeId addUnknown(NodeId node, std::optional<NodeId> holder, bool isHolder);

  const Step &step;
  PayloadModel &payload;
  transform::GetParentOp op;
  normalforms::KindPatterns kinds;
  NodeList parents;
  /// An earlier target may have no parent, which ends the search.
  bool mayEnd = false;
  /// A parent that is not known may be that of the next target, too.
  bool mayRepeat = false;
};
} // namespace

bool ParentSearch::leavesScope(NodeId node, NodeId parent) const {
  return llvm::any_of(step.state.detached, [&](NodeId scope) {
    return payload.isAtOrBelow(node, scope) == Certainty::Yes &&
           payload.isAtOrBelow(parent, scope) != Certainty::Yes;
  });
}

ParentSearch::Way ParentSearch::climb(NodeId node) {
  auto isLoose = [](const Up &up) { return up.isLoose(); };
  Way way{node, payload[node].exact};
  bool mayBeGone = false;
  int64_t number = op.getNthParent();
  for (int64_t i = 0; way.isKnown && i < number; ++i) {
    const Node &current = payload[way.end];
    bool mayHaveMoved = llvm::any_of(current.ups, isLoose);
    // On the way up from an exact node every step is known, unless a step
    // moved the op.
    way.isKnown &= !mayHaveMoved || op.getIsolatedFromAbove();
    std::optional<NodeId> parent =
        payload.getAncestor(way.end, /*proper=*/true, kinds);
    // A loop that a step took away leaves its body where it stood.
    mayBeGone |= parent && payload[*parent].present != Certainty::Yes;
    bool isThere = parent && !leavesScope(node, *parent);
    way.hasNone |= way.isKnown && !mayBeGone && !isThere &&
                   current.present == Certainty::Yes && !mayHaveMoved;
    way.isKnown &= isThere && !mayBeGone;
    // An op of which the kind is not known may be it, too.
    payload.walkUp(way.end, [&](NodeId above) {
      way.isKnown &= above == way.end || above == parent || payload[above].kind;
      return way.isKnown && above != parent;
    });
    way.end = parent.value_or(way.end);
  }
  way.hasNone &=
      payload[node].present == Certainty::Yes && payload[step.root].exact;
  return way;
}

std::optional<NodeId> ParentSearch::getHolder(NodeId node) {
  // Wherever an op is in one of that kind, that is or holds its parent.
  if (kinds.empty() || op.getNthParent() != 1)
    return std::nullopt;
  static const normalforms::KindPatterns isolated = {"$isolated"};
  std::optional<NodeId> around = payload.getAncestor(
      node, /*proper=*/true, op.getOpName() ? kinds : isolated);
  if (around && (payload[*around].present != Certainty::Yes ||
                 leavesScope(node, *around)))
    return std::nullopt;
  return around;
}

NodeId ParentSearch::addUnknown(NodeId node, std::optional<NodeId> holder,
                                bool isHolder) {
  bool allowsNone = op.getAllowEmptyResults();
  if (!holder && !allowsNone)
    step.unprove("asks for a parent that may not exist");
  const Count number = payload[node].count;
  Node parent;
  if (op.getOpName())
    parent.kind = OperationName(*op.getOpName(), op.getContext());
  else if (isHolder)
    parent.kind = payload[*holder].kind;
  parent.origin = step.op;
  parent.count = {allowsNone ? 0 : std::min<int64_t>(1, number.lo), number.hi};
  // Two ops can have the same parent, and an erased op has none.
  if ((op.getDeduplicate() && !parents.empty()) || mayEnd ||
      payload[node].present != Certainty::Yes)
    parent.count.lo = 0;
  if (holder)
    parent.ups.push_back(
        {*holder, isHolder ? UpKind::Element : UpKind::AtOrInside});
  else
    parent.ups.push_back({PayloadModel::universe, UpKind::Inside});
  NodeId added = payload.add(std::move(parent));
  // A parent that was only searched for need not exist: the search tells
  // nothing about the place of the op.
  if (!allowsNone && !step.state.suppressed) {
    SmallVector<Up, 1> ups = payload[node].ups;
    ups.push_back({added, UpKind::Inside});
    payload.setUps(node, std::move(ups));
  }
  return added;
}

bool ParentSearch::add(NodeId node) {
  Way way = climb(node);
  if (way.hasNone)
    return false;
  std::optional<NodeId> holder = way.isKnown ? std::nullopt : getHolder(node);
  bool isHolder = holder && (op.getIsolatedFromAbove() || op.getOpName()) &&
                  isOnlyOne(payload, *holder, kinds);
  bool isOneParent = op.getDeduplicate();
  if (isHolder && isOneParent && llvm::is_contained(parents, *holder))
    return true;
  const Count number = payload[node].count;
  if (isHolder && (isOneParent || number.hi == 1))
    way = {*holder, /*isKnown=*/true};
  // An erased op has no parent. One that is left out has none either, because
  // an earlier op has the same.
  bool mayBeLeftOut = payload[node].present != Certainty::Yes ||
                      number.lo == 0 || mayEnd || mayRepeat;
  NodeId parent = way.end;
  if (!way.isKnown) {
    parent = addUnknown(node, holder, isHolder);
    mayEnd |= op.getAllowEmptyResults();
    mayRepeat |= isOneParent;
  } else if (mayBeLeftOut) {
    parent = payload.addElement(parent, {0, 1}, step.op);
  }
  if (!isOneParent || !llvm::is_contained(parents, parent))
    parents.push_back(parent);
  return true;
}

static void propagateParent(const Step &step) {
  auto getParent = cast<transform::GetParentOp>(step.op);
  HandleState source = step.lookup(getParent.getTarget());
  ParentSearch search(step, getParent);
  for (NodeId node : source.nodes) {
    if (search.add(node))
      continue;
    // The first op without a parent ends the search, if it may have none.
    if (getParent.getAllowEmptyResults())
      break;
    step.reportOf(
        getParent.getTarget(), "fw-no-parent",
        "requires a parent op of the wanted kind but the payload of " +
            step.nameOf(getParent.getTarget()) + " has none");
    return step.setOpaque(0);
  }
  step.setResult(0, search.getParents(), source.ordered);
}

void formwork::verifier::registerParentsModels(ModelRegistry &models) {
  models.add("get-parent", propagateParent, decides{"fw-no-parent"});
}
