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

#include "verifier/state/Facts.h"
#include "verifier/state/KindSet.h"

#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVector.h"

#include <memory>
#include <vector>

namespace formwork::verifier {

using NodeId = uint32_t;
using NodeList = llvm::SmallVector<NodeId, 2>;
/// Counts the steps of the interpretation; a handle is stale when its payload
/// was consumed later than it was set.
using Time = uint32_t;

/// How a node lies to the node above it.
enum class UpKind {
  Inside,     ///< strictly below
  AtOrInside, ///< the same op, or below
  Element     ///< one of the ops that the node above stands for
};

struct Up {
  NodeId node;
  UpKind kind;
  /// A step since `looseSince` may have moved the op out, but not out of
  /// `boundary`.
  Time looseSince = 0;
  NodeId boundary = 0;

  bool isLoose() const { return looseSince != 0; }
  /// The nearest node that the op is at or inside for sure.
  NodeId getSure() const { return isLoose() ? boundary : node; }
};

/// A consumption of the ops of `node` by the schedule op `by`.
struct Consumption {
  Time time;
  NodeId node;
  mlir::Operation *by;
  /// Only some of the ops of the node that carries this were consumed.
  bool partial = false;
  /// On every path to this point.
  bool certain = true;
};

/// Whether ops of this kind hold nothing but scalar code.
bool holdsOnlyScalars(mlir::OperationName kind);

/// What is known of one payload op, or of a set of them.
///
/// An *exact* node stands for one op whose place in the forest is complete: two
/// exact nodes of which neither is reached from the other are disjoint. Any
/// other node stands for `count` ops somewhere at or below the nodes above it.
struct Node {
  std::optional<mlir::OperationName> kind;
  /// The payload op, while no step can have changed it; else null.
  mlir::Operation *op = nullptr;
  /// A payload op whose body, maps and attributes are the same: `op`, or one
  /// that was tiled or split; null when that is not known.
  mlir::Operation *body = nullptr;
  /// Its discardable attributes, where they are known.
  std::optional<mlir::DictionaryAttr> tags;
  /// The schedule op that made or found it; null for the payload's own.
  mlir::Operation *origin = nullptr;
  llvm::SmallVector<Up, 1> ups;
  Count count;
  bool exact = false;
  /// Made by a step, so that nothing older is at or below it unless it says so.
  bool fresh = false;
  /// When it was set, its ops were different ones, and none inside another.
  bool apart = false;
  /// Whether the ops are still there: `No` once erased or replaced.
  Certainty present = Certainty::Yes;
  /// When that became unsure; 0 while it is not.
  Time doubtedSince = 0;
  /// Something with a side effect, or a terminator, depends on its results.
  bool live = false;
  /// Of a loop: it may yield tensors in other buffers than those it was given.
  bool mayYieldOthers = false;
  /// A tensor in it, whose memory a step chose, may be copied or handed on.
  bool mayMoveMemory = false;
  /// Of what tiling or fusion made: of which op it is a part; else none (0).
  NodeId partOf = 0;
  /// Of a structured op that tiling made: its operands of which tiling took a
  /// slice, as bits.
  uint64_t sliced = 0;
  /// A tensor.pad that must not fold and adds nothing.
  bool isCopy = false;
  Time createdAt = 0;

  std::shared_ptr<const IterationSpace> space;
  std::shared_ptr<const LoopFacts> loop;
  /// Per operand of a structured op: the node that produces it, or none (0).
  llvm::SmallVector<NodeId, 3> producers;

