//===- FormTable.h - Which anchors are in which forms -----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The forms of the payload at one point of a schedule, as far as known (DESIGN
// §2): a set per anchor, with the laws of restriction and of change. Layer:
// verifier.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_STATE_FORMTABLE_H
#define FORMWORK_VERIFIER_STATE_FORMTABLE_H

#include "normalforms/ContractLibrary.h"
#include "normalforms/FormLibrary.h"
#include "verifier/state/PayloadModel.h"

#include <optional>
#include <string>

namespace formwork::verifier {

/// The rule groups and procedures of a clean-up step, by name; the names belong
/// to the context, or to the libraries.
using RewriteNames = llvm::SmallVector<llvm::StringRef, 4>;

class FormTable {
public:
  explicit FormTable(const normalforms::FormLibrary &library)
      : library(&library) {}

  /// The forms that hold at `node`: those of the node and of all anchors around
  /// it.
  normalforms::FormSet get(const PayloadModel &payload, NodeId node) const;
  /// Whether `form` holds at `node`, or hand-written clean-up since the last
  /// other write has run all that the form consists of. The latter is weaker: a
  /// later part may have undone an earlier one.
  bool has(const PayloadModel &payload, NodeId node,
           normalforms::AtomId form) const;

  /// The anchors of which something is known, with the forms that hold there.
  llvm::SmallVector<std::pair<NodeId, normalforms::FormSet>>
  getEstablished() const;

  /// `form` holds at `anchor` from now on.
  void establish(NodeId anchor, normalforms::AtomId form);
  /// All of `held` holds there.
  void establish(NodeId anchor, const normalforms::FormSet &held);
  /// The effect of normalizing `anchor` to `form`.
  void normalize(const PayloadModel &payload, NodeId anchor,
                 normalforms::AtomId form);
  /// A write inside `scope` by an op with `contract`, or without one.
  void write(const PayloadModel &payload, NodeId scope,
             const normalforms::Contract *contract);
  /// A clean-up step ran `names` at `anchor`. A form that consists of at least
  /// these survives. Else a form survives when such a form preserves it, if
  /// that consists of just these or if the survivor has no rules that the step
  /// may have made work for; or when it is among `kept`.
  void cleanUp(const PayloadModel &payload, NodeId anchor,
               const RewriteNames &names,
               llvm::ArrayRef<normalforms::AtomId> kept = {});

  /// Whether both say the same.
  bool operator==(const FormTable &other) const = default;
  /// Keeps what `other` knows, too.
  void join(const FormTable &other);

private:
  struct Entry {
    NodeId anchor;
    normalforms::FormSet set;
    RewriteNames ran;
    bool operator==(const Entry &other) const = default;
  };
  Entry &entry(NodeId anchor);
  bool concerns(const PayloadModel &payload, NodeId anchor, NodeId scope) const;
  /// Removes the forms that `loses` accepts, except `kept` and those that forms
  /// with `names` among their rules vouch for.
  void restrictToVouched(const RewriteNames &names,
                         llvm::ArrayRef<normalforms::AtomId> kept,
                         llvm::function_ref<bool(const Entry &)> loses);

  const normalforms::FormLibrary *library;
  llvm::SmallVector<Entry, 4> entries;
};

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_STATE_FORMTABLE_H
