//===- Kleene.h - Answers that may be unknown -------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kleene's strong three-valued logic, on `std::optional<bool>`: none is
// "unknown". Layer: normalforms.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_NORMALFORMS_KLEENE_H
#define FORMWORK_NORMALFORMS_KLEENE_H

#include <optional>

namespace formwork::normalforms {

/// The conjunction of what `decide` says of each of `range`: false as soon as
/// it says so of one, none if it does not know of another, true of nothing.
template <typename RangeT, typename DecideT>
std::optional<bool> conjoin(const RangeT &range, DecideT decide) {
  std::optional<bool> all = true;
  for (const auto &each : range) {
    std::optional<bool> one = decide(each);
    if (one == false)
      return false;
    if (!one)
      all = std::nullopt;
  }
  return all;
}

} // namespace formwork::normalforms

#endif // FORMWORK_NORMALFORMS_KLEENE_H
