//===- NodeIndex.h - Which nodes a step has to look at ----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The nodes of a payload model by what steps look for: in sets, by kind, and by
// the node above. What a step does to a node mostly takes it out of the sets
// that such steps look at, so that a schedule costs no more than what its steps
// change. Few schedules ask for all sets, so that each is kept only from the
// first time on that somebody does. Layer: verifier; internal to the payload
// model.
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

/// What of a node decides which steps have to look at it. Those that are not
/// there any more are in no set.
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
  static constexpr size_t numSets = static_cast<size_t>(NodeSet::Tagged) + 1;
  static_assert(numSets <= 16);
  using KindTest =
      llvm::function_ref<bool(const std::optional<mlir::OperationName> &)>;

  /// Makes room for that many nodes.
  void reserve(size_t numNodes) {
    entries.reserve(numNodes);
    firstLink.reserve(numNodes);
    links.reserve(numNodes);
    changed.reserve(numNodes);
    constexpr size_t usualKinds = 16;
    kinds.reserve(usualKinds);
  }
  /// `node` is new, or may have changed.
  void change(NodeId node) {
    if (node >= entries.size())
      entries.resize(node + 1);
    if (entries[node].isPending)
      return;
    entries[node].isPending = true;
    changed.push_back(node);
  }
  /// `node` was put below `above`, which it may leave again.
  void attach(NodeId node, NodeId above);

  /// Looks at what has changed, as what depends on what the nodes are needs it.
  /// Cost: linear in the nodes that have changed since the last time.
  void refresh(llvm::ArrayRef<Node> nodes) {
    if (!changed.empty())
      lookAtChanged(nodes);
  }
  /// As above, and keeps `set` from now on, which `get` and `select` need.
  /// Cost of the first time: linear in the nodes.
  void refresh(llvm::ArrayRef<Node> nodes, NodeSet set) {
    refresh(nodes);
    if (!isKept(set))
      keep(set, nodes);
  }

  // What may be asked without `refresh`, for what asks after each small change.
  /// Whether a node was ever known to read the results of `node`.
  bool isRead(llvm::ArrayRef<Node> nodes, NodeId node);
  /// Whether all nodes that may be there are exact.
  bool areAllExact(llvm::ArrayRef<Node> nodes);

  /// How often a node that had others below it has left all sets.
  unsigned getNumHoldersGone() const { return numHoldersGone; }

  /// The bits of the dialects of all nodes that were ever there, as a
  /// KindPattern has them; all, if the kind of one was not known.
  uint64_t getDialects() const { return dialects; }

  /// The nodes of `set`, which is kept, in the order in which they were added.
  llvm::ArrayRef<NodeId> get(NodeSet set);
  /// Those of them that `test` accepts the kind of; and, where `scope` is not
  /// none, no more of those that are exact than needed for all that are reached
  /// down from it. Cost: linear in the least of these three sets.
  llvm::SmallVector<NodeId> select(NodeSet set, KindTest test,
                                   std::optional<NodeId> scope);
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
  /// Of one node. It has no kind number before it is looked at.
  struct Entry {
    NodeSets sets = 0;
    bool isPending = false;
    bool isRead = false;
    unsigned kind = noKind;
    /// Of what has a loop or a space: the node that it is right inside, for
    /// sure and nowhere else.
    NodeId rightInside = noNode;
    /// How many nodes are right inside of this one.
    unsigned numRightInside = 0;
  };
  static constexpr unsigned noKind = ~0u;
  static constexpr NodeId noNode = ~0u;
  static constexpr NodeSets getBit(NodeSet set) {
    return NodeSets(1) << static_cast<unsigned>(set);
  }
  bool isKept(NodeSet set) const { return (kept & getBit(set)) != 0; }
  void keep(NodeSet set, llvm::ArrayRef<Node> nodes);
  void keepKinds();
  void lookAtChanged(llvm::ArrayRef<Node> nodes);
  /// Looks at what has changed if that is much.
  void refreshIfMany(llvm::ArrayRef<Node> nodes) {
    constexpr size_t many = 16;
    if (changed.size() > many)
      lookAtChanged(nodes);
  }
  /// Of a set that is kept, or of `Present`.
  bool isIn(NodeId node, NodeSet set) const {
    return (entries[node].sets & getBit(set)) != 0;
  }
  /// Whether `id` belongs to `set`.
  bool isMember(llvm::ArrayRef<Node> nodes, NodeId id, NodeSet set) const;

  /// In the order in which nodes were added, with nodes that have left it.
  struct List {
    llvm::SmallVector<NodeId, 16> nodes;
    size_t numLeft = 0;
    size_t size() const { return nodes.size() - numLeft; }
    void insert(NodeId node);
  };
  /// Notes what `node` is right inside of now; of interest to `Bottom` alone.
  void putRightInside(llvm::ArrayRef<Node> nodes, NodeId node);
  unsigned getKindNumber(const std::optional<mlir::OperationName> &kind);
  /// Drops the nodes that `isListed` denies, when these are many.
  static void compact(List &list, bool now,
                      llvm::function_ref<bool(NodeId)> isListed);

  std::array<List, numSets> sets;
  NodeSets kept = getBit(NodeSet::Inexact);
  /// The nodes of one kind that are there, as far as `keepsKinds`.
  struct Kind {
    std::optional<mlir::OperationName> name;
    bool wasThere = false;
    List list;
  };
  std::vector<Kind> kinds;
  bool keepsKinds = false;
  llvm::DenseMap<const void *, unsigned> kindNumbers;
  uint64_t dialects = 0;
  std::vector<Entry> entries;

  /// Nodes below others, as lists in an array.
  struct Link {
    NodeId node;
    unsigned next;
  };
  std::vector<Link> links;
  /// The first link of a node, plus 1.
  std::vector<unsigned> firstLink;

  std::vector<NodeId> changed;
  unsigned numHoldersGone = 0;
};

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_STATE_NODEINDEX_H
