//===- Predicate.h - Structural predicates of forms -------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A predicate finds the places where payload is not in a form, without changing
// the payload. Layer: normalforms; it knows nothing of forms that use it.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_NORMALFORMS_IR_PREDICATE_H
#define FORMWORK_NORMALFORMS_IR_PREDICATE_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <functional>
#include <string>

namespace formwork::normalforms {

/// One place where a predicate does not hold.
struct Violation {
  mlir::Operation *op;
  std::string clause;  ///< stable id, `<predicate>.cN`
  std::string message; ///< "requires … but has …", lower case, no full stop
};

/// Appends every violation strictly below `anchor`, in walk order. With
/// `onlyFirst`, may stop at the first one. Pure. Law (restriction): a predicate
/// is universal over the ops below, so a predicate that holds at an anchor
/// holds at every anchor inside it.
using PredicateFn = std::function<void(
    mlir::Operation *anchor, llvm::SmallVectorImpl<Violation> &violations,
    bool onlyFirst)>;

/// One clause of a predicate, for the catalogue.
struct PredicateClause {
  std::string id;          ///< `<predicate>.cN`
  std::string requirement; ///< "no value of tensor type"
};

/// A registered predicate.
struct Predicate {
  std::string name; ///< kebab-case
  llvm::SmallVector<PredicateClause> clauses;
  PredicateFn check;
};

} // namespace formwork::normalforms

#endif // FORMWORK_NORMALFORMS_IR_PREDICATE_H
