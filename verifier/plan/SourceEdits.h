//===- SourceEdits.h - A plan as edits of the schedule's text ---*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Turns a plan into insertions at exact places of the schedule's source, so
// that comments, layout and names survive, and shows them as a unified diff.
// Layer: verifier; text in, text out: no file is touched.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_PLAN_SOURCEEDITS_H
#define FORMWORK_VERIFIER_PLAN_SOURCEEDITS_H

#include "verifier/plan/Plan.h"
#include "verifier/source/SourceNames.h"

#include "llvm/ADT/SmallVector.h"

#include <string>

namespace formwork::verifier {

/// Puts `text` at `offset`, in place of the `length` bytes there. If two edits
/// have the same offset, they are applied in their order. The bytes that two
/// edits replace must not overlap.
struct SourceEdit {
  size_t offset;
  std::string text;
  size_t length = 0;
};

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

/// `text` with the edits, which need not be sorted.
std::string applySourceEdits(llvm::StringRef text,
                             llvm::ArrayRef<SourceEdit> edits);

/// The edits as a unified diff of the file `name`, with three lines of context;
/// empty without edits.
std::string printUnifiedDiff(llvm::StringRef name, llvm::StringRef text,
                             llvm::ArrayRef<SourceEdit> edits);

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_PLAN_SOURCEEDITS_H
