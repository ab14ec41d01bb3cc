//===- Tags.h - Discardable attributes of a payload op ----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The facts about the discardable attributes of an op, by which a schedule
// finds it again. Layer: verifier; a value.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_STATE_TAGS_H
#define FORMWORK_VERIFIER_STATE_TAGS_H

#include "verifier/state/Facet.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <optional>

namespace formwork::verifier {

/// The attributes that an op has, but for those of some *open* names, of which
/// it is not known whether it has them, and with what value.
///
/// Example: an op that was given with `{a}`, after something that may have been
/// it was annotated with "b", is known to have `a` and no `c`; `b` is open.
class Tags {
public:
  /// Nothing is known: every name is open.
  Tags() = default;
  Tags(std::nullopt_t) {}
  Tags(mlir::DictionaryAttr known) : known(known) {}

  /// Whether there is a name that is not open.
  bool isKnown() const { return known.has_value(); }
  /// Whether there is no attribute for sure.
  bool isEmpty() const { return known && known->empty() && changes->empty(); }
  // Cost of these three: constant, or a copy where a copy of these attributes
  // was changed in another way.
  bool isOpen(mlir::StringAttr name) const;
  /// The value, null if there is none; only for a name that is not open.
  mlir::Attribute get(mlir::StringAttr name) const {
    const auto *change = changes->find(name);
    return change != changes->end() ? change->second : known->get(name);
  }
  /// The op has the attribute from now on.
  void set(mlir::StringAttr name, mlir::Attribute value);

  /// Those that are not open, if some are not. Cost: linear in these.
  mlir::DictionaryAttr getKnown() const;
  /// Whether these may be all that an op has.
  bool mayBe(mlir::DictionaryAttr all) const;

  /// It may have got or lost it, or another value.
  void makeOpen(mlir::StringAttr name);
  /// The op may have lost any that it had.
  void mayLoseAll();
  /// Keeps what holds for these attributes as well as for those of `other`.
  void join(const Tags &other);
  /// Calls `fn` with each name that it has, perhaps, if some are not open.
  void forEachName(llvm::function_ref<void(mlir::StringAttr)> fn) const;

private:
  std::optional<mlir::DictionaryAttr> known;
  /// The facts instead, by name, null for a name that is open.
  Facet<llvm::MapVector<mlir::StringAttr, mlir::Attribute>> changes;
};

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_STATE_TAGS_H
