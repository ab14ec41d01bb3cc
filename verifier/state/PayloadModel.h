//===- PayloadModel.h - The payload, as far as a schedule tells -*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A forest of nodes that stand for payload ops: real ones, while no step has
// changed them, and those that steps create. Handles point at nodes; whether a
// handle is still valid is decided from where its nodes lie (DESIGN §5). Layer:
// verifier; it reads the payload once, when it is built, and changes nothing.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_STATE_PAYLOADMODEL_H
#define FORMWORK_VERIFIER_STATE_PAYLOADMODEL_H

#include "verifier/state/BranchingVector.h"
#include "verifier/state/NodeIndex.h"
#include "verifier/state/PayloadHistory.h"
#include "verifier/state/Rephrasing.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <vector>

namespace formwork::verifier {

/// Whether payload of a handle was consumed, when and by whom.
struct Invalidation {
  Certainty certainty = Certainty::No;
  Consumption event = {0, 0, nullptr};
};

class PayloadModel : public PayloadHistory {
public:
  /// The node above everything, of which nothing is known.
  static constexpr NodeId universe = topNode;
  /// As what produces an operand: some op, or none, of which nothing is known.
  /// No handle has it, and no match finds it.
  static constexpr NodeId unknownProducer = 1;

  PayloadModel();

  /// Adds `root` and all ops below it as exact nodes; once. Cost: one walk.
  NodeId addPayload(mlir::Operation *root);
  /// A step has changed what is below `targets`, ops of the payload as it was
  /// given, and `read` is a copy of the payload behind it: from now on, that is
  /// the payload as it was given. False, and no change, where the rest of the
  /// copy is another one, or where it has unusual features. Outside of forks.
  bool replaceGiven(std::shared_ptr<mlir::OwningOpRef<mlir::Operation *>> read,
                    llvm::ArrayRef<NodeId> targets);
  /// A copy that shares no rewritten bodies.
  PayloadModel copyAlone() const;
  /// The node of an op given to `addPayload`.
  NodeId lookup(mlir::Operation *op) const { return byOp.lookup(op); }

  /// Whether anything in the payload was unusual when it was given.
  bool hasFeatures() const { return !allFeatures.empty(); }
  /// The unusual features of the ops of `node`: see Node::features. If they are
  /// not recorded there, those of the given ops around it. Cost: linear in the
  /// depth.
  normalforms::FeatureSet getFeatures(NodeId node) const;

  NodeId add(Node &&node);
  /// A node for `count` ops of unknown place at or below `scope`.
  NodeId addSomewhere(NodeId scope, UpKind relation,
                      std::optional<mlir::OperationName> kind, Count count,
                      mlir::Operation *origin);
  /// A node for `count` of the ops of `set`. Those that are drawn at the same
  /// time, other than 0, are different entries.
  NodeId addElement(NodeId set, Count count, mlir::Operation *origin,
                    Time drawnAt = 0);
  /// An exact op made by `origin` below `parent`.
  NodeId addFresh(NodeId parent, mlir::OperationName kind,
                  mlir::Operation *origin);

  /// Whether an op around `node` is gone, and `node` with it.
  bool isGone(NodeId node) const;

  /// Puts `node` where `ups` say, whatever was said before.
  void setUps(NodeId node, llvm::SmallVector<Up, 1> ups);

