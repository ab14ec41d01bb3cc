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
// these sets, so that a schedule costs no more than its changes. Changes are
// logged, and each set reads the log when somebody asks for it. Layer:
// verifier; internal to the payload model.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_STATE_NODEINDEX_H
#define FORMWORK_VERIFIER_STATE_NODEINDEX_H

#include "verifier/state/Node.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <array>
#include <optional>
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
  Unsettled, ///< a step may still put it, or what it holds, in doubt
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

class NodeIndex {
public:
  static constexpr size_t numSets = static_cast<size_t>(NodeSet::Tagged) + 1;
  using KindTest =
      llvm::function_ref<bool(const std::optional<mlir::OperationName> &)>;

  /// `node` is new, or may have changed. The node above everything is in no
  /// set.
  void change(NodeId node) {
    if (node != topNode && (log.size() == numRead || log.back() != node))
      log.push_back(node);
  }
  /// `node` was put below `above`, which it may leave again.
  void attach(NodeId node, NodeId above);

  // These look at the changes first. Cost: linear in the changes since the last
  // time, and where a set is returned, in an eighth of a byte for each node.
  /// The nodes of `set`.
  const llvm::BitVector &get(llvm::ArrayRef<Node> nodes, NodeSet set);
  /// Reads all sets that were asked for.
  void refresh(llvm::ArrayRef<Node> nodes);
  /// Whether a node was ever known to read the results of `node`.
  bool isRead(llvm::ArrayRef<Node> nodes, NodeId node);
  /// Grows when a node that has others below it is not there any more.
  unsigned getNumHoldersGone(llvm::ArrayRef<Node> nodes);
  /// The nodes of `set` whose kind `test` accepts, in the order in which they
  /// were added. With a `scope`, exact nodes that are not reached down from it
  /// may be left out.
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
  static constexpr NodeId noNode = ~0u;
  static constexpr unsigned noKind = ~0u;

  /// Reads the kinds, and who reads whom.
  void readKinds(llvm::ArrayRef<Node> nodes);
  /// For `Bottom` alone: notes the node right around `node`.
  void putRightInside(llvm::ArrayRef<Node> nodes, NodeId node);
  /// Whether `id`, which may be there, belongs to `set`.
  bool isMember(llvm::ArrayRef<Node> nodes, NodeId id, NodeSet set) const;

  /// The nodes that have changed, in order.
  std::vector<NodeId> log;
  /// How much of it some set has read: a later change counts again.
  size_t numRead = 0;
  struct Set {
    llvm::BitVector nodes;
    /// How much of `log` it takes into account.
    size_t seen = 0;
  };
  std::array<Set, numSets> sets;

  /// The nodes of one kind, or of an unknown one, that may be there.
  struct Kind {
    std::optional<mlir::OperationName> name;
    llvm::BitVector nodes;
  };
  std::vector<Kind> kinds;
  /// The place in `kinds` of each node that may be there; else `noKind`.
  std::vector<unsigned> kindOf;
  llvm::BitVector read;
  size_t seenKinds = 0;
  unsigned numHoldersGone = 0;

  /// For a node with a loop or a space: the node directly around it, if it is
  /// certain that it is nowhere else.
  std::vector<NodeId> rightAbove;
  /// How many nodes are right inside of each.
  std::vector<unsigned> numRightInside;

  /// Nodes below others, as lists in an array.
  struct Link {
    NodeId node;
    unsigned next;
  };
  std::vector<Link> links;
  /// The first link of a node, plus 1.
  std::vector<unsigned> firstLink;
};

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_STATE_NODEINDEX_H
