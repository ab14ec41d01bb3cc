//===- Budget.h - What all questions may take together ----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One limit for all that a command does to decide about a schedule: the
// questions to the solver, and the checks that are repeated with values filled
// in. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_SOLVER_BUDGET_H
#define FORMWORK_VERIFIER_SOLVER_BUDGET_H

#include "llvm/ADT/StringRef.h"

#include <chrono>
#include <cstdint>
#include <optional>

namespace formwork::verifier::solver {

using Deadline = std::optional<std::chrono::steady_clock::time_point>;

/// Whether the deadline has passed.
bool hasPassed(const Deadline &deadline);

/// Said of a question that the budget has ended.
inline constexpr llvm::StringLiteral kBudgetIsSpent =
    "the budget is spent, see --budget";

/// Work is counted, so that the same command ends at the same point on every
/// machine: Z3's own count, values that a search tries, and steps that are
/// checked again. Z3 counts some of its work far too low; therefore, the clock
/// is a second limit. Not safe for use from several threads.
class Budget {
public:
  /// Units of work that the slowest usual machine does in a second.
  static constexpr uint64_t workPerSecond = 10'000'000;
  /// To try one value in a search, and to check one step again.
  static constexpr uint64_t workPerValue = 2, workPerStep = 1000;

  /// Without limits.
  Budget() = default;
  /// For about so many seconds of work, and for no more by the clock, which
  /// starts here. 0 is for no limits.
  explicit Budget(double seconds);

  /// UINT64_MAX where there is no limit.
  uint64_t getWorkLeft() const { return left; }
  /// How many values a search may try.
  uint64_t getValuesLeft() const;
  const Deadline &getDeadline() const { return deadline; }
  bool isSpent() const { return left == 0 || hasPassed(deadline); }
  void spend(uint64_t work);

private:
  uint64_t left = UINT64_MAX;
  Deadline deadline;
};

} // namespace formwork::verifier::solver

#endif // FORMWORK_VERIFIER_SOLVER_BUDGET_H