  /// The nodes that are still there, perhaps; in the order in which they were
  /// added.
  llvm::SmallVector<NodeId> getPresent() const;
  /// Those of them that stand for ops of which the producers are known.
  llvm::SmallVector<NodeId> getReaders() const;
  /// Whether one of these may ever have read the results of `node`.
  bool mayBeRead(NodeId node) const { return index.isRead(nodes, node); }
  /// The nodes of `getPresent` at or below `scope`, perhaps, `scope` itself
  /// left out, and those that `concerns` does not accept. Cost: linear in the
  /// nodes, however deeply they are nested.
  llvm::SmallVector<std::pair<NodeId, Certainty>>
  getBelow(NodeId scope,
           llvm::function_ref<bool(const Node &)> concerns = nullptr) const {
    return getBelow(scope, NodeSet::Present, concerns);
  }
  /// As above, of those of one set, and, if `kinds` is given, of those of which
  /// it accepts the kind. Cost: linear in these, or in what is below `scope`
  /// together with the nodes that are not exact, whichever is less.
  llvm::SmallVector<std::pair<NodeId, Certainty>>
  getBelow(NodeId scope, NodeSet set,
           llvm::function_ref<bool(const Node &)> concerns = nullptr,
           NodeIndex::KindTest kinds = nullptr) const;
  /// The nodes that `getBelow` returns.
  struct Wanted {
    NodeSet set;
    llvm::function_ref<bool(const Node &)> concerns = nullptr;
    NodeIndex::KindTest kinds = nullptr;
  };
  /// The nodes that `getBelow` gives for at least one of `wanted`, each once,
  /// in the order in which they were added.
  NodeList getBelow(NodeId scope, llvm::ArrayRef<Wanted> wanted) const;
  /// The nodes of `getPresent` that lie directly below `node`, in the order in
  /// which they were added.
  NodeList getDirectlyBelow(NodeId node) const;

  const Node &operator[](NodeId id) const { return nodes[id]; }
  /// The changes through the result have to be complete before the next
  /// question.
  Node &edit(NodeId id) {
    ++changes;
    return change(id);
  }
  /// A step may have changed the op of `node`.
  void forget(NodeId node) {
    if (!nodes[node].op)
      return;
    ++changes;
    change(node).op = nullptr;
  }
  size_t size() const { return nodes.size(); }

  /// Whether every op of `node` is at or below an op of `scope`.
  Certainty isAtOrBelow(NodeId node, NodeId scope) const;
  /// Whether every op of `node` is below, not at, an op of `scope`, for sure.
  bool isStrictlyInside(NodeId node, NodeId scope) const;
  /// The definite ancestors of `node`, itself first, nearest first; the
  /// callback returns false to stop.
  void walkUp(NodeId node, llvm::function_ref<bool(NodeId)> fn) const;
  /// As `walkUp`, with the ancestors out of which a step may have moved it.
  void walkEveryWay(NodeId node, llvm::function_ref<bool(NodeId)> fn) const;
  /// The nearest definite ancestor of one of the `kinds`, `node` included when
  /// `proper` is false.
  std::optional<NodeId> getAncestor(NodeId node, bool proper,
                                    llvm::ArrayRef<KindPattern> kinds) const;
  /// The nearest exact node at or around `node`; `universe` if there is none.
  NodeId getExactAncestor(NodeId node) const;

  /// Whether a form that holds at each of `anchors` holds at `node`: one of
  /// them is at or around it, or it is a module of which they are all
  /// functions.
  bool isCoveredBy(NodeId node, llvm::ArrayRef<NodeId> anchors) const;
  /// Whether `node` is a module, and if so, what isolated ops it holds; none
  /// when steps may have added one.
  std::optional<NodeList> getFunctions(NodeId node) const;

  /// Records that the ops of `node` are consumed now.
  void consume(NodeId node, mlir::Operation *by, bool certain);
  /// Whether a handle to `node` that was set at `since` is dead.
  Invalidation getInvalidation(NodeId node, Time since) const;

