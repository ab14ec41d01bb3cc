//===- BitVectors.cpp - Arithmetic of bit vectors on terms ------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verifier/parameters/BitVectors.h"

#include "llvm/Support/MathExtras.h"

using namespace formwork::verifier;
using solver::IntTerm;

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

IntTerm BitVectors::power(unsigned exponent) const {
  unsigned half = exponent / 2;
  if (exponent < 63)
    return context.constant(int64_t(1) << exponent);
  return context.mul(context.constant(int64_t(1) << half),
                     context.constant(int64_t(1) << (exponent - half)));
}

Bits BitVectors::constant(const llvm::APInt &value) const {
  uint64_t number = value.getZExtValue();
  IntTerm low = context.constant(number & llvm::maskTrailingOnes<uint64_t>(32)),
          high = context.constant(number >> 32);
  return {context.add(context.mul(high, power(32)), low), value.getBitWidth()};
}

Bits BitVectors::wrap(IntTerm number, unsigned width) const {
  return {context.mod(number, power(width)), width};
}

IntTerm BitVectors::toSigned(Bits bits) const {
  return context.select(context.less(bits.number, power(bits.width - 1)),
                        bits.number,
                        context.sub(bits.number, power(bits.width)));
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

Bits BitVectors::add(Bits a, Bits b) const {
  return wrap(context.add(a.number, b.number), a.width);
}

Bits BitVectors::multiply(Bits a, Bits b) const {
  return wrap(context.mul(a.number, b.number), a.width);
}

Bits BitVectors::negate(Bits bits) const {
  return wrap(context.negate(bits.number), bits.width);
}

Bits BitVectors::divide(Bits a, Bits b) const {
  return wrap(context.select(context.equal(b.number, context.constant(0)),
                             context.constant(-1),
                             context.floorDiv(a.number, b.number)),
              a.width);
}

Bits BitVectors::remainder(Bits a, Bits b) const {
  return wrap(context.select(context.equal(b.number, context.constant(0)),
                             a.number, context.mod(a.number, b.number)),
              a.width);
}

Bits BitVectors::computeSigned(
    Bits a, Bits b, llvm::function_ref<IntTerm(IntTerm, IntTerm)> compute,
    llvm::function_ref<IntTerm(IntTerm)> ifZero) const {
  IntTerm x = toSigned(a), y = toSigned(b);
  return wrap(context.select(context.equal(y, context.constant(0)), ifZero(x),
                             compute(x, y)),
              a.width);
}

IntTerm BitVectors::divideTruncating(IntTerm a, IntTerm b) const {
  IntTerm zero = context.constant(0);
  IntTerm quotient = context.floorDiv(context.max(a, context.negate(a)),
                                      context.max(b, context.negate(b)));
  return context.select(
      context.iff(context.less(a, zero), context.less(b, zero)), quotient,
      context.negate(quotient));
}

Bits BitVectors::divideSigned(Bits a, Bits b) const {
  return computeSigned(
      a, b, [&](IntTerm x, IntTerm y) { return divideTruncating(x, y); },
      [&](IntTerm x) {
        return context.select(context.less(x, context.constant(0)),
                              context.constant(1), context.constant(-1));
      });
}

Bits BitVectors::remainderSigned(Bits a, Bits b) const {
  return computeSigned(
      a, b,
      [&](IntTerm x, IntTerm y) {
        return context.sub(x, context.mul(y, divideTruncating(x, y)));
      },
      [](IntTerm x) { return x; });
}

Bits BitVectors::moduloSigned(Bits a, Bits b) const {
  return computeSigned(
      a, b,
      [&](IntTerm x, IntTerm y) {
        return context.sub(x, context.mul(y, context.floorDiv(x, y)));
      },
      [](IntTerm x) { return x; });
}

//===----------------------------------------------------------------------===//
// Bits
//===----------------------------------------------------------------------===//

Bits BitVectors::combine(
    Bits a, Bits b,
    llvm::function_ref<IntTerm(IntTerm, IntTerm)> ofPlace) const {
  IntTerm two = context.constant(2), sum = context.constant(0);
  for (unsigned i = 0; i < a.width; ++i) {
    auto place = [&](Bits bits) {
      return context.mod(context.floorDiv(bits.number, power(i)), two);
    };
    sum = context.add(sum, context.mul(ofPlace(place(a), place(b)), power(i)));
  }
  return {sum, a.width};
}

Bits BitVectors::invert(Bits bits) const {
  IntTerm ones = context.sub(power(bits.width), context.constant(1));
  return {context.sub(ones, bits.number), bits.width};
}

Bits BitVectors::bitwiseAnd(Bits a, Bits b) const {
  return combine(a, b, [&](IntTerm x, IntTerm y) { return context.min(x, y); });
}

Bits BitVectors::bitwiseOr(Bits a, Bits b) const {
  return combine(a, b, [&](IntTerm x, IntTerm y) { return context.max(x, y); });
}

Bits BitVectors::bitwiseXor(Bits a, Bits b) const {
  return combine(a, b, [&](IntTerm x, IntTerm y) {
    return context.select(context.equal(x, y), context.constant(0),
                          context.constant(1));
  });
}

Bits BitVectors::shift(Bits bits, Bits by, IntTerm rest,
                       llvm::function_ref<IntTerm(IntTerm)> shifted) const {
  IntTerm result = rest;
  for (unsigned i = bits.width; i-- > 0;)
    result = context.select(context.equal(by.number, context.constant(i)),
                            shifted(power(i)), result);
  return wrap(result, bits.width);
}

Bits BitVectors::shiftLeft(Bits bits, Bits by) const {
  return shift(bits, by, context.constant(0), [&](IntTerm places) {
    return context.mul(bits.number, places);
  });
}

Bits BitVectors::shiftRight(Bits bits, Bits by) const {
  return shift(bits, by, context.constant(0), [&](IntTerm places) {
    return context.floorDiv(bits.number, places);
  });
}

Bits BitVectors::shiftRightSigned(Bits bits, Bits by) const {
  IntTerm number = toSigned(bits), zero = context.constant(0);
  IntTerm sign =
      context.select(context.less(number, zero), context.constant(-1), zero);
  return shift(bits, by, sign, [&](IntTerm places) {
    return context.floorDiv(number, places);
  });
}

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

Bits BitVectors::concatenate(Bits high, Bits low) const {
  return {context.add(context.mul(high.number, power(low.width)), low.number),
          high.width + low.width};
}

Bits BitVectors::extract(Bits bits, unsigned lowest, unsigned width) const {
  return wrap(context.floorDiv(bits.number, power(lowest)), width);
}

Bits BitVectors::repeat(Bits bits, unsigned width) const {
  IntTerm number = context.constant(0);
  for (unsigned at = 0; at < width; at += bits.width)
    number = context.add(number, context.mul(bits.number, power(at)));
  return {number, width};
}
