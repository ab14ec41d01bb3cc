//===- ResolveParameters.cpp - From open knobs to values ------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/schedule/ResolveParameters.h"

#include "engine/AnyBelow.h"
#include "transforms/schedule/Prepare.h"
#include "verifier/solving/BeyondDomain.h"
#include "verifier/solving/ChosenValues.h"
#include "verifier/solving/ParameterFindings.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::transforms;
using engine::Finding;
using engine::NoteKind;
using transform::smt::ConstrainParamsOp;
using transform::tune::AlternativesOp;
using transform::tune::KnobOp;
using verifier::Knob;
using verifier::ParameterModel;
namespace solver = formwork::verifier::solver;

static FailureOr<ParameterModel>
collect(ScheduleInput &input, const normalforms::Libraries &libraries,
        const verifier::Target *target,
        const solver::SolverOptions &solverOptions) {
  verifier::CollectOptions options;
  options.solver = solverOptions;
  return verifier::collectParameters(input.entry, getPayload(input), libraries,
                                     target, options);
}

/// Whether some op could have parameters that are open.
static bool hasParameters(ScheduleInput &input) {
  return engine::holdsAny<KnobOp, AlternativesOp, ConstrainParamsOp>(
      *input.schedule);
}

bool formwork::transforms::hasOpenParameters(
    Operation *schedule, const verifier::CheckResult &result) {
  if (result.parameters)
    return !result.parameters->isResolved();
  return engine::holdsAny<KnobOp, AlternativesOp, ConstrainParamsOp>(schedule);
}

/// The constraints for the schedule to run: without those that only keep one
/// schedule from being counted twice, if there is nothing to choose.
static solver::Problem makeProblem(const ParameterModel &model) {
  solver::Assignment selected = model.getSelected();
  solver::Problem fixed = model.fixSelected();
  solver::Problem problem(*model.context);
  for (const solver::Variable &variable : fixed.getVariables())
    problem.addVariable(fixed.getName(variable.id), variable.domain,
                        variable.role);
  for (const solver::Constraint &constraint : fixed.getConstraints()) {
    bool chosen = llvm::all_of(
        solver::collectVariables(constraint.term.getNode()),
        [&](solver::VarId variable) { return selected.has(variable); });
    if (constraint.id != "tile.within-extent" || !chosen)
      problem.addConstraint(constraint.id, constraint.term, constraint.source,
                            constraint.text);
  }
  for (const solver::Unmodelled &unmodelled : fixed.getUnmodelled())
    problem.addUnmodelled(unmodelled.id, unmodelled.source, unmodelled.reason);
  return problem;
}

static Finding explainChoice(const Knob &knob, const solver::Problem &problem,
                             int64_t value) {
  solver::VarId variable = knob.term.getVariable();
  return Finding(knob.op->getLoc(), "fw-solved",
                 "selects " + Twine(value) + " for " +
                     problem.getName(variable) + " from " +
                     problem.getVariable(variable).domain.toString(),
                 DiagnosticSeverity::Remark);
}

static void select(const Knob &knob, int64_t value) {
  if (auto alternatives = dyn_cast<AlternativesOp>(knob.op)) {
    alternatives.setSelectedRegionAttrAttr(
        Builder(knob.op->getContext()).getIndexAttr(value));
    return;
  }
  auto op = cast<KnobOp>(knob.op);
  op.setSelectedAttr(verifier::getSelectedAttribute(op, value));
}

/// Puts constants in the place of a constrain_params.
static void replace(ConstrainParamsOp op,
                    ArrayRef<std::optional<int64_t>> values) {
  OpBuilder builder(op);
  for (auto [result, value] : llvm::zip(op.getResults(), values)) {
    if (result.use_empty())
      continue;
    auto constant = transform::ParamConstantOp::create(
        builder, op.getLoc(), result.getType(),
        verifier::makeParameterAttribute(result.getType(), *value));
    result.replaceAllUsesWith(constant);
  }
  op.erase();
}

LogicalResult
formwork::transforms::applyAssignment(const ParameterModel &model,
                                      const solver::Assignment &assignment) {
  FailureOr<verifier::ConstrainedValues> constrained =
      verifier::getConstrainedValues(model, assignment);
  if (failed(constrained))
    return failure();
  for (const Knob &knob : model.knobs)
    if (!knob.selected)
      select(knob, *assignment.get(knob.term.getVariable()));
  for (const verifier::OpaqueKnob &knob : model.opaqueKnobs)
    if (KnobOp op = knob.op; !op.getSelected())
      op.setSelectedAttr(verifier::getFirstOption(op));
  for (auto &[op, values] : *constrained)
    replace(cast<ConstrainParamsOp>(op), values);
  return success();
}