  /// A write at or below `scope` that may introduce `introduces`, of these what
  /// is marked `+` only where one may be already, and may erase or change ops
  /// of `rewrites`.
  void touch(NodeId scope, llvm::ArrayRef<KindPattern> introduces,
             llvm::ArrayRef<KindPattern> rewrites);
  /// Somewhere, ops of `kinds` may be others from now on, or one.
  void mayRewrite(llvm::ArrayRef<KindPattern> kinds);
  /// None of `kinds` is left at or below `scope`, itself apart; loops and
  /// structured ops with a value of a type that goes stay, on buffers.
  void remove(NodeId scope, llvm::ArrayRef<KindPattern> kinds);
  /// Values may be read through ops that give them another shape or place.
  void mayReshapeValues();
  /// Ops below `scope` that nothing with an effect uses may be erased.
  void dropUnused(NodeId scope);
  /// Ops below `scope` that nothing reads and that have no effect are erased,
  /// with what they hold; then, if `repeatedly`, those that only these read,
  /// and so on. Only ops of the payload that no step has changed are looked at.
  void eraseUnused(NodeId scope, bool repeatedly);
  /// Two ops at or below `node` may be one from now on, or one of them and
  /// another op below `scope`.
  void blur(NodeId node, NodeId scope);
  using PayloadHistory::hideTags;
  /// Ops of which there is no node may have the discardable attributes of ops
  /// at or below `scope` that `concerns` accepts.
  void hideTags(
      NodeId scope,
      llvm::function_ref<bool(NodeId)> concerns = [](NodeId) { return true; });
  /// As above, of those of `these`; with `doubted`, and of those that may not
  /// be there.
  void hideTags(NodeId scope, const llvm::DenseSet<NodeId> &these,
                bool doubted);
  /// Ops at or below `scope` that `concerns` accepts may be given the attribute
  /// `name`.
  void openTag(NodeId scope, mlir::StringAttr name,
               llvm::function_ref<bool(const Node &)> concerns);
  /// Discardable attributes of ops at or below `scope` may come and go.
  void forgetTags(NodeId scope);
  /// The op may be gone from now on.
  void doubt(NodeId node);
  /// The ops inside of ops of `holders`, below `scope`, may be erased with
  /// them.
  void doubtInside(const llvm::DenseSet<NodeId> &holders, NodeId scope);
  /// `node` is not exact any more; matches have to reckon with it all the same.
  void makeVague(NodeId node);
  /// The op of `node` is erased or replaced, by an unknown op.
  void blur(NodeId node);
  /// Whether the ops of `node` are different ones, none inside another.
  bool isApart(NodeId node) const {
    return nodes[node].apart && nodes[node].createdAt >= lastMerge;
  }
  /// Uses of anything at or below `scope` went with ops that held them.
  void dropNeeds(NodeId scope);
  /// Whether something needs `node`, as the steps before left it.
  bool isNeeded(NodeId node) const;
  /// Whether `node` is of the kind of its body, and what it computes is still
  /// said by the same ops.
  bool isLikeBody(const Node &node) const {
    return node.body && node.kind && node.body->getName() == *node.kind &&
           !mayHaveMerged(node.bodySince);
  }
  /// The bodies that rewrites make of nodes; shared by all copies.
  Rephrasings &getRephrasings() const { return *rephrasings; }
  /// Ops below `scope` may have moved out of the loops that held them.
  void loosen(NodeId scope);
  /// Nothing that can move out of a loop below `scope` keeps the loop there.
  void mayMoveWork(NodeId scope);
  /// A step made `to` from `from`. The ops inside of `to` have the kinds of
  /// those inside of `from`, where these are known. The nodes inside of `from`
  /// are erased together with `from`.
  void inheritContents(NodeId from, NodeId to);
  /// Ops without a node that steps put below `from` may be below `to`.
  void inheritIntroduced(NodeId from, NodeId to);
  /// The op may be gone, and what it held may stand in its place.
  void mayDissolve(NodeId node);
  /// Replaces the parent of all nodes directly below `from`.
  void reparent(NodeId from, NodeId to);

  /// All exact nodes that are still there, at or below `scope` (perhaps), that
  /// `matches` accepts, in the order in which they were added. With `kinds`, of
  /// those of which it accepts the kind.
  llvm::SmallVector<std::pair<NodeId, Certainty>>
  find(NodeId scope, llvm::function_ref<bool(const Node &)> matches,
       NodeIndex::KindTest kinds = nullptr) const;
  /// Whether `find` finds one of `kind`. Cost: constant where the latest is it.
  bool has(NodeId scope, mlir::OperationName kind) const;
  /// Whether steps may have put an op that `matches` accepts below `scope`,
  /// without a node for it.
  bool mayHide(NodeId scope,
               llvm::function_ref<bool(const KindSet &)> matches) const;

