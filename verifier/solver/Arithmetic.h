//===- Arithmetic.h - What one operation of a term computes -----*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The meaning of each term operation on values, once, for constant folding and
// for evaluation. Layer: verifier; private to the solver.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_SOLVER_ARITHMETIC_H
#define FORMWORK_VERIFIER_SOLVER_ARITHMETIC_H

#include "verifier/solver/Term.h"

#include <limits>

namespace formwork::verifier::solver {

/// How an evaluation ended. An overflow stands for "some integer that does not
/// fit"; it outranks Undefined, because less is known.
enum class Outcome : uint8_t { Defined, Undefined, Overflow };

/// A value, or why there is none. Truth is 0 or 1.
template <typename Int> struct Computed {
  Int value = 0;
  Outcome outcome = Outcome::Defined;

  bool is(Int expected) const {
    return outcome == Outcome::Defined && value == expected;
  }
};

inline bool mulOverflows(int64_t a, int64_t b, int64_t &out) {
  return __builtin_mul_overflow(a, b, &out);
}
/// Without the builtin, which calls a function that libgcc lacks.
inline bool mulOverflows(Wide a, Wide b, Wide &out) {
  constexpr Wide maximum =
      static_cast<Wide>(~static_cast<unsigned __int128>(0) >> 1);
  constexpr int64_t lo = std::numeric_limits<int64_t>::min();
  constexpr int64_t hi = std::numeric_limits<int64_t>::max();
  if (a >= lo && a <= hi && b >= lo && b <= hi) {
    out = a * b;
    return false;
  }
  if (a == 0 || b == 0) {
    out = 0;
    return false;
  }
  // The most negative integer counts as an overflow, which keeps negation safe.
  if (a < -maximum || b < -maximum)
    return true;
  Wide absA = a < 0 ? -a : a, absB = b < 0 ? -b : b;
  if (absA > maximum / absB)
    return true;
  out = a * b;
  return false;
}

/// a / b towards minus or plus infinity, and the Euclidean remainder; b != 0.
/// The most negative integer has no quotient by -1; callers exclude it.
template <typename Int> Int floorQuotient(Int a, Int b) {
  Int quotient = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}
template <typename Int> Int ceilQuotient(Int a, Int b) {
  Int quotient = a / b;
  return a % b != 0 && (a < 0) == (b < 0) ? quotient + 1 : quotient;
}
template <typename Int> Int euclideanRemainder(Int a, Int b) {
  Int rest = a % b;
  if (rest >= 0)
    return rest;
  return b < 0 ? rest - b : rest + b;
}

/// Applies an operation other than Constant, Variable and Truth. Operands that
/// the operation does not have are ignored.
template <typename Int>
Computed<Int> applyOperation(TermKind kind, const Computed<Int> &a,
                             const Computed<Int> &b, const Computed<Int> &c) {
  using Result = Computed<Int>;
  constexpr Result overflow{0, Outcome::Overflow};
  constexpr Result undefined{0, Outcome::Undefined};

  // The operations that look at some operands only.
  switch (kind) {
  case TermKind::Select:
  case TermKind::Choose:
    if (a.outcome != Outcome::Defined)
      return {0, a.outcome};
    return a.value != 0 ? b : c;
  case TermKind::And:
    if (a.is(0) || b.is(0))
      return {0};
    return {1, std::max(a.outcome, b.outcome)};
  case TermKind::Or:
    if (a.is(1) || b.is(1))
      return {1};
    return {0, std::max(a.outcome, b.outcome)};
  case TermKind::Implies:
    if (a.is(0) || b.is(1))
      return {1};
    return {0, std::max(a.outcome, b.outcome)};
  case TermKind::Not:
    return {a.value == 0, a.outcome};
  case TermKind::Holds:
    if (a.outcome == Outcome::Overflow)
      return overflow;
    return {a.is(1)};
  case TermKind::PowerOfTwo:
    if (a.outcome != Outcome::Defined)
      return {0, a.outcome};
    return {a.value > 0 && (a.value & (a.value - 1)) == 0};
  default:
    break;
  }

  Outcome outcome = std::max(a.outcome, b.outcome);
  if (outcome != Outcome::Defined)
    return {0, outcome};
  Int x = a.value, y = b.value, out = 0;
  switch (kind) {
  case TermKind::Add:
    return __builtin_add_overflow(x, y, &out) ? overflow : Result{out};
  case TermKind::Sub:
    return __builtin_sub_overflow(x, y, &out) ? overflow : Result{out};
  case TermKind::Mul:
    return mulOverflows(x, y, out) ? overflow : Result{out};
  case TermKind::FloorDiv:
  case TermKind::CeilDiv:
    if (y == 0)
      return undefined;
    if (y == -1)
      return __builtin_sub_overflow(Int(0), x, &out) ? overflow : Result{out};
    return {kind == TermKind::FloorDiv ? floorQuotient(x, y)
                                       : ceilQuotient(x, y)};
  case TermKind::Mod:
    if (y == 0)
      return undefined;
    return {y == -1 ? Int(0) : euclideanRemainder(x, y)};
  case TermKind::Divides:
    if (x == 0)
      return {y == 0};
    return {x == -1 || y % x == 0};
  case TermKind::Min:
    return {std::min(x, y)};
  case TermKind::Max:
    return {std::max(x, y)};
  case TermKind::Equal:
  case TermKind::Iff:
    return {x == y};
  case TermKind::Less:
    return {x < y};
  case TermKind::LessEqual:
    return {x <= y};
  default:
    return undefined;
  }
}

} // namespace formwork::verifier::solver

#endif // FORMWORK_VERIFIER_SOLVER_ARITHMETIC_H
