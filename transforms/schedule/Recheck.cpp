//===- Recheck.cpp - An edited schedule, once more --------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/schedule/Recheck.h"

#include "transforms/TransformOps/NormalFormTransformOps.h"
#include "transforms/schedule/ResolveParameters.h"
#include "transforms/schedule/Trial.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::transforms;
using engine::Finding;
using engine::NoteKind;

static FailureOr<verifier::CheckResult>
check(ScheduleInput &input, const normalforms::Libraries &libraries,
      const PrepareOptions &options) {
  // Whether a goal is reached is no matter of better or worse.
  verifier::CheckOptions check = getCheckOptions(input, options);
  check.goal.reset();
  return checkInput(input, libraries, check);
}

SmallVector<verifier::Unproved>
formwork::transforms::getOpenSteps(const verifier::CheckResult &result) {
  SmallVector<verifier::Unproved> steps;
  llvm::copy_if(result.verdict.reasons, std::back_inserter(steps),
                [](const verifier::Unproved &reason) {
                  return !isa<transform::NormalizeOp>(reason.op);
                });
  return steps;
}

LogicalResult
formwork::transforms::recheckEdited(ScheduleInput &written, StringRef text,
                                    const normalforms::Libraries &libraries,
                                    const PrepareOptions &options,
                                    const RecheckOptions &recheck) {
  FailureOr<ScheduleInput> edited = replaceSchedule(
      written, text, written.sourceName + " (as it would be written)");
  if (failed(edited))
    return failure();
  FailureOr<verifier::CheckResult> before = check(written, libraries, options);
  FailureOr<verifier::CheckResult> after = check(*edited, libraries, options);
  if (failed(before) || failed(after))
    return failure();

  Finding refused(written.entry->getLoc(), "fw-plan-refused", "");
  auto refuse = [&](const Twine &message) {
    refused.message = message.str();
    return emitFinding(std::move(refused));
  };
  size_t errors = after->findings.count(DiagnosticSeverity::Error);
  size_t wasErrors = before->findings.count(DiagnosticSeverity::Error);
  if (errors > wasErrors) {
    for (const Finding &finding : after->findings.get())
      if (finding.severity == DiagnosticSeverity::Error)
        refused.note(NoteKind::Evidence, finding.loc,
                     finding.message + " (" + finding.id + ")");
    return refuse("requires a normalized schedule that checks no worse but it "
                  "has " +
                  Twine(errors) + (errors == 1 ? " error" : " errors") +
                  "; nothing is written");
  }
  // The run of a schedule that stays as it is has been seen.
  bool isEdited = !written.getNames() || written.getNames()->getText() != text;
  std::optional<Trial> trial;
  // Nor does a schedule with open knobs run.
  bool mayRun =
      recheck.runs && isEdited && !hasOpenParameters(*edited->schedule, *after);
  if (written.payload && (mayRun || recheck.leaves))
    trial = runTrial(*written.payload, edited->entry, *libraries.forms);
  auto wasRunning = [&] {
    return runTrial(*written.payload, written.entry, *libraries.forms).runs;
  };
  SmallVector<verifier::Unproved> open = getOpenSteps(*after);
  size_t wasOpen = getOpenSteps(*before).size();
  // A step that is open is better than one that is refuted, or seen to fail.
  if (recheck.provesAsMuch && errors == wasErrors && open.size() > wasOpen &&
      !(trial && trial->runs && !wasRunning())) {
    for (const verifier::Unproved &reason : open)
      refused.note(NoteKind::Evidence, reason.op->getLoc(),
                   "this step " + reason.reason);
    return refuse("requires a normalized schedule that proves as much as the "
                  "one as written but it leaves " +
                  Twine(open.size()) + (open.size() == 1 ? " step" : " steps") +
                  " unproved instead of " + Twine(wasOpen) +
                  "; nothing is written");
  }
  if (!trial)
    return success();
  if (trial->runs && recheck.leaves && trial->digest != *recheck.leaves)
    return refuse("requires a schedule that leaves the same payload as the one "
                  "as written, normalized, but it leaves another; nothing is "
                  "written");
  // The plan has told of a run that ends at a limit.
  if (trial->runs || trial->isStopped)
    return success();
  if (!wasRunning()) {
    StringRef error = StringRef(trial->error).split('\n').first;
    // The error may have an id of its own.
    if (error.ends_with("]"))
      error = error.take_front(error.rfind(" [fw-"));
    Finding fails(written.entry->getLoc(), "fw-run-fails",
                  "fails in a run on this payload, also with the insertions: " +
                      error,
                  DiagnosticSeverity::Warning);
    if (trial->where)
      fails.note(NoteKind::Evidence, *trial->where, "the run ends here");
    (void)emitFinding(std::move(fails));
    return success();
  }
  refused.note(NoteKind::Evidence, written.entry->getLoc(), trial->error);
  return refuse("requires a normalized schedule that runs where the one as "
                "written does but it fails on this payload; nothing is "
                "written");
}
