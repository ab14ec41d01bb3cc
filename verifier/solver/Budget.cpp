//===- Budget.cpp - What all questions may take together --------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verifier/solver/Budget.h"

#include <algorithm>

using namespace formwork::verifier::solver;

bool formwork::verifier::solver::hasPassed(const Deadline &deadline) {
  return deadline && std::chrono::steady_clock::now() >= *deadline;
}

Budget::Budget(double seconds) {
  // Beyond a year, there is no limit worth the name.
  if (seconds <= 0 || seconds > 3e7)
    return;
  left = std::max<uint64_t>(1, static_cast<uint64_t>(seconds * workPerSecond));
  deadline = std::chrono::steady_clock::now() +
             std::chrono::microseconds(static_cast<int64_t>(seconds * 1e6));
}

uint64_t Budget::getValuesLeft() const {
  return left == UINT64_MAX ? left : left / workPerValue;
}

void Budget::spend(uint64_t work) {
  if (left != UINT64_MAX)
    left -= std::min(left, work);
}