  /// The ops that may be in the bodies of structured ops.
  Bodies getBodies() const { return bodies; }

  /// Whether `node` is a payload op that is as it was given, with all that it
  /// holds. Cost: linear in what it holds.
  bool isUntouched(NodeId node) const;

  /// Whether some node, there or not, may ever have been of kind `pattern`.
  bool hadNode(const KindPattern &pattern) const {
    return (dialects & pattern.getDialectBits()) != 0;
  }
  /// Whether an op of kind `pattern` may be at or below `scope`.
  bool mayHold(NodeId scope, const KindPattern &pattern) const;

  /// Grows with each change that a later match can see.
  unsigned version() const { return changes; }
  /// The nodes added so far are the payload as it was given.
  void setGiven() { givenVersion = changes; }
  /// Whether no step can have changed it.
  bool isAsGiven() const { return changes == givenVersion; }
  /// Grows with each change whatever, consumptions included.
  unsigned stamp() const { return changes + consumptions; }

  /// The changes of one path since a fork.
  struct Branch {
    BranchingVector<Node>::Branch nodes;
    PayloadFacts facts;
    std::vector<Consumption> exactEvents, fuzzyEvents;
    bool isChanged = false;
  };
  /// Several paths go on from here; see BranchingVector. A copy has no forks.
  void fork();
  /// Returns to the last fork. Nodes of the path keep their numbers, and stand
  /// for erased ops. Cost: linear in the changes of the path.
  Branch leave();
  /// From the last fork, goes along `branch`. Cost: as above.
  void take(Branch &&branch);
  /// Keeps what holds after the steps since the last fork as well as after
  /// those of `other`, which continued from the same fork; or, when `inPart`,
  /// after any part of them. Facts that differ are dropped; a node of one side
  /// alone may or may not be there. A less precise side never makes the result
  /// more precise. Cost: linear in the nodes that either path changed, and in
  /// their contents if they were erased or moved.
  void join(Branch &&other, bool inPart);
  void endFork();
  /// The steps that made the nodes from `first` on may run any number of times.
  void repeat(NodeId first);

private:
  friend class Places;

  /// Adds `op` and all that it holds below `above`, as `addPayload` does;
  /// `position` counts the ops before it, `live` are those that are needed
  /// whatever clean-up folds.
  NodeId addGiven(mlir::Operation *op, NodeId above, unsigned &position,
                  const llvm::SmallPtrSetImpl<mlir::Operation *> &live);
  /// Finds out what is unusual of the given ops, the first of which is `first`.
  void readFeatures(NodeId first);

