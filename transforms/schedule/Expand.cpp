//===- Expand.cpp - A normalized schedule for stock MLIR --------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/schedule/Expand.h"

#include "transforms/TransformOps/NormalFormTransformOps.h"
#include "transforms/schedule/Trial.h"
#include "verifier/plan/Expansion.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::transforms;
using engine::Finding;
using engine::NoteKind;
using normalforms::FormLibrary;
using verifier::SourceEdit;

/// Refuses what upstream cannot do, at the place that asks for it.
static LogicalResult checkExpandable(ScheduleInput &input,
                                     const verifier::Plan &plan,
                                     const FormLibrary &forms) {
  auto refuse = [&](Location loc, const normalforms::Form &form) {
    std::optional<StringRef> procedure = verifier::findUnexpandable(form);
    if (!procedure)
      return success();
    return emitFinding(Finding(loc, "fw-no-upstream-form",
                               "requires MLIR's own ops for @" + form.name +
                                   " but none of them does what procedure '" +
                                   *procedure + "' does")
                           .note(NoteKind::Established,
                                 form.declaration->getLoc(),
                                 "the form is declared here"));
  };
  for (const verifier::Insertion &insertion : plan.insertions)
    if (failed(
            refuse(insertion.before->getLoc(), forms.getForm(insertion.form))))
      return failure();
  WalkResult result = input.schedule->walk([&](transform::NormalizeOp op) {
    return WalkResult(refuse(op.getLoc(), *forms.lookup(op.getForm())));
  });
  if (result.wasInterrupted())
    return failure();
  // Finds operations of Formwork other than normalizations.
  result = input.schedule->walk([&](Operation *op) {
    std::string what;
    StringRef name = op->getName().getStringRef();
    auto pass = dyn_cast<transform::ApplyRegisteredPassOp>(op);
    if (pass && pass.getPassName().starts_with("formwork-"))
      what = "the pass '" + pass.getPassName().str() + "'";
    else if ((name.starts_with("transform.normalform.") &&
              !isa<transform::NormalizeOp>(op)) ||
             op->getName().getDialectNamespace() == "normalform")
      what = "'" + name.str() + "'";
    if (what.empty())
      return WalkResult::advance();
    return WalkResult(emitFinding(Finding(op->getLoc(), "fw-no-upstream-form",
                                          "requires MLIR's own ops only but " +
                                              what + " is one of Formwork")));
  });
  return failure(result.wasInterrupted());
}

FailureOr<SmallVector<SourceEdit>> formwork::transforms::planExpansion(
    ScheduleInput &input, const verifier::Plan &plan,
    ArrayRef<SourceEdit> others, const FormLibrary &forms) {
  std::optional<verifier::SourceNames> names = input.getNames();
  if (failed(checkExpandable(input, plan, forms)))
    return failure();
  auto expand = [&](unsigned rounds) {
    verifier::ExpansionOptions options;
    options.schedule = *input.schedule;
    options.rounds = rounds;
    options.ownModule = !input.isSeparate && input.payload;
    return verifier::planSourceEdits(plan, forms, *names, &options);
  };
  auto run = [&](ArrayRef<SourceEdit> edits) -> FailureOr<Trial> {
    SmallVector<SourceEdit> all(others);
    llvm::append_range(all, edits);
    FailureOr<ScheduleInput> edited = replaceSchedule(
        input, verifier::applySourceEdits(names->getText(), all));
    if (failed(edited))
      return failure();
    return runTrial(*input.payload, edited->entry, forms);
  };
  if (!input.payload) {
    constexpr unsigned usualRounds = 2;
    (void)emitFinding(
        Finding(input.entry.getLoc(), "fw-expand-unverified",
                llvm::formatv("writes {0} rounds of each normalization, and no "
                              "payload shows whether they are enough",
                              usualRounds),
                DiagnosticSeverity::Remark));
    return expand(usualRounds);
  }

  FailureOr<SmallVector<SourceEdit>> edits =
      verifier::planSourceEdits(plan, forms, *names);
  if (failed(edits))
    return failure();
  FailureOr<Trial> normalized = run(*edits);
  if (failed(normalized))
    return failure();
  Finding differs(input.entry.getLoc(), "fw-expand-differs",
                  "requires the same payload from MLIR's own ops as from "
                  "normalizations but gets another");
  if (!normalized->runs)
    return emitFinding(std::move(differs.note(
        NoteKind::Evidence, input.entry.getLoc(),
        "the normalized schedule does not run: " + normalized->error)));
  constexpr unsigned maxRounds = 8;
  FailureOr<Trial> expanded = failure();
  for (unsigned rounds = 1; rounds <= maxRounds; ++rounds) {
    edits = expand(rounds);
    if (failed(edits))
      return failure();
    expanded = run(*edits);
    if (failed(expanded))
      return failure();
    if (!expanded->agreesWith(*normalized))
      continue;
    // One more, for payload that is not quite like this one.
    edits = expand(rounds + 1);
    if (failed(edits))
      return failure();
    FailureOr<Trial> again = run(*edits);
    if (succeeded(again) && again->agreesWith(*normalized))
      return edits;
    return expand(rounds);
  }
  return emitFinding(std::move(differs.note(
      NoteKind::Evidence, input.entry.getLoc(),
      expanded->runs
          ? llvm::formatv("after {0} rounds they still differ", maxRounds).str()
          : "MLIR's own ops fail: " + expanded->error)));
}
