//===- MatcherPredicate.h - Predicates written as matchers ------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes a predicate from a named matcher sequence of transform ops, so that
// users can declare forms without C++. Layer: normalforms.
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
/// yields one handle: the offending op. Its single clause is `<matcher>.c1`. A
/// matcher that fails definitely violates the clause, and its diagnostic is not
/// emitted. Fails, with an error at `loc`, when there is no such sequence
/// (fw-unknown-predicate) or its signature is different (fw-matcher-signature).
/// Fails, with an error at the op, when an op does not implement
/// MatchOpInterface (fw-matcher-op).
llvm::FailureOr<Predicate>
createMatcherPredicate(mlir::ModuleOp file, mlir::FlatSymbolRefAttr matcher,
                       mlir::Location loc);

} // namespace formwork::normalforms

#endif // FORMWORK_NORMALFORMS_MATCHERPREDICATE_H
