//===- AllowedSteps.cpp - Steps that a user allows, or not ------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/schedule/AllowedSteps.h"

#include "transforms/TransformOps/NormalFormTransformOps.h"
#include "transforms/schedule/RunSchedule.h"
#include "transforms/schedule/Trial.h"
#include "verifier/source/ApplyEdits.h"

#include "mlir/Dialect/Transform/IR/TransformTypes.h"
#include "mlir/IR/Diagnostics.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::transforms;
using engine::Finding;
using engine::NoteKind;
using normalforms::ContractLibrary;
using normalforms::FormLibrary;
using verifier::StepProposal;
namespace json = llvm::json;

namespace {
/// The result of a run about a form at one place.
struct Observation {
  enum Kind { Holds, Violated, NotReached } kind = NotReached;
  std::string violation;
};
} // namespace

/// In a child: runs the schedule with an assertion of the form in front of the
/// need, and answers what that said.
static json::Object observeHere(ScheduleInput &input, const FormLibrary &forms,
                                const StepProposal &proposal, bool viaParent) {
  Value handle = proposal.handle;
  OpBuilder builder(proposal.neededBy);
  // Tells this assertion from those of the author.
  Location loc = NameLoc::get(builder.getStringAttr("formwork.observed"));
  if (viaParent)
    handle = createIsolatedParent(builder, loc, handle);
  transform::AssertOp::create(
      builder, loc, handle,
      FlatSymbolRefAttr::get(builder.getContext(),
                             forms.getForm(proposal.form).name));
  json::Object answer;
  std::vector<std::string> violations;
  ScopedDiagnosticHandler handler(
      builder.getContext(), [&](Diagnostic &diagnostic) {
        if (diagnostic.getLocation() != loc)
          return success();
        std::string text = diagnostic.str();
        if (StringRef(text).contains("[fw-not-an-anchor]"))
          answer["isNoAnchor"] = true;
        if (!StringRef(text).contains("[fw-form-violated]"))
          return success();
        std::string &violation = violations.emplace_back();
        for (Diagnostic &note : diagnostic.getNotes())
          if (violation.empty() && note.str() != "payload op")
            violation = note.str();
        return success();
      });
  answer["runs"] = succeeded(runSchedule(*input.payload, input.entry));
  if (!violations.empty())
    answer["violation"] = json::fixUTF8(violations.front());
  return answer;
}

/// Observes the form in such a run; if `viaParent`, at the isolated parents of
/// the handle.
static Observation observe(ScheduleInput &input, const FormLibrary &forms,
                           const StepProposal &proposal, bool viaParent,
                           bool &isNoAnchor) {
  std::optional<json::Object> answer =
      answerInChild(input.payload->getContext(), [&] {
        return observeHere(input, forms, proposal, viaParent);
      }).object;
  if (!answer)
    return {};
  isNoAnchor |= answer->getBoolean("isNoAnchor").value_or(false);
  if (std::optional<StringRef> violation = answer->getString("violation"))
    return {Observation::Violated, violation->str()};
  return {answer->getBoolean("runs").value_or(false) ? Observation::Holds
                                                     : Observation::NotReached,
          ""};
}

/// Runs the schedule and looks at its result.
static Observation observeEnd(ScheduleInput &input, const FormLibrary &forms,
                              const StepProposal &proposal) {
  ResultCheck check = checkResult(*input.payload, input.entry, forms,
                                  forms.getForm(proposal.form));
  if (!check.runs)
    return {};
  if (check.violations.empty())
    return {Observation::Holds, ""};
  return {Observation::Violated, check.violations.front().message};
}

static Observation observe(ScheduleInput &input, const FormLibrary &forms,
                           const StepProposal &proposal) {
  if (!input.payload)
    return {};
  if (!proposal.handle)
    return observeEnd(input, forms, proposal);
  bool isNoAnchor = false;
  Observation found =
      observe(input, forms, proposal, /*viaParent=*/false, isNoAnchor);
  if (isNoAnchor)
    found = observe(input, forms, proposal, /*viaParent=*/true, isNoAnchor);
  return found;
}

