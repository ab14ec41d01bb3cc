//===- StepResults.h - Payload results after each step ----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Executes the payload as it is behind each step of a schedule and names the
// first step behind which it does not compute what it did before. Layer:
// transforms; it neither runs the schedule nor emits anything.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_RESULTS_STEPRESULTS_H
#define FORMWORK_TRANSFORMS_RESULTS_STEPRESULTS_H

#include "engine/Child.h"
#include "engine/Diagnostics.h"
#include "transforms/results/Snapshots.h"

#include <optional>
#include <string>

namespace formwork::transforms {

struct StepResultOptions {
  /// The function that is executed; empty for the only public one.
  std::string entry;
  uint64_t seed = 0;
  /// Negative: the element types' own. Where results are exact, none counts.
  double tolerance = -1;
  /// The limits of each execution.
  engine::ChildLimits limits;
  /// Takes a result that is wrong for one that stays wrong, and executes the
  /// logarithm of the number of snapshots only, and those instead of which
  /// others cannot be executed.
  bool bisect = false;
  /// Each size that the types of the entry leave open, where no op demands
  /// another one: a prime, so that most tiles have a tail.
  int64_t openSize = 37;
  /// Which sizes of the payload are smaller than what the user wrote, as text.
  std::string sizes;
  /// Findings of a check about results, at the steps and without a run: a
  /// fault at such a step has the id of its finding.
  llvm::ArrayRef<engine::Finding> known = {};
};

/// The memory of an execution, beyond that of the process.
inline constexpr uint64_t executionMemory = uint64_t(4) << 30;

struct StepResultReport {
  /// Snapshots, and how many of these were executed and were the same.
  unsigned numSnapshots = 0, numExecuted = 0, numSame = 0;
  /// Those that were executed and were the same.
  std::vector<const Snapshot *> same;
  /// Results are compared bit for bit, with integers up to `magnitude` as
  /// inputs; else within a tolerance, because of `why`.
  bool isExact = false;
  int64_t magnitude = 0;
  std::string why;
  /// The largest relative error that counts as the same, where it is not exact.
  double tolerance = 0;
  /// The sizes of dimensions that the payload leaves open, as text.
  std::string dynamicSizes;
  /// Elements of the results that depend on memory which nothing writes.
  uint64_t numUndefined = 0;
  /// The finding at the first wrong step: fw-result-differs,
  /// fw-access-out-of-bounds, fw-loop-race, fw-parallel-reduction,
  /// fw-program-crashes, a finding of the emulator, or the id of one of
  /// StepResultOptions::known. Notes name the steps in front of it after which
  /// nothing is executed. For the payload itself: fw-payload-faulty.
  std::optional<engine::Finding> fault;
  const Snapshot *faulty = nullptr;
  /// The states that are not executed, with the reasons: fw-not-executed.
  engine::Findings notExecuted;
};

/// Executes the payload in front of all steps, then each snapshot, in a child
/// process each, up to the first that does something else. Cost: a compilation
/// and two runs of each.
StepResultReport compareResults(const Snapshots &snapshots,
                                const StepResultOptions &options);

} // namespace formwork::transforms

#endif // FORMWORK_TRANSFORMS_RESULTS_STEPRESULTS_H
