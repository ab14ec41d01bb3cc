//===- Cases.h - A step and a payload for each contract ---------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads `witnesses.txt`, whose head says what its lines mean. Test support.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TEST_PROPERTY_WITNESSES_CASES_H
#define FORMWORK_TEST_PROPERTY_WITNESSES_CASES_H

#include "llvm/ADT/StringRef.h"

#include <map>
#include <string>
#include <vector>

namespace formwork::testing {

/// A case that is expected to change the payload as one contract says.
struct WitnessCase {
  std::string payload;
  /// The step of the contract is the last; without any, the step follows from
  /// the name.
  std::vector<std::string> steps;
};

struct WitnessFile {
  std::map<std::string, std::vector<WitnessCase>> cases;
  /// Contracts that nothing bears witness to, and why.
  std::map<std::string, std::string> without;
  /// The fault of the file; empty if there is none.
  std::string error;
};

/// The payloads whose names begin with `@` are functions of `corpus`.
WitnessFile readWitnesses(llvm::StringRef text, llvm::StringRef corpus);

} // namespace formwork::testing

#endif // FORMWORK_TEST_PROPERTY_WITNESSES_CASES_H
