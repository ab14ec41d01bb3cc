//===- Reciprocal.h - Division of f32 by a constant -------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The quotient of a number of f32 by a constant, rounded correctly, by two
// operations of f64. Layer: transforms.
//
// Let c be the divisor, h = 1/c rounded towards zero to f64, and l = 1/c - h
// rounded to nearest, which has the sign of h. RN is rounding to the nearest
// f64, and ties to even. For each x of f32, x / c in f32 is
//
//   q = RN(x h + RN(x l))     rounded to f32.
//
// Proof. NaN, infinities and zeros: h and l have one sign, so neither the two
// products nor their sum differ in it. Otherwise let z = x/c, exactly. Nothing
// over- or underflows: |x h| and |x l| lie between 2^-360 and 2^280.
//  1. |1/c - h| < 2^-52 |1/c|. So l has an error of at most 2^-105 |1/c|, and
//     RN(x l) another one of about 2^-105 |z|: the sum s has an error below
//     2^-103 |z|, and q one below 2^-52 |z|.
//  2. Let m be a number at which rounding to f32 changes: a midpoint of
//     neighbours, which has 25 significant bits at most, also where they are
//     subnormal, or where infinity begins. Write x = X 2^k and c m = Y 2^i with
//     |X| < 2^24, and |Y| < 2^49 for the 24 bits of c times those of m. If x is
//     not c m, they differ by 2^min(i, k) at least, which is more than
//     2^-49 |c m| or 2^-24 |x|. So |z - m| > 2^-49 |m| or 2^-24 |z|, and by 1.,
//     q lies on the side of m on which z does.
//  3. If x is c m, then z = m is a number of f64, and s is so near to it that
//     q = m: the tie is decided as that of z is.
// Hence q and z are rounded to the same number of f32.
//
// A power of two has l = 0, of no sign: it is left out, since its quotient is
// one product.
//
// Compare N. Brisebarre, J.-M. Muller, S. K. Raina: Accelerating correctly
// rounded floating-point division when the divisor is known in advance, IEEE
// Transactions on Computers 53 (2004), where x h + RN(x l) is of the type of x.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_GPU_RECIPROCAL_H
#define FORMWORK_TRANSFORMS_GPU_RECIPROCAL_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/APFloat.h"

#include <optional>

namespace formwork::transforms {

/// A reciprocal as the sum of two numbers of f64.
struct Reciprocal {
  llvm::APFloat high, low;
};

/// That of `divisor`, a number of f32. None for 0, powers of two, infinity and
/// NaN.
std::optional<Reciprocal> getReciprocal(const llvm::APFloat &divisor);
/// That of the constant by which `division` divides numbers of f32, or each
/// element of a vector of them; none also where it may be approximated.
std::optional<Reciprocal> getReciprocal(mlir::arith::DivFOp division);

} // namespace formwork::transforms

#endif // FORMWORK_TRANSFORMS_GPU_RECIPROCAL_H