  llvm::SmallVector<Consumption, 0> consumed;
  /// Whether a node was ever put below this one.
  bool hasBelow = false;
  /// Of a node without a kind: it has one that is recorded as introduced.
  bool isRecorded = false;
  /// Of a node without a kind: its ops are each of one of these kinds, or of
  /// any if there are none; and all of them of this class, if there is one.
  llvm::SmallVector<mlir::OperationName, 0> among;
  llvm::StringRef cls;
  /// The nearest op above that is isolated, as of when the node was put there;
  /// `universe` when that is not known.
  NodeId isolatedAbove = 0;
  /// At `cleanAt`, no consumption since `cleanSince` was on the way up.
  mutable Time cleanSince = 0;
  mutable Time cleanAt = 0;
  /// For the payload's own ops: where a walk that visits what an op holds
  /// before the op itself meets it.
  unsigned position = 0;
  /// Kinds of op that steps may have put at unknown places below.
  KindSet introducedHere;
  KindSet introducedBelow;
};

/// A node that `origin` makes where `old` stands: of the same kind, in the same
/// place, as often. Nothing else is said of it. With `kind`, of that kind.
Node makeBeside(const Node &old, mlir::Operation *origin,
                std::optional<mlir::OperationName> kind = std::nullopt);

/// Whether the op is known to be an `OpTy`.
template <typename OpTy> bool isKind(const Node &node) {
  return node.kind && node.kind->getStringRef() == OpTy::getOperationName();
}

/// Whether the op may be of one of `kinds`, types of values included.
bool mayBeOfKind(const Node &node, llvm::ArrayRef<std::string> kinds);

/// Whether there may be ops below the op: one of which only a handle tells
/// stands for ops with contents of their own.
bool mayHaveBelow(const Node &node);

/// Whether all ops of the node are known to be of one of `kinds`: by its kind
/// or, without one, by what it stands for.
bool isSurelyOfKind(const Node &node, llvm::ArrayRef<std::string> kinds);

/// Whether payload of a handle was consumed, when and by whom.
struct Invalidation {
  Certainty certainty = Certainty::No;
  Consumption event = {0, 0, nullptr};
};

class PayloadModel {
public:
  /// The node above everything, of which nothing is known.
  static constexpr NodeId universe = 0;

  PayloadModel();

  /// Adds `root` and all ops below it as exact nodes. Cost: one walk.
  NodeId addPayload(mlir::Operation *root);
  /// The node of an op given to `addPayload`.
  NodeId lookup(mlir::Operation *op) const { return byOp.lookup(op); }

  NodeId add(Node node);
  /// A node for `count` ops of unknown place at or below `scope`.
  NodeId addSomewhere(NodeId scope, UpKind relation,
                      std::optional<mlir::OperationName> kind, Count count,
                      mlir::Operation *origin);
  /// An exact op made by `origin` below `parent`.
  NodeId addFresh(NodeId parent, mlir::OperationName kind,
                  mlir::Operation *origin);

  /// Whether an op around `node` is gone, and `node` with it.
  bool isGone(NodeId node) const;

  /// Puts `node` where `ups` say, whatever was said before.
  void setUps(NodeId node, llvm::SmallVector<Up, 1> ups);

  /// The nodes that are still there, perhaps; in the order in which they were
  /// added.
  llvm::ArrayRef<NodeId> getPresent() const;
  /// Those of them that stand for ops of which the producers are known.
  llvm::ArrayRef<NodeId> getReaders() const;
  /// The nodes of `getPresent` at or below `scope`, perhaps, `scope` itself
  /// left out, and those that `concerns` does not accept. Cost: linear in the
  /// nodes, however deeply they are nested.
  llvm::SmallVector<std::pair<NodeId, Certainty>>
  getBelow(NodeId scope,
           llvm::function_ref<bool(const Node &)> concerns = nullptr) const;

  const Node &operator[](NodeId id) const { return nodes[id]; }
  Node &edit(NodeId id) {
    ++changes;
    return nodes[id];
  }
  /// A step may have changed the op of `node`.
  void forget(NodeId node) {
    changes += nodes[node].op != nullptr;
    nodes[node].op = nullptr;
  }
  size_t size() const { return nodes.size(); }

  /// The start of the next step.
  Time tick() { return ++now; }
  Time time() const { return now; }

