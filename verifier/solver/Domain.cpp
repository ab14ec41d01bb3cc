//===- Domain.cpp - The values that a variable may take ---------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verifier/solver/Domain.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace formwork::verifier::solver;

static bool isWithinLimit(int64_t value) {
  return value >= -Domain::Limit && value <= Domain::Limit;
}

Domain Domain::list(llvm::ArrayRef<int64_t> values) {
  Domain domain;
  for (int64_t value : values)
    if (isWithinLimit(value))
      domain.values.push_back(value);
  llvm::sort(domain.values);
  domain.values.erase(llvm::unique(domain.values), domain.values.end());
  domain.count = domain.values.size();
  return domain;
}

Domain Domain::range(int64_t lo, int64_t hi, int64_t step) {
  Domain domain;
  domain.progression = true;
  if (step < 1)
    return domain;
  __int128 from = lo;
  if (from < -Limit) {
    // Stays on the progression that the caller named.
    __int128 steps = (-static_cast<__int128>(Limit) - from + step - 1) / step;
    from += steps * step;
  }
  hi = std::min(hi, Limit);
  if (from > hi)
    return domain;
  domain.first = static_cast<int64_t>(from);
  domain.step = step;
  domain.count =
      static_cast<uint64_t>((static_cast<__int128>(hi) - from) / step) + 1;
  return domain;
}

Domain Domain::powersOfTwo(int64_t lo, int64_t hi) {
  std::vector<int64_t> values;
  for (int exponent = 0; exponent <= 62; ++exponent)
    if (int64_t power = int64_t(1) << exponent; power >= lo && power <= hi)
      values.push_back(power);
  return list(values);
}

std::optional<Domain> Domain::divisors(int64_t n, int64_t lo, int64_t hi) {
  if (n < 1 || n > MaxFactored)
    return std::nullopt;
  std::vector<int64_t> values;
  for (int64_t small = 1; small * small <= n; ++small) {
    if (n % small != 0)
      continue;
    for (int64_t divisor : {small, n / small})
      if (divisor >= lo && divisor <= hi)
        values.push_back(divisor);
  }
  return list(values);
}

Domain Domain::multiples(int64_t n, int64_t lo, int64_t hi) {
  lo = std::max(lo, -Limit);
  hi = std::min(hi, Limit);
  if (n == 0)
    return range(std::max<int64_t>(lo, 0), std::min<int64_t>(hi, 0));
  // Multiples of n and of -n are the same; the most negative n has only 0.
  if (!isWithinLimit(n))
    return multiples(0, lo, hi);
  int64_t step = n < 0 ? -n : n;
  int64_t rest = lo % step;
  int64_t offset = rest > 0 ? step - rest : -rest;
  if (lo > hi || offset > static_cast<__int128>(hi) - lo)
    return range(1, 0);
  return range(lo + offset, hi, step);
}

uint64_t Domain::size() const { return count; }

int64_t Domain::at(uint64_t i) const {
  if (!progression)
    return values[i];
  return static_cast<int64_t>(first + static_cast<__int128>(step) *
                                          static_cast<__int128>(i));
}

bool Domain::contains(int64_t value) const {
  if (!progression)
    return llvm::binary_search(values, value);
  if (count == 0 || value < first || value > at(count - 1))
    return false;
  return (static_cast<__int128>(value) - first) % step == 0;
}

std::vector<int64_t> Domain::getValuesNear(int64_t center,
                                           uint64_t limit) const {
  // Two cursors that move away from the centre, found by bisection.
  uint64_t lo = 0, hi = count;
  while (lo < hi) {
    uint64_t middle = lo + (hi - lo) / 2;
    if (at(middle) < center)
      lo = middle + 1;
    else
      hi = middle;
  }
  uint64_t below = lo, above = lo;
  std::vector<int64_t> near;
  near.reserve(std::min(count, limit));
  while (near.size() < limit && (below > 0 || above < count)) {
    __int128 up =
        above < count ? static_cast<__int128>(at(above)) - center : -1;
    __int128 down =
        below > 0 ? static_cast<__int128>(center) - at(below - 1) : -1;
    if (down < 0 || (up >= 0 && up <= down))
      near.push_back(at(above++));
    else
      near.push_back(at(--below));
  }
  return near;
}

std::string Domain::toString() const {
  if (empty())
    return "none";
  std::string text;
  llvm::raw_string_ostream os(text);
  if (progression) {
    os << min();
    if (count > 1)
      os << " to " << max();
    if (count > 1 && step > 1)
      os << " step " << step;
    return text;
  }
  os << "{";
  // A long list says no more than its ends.
  constexpr size_t shown = 16;
  for (size_t i = 0; i < values.size(); ++i) {
    if (i != 0)
      os << ", ";
    if (values.size() > shown && i == shown - 1) {
      os << "..., " << values.back();
      break;
    }
    os << values[i];
  }
  os << "}";
  return text;
}
