//===- State.h - What is known at a point of a schedule ---------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The state that the interpreter carries from op to op: the payload model, what
// each handle points at, and the forms. A value: branches copy it. Layer:
// verifier.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_STATE_STATE_H
#define FORMWORK_VERIFIER_STATE_STATE_H

#include "verifier/state/FormTable.h"
#include "verifier/state/PayloadModel.h"

#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

namespace formwork::verifier {

/// One attribute of a parameter.
struct ParamValue {
  /// The integer, if it is one.
  Size size;
  /// Whether the attribute is a signless integer of 64 bits: consumers of sizes
  /// take nothing else.
  bool isSize = true;
  /// Whether the attribute is known to be the integer with its sign extended.
  bool isSigned = false;
  /// Why there is no integer.
  std::string reason = "";
  bool operator==(const ParamValue &other) const = default;
};

/// What one transform value stands for.
struct HandleState {
  enum Kind { Ops, Values, Params };
  Kind kind = Ops;
  /// The ops; for values, those that define or own them.
  NodeList nodes;
  /// Whether the order of the nodes is that of the handle.
  bool ordered = true;
  /// Consumptions from here on make it stale.
  Time since = 0;
  /// When it was set without asking whether the payload is still there: that
  /// may be, although what holds it was consumed before. 0 if it was asked.
  Time unaskedUntil = 0;
  /// When its entries were different ops for sure; 0 if that is not known.
  Time distinctAt = 0;
  /// The op of which it is a result, or which bound it as a block argument.
  mlir::Operation *origin = nullptr;
  /// Set when an op consumed this very value.
  mlir::Operation *consumedBy = nullptr;
  bool consumedForSure = true;
  /// A use of it after its invalidation was reported, once.
  bool reported = false;
  /// No step asks for it any more.
  bool forsaken = false;
  /// So many handles were set before it.
  unsigned number = 0;
  /// For values: whether one of them may be a block argument.
  bool mayHoldArguments = true;
  /// For parameters: the attributes in order; empty where not even their number
  /// is known.
  llvm::SmallVector<ParamValue, 1> params;
  /// Why it is not known.
  std::string opaqueReason;

  /// Also stands for what `other` says: its entries are known to be different
  /// ops only since both were.
  void joinDistinct(const HandleState &other) {
    bool isKnown = distinctAt != 0 && other.distinctAt != 0;
    distinctAt = isKnown ? std::max(distinctAt, other.distinctAt) : 0;
  }
  /// Whether no op is among its entries twice.
  bool isDistinct(const PayloadModel &payload) const {
    return distinctAt != 0 && !payload.mayHaveMerged(distinctAt);
  }

  /// The number of payload entries.
  Count count(const PayloadModel &payload) const {
    Count sum = Count::exactly(0);
    for (NodeId node : nodes) {
      Count one = payload[node].count;
      if (payload[node].present != Certainty::Yes)
        one.lo = 0;
      sum = sum + one;
    }
    return sum;
  }
  /// The number of entries: of payload or of parameters. Of parameters without
  /// a value, not even the number is known.
  Count countEntries(const PayloadModel &payload) const {
    if (kind != Params)
      return count(payload);
    return params.empty() ? Count() : Count::exactly(params.size());
  }
};

/// What a transform value of type `type` stands for.
HandleState::Kind kindOfHandle(mlir::Type type);

/// Whether, and by what, a handle was invalidated.
struct HandleInvalidation {
  Certainty certainty = Certainty::No;
  /// The schedule op that consumed; null when nothing did.
  mlir::Operation *by = nullptr;
  /// Of a handle that was not consumed itself: its node that died, and the
  /// consumption of which it died.
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

struct State {
  explicit State(const normalforms::FormLibrary &library) : forms(library) {}

  /// Whether an op that uses `handle` now uses an invalidated handle.
  HandleInvalidation getInvalidation(const HandleState &handle) const;

  /// See PayloadModel::join; handles that only one path set are kept.
  void join(const State &before, const State &other, bool inPart);

  /// Makes `value` the handle `handle`.
  HandleState &setHandle(mlir::Value value, HandleState handle);

  /// Adds `node` for a handle that no op reads, or returns one that stands for
  /// no less, in the same place: nobody tells such handles apart.
  NodeId addUnused(Node node);

  /// Calls `fn` on the handles that are alive, but for those that no op reads
  /// and that have nothing but what `addUnused` returned. What `isForsaken`
  /// accepts is so from then on, and let go unless `followsForsaken`. Cost:
  /// linear in the handles that stay.
  void
  forEachFollowing(llvm::function_ref<bool(mlir::Value)> isForsaken,
                   llvm::function_ref<void(mlir::Value, HandleState &)> fn);
  llvm::ArrayRef<NodeId> getUnused() const { return unused; }

  /// Makes the nodes and handles of `other` known to be others than those that
  /// follow here; see PayloadModel::skipNodesOf.
  void skipThoseOf(const State &other) {
    payload.skipNodesOf(other.payload);
    numHandles = std::max(numHandles, other.numHandles);
  }

  PayloadModel payload;
  llvm::DenseMap<mlir::Value, HandleState> handles;
  FormTable forms;
  /// False on a path that may not be taken.
  bool certain = true;
  /// What the open knobs must be for this path to be taken, if anything.
  std::optional<solver::BoolTerm> guard = std::nullopt;
  /// The scopes that run as detached clones: nothing above them is attached.
  NodeList detached;
  /// Silenceable failures do not end the schedule here.
  bool suppressed = false;
  /// They end something that this is inside of: an iteration, or a sequence
  /// that does not suppress them itself.
  bool leaves = false;
  /// That may have happened, so that what follows in it may not run.
  bool mayHaveLeft = false;
  /// A silenceable failure ends this path, and another is tried.
  bool recovers = false;
  /// That has happened, so that what follows on this path does not run.
  bool ended = false;
  /// What fusion left behind, until a step erases what is not read.
  llvm::SmallVector<UnreadProducer, 0> unread;
  /// Extensions of types are folded into the contractions that read them.
  bool foldsExtensions = false;
  /// Somebody looks at handles that no step asks for any more.
  bool followsForsaken = false;

private:
  bool isSettled(mlir::Value value, const HandleState &handle) const;

  /// The nodes that `addUnused` has added.
  NodeList unused;
  /// So many handles have been set.
  unsigned numHandles = 0;
  /// The handles that `forEachFollowing` visits, and some that are done with.
  llvm::SmallVector<mlir::Value, 0> following;
};

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_STATE_STATE_H
