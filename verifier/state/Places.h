//===- Places.h - How all nodes lie to one scope ----------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The answers of `PayloadModel::isAtOrBelow` for one scope and many nodes.
// Layer: verifier.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_STATE_PLACES_H
#define FORMWORK_VERIFIER_STATE_PLACES_H

#include "verifier/state/PayloadModel.h"

namespace formwork::verifier {

/// Whether ops of `consumed` may be, or hold, ops of `other`, by all that is
/// not their place: their kinds, who made them and when, the sets they are in.
bool mayBeOneWhereverTheyAre(const PayloadModel &payload, NodeId consumed,
                             NodeId other);

/// Says of any node how it lies to `scope`, and remembers what it met on the
/// way, so that the nodes of a nest share one walk. Good as long as no place in
/// the model changes. Cost: of all questions together, linear in the nodes, as
/// long as these have one sure way up; without a question, none.
class Places {
public:
  Places(const PayloadModel &payload, NodeId scope)
      : payload(payload), scope(scope) {}

  /// The answer of `payload.isAtOrBelow(node, scope)`.
  Certainty get(NodeId node);

private:
  enum Answer : char { Meets, Misses, Unsure };
  /// Whether the one sure way up from `node` meets the scope.
  Answer followSureWay(NodeId node);
  /// Whether ops of `node` may be at or below ops of the scope, when no way up
  /// leads from the one to the other.
  bool mayAffect(NodeId node);
  /// Whether ops below `exact` and the scope's are disjoint; `exact` is the
  /// nearest exact node at or around a node.
  bool isDisjoint(NodeId exact);
  NodeId getExactAncestor(NodeId node);
  /// Whether every op of the scope is below, not at, an op of `node`, for sure.
  bool isScopeInside(NodeId node);

  const PayloadModel &payload;
  NodeId scope;
  llvm::DenseMap<NodeId, Answer> answers;
  /// The nearest exact node at or around a node.
  llvm::DenseMap<NodeId, NodeId> exact;
  llvm::DenseMap<NodeId, bool> disjoint;
  /// The nodes on the one way up from the scope, with whether it is strictly
  /// inside; empty while unknown.
  llvm::DenseMap<NodeId, bool> around;
};

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_STATE_PLACES_H
