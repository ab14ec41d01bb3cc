//===- ParameterFindings.cpp - What is said of a solved schedule ----------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verifier/solving/ParameterFindings.h"

#include "verifier/solver/NearestFeasible.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::verifier;
using engine::Finding;
using engine::NoteKind;

Operation *formwork::verifier::getSource(const solver::Constraint &constraint) {
  return static_cast<Operation *>(const_cast<void *>(constraint.source));
}

engine::Findings
formwork::verifier::explainUncovered(const ParameterModel &model) {
  engine::Findings findings;
  for (const OpaqueKnob &knob : model.opaqueKnobs)
    findings.add(Finding(
        knob.op->getLoc(), "fw-param-opaque",
        "takes the first option of '" +
            Twine(knob.op->getAttrOfType<StringAttr>("name").getValue()) +
            "' unless one is selected: it " + knob.reason,
        DiagnosticSeverity::Remark));
  for (const UnmodelledConstraint &constraint : model.unmodelled) {
    Finding &finding = findings.add(
        Finding(constraint.op->getLoc(), "fw-param-unmodelled",
                "cannot check this constraint: " + constraint.reason,
                DiagnosticSeverity::Warning));
    if (constraint.cause && constraint.cause != constraint.op)
      finding.note(NoteKind::Evidence, constraint.cause->getLoc(),
                   "it stands here");
  }
  for (const UnmodelledConstraint &use : model.unmodelledUses)
    findings.add(Finding(use.op->getLoc(), "fw-param-unmodelled",
                         "cannot check " + use.reason,
                         DiagnosticSeverity::Warning));
  return findings;
}

Finding formwork::verifier::explainUnknown(transform::NamedSequenceOp entry,
                                           const solver::Unknown &unknown) {
  std::string reason = solver::toString(unknown.reason).str();
  if (!unknown.detail.empty())
    reason += ": " + unknown.detail;
  return Finding(entry.getLoc(), "fw-param-unknown",
                 "cannot decide whether the parameters have valid values: " +
                     reason);
}

static const Knob *findKnob(const ParameterModel &model, solver::VarId var) {
  auto knob = llvm::find_if(model.knobs, [&](const Knob &candidate) {
    return candidate.term.getVariable() == var;
  });
  return knob == model.knobs.end() ? nullptr : knob;
}

/// The knobs that the constraints of the core mention, in order of declaration.
static SmallVector<const Knob *> getKnobs(const ParameterModel &model,
                                          const solver::Problem &problem,
                                          const solver::Unsat &unsat) {
  llvm::DenseSet<solver::VarId> used;
  if (unsat.emptyDomain)
    used.insert(*unsat.emptyDomain);
  for (solver::ConstraintId id : unsat.core)
    used.insert_range(
        solver::collectVariables(problem.getConstraints()[id].term.getNode()));
  SmallVector<const Knob *> knobs;
  for (const Knob &knob : model.knobs)
    if (used.contains(knob.term.getVariable()))
      knobs.push_back(&knob);
  return knobs;
}

Finding formwork::verifier::explainInfeasible(
    transform::NamedSequenceOp entry, const ParameterModel &model,
    const solver::Problem &problem, const solver::Unsat &unsat,
    const solver::SolverOptions &options) {
  SmallVector<const Knob *> knobs = getKnobs(model, problem, unsat);
  auto getName = [&](const Knob *knob) {
    return problem.getName(knob->term.getVariable()).str();
  };
  std::string names = llvm::join(llvm::map_range(knobs, getName), ", ");
  Operation *place = knobs.size() == 1 ? knobs.front()->op : entry;
  Finding finding(place->getLoc(), "fw-param-infeasible",
                  names.empty()
                      ? Twine("requires constraints that can hold together but "
                              "no values of the parameters meet them")
                      : "requires parameters that meet every constraint but no "
                        "value of " +
                            names + " does");
  for (const Knob *knob : knobs)
    finding.note(
        NoteKind::Established, knob->op->getLoc(),
        getName(knob) + " can be " +
            problem.getVariable(knob->term.getVariable()).domain.toString());
  for (solver::ConstraintId id : unsat.core) {
    const solver::Constraint &constraint = problem.getConstraints()[id];
    finding.note(NoteKind::Evidence, getSource(constraint)->getLoc(),
                 "requires that " + constraint.text + " (" + constraint.id +
                     ")");
  }
  if (!unsat.minimal)
    finding.note(NoteKind::Approximation, place->getLoc(),
                 "a limit ended the search for fewer constraints that exclude "
                 "each other");

  solver::Assignment selected = model.getSelected();
  bool anySelected = llvm::any_of(
      model.knobs, [](const Knob &knob) { return knob.selected.has_value(); });
  if (anySelected) {
    solver::NearestFeasible nearest =
        solver::findNearestFeasible(*model.problem, selected, options);
    if (nearest.changes.size() == 1) {
      const solver::KnobChange &change = nearest.changes.front();
      finding.note(NoteKind::FixIt, findKnob(model, change.knob)->op->getLoc(),
                   llvm::formatv("select {0} instead of {1} for {2}", change.to,
                                 change.from, problem.getName(change.knob))
                       .str());
    }
  }
  return finding;
}
