//===- Random.h - Random numbers that are the same everywhere ---*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The generator's only source of chance. The standard library leaves its
// distributions to the implementation, so a seed in a bug report would mean
// different payload on another machine. Test support.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TEST_LIB_GENERATOR_RANDOM_H
#define FORMWORK_TEST_LIB_GENERATOR_RANDOM_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/bit.h"

#include <cstdint>

namespace formwork::testing {

/// xoshiro256** with its state filled by splitmix64.
/// Source: Blackman and Vigna, "Scrambled linear pseudorandom number
/// generators", ACM TOMS 47(4), 2021.
///
/// Two draws in one expression have no defined order in C++: draw into a
/// variable first.
class Random {
public:
  explicit Random(uint64_t seed) {
    for (uint64_t &word : state) {
      seed += 0x9e3779b97f4a7c15u;
      word = mix(seed);
    }
  }

  /// An independent generator for part `stream` of what `seed` decides.
  static Random forStream(uint64_t seed, uint64_t stream) {
    return Random(mix(seed) ^ (stream * 0x9e3779b97f4a7c15u));
  }

  uint64_t next() {
    uint64_t result = llvm::rotl(state[1] * 5, 7) * 9;
    uint64_t shifted = state[1] << 17;
    state[2] ^= state[0];
    state[3] ^= state[1];
    state[1] ^= state[2];
    state[0] ^= state[3];
    state[2] ^= shifted;
    state[3] = llvm::rotl(state[3], 45);
    return result;
  }

  /// Uniform in [0, bound); 0 when `bound` is 0. The bias of the remainder is
  /// below 2^-32 for the bounds that occur here.
  uint64_t below(uint64_t bound) { return bound == 0 ? 0 : next() % bound; }

  /// Uniform in [low, high].
  int64_t between(int64_t low, int64_t high) {
    return low + static_cast<int64_t>(below(high - low + 1));
  }

  /// True with this probability; 53 bits decide.
  bool chance(double probability) {
    return static_cast<double>(next() >> 11) * 0x1p-53 < probability;
  }

  template <typename T> const T &oneOf(llvm::ArrayRef<T> choices) {
    return choices[below(choices.size())];
  }

private:
  static uint64_t mix(uint64_t word) {
    word = (word ^ (word >> 30)) * 0xbf58476d1ce4e5b9u;
    word = (word ^ (word >> 27)) * 0x94d049bb133111ebu;
    return word ^ (word >> 31);
  }

  uint64_t state[4];
};

} // namespace formwork::testing

#endif // FORMWORK_TEST_LIB_GENERATOR_RANDOM_H
