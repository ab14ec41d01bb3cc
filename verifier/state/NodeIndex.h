//===- NodeIndex.h - Which nodes a step has to look at ----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The nodes of a payload model, ordered by the questions of steps: in sets, by
// kind, and by the node above. A change by a step usually removes a node from
// these sets, so that a schedule costs no more than its changes. Few schedules
// use all sets, so a set is kept only from its first use on, and updated when
// it is used. A model with few nodes has no sets, since a walk over all nodes
// costs less. Layer: verifier; internal to the payload model.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_STATE_NODEINDEX_H
#define FORMWORK_VERIFIER_STATE_NODEINDEX_H

#include "verifier/state/Node.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <array>
#include <vector>

namespace formwork::verifier {

/// The property of a node that decides which steps have to look at it. Erased
/// nodes are in no set.
enum class NodeSet : uint8_t {
  Present,   ///< may be there
  Exact,     ///< and is exact
  Inexact,   ///< and is not exact
  Readers,   ///< the producers of its operands are known
  Doubted,   ///< may be there, or not
  Unsettled, ///< a step may still put it in doubt, or change its op
  Unneeded,  ///< unsettled, and goes where nothing needs it
  Restless,  ///< clean-up may still change it
  Fading,    ///< clean-up that folds nothing may still change it
  Spaces,    ///< its iteration space is known
  Loops,     ///< its loop is known
  Bottom,    ///< and no other one, nor a space, is known to be right inside
  Movable,   ///< motion of invariants may still take it out of a loop
  Known,     ///< exact, and more is known of it than its kind
  Exposed,   ///< not exact, sure, and gone with what holds it
  Tagged,    ///< has discardable attributes, or may have
};

/// Some of them, as bits.
using NodeSets = uint16_t;

class NodeIndex {
public:
  NodeIndex() { getList(NodeSet::Inexact).isKept = true; }

  static constexpr size_t numSets = static_cast<size_t>(NodeSet::Tagged) + 1;
  static_assert(numSets <= 16);
  using KindTest =
      llvm::function_ref<bool(const std::optional<mlir::OperationName> &)>;

  /// Makes room for that many nodes.
  void reserve(size_t numNodes);
  /// `node` is new, or may have changed. The node above everything is in no
  /// set.
  void change(NodeId node) {
    if (node == topNode)
      return;
    if (!isTracking) {
      ++numHoldersGone;
      return;
    }
    if (node >= entries.size())
      entries.resize(node + 1);
    // Nobody has looked since it was noted last.
    if (entries[node].lastNoted > numSeen)
      return;
    log.push_back(node);
    entries[node].lastNoted = log.size();
  }
  /// `node` was put below `above`, which it may leave again.
  void attach(NodeId node, NodeId above);

  /// Looks at what has changed, as what depends on what the nodes are needs it.
  /// Cost: linear in the nodes that have changed since the last time.
  void refresh(llvm::ArrayRef<Node> nodes) {
    if (!isTracking && nodes.size() > numFew)
      track(nodes);
    if (seen < log.size())
      lookAtChanged(nodes);
  }
  /// As above, and brings up to date `set`, which `get` and `select` need and
  /// which is kept from now on. Cost of the first time: linear in the nodes.
  void refresh(llvm::ArrayRef<Node> nodes, NodeSet set) {
    refresh(nodes);
    if (!isTracking)
      return;
    List &list = getList(set);
    if (!list.isKept)
      keep(set, nodes);
    else if (list.seen < log.size())
      catchUp(set, nodes);
  }
  /// As above, for all sets that are kept.
  void refreshAll(llvm::ArrayRef<Node> nodes);

  // These need no `refresh`; callers ask after each small change.
  /// Whether a node was ever known to read the results of `node`.
  bool isRead(llvm::ArrayRef<Node> nodes, NodeId node);
  /// Whether all nodes that may be there are exact.
  bool areAllExact(llvm::ArrayRef<Node> nodes);

  /// Grows when a node that has others below it is not there any more.
  unsigned getNumHoldersGone() const { return numHoldersGone; }