/// The best of some assignments, with a remark; `first` where none is known to
/// be better.
static solver::Assignment
chooseBest(ScheduleInput &input, const ParameterModel &model,
           const solver::Problem &problem, const solver::Assignment &first,
           const Ranking &ranking, const solver::SolverOptions &options,
           engine::Findings &findings) {
  std::vector<RankedAssignment> ranked =
      rankAssignments(input, model, problem, first, ranking, options);
  if (ranked.empty() || !ranked.front().judgement)
    return first;
  Location loc = input.entry.getLoc();
  findings.add(Finding(loc, "fw-ranked",
                       "selects the best of " +
                           (ranked.size() == 1 ? std::string("1 assignment")
                                               : std::to_string(ranked.size()) +
                                                     " assignments") +
                           ": " + ranked.front().judgement->text,
                       DiagnosticSeverity::Remark));
  return ranked.front().assignment;
}

LogicalResult formwork::transforms::resolveParameters(
    ScheduleInput &input, const normalforms::Libraries &libraries,
    const verifier::Target *target, const solver::SolverOptions &options,
    const Ranking *ranking) {
  if (!hasParameters(input))
    return success();
  FailureOr<ParameterModel> model = collect(input, libraries, target, options);
  if (failed(model))
    return failure();
  if (model->isResolved())
    return success();
  engine::Findings findings = verifier::explainUncovered(*model);
  model->beginQuestions(options);
  solver::Problem problem = makeProblem(*model);
  solver::Verdict verdict = solver::Solver(problem, options).checkSat("run");
  if (const auto *unsat = std::get_if<solver::Unsat>(&verdict)) {
    engine::Finding &finding = findings.add(verifier::explainInfeasible(
        input.entry, *model, problem, *unsat, options));
    verifier::suggestBeyondDomain(finding, input.entry, getPayload(input),
                                  libraries, target, *model, *unsat, options);
  } else if (const auto *unknown = std::get_if<solver::Unknown>(&verdict))
    findings.add(verifier::explainUnknown(input.entry, *unknown));
  const auto *sat = std::get_if<solver::Sat>(&verdict);
  if (!sat) {
    findings.emit();
    return failure();
  }
  solver::Assignment chosen = sat->model;
  bool isOpen = llvm::any_of(model->knobs,
                             [](const Knob &knob) { return !knob.selected; });
  if (ranking && input.payload && isOpen)
    chosen = chooseBest(input, *model, problem, sat->model, *ranking, options,
                        findings);
  for (const Knob &knob : model->knobs)
    if (!knob.selected)
      findings.add(
          explainChoice(knob, problem, *chosen.get(knob.term.getVariable())));
  if (failed(applyAssignment(*model, chosen)))
    return failure();
  findings.emit();
  return success();
}

LogicalResult formwork::transforms::refuseOpenParameters(
    ScheduleInput &input, const normalforms::Libraries &libraries) {
  if (!hasParameters(input))
    return success();
  FailureOr<ParameterModel> model =
      collect(input, libraries, /*target=*/nullptr, /*solverOptions=*/{});
  if (failed(model))
    return failure();
  engine::Findings findings;
  auto refuse = [&](Operation *op, const Twine &message) {
    findings.add(Finding(op->getLoc(), "fw-param-open", message))
        .note(NoteKind::FixIt, op->getLoc(),
              "let 'formwork solve -o' write the schedule with values");
  };
  for (const Knob &knob : model->knobs)
    if (!knob.selected)
      refuse(knob.op, "requires a value for " +
                          model->problem->getName(knob.term.getVariable()) +
                          " but none is selected");
  for (const verifier::OpaqueKnob &knob : model->opaqueKnobs)
    if (KnobOp op = knob.op; !op.getSelected())
      refuse(op, "requires a value for " + op.getName().getValue() +
                     " but none is selected");
  for (const verifier::ConstrainedParams &params : model->constrained)
    refuse(params.op,
           "requires a schedule without 'transform.smt.constrain_params', "
           "which MLIR cannot run, but has one");
  bool refused = findings.hasErrors();
  findings.emit();
  return failure(refused);
}