  /// Whether every op of `node` is at or below an op of `scope`.
  Certainty isAtOrBelow(NodeId node, NodeId scope) const;
  /// The definite ancestors of `node`, itself first, nearest first; the
  /// callback returns false to stop.
  void walkUp(NodeId node, llvm::function_ref<bool(NodeId)> fn) const;
  /// As `walkUp`, with the ancestors out of which a step may have moved it.
  void walkEveryWay(NodeId node, llvm::function_ref<bool(NodeId)> fn) const;
  /// The nearest definite ancestor of one of the `kinds`, `node` included when
  /// `proper` is false.
  std::optional<NodeId> getAncestor(NodeId node, bool proper,
                                    llvm::ArrayRef<std::string> kinds) const;
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
  void touch(NodeId scope, llvm::ArrayRef<std::string> introduces,
             llvm::ArrayRef<std::string> rewrites);
  /// None of `kinds` is left at or below `scope`, itself apart; loops and
  /// structured ops with a value of a type that goes stay, on buffers.
  void remove(NodeId scope, llvm::ArrayRef<std::string> kinds);
  /// Ops below `scope` that nothing with an effect uses may be erased.
  void dropUnused(NodeId scope);
  /// Two ops at or below `node` may be one from now on, or one of them and
  /// another op below `scope`.
  void blur(NodeId node, NodeId scope);
  /// Ops of which there is no node may have discardable attributes from now on:
  /// a step copied or rewrote some.
  void hideTags() { hidesAnyTag = true; }
  /// As above, but only those of the ops at or below `scope` that `concerns`
  /// accepts.
  void hideTags(
      NodeId scope,
      llvm::function_ref<bool(NodeId)> concerns = [](NodeId) { return true; });
  /// Discardable attributes of ops at or below `scope` may come and go.
  void forgetTags(NodeId scope);
  /// Whether there is any discardable attribute that `hideTags` would hide.
  bool hasVisibleTags() const { return hasTags && !hidesAnyTag; }
  /// The discardable attributes of a node are about to change.
  void changeTags() { hasTags = true; }
  bool mayHideTag(mlir::StringAttr name) const {
    return hidesAnyTag || hiddenTags.contains(name);
  }
  /// The op may be gone from now on.
  void doubt(NodeId node);
  /// What is inside of ops of `holders`, below `scope`, may be gone with them.
  void doubtInside(const llvm::DenseSet<NodeId> &holders, NodeId scope);
  /// `node` is not exact any more; matches have to reckon with it all the same.
  void makeVague(NodeId node);
  /// What `node` stands for is gone, or another op: whatever that is.
  void blur(NodeId node);
  /// Whether the ops of `node` are different ones, none inside another.
  bool isApart(NodeId node) const {
    return nodes[node].apart && nodes[node].createdAt >= lastMerge;
  }
  /// Ops that were two may be one from now on.
  void mayMerge() { lastMerge = now; }
  bool mayHaveMerged(Time since) const { return lastMerge > since; }
  /// Ops below `scope` may have moved out of the loops that held them.
  void loosen(NodeId scope);
  /// What stands inside of `to`, which a step made of `from`, is made of what
  /// stood inside of that: of the same kinds, where these are known. The nodes
  /// inside of `from` are not there any more once `from` is not.
  void inheritContents(NodeId from, NodeId to);
  /// The op may be gone, and what it held may stand in its place.
  void mayDissolve(NodeId node);
  /// Replaces the parent of all nodes directly below `from`.
  void reparent(NodeId from, NodeId to);

  /// All nodes that are still there, at or below `scope` (perhaps), of a kind
  /// that `matches` accepts, in the order in which they were added.
  llvm::SmallVector<std::pair<NodeId, Certainty>>
  find(NodeId scope, llvm::function_ref<bool(const Node &)> matches) const;
  /// Whether steps may have put an op that `matches` accepts below `scope`,
  /// without a node for it.
  bool mayHide(NodeId scope,
               llvm::function_ref<bool(const KindSet &)> matches) const;

  /// Whether `node` is a payload op that is as it was given, with all that it
  /// holds. Cost: linear in what it holds.
  bool isUntouched(NodeId node) const;

