//===- CseCandidates.h - Ops that CSE may merge -----------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which ops common subexpression elimination may replace by an equal one.
// Layer: verifier.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_STATE_CSECANDIDATES_H
#define FORMWORK_VERIFIER_STATE_CSECANDIDATES_H

#include "verifier/state/PayloadModel.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

#include <string>

namespace formwork::verifier {

/// The structured ops and loops below one scope, grouped by kind and shape. Two
/// of one group may be equal; an op that is alone in its group is unique.
class CseCandidates {
public:
  /// Cost: linear in the ops of the kinds that are asked for.
  CseCandidates(const PayloadModel &payload, NodeId scope)
      : payload(payload), scope(scope) {}

  /// No step changes the op of `id`. If it is unique, so is every op that holds
  /// it.
  void keep(NodeId id);
  /// Calls `fn` on each candidate among `start` and the loops around them. An
  /// op that writes to a buffer is no candidate. The loops around a unique op
  /// are unique, too.
  void forEach(llvm::ArrayRef<NodeId> start,
               llvm::function_ref<void(NodeId)> fn);

private:
  /// Ops of one kind and shape.
  struct Group {
    llvm::SmallVector<NodeId, 1> ids;
    std::optional<bool> areNested;
  };
  /// All ops of one kind.
  struct Kind {
    unsigned number = 0;
    /// Those whose shape is not known.
    unsigned numberUnknown = 0;
    llvm::StringMap<Group> ofShape;
    /// By shape: loops whose result is not known, and by shape and result, the
    /// others. Loops with different results are not equal.
    llvm::StringSet<> ofOpenResult;
    llvm::StringMap<Group> ofResult;
    /// Steps may have added ops of the kind for which there is no node.
    bool mayHide = false;
  };

  Kind read(mlir::OperationName kind) const;
  /// Whether another op may be equal.
  bool mayRepeat(NodeId id);
  /// Whether a kept op, at or inside of the op, makes it unique.
  bool isUnique(NodeId id);
  /// Whether each op of the group, but one, is inside of another of them.
  bool areNested(Group &group) const;

  const PayloadModel &payload;
  const NodeId scope;
  llvm::DenseMap<mlir::OperationName, Kind> kinds;
  /// The ops that are kept and unique.
  llvm::SetVector<NodeId> kept;
  /// The ops that hold one of them; found when it is first asked for.
  std::optional<llvm::DenseSet<NodeId>> holders;
};

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_STATE_CSECANDIDATES_H
