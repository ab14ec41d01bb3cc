//===- SourceEdits.h - A plan as edits of the schedule's text ---*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Turns a plan into insertions at exact places of the schedule's source, so
// that comments, layout and names survive.
// Layer: verifier; text in, text out: no file is touched.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_PLAN_SOURCEEDITS_H
#define FORMWORK_VERIFIER_PLAN_SOURCEEDITS_H

#include "verifier/plan/Plan.h"
#include "verifier/source/ApplyEdits.h"
#include "verifier/source/SourceNames.h"

#include "llvm/ADT/SmallVector.h"

#include <string>

namespace formwork::verifier {

/// How to write normalizations as upstream ops.
struct ExpansionOptions {
  /// The normalizations in it are replaced, too.
  mlir::Operation *schedule = nullptr;
  unsigned rounds = 1;
  /// The schedule is in the module of its payload, on which upstream refuses to
  /// apply patterns.
  bool ownModule = false;
};

/// One edit per insertion, and with `expansion` one for each normalization of
/// the schedule. Fails with fw-no-source when an op or a handle of
/// the plan is not in the file that `names` describes. A handle to an isolated
/// parent gets a name that the file does not use yet.
llvm::FailureOr<llvm::SmallVector<SourceEdit>>
planSourceEdits(const Plan &plan, const normalforms::FormLibrary &forms,
                const SourceNames &names,
                const ExpansionOptions *expansion = nullptr);

/// The edits that remove `ops`: each with its line, if the line holds nothing
/// else, and without a second blank line. Users of a result use the first
/// operand. Fails with fw-no-source.
llvm::FailureOr<llvm::SmallVector<SourceEdit>>
planRemovalEdits(llvm::ArrayRef<mlir::Operation *> ops,
                 const SourceNames &names);

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_PLAN_SOURCEEDITS_H
