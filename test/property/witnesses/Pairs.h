//===- Pairs.h - Payloads and schedules of a case ---------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes payload and schedule of a case: as it stands, or a seeded variant, with
// handles that the end of the schedule uses. Test support.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TEST_PROPERTY_WITNESSES_PAIRS_H
#define FORMWORK_TEST_PROPERTY_WITNESSES_PAIRS_H

#include "normalforms/FormLibrary.h"
#include "test/lib/generator/Random.h"
#include "test/property/witnesses/Cases.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace formwork::testing {

/// A pair to try: a payload and a schedule for it, as text.
struct WitnessPair {
  /// Null, both or the schedule, where the case does not parse.
  mlir::OwningOpRef<mlir::ModuleOp> payload, schedule;
  std::string text;
  /// The step of the schedule that the contract is about.
  mlir::Operation *step = nullptr;
  /// The last error of what does not parse.
  std::string failure;
};

class WitnessPairs {
public:
  WitnessPairs(mlir::MLIRContext *context,
               const normalforms::FormLibrary &forms, uint64_t seed)
      : context(context), forms(forms), seed(seed) {}

  /// Variant `variant` of a case of `contract`. The first is the case as it
  /// stands, and no handle is looked at; in the second, all are.
  WitnessPair make(llvm::StringRef contract, const WitnessCase &witness,
                   uint64_t variant);

private:
  void establish(mlir::ModuleOp payload, Random &random,
                 std::vector<std::string> &steps) const;

  mlir::MLIRContext *context;
  const normalforms::FormLibrary &forms;
  uint64_t seed;
};

} // namespace formwork::testing

#endif // FORMWORK_TEST_PROPERTY_WITNESSES_PAIRS_H
