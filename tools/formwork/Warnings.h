//===- Warnings.h - Which warnings are printed, and how ---------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Silences warnings, or makes errors of them: by id, by an attribute on a step,
// or by a file with the warnings that are known. Layer: tools.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TOOLS_FORMWORK_WARNINGS_H
#define FORMWORK_TOOLS_FORMWORK_WARNINGS_H

#include "engine/Diagnostics.h"
#include "tools/formwork/Options.h"
#include "tools/formwork/VerdictSummary.h"
#include "tools/report/SilencedSteps.h"

#include "llvm/ADT/StringSet.h"

#include <map>

namespace formwork::tools {

/// Decides on the warnings of a command. A warning is silenced by -Wno-ID, by
/// its step, or by the baseline; a warning that is left is an error where
/// --error has its id. Errors and remarks stay as they are.
class WarningFilter {
public:
  enum class Fate { Kept, Silenced, Error };

  /// Reads the baseline. Fails, with an error printed, where an id is unknown,
  /// or the file cannot be read.
  static llvm::FailureOr<WarningFilter> create(const WarningOptions &options);

  /// Takes the attributes of the steps of `schedule`. Errors: fw-silence-id.
  llvm::LogicalResult addSchedule(mlir::Operation *schedule) {
    return bySteps.read(schedule);
  }

  /// Cost: logarithmic in the entries of the baseline.
  Fate judge(const engine::Finding &finding);

  /// The rest of `findings` after silencing, each judged.
  engine::Findings apply(const engine::Findings &findings);

  /// How many warnings the last `apply` kept and dropped.
  WarningCounts getCounts() const { return counts; }
  bool madeErrors() const { return hasErrors; }
  /// Writes all that was kept or that the old baseline had, where that is asked
  /// for.
  ExitCode writeBaseline() const;

private:
  /// Lines are not part of an entry: an edit above a step changes them.
  struct Entry {
    std::string id, file, message;
    auto operator<=>(const Entry &) const = default;
  };
  llvm::LogicalResult readBaseline(llvm::StringRef path);

  std::string baselineOutput;
  llvm::StringSet<> silenced, errors;
  SilencedSteps bySteps;
  /// How many of each are known, and were not seen yet.
  std::map<Entry, unsigned> known;
  std::map<Entry, unsigned> seen;
  WarningCounts counts;
  bool hasErrors = false;
};

} // namespace formwork::tools

#endif // FORMWORK_TOOLS_FORMWORK_WARNINGS_H
