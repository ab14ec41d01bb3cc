//===- Findings.cpp - What a check says -------------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Errors, warnings, and steps that are not proved. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#include "verifier/step/ModelRegistry.h"
#include "verifier/step/Step.h"

using namespace mlir;
using namespace formwork::engine;
using namespace formwork::normalforms;
using namespace formwork::verifier;
using solver::BoolTerm;

std::string Analysis::nameOf(Value value) const {
  if (options.nameOf)
    return options.nameOf(value);
  return names->get(value);
}

/// Whether MLIR is known to say of this failure that it can be recovered from.
/// An error that is not silenced says no less if it cannot.
static bool isSurelySilenceable(const Contract *contract, StringRef id) {
  return contract ? contract->isSilenceable(id) : isAlwaysSilenceable(id);
}

Finding &Step::report(StringRef id, const llvm::Twine &message, bool definite,
                      bool silenceable) const {
  if (analysis.model && !analysis.model->isDeclared(id))
    analysis.outcome.result.undeclared.push_back(
        (contract.model + ": " + id).str());
  ++analysis.outcome.doubts;
  // A step that failed before, where the failure is hidden or another
  // alternative is tried, does not fail again here.
  bool hasFailed = state.survivesFailures() &&
                   (state.ended || analysis.outcome.hidden.contains(op) ||
                    analysis.outcome.unproved.contains(op));
  bool isError = definite && state.certain && !state.mayHaveLeft &&
                 !hasFailed && !(silenceable && state.survivesFailures());
  if (isError && state.guard) {
    // An error in a region that need not be chosen excludes that choice.
    std::string text = message.str();
    BoolTerm chosen = *state.guard;
    for (BoolTerm term : state.assumed)
      chosen = terms.logicalAnd(chosen, term);
    parameters.add(
        id.drop_front(strlen("fw-")), parameters.context->logicalNot(chosen),
        op, "this step is not chosen: it " + text, ConstraintKind::Required);
    return analysis.outcome.guarded.add(
        {op->getLoc(), id, message, DiagnosticSeverity::Error});
  }
  isError &= state.assumed.empty();
  bool isCertain = definite && state.certain;
  bool isMild =
      silenceable &&
      isSurelySilenceable(contracts.lookup(op->getName().getStringRef()), id);
  // An alternative may fail: the others are tried then. A certain failure
  // leaves nothing open.
  bool isTried = isMild && state.recovers && !state.suppressed;
  bool isAnswer = isCertain && isTried;
  state.ended |= isAnswer;
  // An error speaks for itself.
  if (isError) {
    analysis.outcome.unproved.insert(op);
  } else if (isAnswer) {
    --analysis.outcome.doubts;
  } else if (analysis.hidesFailure(isMild)) {
    analysis.outcome.hidden.insert(op);
    if (definite && leavesPayload(id))
      analysis.refused = op;
    return warnOfHidden(message, isCertain);
  } else {
    unprove(message);
  }
  auto severity = isError   ? DiagnosticSeverity::Error
                  : isTried ? DiagnosticSeverity::Remark
                            : DiagnosticSeverity::Warning;
  return analysis.outcome.result.findings.add(
      {op->getLoc(), id, message, severity});
}

Finding &Step::reportOf(Value handle, StringRef id, const llvm::Twine &message,
                        bool definite, bool silenceable) const {
  return noteSet(report(id, message, definite, silenceable), handle);
}

Finding &Step::noteSet(Finding &finding, Value handle) const {
  Operation *origin = lookup(handle).origin;
  return finding.note(NoteKind::Established,
                      origin ? origin->getLoc() : handle.getLoc(),
                      "handle " + nameOf(handle) + " is set here");
}

Location Step::locOf(const Node &node) const {
  return node.origin ? node.origin->getLoc() : op->getLoc();
}

Finding &Step::warn(StringRef id, const llvm::Twine &message) const {
  return analysis.outcome.result.findings.add(
      {op->getLoc(), id, message, DiagnosticSeverity::Warning});
}

Finding &Step::warnOfHidden(const llvm::Twine &reason, bool isCertain) const {
  return warn("fw-hidden-failure",
              Twine(isCertain ? "does" : "may do") +
                  " less than it says, because a failure that is not reported "
                  "leaves the payload unchanged: " +
                  reason);
}

bool Step::leavesPayload(StringRef id) const {
  Count targets = op->getNumOperands() == 0
                      ? Count::exactly(1)
                      : analysis.lookup(op->getOperand(0)).count(state.payload);
  // MLIR may not survive what it does for a target in front of the failing one.
  if (effects.isStep(op) && !effects.modifiesPayload(op))
    return targets.hi <= 1;
  const Contract *own = contracts.lookup(op->getName().getStringRef());
  return own && own->leavesPayload(id) && targets.isExactly(1);
}

bool Analysis::hidesFailure(bool silenceable) {
  bool isHidden = silenceable && state.suppressed;
  outcome.hiddenDoubts += isHidden;
  return isHidden;
}

bool Step::isOpen() const {
  return analysis.outcome.unproved.contains(op) ||
         analysis.outcome.hidden.contains(op);
}

void Step::leaveToTrial(const llvm::Twine &reason) const {
  ++analysis.numLeftToTrial;
  unprove(reason);
}

void Step::unprove(const llvm::Twine &reason, bool silenceable) const {
  ++analysis.outcome.doubts;
  if (analysis.hidesFailure(silenceable)) {
    if (analysis.outcome.hidden.insert(op).second)
      warnOfHidden(reason, /*isCertain=*/false);
    return;
  }
  // Where a failure can be recovered from, nothing behind it need run, behind
  // the paths that join here either.
  state.certain &= !state.recovers;
  state.mayHaveLeft |= state.recovers;
  if (!analysis.outcome.unproved.insert(op).second)
    return;
  analysis.outcome.result.verdict.reasons.push_back({op, reason.str()});
  ++analysis.outcome.result.numUnproved;
}
