//===- Twins.h - Ops that may be alike --------------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which ops common subexpression elimination may take for one that is there as
// well. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_STATE_TWINS_H
#define FORMWORK_VERIFIER_STATE_TWINS_H

#include "verifier/state/PayloadModel.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringMap.h"

#include <string>

namespace formwork::verifier {

/// The structured ops and loops below one scope, by what distinguishes them.
class Twins {
public:
  /// Cost: linear in the ops of the kinds that are asked for.
  Twins(const PayloadModel &payload, NodeId scope)
      : payload(payload), scope(scope) {}

  /// The op of `id` stays as it is, and so what holds it is unlike all others
  /// if the op is.
  void keep(NodeId id);
  /// Calls `fn` on each of `start`, and of the loops around them, like which
  /// there may be another one so that both may be one: what writes to a buffer
  /// is done as often as it is there. Around what is unlike all others, no loop
  /// is looked at.
  void forEach(llvm::ArrayRef<NodeId> start,
               llvm::function_ref<void(NodeId)> fn);

private:
  /// Ops of one kind and shape.
  struct Group {
    llvm::SmallVector<NodeId, 1> ids;
    std::optional<bool> areNested;
  };
  /// Ops of one kind.
  struct Alike {
    unsigned number = 0;
    /// Of which the shape is not known.
    unsigned numberUnknown = 0;
    llvm::StringMap<Group> ofShape;
    /// Steps may have put others there, for which there is no node.
    bool mayHide = false;
  };

  Alike findAlike(mlir::OperationName kind) const;
  bool mayRepeat(NodeId id);
  /// Whether what is kept, at or inside of the op, tells it from all others.
  bool isUnlike(NodeId id);
  /// Whether each of the ops but one is inside of another one of them.
  bool areNested(Group &group) const;

  const PayloadModel &payload;
  const NodeId scope;
  llvm::DenseMap<mlir::OperationName, Alike> all;
  /// What is unlike all others by itself; and what holds any of it, found only
  /// when asked for.
  llvm::SetVector<NodeId> kept;
  std::optional<llvm::DenseSet<NodeId>> unlike;
};

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_STATE_TWINS_H
