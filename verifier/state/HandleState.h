//===- HandleState.h - What a transform value stands for --------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The facts about one handle or parameter. Layer: verifier; a value.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_STATE_HANDLESTATE_H
#define FORMWORK_VERIFIER_STATE_HANDLESTATE_H

#include "verifier/state/PayloadModel.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/SmallVector.h"

#include <string>

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
  /// The type of the attribute, where it is known and `isSize` does not say it.
  mlir::Type type = nullptr;
  /// Why there is no integer.
  std::string reason = "";
  /// The attribute, where it is known and `size` with `isSize` does not say it.
  mlir::Attribute attribute = nullptr;
  bool operator==(const ParamValue &other) const = default;

  /// Null where it is not known.
  mlir::Attribute getAttribute(mlir::MLIRContext *context) const {
    if (attribute || !isSize || !size)
      return attribute;
    return mlir::IntegerAttr::get(mlir::IntegerType::get(context, 64), *size);
  }
};

/// The payload or the parameters of one transform value.
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
  llvm::SmallVector<ParamValue, 0> params;
  /// Why it is not known.
  std::string opaqueReason;

  /// Also stands for what `other` says: its entries are known to be different
  /// ops only since both were.
  void joinDistinct(const HandleState &other) {
    bool isKnown = distinctAt != 0 && other.distinctAt != 0;
    distinctAt = isKnown ? std::max(distinctAt, other.distinctAt) : 0;
  }
  /// Keeps what holds on both paths.
  void join(const HandleState &other);
  /// Whether no op is among its entries twice.
  bool isDistinct(const PayloadModel &payload) const {
    return distinctAt != 0 && !payload.mayHaveMerged(distinctAt);
  }

  /// Whether its values may all have been erased. Upstream forgets such a
  /// handle; a later use then reads memory that is not its own, and anything
  /// may happen. A loop that is rewritten may lose results that nothing reads.
  bool mayBeForgotten(const PayloadModel &payload) const;

  /// The number of payload entries.
  Count count(const PayloadModel &payload) const {
    Count sum = Count::exactly(0);
    for (NodeId node : nodes) {
      Count one = payload[node].count;
      if (payload[node].present != Certainty::Yes)
        one.lo = 0;
      sum = sum + one;
    }
    if (mayBeForgotten(payload))
      sum.lo = 0;
    return sum;
  }
  /// The number of payload entries or parameters. For parameters without a
  /// value, the number is not known.
  Count countEntries(const PayloadModel &payload) const {
    if (kind != Params)
      return count(payload);
    return params.empty() ? Count() : Count::exactly(params.size());
  }
};

/// The kind of handle for a transform value of type `type`.
HandleState::Kind kindOfHandle(mlir::Type type);

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_STATE_HANDLESTATE_H
