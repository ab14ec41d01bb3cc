//===- Domain.h - The values that a variable may take -----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A set of integers: what a knob's array, range, multiple-of, power-of-two or
// divides option says. Layer: verifier; knows no variables and no constraints.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_SOLVER_DOMAIN_H
#define FORMWORK_VERIFIER_SOLVER_DOMAIN_H

#include "llvm/ADT/ArrayRef.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace formwork::verifier::solver {

/// A finite set of integers, ascending: either listed or an arithmetic
/// progression, so that a huge range costs nothing. A value: copy it. It may be
/// empty. Bounds are cut to [-2^62, 2^62], so that sizes fit.
class Domain {
public:
  static constexpr int64_t Limit = int64_t(1) << 62;
  /// Numbers above this are not factored: that takes 10^6 divisions.
  static constexpr int64_t MaxFactored = 1'000'000'000'000;

  /// Those values, in any order, repeated or not.
  static Domain list(llvm::ArrayRef<int64_t> values);
  /// lo, lo + step, ... up to hi inclusive; step >= 1, else empty.
  static Domain range(int64_t lo, int64_t hi, int64_t step = 1);
  /// The powers of two in [lo, hi].
  static Domain powersOfTwo(int64_t lo, int64_t hi);
  /// The positive divisors of n in [lo, hi]; none unless 1 <= n <= MaxFactored.
  static std::optional<Domain> divisors(int64_t n, int64_t lo = 1,
                                        int64_t hi = Limit);
  /// The multiples of n in [lo, hi]; n != 0, else only 0 when it is in there.
  static Domain multiples(int64_t n, int64_t lo, int64_t hi);
  /// 0 and 1.
  static Domain boolean() { return range(0, 1); }
  /// All integers within the limit.
  static Domain integers() { return range(-Limit, Limit); }

  uint64_t size() const;
  bool empty() const { return size() == 0; }
  /// The i-th value, ascending.
  int64_t at(uint64_t i) const;
  int64_t min() const { return at(0); }
  int64_t max() const { return at(size() - 1); }
  bool contains(int64_t value) const;

  bool isProgression() const { return progression; }
  /// The distance between neighbours of a progression.
  int64_t getStep() const { return step; }

  /// The values by ascending distance from `center`, the larger one first of
  /// two at the same distance. At most `limit` values.
  std::vector<int64_t> getValuesNear(int64_t center,
                                     uint64_t limit = UINT64_MAX) const;

  /// "{16, 32, 64}", "16 to 256 step 16", "none".
  std::string toString() const;

private:
  bool progression = false;
  std::vector<int64_t> values;
  int64_t first = 0;
  int64_t step = 1;
  uint64_t count = 0;
};

} // namespace formwork::verifier::solver

#endif // FORMWORK_VERIFIER_SOLVER_DOMAIN_H
