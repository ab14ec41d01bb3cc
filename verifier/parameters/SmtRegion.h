//===- SmtRegion.h - Terms for regions of SMT ops ---------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Translates the region of a `transform.smt.constrain_params`, which upstream
// parses and cannot execute, into terms of the solver. Layer: verifier; knows
// the SMT dialect, and not where the parameters come from.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_PARAMETERS_SMTREGION_H
#define FORMWORK_VERIFIER_PARAMETERS_SMTREGION_H

#include "verifier/parameters/BitVectors.h"
#include "verifier/solver/Problem.h"

#include "mlir/IR/Block.h"

#include <variant>

namespace formwork::verifier {

/// A value that has no term, and why.
struct Opaque {
  std::string reason;
  /// The op of the region that is not modelled, if it is one.
  mlir::Operation *op = nullptr;
};

/// Bit vectors are modelled up to this width, which is that of a parameter of
/// sizes.
inline constexpr unsigned kMaxBitVector = 64;

using SmtValue = std::variant<Opaque, solver::IntTerm, solver::BoolTerm, Bits>;

/// The assertion of one `smt.assert`.
struct SmtAssertion {
  mlir::Operation *op;
  std::variant<Opaque, solver::BoolTerm> condition;
};

struct SmtRegion {
  llvm::SmallVector<SmtAssertion> assertions;
  /// The operands of the terminator.
  llvm::SmallVector<SmtValue> yielded;
};

using AssignTerm = llvm::function_ref<solver::IntTerm(solver::IntTerm)>;

/// The value of a parameter as the block argument of type `type` sees it: an
/// integer, "it is not 0", or its bits.
SmtValue makeSmtArgument(solver::TermContext &context, solver::IntTerm term,
                         mlir::Type type);

/// The integer that a yielded value puts into a parameter; none for an opaque
/// one.
std::optional<solver::IntTerm> toParameter(solver::TermContext &context,
                                           const SmtValue &value);

/// Translates `body`, whose arguments have the values `arguments`. Symbols that
/// it declares become auxiliaries of `problem`, named `prefix`.N, for which
/// `assign` gives a value, or themselves.
///
/// Covers booleans, integers and bit vectors of at most kMaxBitVector bits
/// without quantifiers, arrays and functions; anything else makes what depends
/// on it opaque. Differs from SMT-LIB in one point: a division of integers by
/// zero has no value there, so that an assertion that depends on it does not
/// hold, where SMT-LIB lets the solver pick one.
SmtRegion translateSmtRegion(
    mlir::Block &body, llvm::ArrayRef<SmtValue> arguments,
    solver::Problem &problem, llvm::StringRef prefix,
    AssignTerm assign = [](solver::IntTerm term) { return term; });

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_PARAMETERS_SMTREGION_H
