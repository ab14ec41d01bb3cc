//===- MatcherPredicate.h - Predicates written as matchers ------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes a predicate of a named matcher sequence in transform ops, so that users
// can declare forms without C++. Layer: normalforms.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_NORMALFORMS_MATCHERPREDICATE_H
#define FORMWORK_NORMALFORMS_MATCHERPREDICATE_H

#include "normalforms/IR/Predicate.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Location.h"

namespace formwork::normalforms {

/// The predicate that holds when the named sequence `matcher` of `file` matches
/// no op strictly below the anchor. The matcher takes one handle to any op and
/// yields one: the offending op. Its single clause is `<matcher>.c1`; a matcher
/// that fails for good violates it, and no diagnostic is emitted then.
/// Fails, with an error at `loc`, when there is no such sequence or its
/// signature is another (fw-unknown-predicate, fw-matcher-signature), and with
/// one at the op that does not implement MatchOpInterface (fw-matcher-op).
llvm::FailureOr<Predicate>
createMatcherPredicate(mlir::ModuleOp file, mlir::FlatSymbolRefAttr matcher,
                       mlir::Location loc);

} // namespace formwork::normalforms

#endif // FORMWORK_NORMALFORMS_MATCHERPREDICATE_H
