//===- Violations.h - Steps that fail as contracts say ----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The cases of test/lit/verifier/contracts/violations.txt, in which a step
// fails as a clause says, as pairs of texts. `scripts/violations` defines the
// file. Bench.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_BENCH_CONTRACTS_VIOLATIONS_H
#define FORMWORK_BENCH_CONTRACTS_VIOLATIONS_H

#include "llvm/ADT/StringMap.h"

#include <string>
#include <vector>

namespace formwork::mistakes {

struct Violation {
  /// The text of the clause that the payload violates.
  std::string clause;
  std::string payload, schedule;
  /// The op or symbol that the step leaves, or nothing where it fails.
  std::string leaves;
};

/// The cases of each contract. Those that end the process, or never, or that
/// stand in the module of their payload, are left out.
llvm::StringMap<std::vector<Violation>> readViolations(llvm::StringRef text);

} // namespace formwork::mistakes

#endif // FORMWORK_BENCH_CONTRACTS_VIOLATIONS_H
