//===- Normalization.cpp - Models of normalization --------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Establishing and asserting forms: when that succeeds, and what it does to
// handles that the schedule still uses. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#include "verifier/models/rewriting/Normalization.h"
#include "verifier/clauses/LoneSteps.h"
#include "verifier/clauses/Tracking.h"
#include "verifier/models/Models.h"
#include "verifier/models/rewriting/Groups.h"
#include "verifier/models/rewriting/ScopeCleanUp.h"
#include "verifier/step/Step.h"

#include "engine/Check.h"

using namespace mlir;
using namespace formwork::engine;
using namespace formwork::normalforms;
using namespace formwork::verifier;

void formwork::verifier::normalizeAt(Analysis &analysis, NodeId anchor,
                                     const Form &form) {
  if (analysis.state.forms.get(analysis.state.payload, anchor)
          .contains(form.atom))
    return;
  if (form.hasDriver())
    cleanUp(analysis.at(nullptr), anchor, form.rewriteNames);
  // The copy is like what was there, but no handle follows.
  if (form.replacesBody) {
    followReplaced(analysis.at(nullptr), anchor,
                   [](NodeId, bool) { return true; });
    analysis.state.payload.mayReplaceByCopies();
  }
  // The driver makes constants without any rule, too.
  const Contract *driver =
      analysis.contracts.lookup("transform.apply_patterns");
  if (form.greedy && driver && driver->payload)
    analysis.state.payload.touch(anchor, driver->payload->introduces, {});
  analysis.state.forms.normalize(analysis.state.payload, anchor, form.atom);
}

/// The form that `op` names; reports and returns none when there is none.
static std::optional<AtomId> getForm(const Step &step) {
  auto symbol = step.op->getAttrOfType<FlatSymbolRefAttr>("form");
  FW_CHECK(symbol, "the op's verifier asks for a form");
  std::optional<AtomId> atom = step.forms.lattice().lookup(symbol.getValue());
  if (atom)
    return atom;
  Finding &finding =
      step.report("fw-unknown-form",
                  "requires a declared form but has @" + symbol.getValue(),
                  /*definite=*/true, /*silenceable=*/false);
  if (std::optional<AtomId> near =
          step.forms.lattice().suggest(symbol.getValue()))
    finding.note(NoteKind::FixIt, step.op->getLoc(),
                 "did you mean @" + step.forms.lattice().getName(*near) + "?",
                 step.analysis.fixes.replaceWords(
                     step.op, ("@" + symbol.getValue()).str(),
                     ("@" + step.forms.lattice().getName(*near)).str()));
  return std::nullopt;
}

/// Whether the rules of every form whose predicate `form` includes reach it.
static bool reachesPredicates(const FormLibrary &library, const Form &form) {
  return llvm::all_of(
      library.lattice().closure(form.atom).atoms(), [&](AtomId atom) {
        const Form &part = library.getForm(atom);
        // Canonicalization folds a copy of a buffer to itself.
        return part.predicate.empty() || part.predicate == "no-self-copies";
      });
}

/// Leaves `op` open where normalizing to `form` may not come to an end.
static void checkEnding(const Step &step, const Form &form) {
  if (form.ending == Ending::OfRules)
    checkConvergence(step, form.descriptors);
  else if (form.ending == Ending::Unknown)
    step.unprove("normalizes to @" + form.name + ", which may not terminate");
}

/// Leaves the step open, which `doesWhat` to its payload, where that may be no
/// anchor of `form`.
static void checkTargetsAreAnchors(const Step &step, const Form &form,
                                   StringRef doesWhat) {
  KindPattern anchors = form.anchor == AnchorKind::LoopNest
                            ? KindPattern("$loop")
                            : KindPattern("$isolated");
  for (NodeId target : step.lookup(step.op->getOperand(0)).nodes) {
    std::optional<OperationName> kind = step.payload[target].kind;
    if (!kind || !anchors.matches(*kind))
      step.unprove(doesWhat + " payload that may not be an anchor of @" +
                   form.name);
  }
}

/// Whether a trial says that the step succeeds at `anchor`, where its operand
/// holds that. Reports one that fails.
static bool succeedsAt(const Step &step, NodeId anchor) {
  const NodeList targets(step.lookup(step.op->getOperand(0)).nodes);
  const LoneRun *run =
      llvm::is_contained(targets, anchor) ? tryRewrite(step, anchor) : nullptr;
  if (!run || !run->failure)
    return run;
  bool isThere = step.payload[anchor].isSurelyThere();
  if (isThere)
    reportTrial(step, *run, /*mayBeMended=*/run->leavesInvalid);
  return isThere;
}

static void propagateNormalize(const Step &step) {
  std::optional<AtomId> atom = getForm(step);
  if (!atom)
    return;
  const Form &form = step.forms.getForm(*atom);
  checkTargetsAreAnchors(step, form, "normalizes");
  const NodeList targets(step.lookup(step.op->getOperand(0)).nodes);
  const NodeList anchors =
      step.analysis.getAnchors(step.op->getOperand(0), *atom);
  bool isIdle = llvm::equal(anchors, targets) && stayAsGivenIfIdle(step);
  for (NodeId anchor : anchors) {
    if (isIdle) {
      step.state.forms.establish(anchor, *atom);
      continue;
    }
    bool holds = step.state.forms.get(step.payload, anchor).contains(*atom);
    bool isTried = !holds && succeedsAt(step, anchor);
    if (!holds && !isTried && !reachesPredicates(step.forms, form))
      step.unprove("normalizes to @" + form.name +
                   ", which not all payload can reach");
    if (!holds && !isTried) {
      checkEnding(step, form);
      checkMasks(step, anchor, form.rewriteNames);
    }
    normalizeAt(step, anchor, form);
    // It is around ops that are no anchors, or around none.
    if (!llvm::is_contained(targets, anchor))
      step.state.forms.write(step.payload, anchor, /*contract=*/nullptr);
    // An op that certainly still exists was not changed by the clean-up.
    if (!holds)
      checkTracking(step, anchor, [&](NodeId id) {
        return step.payload[id].present == Certainty::Maybe;
      });
  }
}

static void propagateAssert(const Step &step) {
  std::optional<AtomId> atom = getForm(step);
  if (!atom)
    return;
  checkTargetsAreAnchors(step, step.forms.getForm(*atom), "asserts a form of");
  const NodeList targets(step.lookup(step.op->getOperand(0)).nodes);
  // Later steps know that the form holds, although the check does not know it
  // before the run.
  for (NodeId anchor :
       step.analysis.getAnchors(step.op->getOperand(0), *atom)) {
    if (!step.state.forms.get(step.payload, anchor).contains(*atom) &&
        !succeedsAt(step, anchor))
      step.unprove("asserts form @" + step.forms.getForm(*atom).name +
                   ", which is not established");
    // It is around ops that are no anchors, or around none.
    if (llvm::is_contained(targets, anchor))
      step.state.forms.establish(anchor, *atom);
  }
}

void formwork::verifier::registerNormalizationModels(ModelRegistry &models) {
  models.add("normalize", propagateNormalize,
             decides{"fw-form-not-reached", "fw-normalize-diverges",
                     "fw-procedure-failed", "fw-unknown-form"},
             leavesOpen{"normalizes to @ , which not all payload can reach"});
  models.add("assert-form", propagateAssert,
             decides{"fw-form-violated", "fw-unknown-form"});
}