  /// The nodes of `set`, which is up to date, in the order in which they were
  /// added.
  llvm::ArrayRef<NodeId> get(llvm::ArrayRef<Node> nodes, NodeSet set);
  /// Those of them that `test` accepts the kind of; and, where `scope` is not
  /// none, no more of those that are exact than needed for all that are reached
  /// down from it. Cost: linear in the least of these three sets.
  llvm::SmallVector<NodeId> select(llvm::ArrayRef<Node> nodes, NodeSet set,
                                   KindTest test, std::optional<NodeId> scope);
  /// Whether `test` accepts a node of `kind` that is there; asks for the one
  /// that was added last first, and for no more than needed.
  bool anyOfKind(llvm::ArrayRef<Node> nodes, mlir::OperationName kind,
                 llvm::function_ref<bool(NodeId)> test);
  /// Whether a node was ever put directly below `node`.
  bool hasBelow(NodeId node) const {
    return node < firstLink.size() && firstLink[node] != 0;
  }
  /// The nodes that were ever put directly below `node`; perhaps twice.
  void forEachBelow(NodeId node, llvm::function_ref<void(NodeId)> fn) const;
  /// Those that are reached down from `start`, itself left out, each once; none
  /// if these are more than `limit`.
  std::optional<llvm::SmallVector<NodeId>>
  getReached(llvm::ArrayRef<NodeId> start, size_t limit) const;

private:
  /// The entry of one node. It has no kind number before its first update.
  struct Entry {
    /// As of when the sets were brought up to date.
    NodeSets sets = 0;
    /// As of when somebody looked at it.
    bool isThere = false;
    bool isRead = false;
    unsigned kind = noKind;
    /// Where it is noted last in `log`, plus 1.
    unsigned lastNoted = 0;
    /// For a node with a loop or a space: the node directly around it, if it is
    /// certain that it is nowhere else.
    NodeId rightInside = noNode;
    /// How many nodes are right inside of this one.
    unsigned numRightInside = 0;
  };
  /// So many nodes are looked at one by one, each time.
  static constexpr size_t numFew = 64;
  /// Keeps track of what changes from now on.
  void track(llvm::ArrayRef<Node> nodes);
  static constexpr unsigned noKind = ~0u;
  static constexpr NodeId noNode = ~0u;
  static constexpr NodeSets getBit(NodeSet set) {
    return NodeSets(1) << static_cast<unsigned>(set);
  }
  void keep(NodeSet set, llvm::ArrayRef<Node> nodes);
  void keepKinds();
  void lookAtChanged(llvm::ArrayRef<Node> nodes);
  /// Looks at what has changed since `set`, which is kept, was up to date.
  void catchUp(NodeSet set, llvm::ArrayRef<Node> nodes);
  /// Somebody has looked at the first `size` that are noted.
  void see(size_t size) { numSeen = std::max(numSeen, size); }
  /// For a set that is up to date.
  bool isIn(NodeId node, NodeSet set) const {
    return (entries[node].sets & getBit(set)) != 0;
  }
  /// Whether a node is right inside of `id`.
  bool hasRightInside(llvm::ArrayRef<Node> nodes, NodeId id) const;
  /// Calls `fn` with what tells of a node that may be there, and its number,
  /// whether it belongs to `set`; returns what that does.
  template <typename FnT>
  auto withTest(llvm::ArrayRef<Node> nodes, NodeSet set, FnT fn) const;
  /// Whether `id` belongs to `set`.
  bool isMember(llvm::ArrayRef<Node> nodes, NodeId id, NodeSet set) const;

  /// As `select`, of few nodes.
  llvm::SmallVector<NodeId> selectOfFew(llvm::ArrayRef<Node> nodes, NodeSet set,
                                        KindTest test,
                                        std::optional<NodeId> scope) const;

  /// In the order in which nodes were added, with nodes that have left it.
  struct List {
    llvm::SmallVector<NodeId, 16> nodes;
    size_t numLeft = 0;
    /// How much of `log` it takes into account.
    size_t seen = 0;
    bool isKept = false;
    size_t size() const { return nodes.size() - numLeft; }
    void insert(NodeId node);
  };
  /// Notes what `node` is right inside of now; of interest to `Bottom` alone.
  void putRightInside(llvm::ArrayRef<Node> nodes, NodeId node);
  unsigned getKindNumber(const std::optional<mlir::OperationName> &kind);
  /// Drops the nodes that `isListed` denies, when these are many.
  static void compact(List &list, bool now,
                      llvm::function_ref<bool(NodeId)> isListed);

  List &getList(NodeSet set) { return sets[static_cast<size_t>(set)]; }

  std::array<List, numSets> sets;
  /// The nodes of one kind that are there, as far as `keepsKinds`.
  struct Kind {
    std::optional<mlir::OperationName> name;
    List list;
  };
  std::vector<Kind> kinds;
  bool keepsKinds = false;
  llvm::DenseMap<const void *, unsigned> kindNumbers;
  std::vector<Entry> entries;

  /// Nodes below others, as lists in an array.
  struct Link {
    NodeId node;
    unsigned next;
  };
  std::vector<Link> links;
  /// The first link of a node, plus 1.
  std::vector<unsigned> firstLink;

  bool isTracking = false;
  /// The nodes that have changed, in order. Each set is brought up to date when
  /// somebody asks for it; a node is noted again only after somebody has seen
  /// that it has changed.
  std::vector<NodeId> log;
  /// How much of it is in what is known whatever the set.
  size_t seen = 0;
  /// How much of it anybody has seen.
  size_t numSeen = 0;
  unsigned numHoldersGone = 0;
};

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_STATE_NODEINDEX_H
