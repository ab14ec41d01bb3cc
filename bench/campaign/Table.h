//===- Table.h - Counts per operation and feature ---------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How often what was tried, and what came of it, so that a hole in the
// generators shows. Bench.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_BENCH_CAMPAIGN_TABLE_H
#define FORMWORK_BENCH_CAMPAIGN_TABLE_H

#include "bench/campaign/Comparison.h"

#include "llvm/Support/JSON.h"

#include <map>

namespace formwork::campaign {

struct Counts {
  uint64_t tried = 0;
  uint64_t ran = 0, failed = 0, crashed = 0, hung = 0;
  uint64_t proved = 0, unproved = 0, refuted = 0;
  uint64_t wrong = 0;

  void add(const Outcome &outcome, Wrong wrong);
};

class Table {
public:
  /// Adds one comparison, or a pair that is none.
  void add(const Outcome &outcome);

  /// Counts a pair that is refuted, and that ran behind others in one process
  /// but fails in one of its own: what MLIR does is undefined there.
  void addUnsteady() { ++unsteady; }

  const Counts &getTotal() const { return total; }
  uint64_t getWrong(Wrong wrong) const;

  /// Adds the parts of `contracts`, and of the registered operations that are
  /// tiled or have destinations, that were never tried.
  void addHoles(mlir::MLIRContext *context,
                const normalforms::ContractLibrary &contracts);

  void print(llvm::raw_ostream &os, bool onlyTotals = false) const;
  llvm::json::Object toJson() const;

private:
  Counts total;
  uint64_t unsteady = 0;
  std::map<Wrong, uint64_t> wrongs;
  std::map<std::string, uint64_t> rejected, reasons;
  std::map<std::string, Counts> steps, attributes, features, payloadOps;
  std::vector<std::string> untriedSteps, untriedOps, untriedFeatures;
};

} // namespace formwork::campaign

#endif // FORMWORK_BENCH_CAMPAIGN_TABLE_H
