//===- Recheck.h - An edited schedule, once more ----------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads and checks what is about to be written, as if somebody else had edited
// it. Layer: transforms; it changes nothing.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_SCHEDULE_RECHECK_H
#define FORMWORK_TRANSFORMS_SCHEDULE_RECHECK_H

#include "normalforms/Libraries.h"
#include "transforms/schedule/Prepare.h"

namespace formwork::transforms {

/// The steps that a check leaves to be proved. Normalizations are not counted:
/// an inserted one may be to a form that not all payload can reach.
llvm::SmallVector<verifier::Unproved>
getOpenSteps(const verifier::CheckResult &result);

struct RecheckOptions {
  /// Whether the edited schedule must prove as much as the one as written:
  /// upstream ops prove less than the normalizations that they stand for.
  bool provesAsMuch = true;
  /// Whether both are run on the payload, if there is one.
  bool runs = true;
  /// The digest of the payload that the edited schedule must leave
  /// (`Trial::digest`), if it is known; the schedule is then run.
  std::optional<std::string> leaves;
};

/// Whether `text`, an edited form of the schedule of `written`, is no worse: it
/// parses, its check finds no more errors than that of `written` and, with as
/// many, leaves no more steps to be proved unless only the edited one runs, and
/// it runs on the payload if `written` does, and leaves of it what it must.
/// Emits why not: the parser's errors, or fw-plan-refused; and, where neither
/// runs, the warning fw-run-fails. Cost: a parse, two
/// propagations, and two runs.
llvm::LogicalResult recheckEdited(ScheduleInput &written, llvm::StringRef text,
                                  const normalforms::Libraries &libraries,
                                  const PrepareOptions &options,
                                  const RecheckOptions &recheck);

} // namespace formwork::transforms

#endif // FORMWORK_TRANSFORMS_SCHEDULE_RECHECK_H
