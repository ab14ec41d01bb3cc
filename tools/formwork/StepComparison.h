//===- StepComparison.h - run --after-each-step -----------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs a schedule, executes its payload behind each step, and says what came of
// it. Layer: tools.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TOOLS_FORMWORK_STEPCOMPARISON_H
#define FORMWORK_TOOLS_FORMWORK_STEPCOMPARISON_H

#include "tools/formwork/Guard.h"
#include "tools/formwork/Libraries.h"
#include "transforms/results/StepResults.h"
#include "transforms/schedule/ScheduleInput.h"

#include <string>
#include <vector>

namespace formwork::tools {

struct StepComparisonOptions {
  uint64_t seed = 0;
  double tolerance = -1;
  /// See StepResultOptions::bisect.
  bool isBisected = false;
  /// Whether the payload is executed with its own sizes, however many elements
  /// it computes.
  bool hasFullSize = false;
  std::optional<int64_t> openSize;
  /// The limits of one execution.
  engine::ChildLimits limits;
};

/// The run of one schedule, with the results behind each of its steps.
class StepComparison {
public:
  /// Checks the schedule as it is written, for what is known of its results.
  StepComparison(transforms::ScheduleInput &pair, const Libraries &libraries,
                 StepComparisonOptions options)
      : pair(pair), libraries(libraries), options(std::move(options)) {
    collectKnown();
  }

  /// Runs the schedule, which is ready to run now, executes each of `entries`
  /// behind each step, and emits what is found. With `page`, writes the page of
  /// the run there. Returns whether the schedule ran, and no fault was found.
  bool run(llvm::ArrayRef<std::string> entries, Guard &guard,
           llvm::raw_ostream *page);

  /// Prints, for each entry, what was executed and what was the same.
  void print(llvm::raw_ostream &os) const;

private:
  /// Makes the payload smaller if it computes many elements.
  void shrinkPayload();
  /// Collects the findings of a check about results.
  void collectKnown();
  /// Runs the schedule on `payload`, which is taken behind each step.
  llvm::LogicalResult runSteps(mlir::ModuleOp payload,
                               transforms::Snapshots &taken);
  engine::Findings compare(Guard &guard);
  transforms::StepResultOptions makeOptions(llvm::StringRef entry) const;
  /// Adds the smallest sizes found that show the fault of `report`, which was
  /// found in `entry`.
  void noteSizes(transforms::StepResultReport &report, llvm::StringRef entry);
  bool showsFault(mlir::ModuleOp payload, llvm::StringRef entry,
                  const transforms::StepResultReport &report);

  transforms::ScheduleInput &pair;
  const Libraries &libraries;
  StepComparisonOptions options;
  std::vector<std::string> entries;
  std::vector<engine::Finding> known;
  /// Which sizes are smaller than what the user wrote.
  std::string sizes;
  std::optional<transforms::Snapshots> snapshots;
  std::vector<transforms::StepResultReport> reports;
};

} // namespace formwork::tools

#endif // FORMWORK_TOOLS_FORMWORK_STEPCOMPARISON_H
