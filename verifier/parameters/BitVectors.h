//===- BitVectors.h - Arithmetic of bit vectors on terms --------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The operations of SMT-LIB on bit vectors, as terms over integers. Layer:
// verifier.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_PARAMETERS_BITVECTORS_H
#define FORMWORK_VERIFIER_PARAMETERS_BITVECTORS_H

#include "verifier/solver/Term.h"

#include "llvm/ADT/APInt.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace formwork::verifier {

/// A bit vector as the unsigned number below 2^width.
struct Bits {
  solver::IntTerm number;
  unsigned width;
};

/// Makes terms of `context`. The two operands of an operation are equally wide,
/// and so is the result, unless it says otherwise.
class BitVectors {
public:
  explicit BitVectors(solver::TermContext &context) : context(context) {}

  Bits constant(const llvm::APInt &value) const;
  /// The `width` lowest bits of `number`, which may be negative.
  Bits wrap(solver::IntTerm number, unsigned width) const;
  /// The value in two's complement.
  solver::IntTerm toSigned(Bits bits) const;

  Bits add(Bits a, Bits b) const;
  Bits multiply(Bits a, Bits b) const;
  Bits negate(Bits bits) const;
  /// Division by zero gives all ones, and the dividend as the remainder.
  Bits divide(Bits a, Bits b) const;
  Bits remainder(Bits a, Bits b) const;
  /// The same of signed numbers. A quotient has no fraction; it is 1 or -1 for
  /// a division by zero, which differs from the dividend in its sign.
  Bits divideSigned(Bits a, Bits b) const;
  /// The remainder with the sign of the dividend, or of the divisor.
  Bits remainderSigned(Bits a, Bits b) const;
  Bits moduloSigned(Bits a, Bits b) const;

  Bits invert(Bits bits) const;
  Bits bitwiseAnd(Bits a, Bits b) const;
  Bits bitwiseOr(Bits a, Bits b) const;
  Bits bitwiseXor(Bits a, Bits b) const;
  /// Shifts by as many places as `by` says; from the width on, nothing is left,
  /// or copies of the sign.
  Bits shiftLeft(Bits bits, Bits by) const;
  Bits shiftRight(Bits bits, Bits by) const;
  Bits shiftRightSigned(Bits bits, Bits by) const;

  /// `high` in front of `low`.
  Bits concatenate(Bits high, Bits low) const;
  /// `width` bits from `lowest` on.
  Bits extract(Bits bits, unsigned lowest, unsigned width) const;
  /// As often as `width` has room for it.
  Bits repeat(Bits bits, unsigned width) const;

private:
  using IntTerm = solver::IntTerm;

  /// 2^exponent, which is no constant where that does not fit in 64 bits.
  IntTerm power(unsigned exponent) const;
  /// The result of `compute` for the signed numbers, where `b` is not 0.
  Bits computeSigned(Bits a, Bits b,
                     llvm::function_ref<IntTerm(IntTerm, IntTerm)> compute,
                     llvm::function_ref<IntTerm(IntTerm)> ifZero) const;
  /// Combines the bits at each place, which are 0 or 1.
  Bits combine(Bits a, Bits b,
               llvm::function_ref<IntTerm(IntTerm, IntTerm)> ofPlace) const;
  /// The value of `shifted` for each number of places below the width; `rest`
  /// from there on.
  Bits shift(Bits bits, Bits by, IntTerm rest,
             llvm::function_ref<IntTerm(IntTerm)> shifted) const;
  /// The quotient without its fraction; b is not 0.
  IntTerm divideTruncating(IntTerm a, IntTerm b) const;

  solver::TermContext &context;
};

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_PARAMETERS_BITVECTORS_H
