//===- Node.h - What is known of one payload op -----------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A node of the payload model: what stands for one payload op, or for a set of
// them, and where it lies. Layer: verifier; a value.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_STATE_NODE_H
#define FORMWORK_VERIFIER_STATE_NODE_H

#include "verifier/payload/Facts.h"
#include "verifier/state/Facet.h"
#include "verifier/state/KindSet.h"
#include "verifier/state/Tags.h"

#include "normalforms/PayloadFeatures.h"

#include "mlir/IR/Operation.h"
#include "llvm/ADT/SmallVector.h"

#include <memory>
#include <optional>

namespace formwork::verifier {

using NodeId = uint32_t;
using NodeList = llvm::SmallVector<NodeId, 2>;
/// The node above everything, of which nothing is known.
inline constexpr NodeId topNode = 0;
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
  NodeId boundary = topNode;
  /// For an `Element`: two that were drawn at the same time, other than 0, from
  /// the ops of one node are different entries.
  Time drawnAt = 0;

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

/// The kind of an op, if it is known.
class NodeKind {
public:
  NodeKind() = default;
  NodeKind(std::nullopt_t) {}
  NodeKind(mlir::OperationName name) : name(name) {}
  NodeKind(std::optional<mlir::OperationName> name) : name(name) {}

  bool isIsolated() const {
    return name && KindPattern("$isolated").matches(*name);
  }

  operator const std::optional<mlir::OperationName> &() const { return name; }
  explicit operator bool() const { return name.has_value(); }
  const mlir::OperationName &operator*() const { return *name; }
  const mlir::OperationName *operator->() const { return &*name; }
  friend bool operator==(const NodeKind &a, const NodeKind &b) {
    return a.name == b.name;
  }

private:
  std::optional<mlir::OperationName> name;
};

/// Facts about an op that tiling or fusion made. Operands are bits, for the
/// first 64.
struct TileFacts {
  /// The op of which it is a part; else none (0).
  NodeId partOf = 0;
  /// The operands of which tiling took a slice.
  uint64_t sliced = 0;
  /// Those of them of which that is a part, or a slice of a part; and those
  /// that the last tiling split.
  uint64_t parts = 0, lastParts = 0;
  /// For an op that is not structured: the types of its operands, as it was
  /// made; null if they are not known.
  std::shared_ptr<const llvm::SmallVector<mlir::Type>> types;

  void join(const TileFacts &other);
};

/// Facts about a slice that tiling took, or about an op that packs an operand:
/// the only op that reads it, and the number of that operand; else none (0).
struct ReaderFacts {
  NodeId only = 0;
  unsigned operand = 0;

  void join(const ReaderFacts &other);
};

/// Facts about a node without a kind: each op has one of `kinds`, or any kind
/// if the list is empty; all ops are in the class `cls`, if it is set.
struct AmongFacts {
  llvm::SmallVector<mlir::OperationName, 0> kinds;
  llvm::StringRef cls;

  bool isEmpty() const { return kinds.empty() && cls.empty(); }
  void join(const AmongFacts &other);
};

/// Facts about one payload op, or about a set of payload ops.
///
/// An *exact* node stands for one op whose place in the forest is complete: two
/// exact nodes are disjoint if neither is reached from the other. Any other
/// node stands for `count` ops somewhere at or below the nodes above it.
struct Node {
  Node() = default;
  Node(const Node &) = default;
  Node &operator=(const Node &) = default;
  // Else a vector that grows copies its nodes.
  Node(Node &&) noexcept = default;
  Node &operator=(Node &&) noexcept = default;

  // Members that every walk over the nodes reads come first.
  NodeKind kind;
  /// Whether the ops are still there: `No` once erased or replaced.
  Certainty present = Certainty::Yes;
  bool exact = false;
  /// Made by a step, so that nothing older is at or below it unless it says so.
  bool fresh = false;
  /// Whether a node was ever put below this one.
  bool hasBelow = false;
  /// When it was set, its ops were different ones, and none inside another.
  bool apart = false;
  /// For a loop: it may yield tensors in other buffers than the given ones.
  bool mayYieldOthers = false;
  /// A tensor in it, whose memory a step chose, may be copied or handed on.
  bool mayMoveMemory = false;
  /// A tensor.pad that must not fold and adds nothing.
  bool isCopy = false;
  /// For a node without a kind: its kind is recorded as introduced.
  bool isRecorded = false;
  /// The unusual features of the payload op as it was given, of the ops in it,
  /// and of the ops around it that a step inside of it can see. For an op that
  /// a step made: those of the op that it was made from. None if they are not
  /// known.
  std::optional<normalforms::FeatureSet> features;
  /// The payload op, while no step can have changed it; else null.
  mlir::Operation *op = nullptr;
  std::shared_ptr<const IterationSpace> space;
  std::shared_ptr<const LoopFacts> loop;
  /// Something with a side effect, or a terminator, depends on its results; see
  /// PayloadModel::isNeeded.
  bool live = false;
  llvm::SmallVector<Up, 1> ups;
  /// The nearest op above that is isolated, as of when the node was put there;
  /// `universe` when that is not known.
  NodeId isolatedAbove = topNode;
  /// The position of the op, or of the payload op that it was made from, in a
  /// walk that visits nested ops before the op itself; `nowhere` for any other
  /// op. Ops that one step made side by side share a position. See
  /// PayloadModel::mayHaveReordered.
  static constexpr unsigned nowhere = ~0u;
  unsigned position = nowhere;
  /// Per operand of a structured op: the node that produces it, or what it is a
  /// slice of that tiling took; none (0), or PayloadModel::unknownProducer.
  llvm::SmallVector<NodeId, 3> producers;
  /// Its discardable attributes, where they are known.
  Tags tags;
  Count count;

