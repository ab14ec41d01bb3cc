//===- BeyondDomain.cpp - Values that a knob might have ---------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verifier/solving/BeyondDomain.h"

#include "verifier/solver/NearestFeasible.h"
#include "verifier/solver/SolverRun.h"
#include "verifier/solving/ChosenValues.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::verifier;
using engine::NoteKind;
using transform::tune::KnobOp;

/// Values of the knob from which a nearest one is sought.
static constexpr uint64_t maxOrigins = 16;
/// Numbers beyond this are no sizes of anything.
static constexpr int64_t maxMagnitude = int64_t(1) << 31;

/// The only knob in the core; null where there are several, or where one of
/// them is selected.
static const Knob *getOnlyKnob(const ParameterModel &model,
                               const solver::Unsat &unsat) {
  if (unsat.emptyDomain || unsat.core.empty())
    return nullptr;
  llvm::DenseSet<solver::VarId> used;
  for (solver::ConstraintId id : unsat.core) {
    // Constraints after the model's own are the selected values.
    if (id >= model.problem->getConstraints().size())
      return nullptr;
    used.insert_range(solver::collectVariables(
        model.problem->getConstraints()[id].term.getNode()));
  }
  const Knob *only = nullptr;
  for (const Knob &knob : model.knobs) {
    if (!used.contains(knob.term.getVariable()))
      continue;
    if (only || knob.selected || !isa<KnobOp>(knob.op))
      return nullptr;
    only = &knob;
  }
  return only;
}

/// The value that is nearest to one of those that the knob can be, as far as
/// the constraints tell that were derived for these.
static std::optional<int64_t>
findNearest(const ParameterModel &model, const Knob &knob,
            const solver::SolverOptions &options) {
  solver::VarId var = knob.term.getVariable();
  const solver::Domain &domain = model.problem->getVariable(var).domain;
  if (domain.empty() || domain.min() < -maxMagnitude ||
      domain.max() > maxMagnitude)
    return std::nullopt;
  int64_t span = std::max(std::abs(domain.min()), std::abs(domain.max()));
  solver::Problem wider(*model.context);
  for (const solver::Variable &variable : model.problem->getVariables())
    wider.addVariable(
        model.context->getName(variable.id),
        variable.id == var
            ? solver::Domain::range(domain.min() - span, domain.max() + span)
            : variable.domain,
        variable.role);
  for (const solver::Constraint &constraint : model.problem->getConstraints())
    wider.addConstraint(constraint.id, constraint.term, constraint.source,
                        constraint.text);
  std::optional<solver::KnobChange> nearest;
  for (int64_t from : domain.getValuesNear(domain.max(), maxOrigins)) {
    solver::Assignment chosen;
    chosen.set(var, from);
    for (const solver::KnobChange &change :
         solver::findNearestFeasible(wider, chosen, options).changes)
      if (!nearest || std::abs(change.to - change.from) <
                          std::abs(nearest->to - nearest->from))
        nearest = change;
  }
  if (!nearest)
    return std::nullopt;
  return nearest->to;
}

/// Whether the schedule has values when `knob` is `value`, whatever else it
/// could be.
static bool works(transform::NamedSequenceOp entry, Operation *payload,
                  const normalforms::Libraries &libraries, const Target *target,
                  const Knob &knob, int64_t value,
                  const solver::SolverOptions &options) {
  auto module = entry->getParentOfType<ModuleOp>();
  IRMapping mapping;
  OwningOpRef<ModuleOp> copy(cast<ModuleOp>(module->clone(mapping)));
  auto known = cast<KnobOp>(knob.op);
  auto changed = cast<KnobOp>(mapping.lookup(knob.op));
  SmallVector<StringAttr> domains;
  for (NamedAttribute attribute : changed->getDiscardableAttrs())
    domains.push_back(attribute.getName());
  for (StringAttr name : domains)
    changed->removeDiscardableAttr(name);
  Attribute option = makeParameterAttribute(known.getType(), value);
  changed.setOptionsAttr(ArrayAttr::get(known->getContext(), option));
  // It was said before what is wrong otherwise.
  ScopedDiagnosticHandler quiet(known->getContext(), [](Diagnostic &) {});
  FailureOr<ParameterModel> model = collectParameters(
      cast<transform::NamedSequenceOp>(mapping.lookup(entry.getOperation())),
      payload, libraries, target, {/*refuseErrors=*/true, nullptr, options});
  return succeeded(model) && model->unmodelled.empty() &&
         std::holds_alternative<solver::Sat>(
             solver::Solver(model->fixSelected(), options).checkSat("beyond"));
}

void formwork::verifier::suggestBeyondDomain(
    engine::Finding &finding, transform::NamedSequenceOp entry,
    Operation *payload, const normalforms::Libraries &libraries,
    const Target *target, const ParameterModel &model,
    const solver::Unsat &unsat, const solver::SolverOptions &given) {
  solver::SolverOptions options = solver::forOtherTerms(given);
  const Knob *knob = payload ? getOnlyKnob(model, unsat) : nullptr;
  std::optional<int64_t> value =
      knob ? findNearest(model, *knob, options) : std::nullopt;
  if (value && works(entry, payload, libraries, target, *knob, *value, options))
    finding.note(NoteKind::FixIt, knob->op->getLoc(),
                 "let " +
                     model.problem->getName(knob->term.getVariable()).str() +
                     " be " + Twine(*value) + ", too");
}
