//===- ResultOverlaps.cpp - Clauses about one result ------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "normalforms/ResultOverlaps.h"

#include "normalforms/ClauseParts.h"

using namespace mlir;
using namespace formwork::engine;
using namespace formwork::normalforms;

/// The integers for which a condition that compares holds.
static std::pair<int64_t, int64_t> getRange(const Condition &condition) {
  constexpr int64_t least = std::numeric_limits<int64_t>::min();
  constexpr int64_t most = std::numeric_limits<int64_t>::max();
  bool isLower =
      (condition.comparison == Condition::AtLeast) != condition.negated;
  if (!condition.negated)
    return isLower ? std::pair(condition.number, most)
                   : std::pair(least, condition.number);
  // No number is beyond the last one.
  if (condition.number == (isLower ? most : least))
    return {most, least};
  return isLower ? std::pair(condition.number + 1, most)
                 : std::pair(least, condition.number - 1);
}

/// Whether no step meets both conditions. Example: `attr a is 1`, `attr a is
/// 2`.
static bool exclude(const Condition &a, const Condition &b) {
  bool isOfSame =
      a.subject == b.subject && a.name == b.name && a.index == b.index;
  if (!isOfSame)
    return false;
  bool comparesA = a.comparison != Condition::Is,
       comparesB = b.comparison != Condition::Is;
  if (comparesA && comparesB) {
    auto [leastA, mostA] = getRange(a);
    auto [leastB, mostB] = getRange(b);
    return mostA < leastB || mostB < leastA;
  }
  if (comparesA || comparesB)
    return false;
  bool isSame = a.number == b.number && a.value == b.value;
  if (isSame)
    return a.negated != b.negated;
  // An attribute that is not there has no value, either.
  if (a.negated != b.negated)
    return (a.negated ? a : b).value.empty();
  return !a.negated && (a.subject == Condition::PayloadCount ||
                        (!a.value.empty() && !b.value.empty()));
}

void formwork::normalforms::checkOverlaps(ContractOp contract,
                                          Findings &findings) {
  SmallVector<std::pair<ResultOp, Conditions>> earlier;
  for (auto clause : contract.getBody().getOps<ResultOp>()) {
    Conditions conditions = parseConditions(clause);
    for (auto &[other, when] : earlier) {
      auto covers = [](ResultOp one, ResultOp index) {
        return one.getIndex() == index.getIndex() ||
               (one.getOnwards() && one.getIndex() <= index.getIndex());
      };
      bool isOfSame = covers(clause, other) || covers(other, clause);
      bool areApart = llvm::any_of(conditions, [&](const Condition &a) {
        return llvm::any_of(when,
                            [&](const Condition &b) { return exclude(a, b); });
      });
      if (!isOfSame || areApart)
        continue;
      findings
          .add({clause->getLoc(), "fw-contract-clause",
                "requires one clause that describes result " +
                    Twine(clause.getIndex()) +
                    ", or conditions that exclude each other, but has two"})
          .note(NoteKind::Established, other->getLoc(),
                "the other one is here");
      break;
    }
    earlier.push_back({clause, std::move(conditions)});
  }
}