  /// Whether an op of kind `pattern` may be at or below `scope`.
  bool mayHold(NodeId scope, const std::string &pattern) const;

  /// Grows with each change that a later match can see.
  unsigned version() const { return changes; }
  /// Grows with each change whatever, consumptions included.
  unsigned stamp() const { return changes + consumptions; }

  /// What holds whether the steps since `before` ran or those of `other` did,
  /// which went on from the same `before`; or, when `inPart`, any part of them.
  /// `other` has numbered its own nodes behind those of this model (see
  /// `skipNodesOf`). Nothing that differs is known any more; a node of one side
  /// alone may be there. A less precise side never makes the result more
  /// precise. Cost: linear in the nodes.
  void join(const PayloadModel &before, const PayloadModel &other, bool inPart);
  /// The steps that made the nodes from `first` on may run any number of times.
  void repeat(NodeId first);
  /// Makes the ids of `other` ids of this model, of ops that are not there.
  void skipNodesOf(const PayloadModel &other);

private:
  /// Records that `node` was put below its `ups`.
  void attach(NodeId node);
  /// `start` and all that may hold it.
  llvm::DenseSet<NodeId> getHolders(NodeId start) const;
  bool isIsolated(NodeId node) const;
  /// Whether the only way up from `node` is sure and meets no consumption since
  /// `since`; false also when that is not so simple to tell.
  bool isSurelyClean(NodeId node, Time since) const;
  /// Ops of `kinds` may be anywhere below `scope` from now on; below all that
  /// it may be around or inside, if it is not exact.
  void introduce(NodeId scope, llvm::ArrayRef<std::string> kinds);
  void introduceBelow(NodeId node, llvm::ArrayRef<std::string> kinds);
  void hideTagsOf(const Node &node);
  /// The nodes above `node` of which each holds all of it, by a single way.
  NodeList getSureAncestors(NodeId node) const;
  /// The constants that bound the loops below `scope` may not be there any
  /// more.
  void forgetBounds(NodeId scope);
  /// False when no way up is left that both sides have: the op may be anywhere.
  bool joinPlace(NodeId node, const PayloadModel &before,
                 const PayloadModel &other);
  /// All that is reached down from `holders`, themselves left out. Cost: linear
  /// in the nodes.
  llvm::SmallVector<NodeId>
  getInside(const llvm::DenseSet<NodeId> &holders) const;
  /// `here`: whether it was there on this side. As `joinPlace`.
  bool joinNode(NodeId node, Certainty here, const PayloadModel &before,
                const PayloadModel &other, bool inPart);
  /// Whether every op of `node` is below, not at, an op of `scope`, for sure.
  bool isStrictlyInside(NodeId node, NodeId scope) const;
  /// Whether ops of `other` may be at or below ops of `consumed`, when no way
  /// up leads from the one to the other.
  bool mayAffect(NodeId consumed, NodeId other) const;

  std::vector<Node> nodes;
  bool hidesAnyTag = false;
  /// Whether some node was ever known to have discardable attributes, or not
  /// known to have none.
  bool hasTags = false;
  /// The dialects of all nodes there ever were; the empty one stands for any.
  llvm::SmallSetVector<llvm::StringRef, 8> dialects;
  llvm::SmallSetVector<mlir::StringAttr, 4> hiddenTags;
  /// All consumptions, of exact nodes and of others, the latest last.
  std::vector<Consumption> exactEvents;
  std::vector<Consumption> fuzzyEvents;
  /// Whether a node got a second way up, so that `isolatedAbove` of those below
  /// it says nothing any more.
  bool hasSecondWays = false;
  Time lastMerge = 0;
  /// When a node was consumed that had others below it.
  Time lastHolderConsumed = 0;
  /// Without those that were found to be gone at the last look.
  mutable std::vector<NodeId> present;
  mutable std::vector<NodeId> readers;
  llvm::DenseMap<mlir::Operation *, NodeId> byOp;
  Time now = 0;
  unsigned changes = 0;
  unsigned consumptions = 0;
};

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_STATE_PAYLOADMODEL_H