  /// A payload op whose body, maps and attributes are the same: `op`, or one
  /// that was tiled or split; null when that is not known.
  mlir::Operation *body = nullptr;
  /// When `body` was as that says; a clean-up since may have said the same in
  /// another way.
  Time bodySince = 0;
  Time createdAt = 0;
  /// When it became unsure whether the ops are still there; 0 while it is not.
  Time doubtedSince = 0;
  /// The schedule op that made or found it; null for the payload's own.
  mlir::Operation *origin = nullptr;
  Facet<TileFacts> tile;
  Facet<ReaderFacts> reader;
  Facet<AmongFacts> among;
  /// The op in whose stead its results are read; else none (0).
  NodeId replaces = 0;
  std::shared_ptr<const PackFacts> pack;
  llvm::SmallVector<Consumption, 1> consumed;
  /// Whether it stands for an op at least, which is there.
  bool isSurelyThere() const {
    return present == Certainty::Yes && count.lo > 0;
  }
  /// Without a kind, it is for an op that no other node stands for, nor what is
  /// recorded as introduced, so that it may be of any.
  bool isUnlisted() const { return !kind && fresh && !isRecorded; }
  /// Kinds of op that steps may have put at unknown places below.
  KindSet introducedHere;
  KindSet introducedBelow;
};

/// A node that `origin` makes where `old` stands: of the same kind, in the same
/// place, as often. Nothing else is said of it. With `kind`, of that kind.
Node makeBeside(const Node &old, mlir::Operation *origin,
                const NodeKind &kind = {});

/// Whether ops of `kind` are `OpTy`s.
template <typename OpTy>
bool isKind(const std::optional<mlir::OperationName> &kind) {
  if (!kind)
    return false;
  return kind->isRegistered()
             ? kind->getTypeID() == mlir::TypeID::get<OpTy>()
             : kind->getStringRef() == OpTy::getOperationName();
}
/// Whether the op is known to be an `OpTy`.
template <typename OpTy> bool isKind(const Node &node) {
  return isKind<OpTy>(node.kind);
}

/// Whether an op that `vague` stands for may be of the kind of `node`.
bool mayBeOfKindOf(const Node &vague, const Node &node);

/// Whether the op may be of one of `kinds`, types of values included.
bool mayBeOfKind(const Node &node, llvm::ArrayRef<KindPattern> kinds);

/// Whether the op may be a loop, by its kind.
inline bool mayBeLoop(const Node &node) {
  return !node.kind || KindPattern("$loop").matches(*node.kind);
}

/// The kind of the node; any, if it is not known.
inline KindPattern getPattern(const Node &node) {
  return node.kind ? KindPattern(*node.kind) : KindPattern("*");
}

/// As above, of an op of `kind` of which no more is known; of an unknown kind,
/// if there is none.
bool mayBeAmong(const std::optional<mlir::OperationName> &kind,
                llvm::ArrayRef<KindPattern> kinds);

/// Whether ops of `kind`, which is registered, have an attribute `name` of
/// their own.
bool isOwnAttribute(mlir::OperationName kind, mlir::StringAttr name);
/// Whether `name` has the prefix of a dialect that is registered.
bool isDialectAttribute(mlir::StringAttr name);
/// Whether an attribute called `name`, of which `isDialectAttribute` says
/// whether it `isOfDialect`, may be more to an op of `kind` than a mark to find
/// it by.
bool isMeaningful(mlir::OperationName kind, mlir::StringAttr name,
                  bool isOfDialect);

/// Whether there may be ops below the op: one of which only a handle tells
/// stands for ops with contents of their own.
bool mayHaveBelow(const Node &node);

/// Whether all ops of the node are known to be of one of `kinds`: by its kind
/// or, without one, by what it stands for.
bool isSurelyOfKind(const Node &node, llvm::ArrayRef<KindPattern> kinds);

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_STATE_NODE_H
