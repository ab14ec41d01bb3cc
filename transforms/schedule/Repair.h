//===- Repair.h - A schedule with its fix-its carried out -------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Carries out the fix-its of a check as edits of the schedule's text, and keeps
// those that check better. Layer: transforms; text and a check in, text out: no
// file is touched.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_SCHEDULE_REPAIR_H
#define FORMWORK_TRANSFORMS_SCHEDULE_REPAIR_H

#include "transforms/schedule/ScheduleInput.h"
#include "verifier/Verifier.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <string>

namespace formwork::transforms {

struct Repair {
  /// The text with the fix-its; as it was if there was none to carry out.
  std::string text;
  /// How many fix-its are in it.
  unsigned numFixes = 0;
  /// The check of that text, of which no location lives on but in the context.
  verifier::CheckResult result;
};

/// Checks a schedule, on a payload or on none (null), with edits in its
/// findings.
using ScheduleCheck = llvm::function_ref<llvm::FailureOr<verifier::CheckResult>(
    const ScheduleInput &, mlir::ModuleOp payload)>;

/// Carries out all fix-its with edits of `before`, which `check` gave for
/// `input`, then those of the check of that text, and so on until there is none
/// or a round does not help: fewer errors, else a proof, else fewer warnings,
/// else fewer unproved steps. A proved schedule stays proved. If two fix-its
/// conflict, the first by place is taken. If all together do not help, each is
/// tried alone.
///
/// Warns (fw-fix-refused) if there are fix-its and none of them helps; then the
/// text stays as it was. The schedule must be text. Cost: a parse and a check a
/// round, at most 16.
Repair repairSchedule(const ScheduleInput &input, verifier::CheckResult before,
                      ScheduleCheck check);

} // namespace formwork::transforms

#endif // FORMWORK_TRANSFORMS_SCHEDULE_REPAIR_H
