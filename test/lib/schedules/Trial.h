//===- Trial.h - What the tools say of a schedule, and the truth ----------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Checks a schedule with Formwork and with upstream's static pass, runs it with
// the stock interpreter, and says what each of them found. Test support.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TEST_LIB_SCHEDULES_TRIAL_H
#define FORMWORK_TEST_LIB_SCHEDULES_TRIAL_H

#include "normalforms/ContractLibrary.h"
#include "normalforms/FormLibrary.h"
#include "normalforms/Libraries.h"

#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/IR/BuiltinOps.h"

#include <string>
#include <vector>

namespace formwork::testing {

/// How a run ended. An invalidation is a use of a handle that was invalidated;
/// whatever else fails, silenceably or not, is a failure; a crash or a time-out
/// counts apart.
enum class Truth { Runs, Invalidation, Failure, Crash };

/// The verdict of a static check.
enum class Claim { Proved, Unproved, Refuted };

struct Trial {
  Truth truth = Truth::Crash;
  /// The interpreter's first error, when there is one.
  std::string failure;
  Claim claim = Claim::Unproved;
  /// The check itself crashed or did not end.
  bool checkCrashed = false;
  /// The ids of errors, and of warnings: all but fw-unproved; each once.
  std::vector<std::string> errors, warnings;
  /// Why steps are unproved: op name and reason, each once.
  std::vector<std::string> reasons;
  /// Whether upstream's transform-dialect-check-uses warns; and whether it
  /// crashed.
  bool usesWarns = false;
  bool usesCrashed = false;
  /// The false fact that validation found, with its notes; empty if none. Only
  /// asked for by `validate`, and left out where the run crashes.
  std::string falseFact;
  uint64_t numFacts = 0;
};

struct TrialOptions {
  /// Whether the static checks are asked, Formwork's and upstream's.
  bool check = true;
  bool checkUses = true;
  bool validate = false;
};

/// Tries the schedule whose entry is `entry`, in a module of sequences, on
/// `payload`. Each part runs in a process of its own with a limit of 20
/// seconds; neither module is changed. The context must not have threads. The
/// truth is with expensive checks, every include inlined, and the result
/// verified.
Trial tryPair(mlir::ModuleOp schedule, mlir::transform::NamedSequenceOp entry,
              mlir::ModuleOp payload, const normalforms::Libraries &libraries,
              const TrialOptions &options = {});

} // namespace formwork::testing

#endif // FORMWORK_TEST_LIB_SCHEDULES_TRIAL_H