SmallVector<NeededStep, 0>
formwork::transforms::findNeededSteps(ScheduleInput &input,
                                      const normalforms::Libraries &libraries,
                                      const PrepareOptions &options) {
  SmallVector<NeededStep, 0> needed;
  FailureOr<verifier::ScheduleModel> model = getModel(input);
  if (failed(model))
    return needed;
  std::optional<verifier::SourceNames> names = input.getNames();
  for (StepProposal &proposal : verifier::proposeSteps(
           *model, getPayload(input), libraries,
           getCheckOptions(input, options), names ? &*names : nullptr)) {
    // Behind one that is missing, what holds depends on how it is met.
    bool isBehind = llvm::any_of(needed, [&](const NeededStep &other) {
      return other.isShown && other.proposal.step == proposal.step;
    });
    if (isBehind || (options.onlyRequired && !proposal.required))
      continue;
    Observation observation = observe(input, *libraries.forms, proposal);
    bool isShown = observation.kind == Observation::Violated;
    bool isOpen =
        observation.kind == Observation::NotReached && proposal.required;
    // Only a run decides whether a goal is reached.
    if (isShown || (isOpen && proposal.handle))
      needed.push_back(
          {std::move(proposal), isShown, std::move(observation.violation)});
  }
  return needed;
}

static bool isAllowed(const StepProposal &proposal,
                      const PrepareOptions &options) {
  return llvm::is_contained(options.allowed, proposal.step);
}

static size_t countErrors(ScheduleInput &input,
                          const normalforms::Libraries &libraries,
                          const PrepareOptions &options) {
  FailureOr<verifier::CheckResult> result =
      checkInput(input, libraries, getCheckOptions(input, options));
  return failed(result) ? ~size_t(0)
                        : result->findings.count(DiagnosticSeverity::Error);
}

/// The edits as bytes of the text that `input` was parsed from.
static std::string carryOut(const ScheduleInput &input,
                            const StepProposal &proposal) {
  const llvm::SourceMgr &manager = *input.sourceText.manager;
  const llvm::MemoryBuffer *buffer =
      manager.getMemoryBuffer(manager.getMainFileID());
  Finding carrier(proposal.neededBy->getLoc(), "", "");
  carrier.note(NoteKind::FixIt, proposal.neededBy->getLoc(), "",
               proposal.edits);
  return verifier::applyFixes(
      buffer->getBuffer(),
      verifier::collectFixes(carrier, buffer->getBufferIdentifier(),
                             buffer->getBuffer()));
}

FailureOr<ScheduleInput>
formwork::transforms::insertStep(const ScheduleInput &input,
                                 const StepProposal &proposal) {
  ScopedDiagnosticHandler quiet(input.schedule.get()->getContext(),
                                [](Diagnostic &) {});
  return replaceSchedule(input, carryOut(input, proposal),
                         input.sourceName +
                             " (with the steps that are allowed)");
}

std::string
formwork::transforms::describeInsertion(const StepProposal &proposal) {
  StringRef text = StringRef(proposal.text).rtrim('\n');
  return llvm::join(llvm::split(text, '\n'), "; ");
}

