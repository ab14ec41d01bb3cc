//===- KnobDomain.h - What a knob may be ------------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads the values that a `transform.tune.knob` permits. Layer: verifier; knows
// one op, and no constraints between knobs.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_PARAMETERS_KNOBDOMAIN_H
#define FORMWORK_VERIFIER_PARAMETERS_KNOBDOMAIN_H

#include "verifier/solver/Domain.h"
#include "verifier/solver/Problem.h"

#include "mlir/Dialect/Transform/TuneExtension/TuneExtensionOps.h"

#include <variant>

namespace formwork::verifier {

/// The attributes of ours that a knob carries beside its options. A knob that
/// has several takes the values that meet all of them.
inline constexpr llvm::StringLiteral kKnobRange = "formwork.range";
inline constexpr llvm::StringLiteral kKnobMultipleOf = "formwork.multiple_of";
inline constexpr llvm::StringLiteral kKnobPowerOfTwo = "formwork.power_of_two";
inline constexpr llvm::StringLiteral kKnobDivides = "formwork.divides";

/// The 64-bit value of an integer attribute; an `i1` is 0 or 1. None when it is
/// no integer or does not fit.
std::optional<int64_t> toInteger(mlir::Attribute attribute);

/// A condition on one knob that is too sparse in its domain to be listed.
struct KnobCondition {
  enum Kind { MultipleOf, Divides, PowerOfTwo, InRange };
  Kind kind;
  /// The multiple or the multiplied number; for a range, its start.
  int64_t number = 0;
  /// The rest of a range.
  int64_t last = 0, step = 1;

  bool holds(int64_t value) const;
  solver::BoolTerm getTerm(solver::TermContext &context,
                           solver::IntTerm knob) const;
};

struct KnobDomain {
  solver::Domain domain = solver::Domain::list({});
  /// Conditions besides the domain; empty for small domains.
  llvm::SmallVector<KnobCondition, 1> conditions;
};

/// A knob whose options are not integers: which choice is made has no place in
/// arithmetic.
struct OpaqueOptions {
  std::string reason;
};

/// The values that `knob` permits. Fails, after telling `refuse` why, when an
/// attribute of ours is malformed or the values have no bound; that is
/// fw-knob-domain.
llvm::FailureOr<std::variant<KnobDomain, OpaqueOptions>>
readKnobDomain(mlir::transform::tune::KnobOp knob,
               llvm::function_ref<void(const llvm::Twine &)> refuse);

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_PARAMETERS_KNOBDOMAIN_H
