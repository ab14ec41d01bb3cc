//===- State.h - What is known at a point of a schedule ---------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The state that the interpreter carries from op to op: the payload model, what
// each handle points at, and the forms. A value; where a schedule can go
// several ways, each goes on from a fork. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_STATE_STATE_H
#define FORMWORK_VERIFIER_STATE_STATE_H

#include "verifier/state/FormTable.h"
#include "verifier/state/HandleTable.h"
#include "verifier/state/KernelVectors.h"
#include "verifier/state/PayloadModel.h"
#include "verifier/state/WorkgroupMemory.h"

#include "mlir/IR/Value.h"
#include "llvm/ADT/SmallVector.h"

namespace formwork::verifier {

/// Whether, and by what, a handle was invalidated.
struct HandleInvalidation {
  Certainty certainty = Certainty::No;
  /// The schedule op that consumed; null when nothing did.
  mlir::Operation *by = nullptr;
  /// For a handle that was not consumed itself: its node that became invalid,
  /// and the consumption that caused it.
  NodeId dead = PayloadModel::universe;
  Consumption event = {0, 0, nullptr};
  /// That very handle was consumed.
  bool direct = false;
};

/// A producer that step `by` fused into the only op that read it.
struct UnreadProducer {
  NodeId node;
  mlir::Operation *by;
};

/// Under which conditions the steps of a path run. Behind a fork, it is what it
/// was before.
struct PathContext {
  /// False on a path that may not be taken.
  bool certain = true;
  /// The condition on open knobs under which this path is taken, if any.
  std::optional<solver::BoolTerm> guard = std::nullopt;
  /// The scopes that run as detached clones: nothing above them is attached.
  NodeList detached;
  /// Silenceable failures do not end the schedule here.
  bool suppressed = false;
  /// They end something that this is inside of: an iteration, or a sequence
  /// that does not suppress them itself.
  bool leaves = false;
  /// A silenceable failure ends this path, and another is tried.
  bool recovers = false;

  /// Whether the schedule goes on behind a silenceable failure.
  bool survivesFailures() const { return suppressed || recovers; }
};

/// The state besides the payload and the handles.
struct PathState : PathContext {
  explicit PathState(const normalforms::FormLibrary &library)
      : forms(library) {}

  /// Whether a step that cannot succeed here ends the schedule, unless its
  /// failure goes unseen.
  bool isReached() const { return certain && !mayHaveLeft && assumed.empty(); }

  FormTable forms;
  /// A silenceable failure may have ended what this is inside of, so that what
  /// follows in it may not run.
  bool mayHaveLeft = false;
  /// The conditions on open knobs under which the state holds, each term once.
  /// With other values a step does something else, and nothing is proved.
  llvm::SmallVector<solver::BoolTerm, 1> assumed;
  /// A silenceable failure has ended this path, so that what follows on it does
  /// not run.
  bool ended = false;
  WorkgroupMemory memory;
  KernelVectors vectors;
  /// The producers that fusion left behind, until a step erases unread ops.
  llvm::SmallVector<UnreadProducer, 0> unread;
  /// Extensions of types are folded into the contractions that read them.
  bool foldsExtensions = false;
  /// The nodes that `addUnused` has added.
  NodeList unused;
  /// The handles that `forEachFollowing` visits, and some that are done with.
  llvm::SmallVector<mlir::Value, 8> following;
};

struct State : PathState {
  using PathState::PathState;

  /// Whether an op that uses `handle` now uses an invalidated handle.
  HandleInvalidation getInvalidation(const HandleState &handle) const;

  /// The changes of one path since a fork.
  struct Branch {
    PayloadModel::Branch payload;
    HandleTable::Branch handles;
    PathState path;
  };
  // See PayloadModel, of which each costs as much, together with the handles
  // that were looked up, and those that `forEachFollowing` visits.
  void fork();
  Branch leave();
  void take(Branch &&branch);
  /// Keeps what holds on both paths. The producers that fusion left behind, and
  /// whether types are folded, are those of the path that was taken last.
  void join(Branch &&other, bool inPart);
  /// Forgets what became of workgroup memory since the last fork, for a path
  /// that may not be taken. Returns whether buffers were allocated.
  bool dropBuffersOfPath();
  void endFork();

  /// Makes `value` a handle of which nothing is known yet. References to other
  /// handles are not valid any more.
  HandleState &setHandle(mlir::Value value);

  /// Adds `node` for a handle that no op reads, or returns one that stands for
  /// no less, in the same place: nobody tells such handles apart.
  NodeId addUnused(Node node);

  /// Calls `fn` on the live handles, except for those that no op reads and that
  /// have only nodes that `addUnused` returned. Handles that `isForsaken`
  /// accepts are forsaken from then on, and dropped unless `followsForsaken`.
  /// Cost: linear in the handles that stay.
  void
  forEachFollowing(llvm::function_ref<bool(mlir::Value)> isForsaken,
                   llvm::function_ref<void(mlir::Value, HandleState &)> fn);
  llvm::ArrayRef<NodeId> getUnused() const { return unused; }

  PayloadModel payload;
  HandleTable handles;
  /// Somebody looks at handles that no step asks for any more.
  bool followsForsaken = false;

private:
  /// The state besides payload and handles at the last fork.
  const PathState &getBeforeFork() const { return pathsBefore.back(); }
  bool isSettled(mlir::Value value, const HandleState &handle) const;
  bool isDoneWith(mlir::Value value) const;

  /// As of the last forks.
  llvm::SmallVector<PathState, 0> pathsBefore;
  /// So many handles have been set.
  unsigned numHandles = 0;
};

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_STATE_STATE_H
