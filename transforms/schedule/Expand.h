//===- Expand.h - A normalized schedule for stock MLIR ----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes the normalizations of a schedule as upstream ops, with as many rounds
// as it takes. Layer: transforms.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_SCHEDULE_EXPAND_H
#define FORMWORK_TRANSFORMS_SCHEDULE_EXPAND_H

#include "transforms/schedule/ScheduleInput.h"
#include "verifier/plan/SourceEdits.h"

namespace formwork::transforms {

/// The edits that insert `plan` into the schedule of `input`, and replace the
/// normalizations that it has already, by upstream ops; to be applied beside
/// `others`.
///
/// With a payload, the normalized schedule is run, and expansions with more and
/// more rounds, until one yields the same after normalization to @canonical;
/// one more round than that is written. Without, there are two rounds, and
/// fw-expand-unverified says so.
///
/// Errors: fw-no-upstream-form names a procedure that upstream has no op for,
/// or an op or a pass of Formwork's own; fw-expand-differs, that no number of
/// rounds helps, with what happens.
llvm::FailureOr<llvm::SmallVector<verifier::SourceEdit>>
planExpansion(ScheduleInput &input, const verifier::Plan &plan,
              llvm::ArrayRef<verifier::SourceEdit> others,
              const normalforms::FormLibrary &forms);

} // namespace formwork::transforms

#endif // FORMWORK_TRANSFORMS_SCHEDULE_EXPAND_H