unsigned
formwork::transforms::takeAllowedSteps(ScheduleInput &input,
                                       const normalforms::Libraries &libraries,
                                       const PrepareOptions &options) {
  if (options.allowed.empty() || !input.sourceText.state)
    return 0;
  constexpr unsigned maxSteps = 16;
  unsigned taken = 0;
  SmallVector<NeededStep, 0> needed =
      findNeededSteps(input, libraries, options);
  engine::Findings findings;
  for (bool changed = true; changed && taken < maxSteps;) {
    changed = false;
    for (const NeededStep &step : needed) {
      const StepProposal &proposal = step.proposal;
      if (!isAllowed(proposal, options) || proposal.edits.empty())
        continue;
      // An edit that does not parse, or is no better, is not made; the step is
      // proposed as if it were not allowed.
      ScopedDiagnosticHandler quiet(input.schedule.get()->getContext(),
                                    [](Diagnostic &) {});
      FailureOr<ScheduleInput> again = insertStep(input, proposal);
      if (failed(again) || countErrors(*again, libraries, options) >
                               countErrors(input, libraries, options))
        continue;
      bool breaks =
          input.payload &&
          runTrial(*input.payload, input.entry, *libraries.forms).runs &&
          !runTrial(*input.payload, again->entry, *libraries.forms).runs;
      if (breaks)
        continue;
      SmallVector<NeededStep, 0> left =
          findNeededSteps(*again, libraries, options);
      if (left.size() >= needed.size())
        continue;
      findings.add(Finding(proposal.neededBy->getLoc(), "fw-step-allowed",
                           proposal.step->does.str() +
                               (proposal.handle ? " before this step, which "
                                                : " at the end, which ") +
                               (proposal.required ? "requires" : "wants") +
                               " form @" + proposal.step->form,
                           DiagnosticSeverity::Remark)
                       .note(NoteKind::Evidence, proposal.neededBy->getLoc(),
                             "without the form, " + proposal.otherwise + " (" +
                                 proposal.clause + ")"));
      input = std::move(*again);
      needed = std::move(left);
      ++taken;
      changed = true;
      break;
    }
  }
  if (options.explain)
    findings.emit();
  return taken;
}

void formwork::transforms::addProposals(verifier::CheckResult &result,
                                        ScheduleInput &input,
                                        const normalforms::Libraries &libraries,
                                        const PrepareOptions &options) {
  SmallVector<NeededStep, 0> needed =
      findNeededSteps(input, libraries, options);
  if (needed.empty())
    return;
  auto isSaidBetter = [&](const Finding &finding) {
    return llvm::any_of(needed, [&](NeededStep &step) {
      const verifier::StepKind &kind = *step.proposal.step;
      bool isHere = finding.loc == step.proposal.neededBy->getLoc();
      if (finding.id == "fw-not-bufferized" &&
          kind.kind == verifier::StepKind::Bufferize) {
        // The check is as sure as a run.
        step.isShown |= isHere && finding.severity == DiagnosticSeverity::Error;
        return isHere || step.isShown;
      }
      return isHere && finding.id == "fw-missing-form" &&
             finding.lackedForm == kind.form;
    });
  };
  (void)eraseFindings(result.findings, isSaidBetter);
  for (const NeededStep &step : needed) {
    const StepProposal &proposal = step.proposal;
    Location loc = proposal.neededBy->getLoc();
    Finding finding(
        loc, "fw-step-proposed",
        std::string(proposal.required ? "requires" : "wants") + " form @" +
            proposal.step->form +
            (step.isShown
                 ? " but the payload is not in the form here"
                 : " but no earlier step is known to establish the form"),
        step.isError() ? DiagnosticSeverity::Error
                       : DiagnosticSeverity::Warning);
    if (!step.violation.empty())
      finding.note(NoteKind::Evidence, loc, step.violation);
    finding.note(NoteKind::Evidence, loc,
                 "without the form (" + proposal.clause +
                     "): " + proposal.otherwise);
    if (!proposal.obstacle.empty()) {
      finding.note(NoteKind::FixIt, loc,
                   "a step that " + proposal.step->does.str() +
                       " is yours to write: " + proposal.obstacle);
    } else if (isAllowed(proposal, options)) {
      finding.note(NoteKind::FixIt, loc,
                   "a step that " + proposal.step->does.str() +
                       " is allowed, but the one that can be inserted here "
                       "leaves the schedule no better",
                   proposal.edits);
    } else {
      finding.note(NoteKind::FixIt, loc,
                   "a step that " + proposal.step->does.str() +
                       " is yours to decide: insert '" +
                       describeInsertion(proposal) +
                       "', or allow it: --allow=" + proposal.step->name.str(),
                   proposal.edits);
    }
    result.findings.add(std::move(finding));
  }
}