  /// The node, to be changed in what no match can see.
  Node &change(NodeId id) {
    index.change(id);
    return nodes.write(id);
  }
  /// The nodes of `set` that `NodeIndex::select` tells.
  llvm::SmallVector<NodeId> select(NodeSet set, NodeIndex::KindTest kinds,
                                   std::optional<NodeId> scope) const {
    // The usual case: of an op that holds nothing.
    if (scope && !index.hasBelow(*scope) &&
        (!hasInexact || index.get(nodes, NodeSet::Inexact).none()))
      return {};
    return index.select(nodes, set, kinds, scope);
  }
  /// The way up from a node to what isolates it is the only one, and as it was
  /// when the node was put there.
  bool hasPlainWays() const {
    return !hasSecondWays && !hasMoved && !hasLooseWays;
  }
  /// Records that `node` was put below its `ups`.
  void attach(NodeId node);
  /// `start` and all that may hold it.
  llvm::DenseSet<NodeId> getHolders(NodeId start) const;
  bool isIsolated(NodeId node) const { return nodes[node].kind.isIsolated(); }
  /// Whether the only way up from `node` is sure and meets no consumption since
  /// `since`; false also when that is not so simple to tell.
  bool isSurelyClean(NodeId node, Time since) const;
  /// Whether it is known already that a write in `scope` introduces `kinds`.
  bool isIntroduced(NodeId scope, const KindSet &kinds) const;
  /// Ops of `kinds` may be anywhere below `scope` from now on; below all that
  /// it may be around or inside, if it is not exact.
  void introduce(NodeId scope, const KindSet &kinds);
  /// As above; of those that are marked `+`, only where one may be already.
  void introduce(NodeId scope, llvm::ArrayRef<KindPattern> kinds);
  void introduceBelow(NodeId node, const KindSet &kinds);
  void hideTagsOf(const Node &node);
  /// The constants that bound the loops below `scope` may not be there any
  /// more.
  void forgetBounds(NodeId scope);
  /// Drops the results of former walks upwards.
  void forgetWays() {
    ++ways;
    lastHolderConsumed = now;
  }
  /// Whether, for nodes that are here as well, ways up lead elsewhere on
  /// `branch`, or meet other consumptions or other ops that are gone.
  bool changesWays(const Branch &branch) const;
  /// The nodes that `branch` changed or made may not be what they were.
  void changeAll(const Branch &branch);
  /// The nodes of which the last fork, the steps since and `other` need not say
  /// the same, in order.
  llvm::SmallVector<NodeId> getDiffering(const Branch &other) const;
  /// False when no way up is left that both sides have: the op may be anywhere.
  bool joinPlace(NodeId node, const Branch &other);
  /// All that lies below `holders`, themselves left out.
  llvm::SmallVector<NodeId>
  getInside(const llvm::DenseSet<NodeId> &holders) const;
  /// `here`: whether it was there on this side. As `joinPlace`.
  bool joinNode(NodeId node, Certainty here, const Branch &other, bool inPart);
  /// Whether ops of `other` may be at or below ops of `consumed`, when no way
  /// up leads from the one to the other.
  bool mayAffect(NodeId consumed, NodeId other) const;

  BranchingVector<Node> nodes;
  std::shared_ptr<Rephrasings> rephrasings = std::make_shared<Rephrasings>();
  /// All consumptions, of exact nodes and of others, the latest last.
  std::vector<Consumption> exactEvents;
  std::vector<Consumption> fuzzyEvents;
  /// When a node was consumed that had others below it.
  Time lastHolderConsumed = 0;
  mutable NodeIndex index;
  /// The result of a walk upwards from a node, so that later walks can stop
  /// there.
  struct Found {
    /// At `cleanAt`, no consumption since `cleanSince` was on the way up.
    Time cleanSince = 0;
    Time cleanAt = 0;
    /// When `ways` was that, the op was there, and all that hold it.
    unsigned thereAt = 0;
  };
  mutable std::vector<Found> found;
  /// Whether a node was ever not exact, but for the one above everything.
  bool hasInexact = false;
  /// The bits of the dialects of all nodes that were ever there, as a
  /// KindPattern has them; all bits, if one is not known.
  uint64_t dialects = 0;
  void noteKind(const Node &node) {
    dialects |= getPattern(node).getDialectBits();
  }
  /// Grows when what holds others goes, or is put elsewhere.
  unsigned ways = 1;
  llvm::DenseMap<mlir::Operation *, NodeId> byOp;
  normalforms::FeatureSet allFeatures;
  /// The payloads that `replaceGiven` was given.
  std::vector<std::shared_ptr<mlir::OwningOpRef<mlir::Operation *>>> replaced;
  struct Fork {
    PayloadFacts facts;
    Time time;
    size_t numExactEvents, numFuzzyEvents;
    unsigned version, stamp;
  };
  llvm::SmallVector<Fork, 0> forks;
  unsigned changes = 0;
  unsigned consumptions = 0;
  unsigned givenVersion = 0;
  Bodies bodies = Bodies::Any;
};

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_STATE_PAYLOADMODEL_H
