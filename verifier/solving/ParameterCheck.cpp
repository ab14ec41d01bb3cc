//===- ParameterCheck.cpp - Check a schedule with open knobs ----*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verifier/solving/ParameterCheck.h"

#include "verifier/solver/Counting.h"
#include "verifier/solver/SolverRun.h"
#include "verifier/solving/ExamplePayload.h"
#include "verifier/solving/ParameterFindings.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::engine;
using namespace formwork::verifier;
using solver::ConstraintId;

static std::string nameOf(const CheckOptions &options, Value handle) {
  return options.nameOf ? options.nameOf(handle) : "the payload";
}

/// The options to check `example` with, which they refer to.
static CheckOptions nameSizes(const ExamplePayload &example,
                              const CheckOptions &options) {
  CheckOptions named = options;
  named.observer = nullptr;
  named.nameOfSize = [&](Operation *op, unsigned dim) {
    return example.getNameOfSize(op, dim);
  };
  return named;
}

/// The requirements of the steps on the sizes of an example; none if they do
/// not cover `parameters`, which are those of the schedule alone.
static std::shared_ptr<ParameterModel>
collectOnExample(const ScheduleModel &schedule,
                 const normalforms::Libraries &libraries,
                 const CheckOptions &options, const ParameterModel &parameters,
                 bool guessFlow) {
  std::optional<ExamplePayload> example = ExamplePayload::create(
      schedule, [&](Value handle) { return nameOf(options, handle); },
      guessFlow);
  if (!example || (guessFlow && !example->guessesFlow()))
    return nullptr;
  CheckResult named = checkSchedule(schedule, example->getModule(), libraries,
                                    nameSizes(*example, options));
  // A handle with payload may be empty in the example.
  ParameterModel &model = *named.parameters;
  if (model.knobs.size() != parameters.knobs.size() ||
      model.constrained.size() != parameters.constrained.size() ||
      model.opaqueKnobs.size() != parameters.opaqueKnobs.size())
    return nullptr;
  return named.parameters;
}

/// Puts what the steps require of the sizes of an example into `parameters`.
static void nameExampleSizes(const ScheduleModel &schedule,
                             const normalforms::Libraries &libraries,
                             const CheckOptions &options,
                             const solver::SolverOptions &solverOptions,
                             ParameterModel &parameters) {
  std::shared_ptr<ParameterModel> model = collectOnExample(
      schedule, libraries, options, parameters, /*guessFlow=*/true);
  // A guess says of no value that there is no payload for it.
  if (model) {
    solver::Problem problem = model->fixSelected();
    solver::Verdict verdict =
        solver::Solver(problem, solverOptions).checkSat("flow");
    if (!std::holds_alternative<solver::Sat>(verdict))
      model = nullptr;
  }
  if (!model)
    model = collectOnExample(schedule, libraries, options, parameters,
                             /*guessFlow=*/false);
  if (model)
    parameters = std::move(*model);
}

FailureOr<ParameterModel> formwork::verifier::collectParameters(
    transform::NamedSequenceOp entry, Operation *payload,
    const normalforms::Libraries &libraries, const Target *target,
    const CollectOptions &collect) {
  FailureOr<ScheduleModel> schedule = ScheduleModel::create(
      entry->getParentOfType<ModuleOp>(), entry.getSymName());
  if (failed(schedule))
    return failure();
  CheckOptions options;
  options.target = target;
  options.knobsAreOpen = true;
  options.nameOf = collect.nameOf;
  options.deadline = solver::getDeadline(collect.solver);
  CheckResult result = checkSchedule(*schedule, payload, libraries, options);
  if (!payload)
    nameExampleSizes(*schedule, libraries, options,
                     solver::forOtherTerms(collect.solver), *result.parameters);
  Findings refused;
  for (const Finding &finding : result.findings.get())
    if (finding.id == "fw-knob-domain" ||
        (collect.refuseErrors && finding.severity == DiagnosticSeverity::Error))
      refused.add(finding);
  refused.emit();
  if (refused.hasErrors())
    return failure();
  return std::move(*result.parameters);
}

namespace {
/// One check for all values.
class Checker {
public:
  Checker(const ScheduleModel &schedule, Operation *payload,
          const normalforms::Libraries &libraries, const CheckOptions &options,
          const solver::SolverOptions &solverOptions)
      : schedule(schedule), payload(payload), libraries(libraries),
        options(options), solverOptions(solverOptions) {}

  CheckResult run();
  /// As `run` for a payload that is `example`, whose sizes have names: reports
  /// requirements of steps on values, and nothing of the example itself.
  CheckResult runExample(const ExamplePayload &example);

private:
  CheckResult replay(const solver::Assignment &values);
  bool isFeasible();
  void decideConstraints();
  /// Looks for values that meet `given` and not `constraint`. True when there
  /// are none for sure, or when what they do was reported.
  bool decide(const solver::Problem &given, ConstraintId constraint,
              StringRef name);
  /// Reports `error`, which a replay of `values` has found.
  void reportRefuted(const solver::Assignment &values,
                     ArrayRef<solver::VarId> decisive, const Finding &error,
                     const Twine &evidence, Operation *source);
  bool reportUnmet(const solver::Refuted &refuted, ConstraintId constraint,
                   StringRef name);
  llvm::SmallVector<solver::VarId> getKnobs() const;
  /// The first error of `replayed`, at `step` if that is given; or null.
  const Finding *findError(const CheckResult &replayed,
                           Operation *step = nullptr) const;
  /// Whether one of `values` is a size of which the author says nothing.
  bool dependsOnPayload(ArrayRef<solver::VarId> values) const;
  void tryAllValues();
  void unprove(Operation *op, const Twine &reason);
  bool isBudgetSpent() const { return solver::isBudgetSpent(solverOptions); }

  const ParameterModel &model() const { return *result.parameters; }

  const ScheduleModel &schedule;
  Operation *payload;
  normalforms::Libraries libraries;
  const CheckOptions &options;
  const solver::SolverOptions &solverOptions;
  CheckResult result;
  /// The errors that the example alone is to blame for.
  Findings artefacts;
  /// That is the payload, if it is one.
  const ExamplePayload *example = nullptr;
};
} // namespace

/// Why a question was not answered, for a reader.
static StringRef getReason(const solver::Unknown &unknown) {
  return unknown.detail == solver::kBudgetIsSpent
             ? StringRef(solver::kBudgetIsSpent)
             : solver::toString(unknown.reason);
}

void Checker::unprove(Operation *op, const Twine &reason) {
  result.verdict.reasons.push_back({op, reason.str()});
  ++result.numUnproved;
}

CheckResult Checker::replay(const solver::Assignment &values) {
  llvm::StringMap<int64_t> assignment;
  for (const solver::Variable &variable : model().problem->getVariables())
    if (std::optional<int64_t> value = values.get(variable.id))
      assignment[model().problem->getName(variable.id)] = *value;
  if (solverOptions.run)
    solverOptions.run->getBudget().spend(solver::Budget::workPerStep *
                                         result.numOps);
  CheckOptions fixed = options;
  fixed.observer = nullptr;
  fixed.assignment = &assignment;
  return checkSchedule(schedule, payload, libraries, fixed);
}

SmallVector<solver::VarId> Checker::getKnobs() const {
  return llvm::map_to_vector(
      model().knobs, [](const Knob &knob) { return knob.term.getVariable(); });
}

const Finding *Checker::findError(const CheckResult &replayed,
                                  Operation *step) const {
  if (replayed.verdict.kind != Verdict::Refuted)
    return nullptr;
  auto isArtefact = [&](const Finding &finding) {
    return llvm::any_of(artefacts.get(), [&](const Finding &known) {
      return known.id == finding.id && known.loc == finding.loc;
    });
  };
  for (const Finding &finding : replayed.findings.get())
    if (finding.severity == DiagnosticSeverity::Error &&
        (!step || finding.loc == step->getLoc()) && !isArtefact(finding))
      return &finding;
  return nullptr;
}

bool Checker::dependsOnPayload(ArrayRef<solver::VarId> values) const {
  llvm::DenseSet<solver::VarId> spokenOf;
  for (auto [constraint, kind] :
       llvm::zip(model().problem->getConstraints(), model().kinds))
    if (kind == ConstraintKind::Author)
      spokenOf.insert_range(
          solver::collectVariables(constraint.term.getNode()));
  return llvm::any_of(values, [&](solver::VarId value) {
    return llvm::is_contained(model().sizes, value) &&
           !spokenOf.contains(value);
  });
}

void Checker::reportRefuted(const solver::Assignment &values,
                            ArrayRef<solver::VarId> decisive,
                            const Finding &error, const Twine &evidence,
                            Operation *source) {
  std::string with = describe(*model().problem, values, decisive);
  // On other payload, it may be no error.
  bool isFlowGuessed = example && example->guessesFlow();
  if (dependsOnPayload(decisive) || isFlowGuessed) {
    unprove(source ? source : schedule.getEntry(),
            "with " + with + ": " + error.message +
                (isFlowGuessed ? ", where what is fused is what the op of the "
                                 "loops reads"
                               : ""));
    return;
  }
  Finding finding = error;
  finding.id = "fw-param-refuted";
  finding.message = "with " + with + ": " + error.message;
  if (source)
    finding.note(NoteKind::Evidence, source->getLoc(), evidence);
  finding.note(NoteKind::Evidence, finding.loc,
               "the schedule was checked with these values: " + error.id);
  if (example)
    finding.note(NoteKind::Approximation, schedule.getEntry().getLoc(),
                 "without a payload, the check assumes that each match finds "
                 "one op of a static shape" +
                     Twine(example->guessesLoops()
                               ? ", with a loop for each size that is given"
                               : ""));
  finding.note(NoteKind::FixIt, schedule.getEntry().getLoc(),
               "'formwork solve' finds values that work");
  result.findings.add(std::move(finding));
  result.verdict.kind = Verdict::Refuted;
}

bool Checker::isFeasible() {
  solver::Problem problem = model().filter([](ConstraintKind kind) {
    return kind == ConstraintKind::Author || kind == ConstraintKind::Required;
  });
  Operation *entry = schedule.getEntry();
  solver::Verdict verdict =
      solver::Solver(problem, solverOptions).checkSat("feasible");
  if (const auto *unknown = std::get_if<solver::Unknown>(&verdict)) {
    unprove(entry, "has parameters that may have no valid values: " +
                       getReason(*unknown));
    return true;
  }
  const auto *unsat = std::get_if<solver::Unsat>(&verdict);
  if (!unsat)
    return true;
  if (example && example->guessesFlow()) {
    unprove(entry, "has no valid values where what is fused is what the op of "
                   "the loops reads");
    return false;
  }
  result.findings.add(explainInfeasible(schedule.getEntry(), model(), problem,
                                        *unsat, solverOptions));
  result.verdict.kind = Verdict::Refuted;
  return false;
}

/// Whether what happens with the values of `refuted` is an error, which is then
/// reported.
bool Checker::reportUnmet(const solver::Refuted &refuted, ConstraintId id,
                          StringRef name) {
  const solver::Constraint &constraint = model().problem->getConstraints()[id];
  Operation *source = getSource(constraint);
  if (isBudgetSpent())
    return false;
  std::string evidence =
      "requires that " + constraint.text + " (" + constraint.id + ")";
  CheckResult replayed = replay(refuted.model);
  if (const Finding *error = findError(replayed, model().steps[id])) {
    reportRefuted(refuted.model, refuted.decisive, *error, evidence, source);
    return true;
  }
  // The failing step may be another one, because of another constraint: ask for
  // values that violate no other constraint that claims a failure.
  ConstraintId next = 0;
  solver::Problem others = model().filter([&](ConstraintKind kind) {
    return next++ != id && kind != ConstraintKind::Canonical;
  });
  solver::Proof proof =
      solver::Solver(others, solverOptions)
          .proveForAll(constraint.term, (name + ".alone").str());
  if (const auto *alone = std::get_if<solver::Refuted>(&proof)) {
    CheckResult replayedAlone = replay(alone->model);
    if (const Finding *error = findError(
            replayedAlone, options.nameOfSize ? model().steps[id] : nullptr)) {
      reportRefuted(alone->model, alone->decisive, *error, evidence, source);
      return true;
    }
  }
  const Finding *error = options.nameOfSize ? nullptr : findError(replayed);
  if (!error)
    return false;
  reportRefuted(refuted.model, getKnobs(), *error, "", nullptr);
  return false;
}

bool Checker::decide(const solver::Problem &given, ConstraintId id,
                     StringRef name) {
  const solver::Constraint &constraint = model().problem->getConstraints()[id];
  Operation *source = getSource(constraint);
  solver::Proof proof =
      solver::Solver(given, solverOptions).proveForAll(constraint.term, name);
  if (std::holds_alternative<solver::Proved>(proof))
    return true;
  if (const auto *unknown = std::get_if<solver::Unknown>(&proof)) {
    unprove(source, "has a constraint that is not decided (" +
                        getReason(*unknown) + "): " + constraint.text);
    return true;
  }
  const auto &refuted = std::get<solver::Refuted>(proof);
  if (model().kinds[id] == ConstraintKind::Wanted) {
    if (dependsOnPayload(refuted.decisive))
      return true;
    result.findings
        .add({source->getLoc(), "fw-param-unwanted",
              "with " +
                  describe(*model().problem, refuted.model, refuted.decisive) +
                  ": wants that " + constraint.text,
              DiagnosticSeverity::Warning})
        .note(NoteKind::FixIt, schedule.getEntry().getLoc(),
              "'formwork solve' finds values that work");
    return true;
  }
  return reportUnmet(refuted, id, name);
}

void Checker::decideConstraints() {
  // Each constraint is decided for the values that meet all before it, so that
  // a counterexample is one of it and not of an earlier one. Values with the
  // effect of others are the last to look at.
  auto given = [&](ConstraintId limit, bool canonical) {
    ConstraintId next = 0;
    return model().filter([&](ConstraintKind kind) {
      ConstraintId id = next++;
      return kind == ConstraintKind::Author ||
             (kind == ConstraintKind::Canonical && canonical) ||
             ((kind == ConstraintKind::Required ||
               kind == ConstraintKind::Conditional) &&
              id < limit);
    });
  };
  auto constraints = model().problem->getConstraints();
  for (ConstraintId id = 0; id < constraints.size(); ++id) {
    ConstraintKind kind = model().kinds[id];
    if (kind == ConstraintKind::Author || kind == ConstraintKind::Canonical)
      continue;
    // That a payload can be too large goes without saying.
    if (constraints[id].id == "grid.limit" &&
        dependsOnPayload(
            solver::collectVariables(constraints[id].term.getNode())))
      continue;
    auto countSaid = [&] {
      return result.findings.get().size() + result.verdict.reasons.size();
    };
    size_t known = countSaid();
    bool settled = decide(given(id, true), id, constraints[id].id) &&
                   (countSaid() != known ||
                    decide(given(id, false), id, constraints[id].id + ".any"));
    if (!settled)
      unprove(getSource(constraints[id]),
              "may not meet that " + constraints[id].text);
    if (isBudgetSpent() && id + 1 != constraints.size()) {
      unprove(schedule.getEntry(), "has " + Twine(constraints.size() - id - 1) +
                                       " constraints that are not decided (" +
                                       solver::kBudgetIsSpent + ")");
      return;
    }
  }
}

void Checker::tryAllValues() {
  solver::Problem admitted = model().filter(
      [](ConstraintKind kind) { return kind == ConstraintKind::Author; });
  if (!model().unmodelled.empty() || !model().opaqueKnobs.empty())
    return;
  std::vector<solver::Assignment> all;
  solver::EnumerationEnd end = solver::enumerateAssignments(
      admitted, solverOptions, [&](const solver::Assignment &values) {
        all.push_back(values);
        return all.size() <= kMaxReplayed;
      });
  if (end != solver::EnumerationEnd::Complete || all.size() > kMaxReplayed)
    return;
  bool areProved = true;
  for (const solver::Assignment &values : all) {
    if (isBudgetSpent())
      return;
    CheckResult replayed = replay(values);
    areProved &= replayed.verdict.kind == Verdict::Proved;
    if (replayed.verdict.kind != Verdict::Refuted)
      continue;
    reportRefuted(values, getKnobs(), *findError(replayed), "", nullptr);
    return;
  }
  if (!areProved)
    return;
  result.verdict.kind = Verdict::Proved;
  result.verdict.reasons.clear();
  result.numUnproved = 0;
}

CheckResult Checker::runExample(const ExamplePayload &example) {
  this->example = &example;
  result = checkSchedule(schedule, payload, libraries, options);
  model().beginQuestions(solverOptions);
  for (const Finding &finding : result.findings.get())
    artefacts.add(finding);
  result.findings = Findings();
  result.verdict = Verdict();
  result.numUnproved = 0;
  if (!model().problem->getConstraints().empty() && isFeasible())
    decideConstraints();
  return std::move(result);
}

CheckResult Checker::run() {
  result = checkSchedule(schedule, payload, libraries, options);
  model().beginQuestions(solverOptions);
  bool isPlain = model().problem->getVariables().empty() &&
                 model().problem->getConstraints().empty();
  if (isPlain || result.verdict.kind == Verdict::Refuted || !isFeasible())
    return std::move(result);
  decideConstraints();
  if (result.verdict.kind == Verdict::Refuted)
    return std::move(result);
  result.verdict.kind =
      result.verdict.reasons.empty() ? Verdict::Proved : Verdict::Unknown;
  if (result.verdict.kind == Verdict::Unknown)
    tryAllValues();
  return std::move(result);
}

/// Adds what was found on an example to what holds of any payload.
static void addOnExample(CheckResult onExample, CheckResult &result) {
  for (const Finding &finding : onExample.findings.get())
    result.findings.add(finding);
  if (onExample.verdict.kind == Verdict::Refuted)
    result.verdict.kind = Verdict::Refuted;
  for (Unproved &unproved : onExample.verdict.reasons) {
    bool isKnown = false, isSaid = false;
    for (const Unproved &known : result.verdict.reasons) {
      isKnown |= known.op == unproved.op;
      isSaid |= known.op == unproved.op && known.reason == unproved.reason;
    }
    result.numUnproved += !isKnown;
    if (!isSaid)
      result.verdict.reasons.push_back(std::move(unproved));
  }
}

CheckResult formwork::verifier::checkParameters(
    const ScheduleModel &schedule, Operation *payload,
    const normalforms::Libraries &libraries, const CheckOptions &unlimited,
    const solver::SolverOptions &solverOptions) {
  CheckOptions options = unlimited;
  if (!options.deadline)
    options.deadline = solver::getDeadline(solverOptions);
  CheckResult result =
      Checker(schedule, payload, libraries, options, solverOptions).run();
  if (payload || result.verdict.kind != Verdict::Unknown)
    return result;
  for (bool guessFlow : {false, true}) {
    std::optional<ExamplePayload> example = ExamplePayload::create(
        schedule, [&](Value handle) { return nameOf(options, handle); },
        guessFlow);
    bool isNew = example && (!guessFlow || example->guessesFlow());
    if (!isNew || result.verdict.kind == Verdict::Refuted)
      return result;
    CheckOptions named = nameSizes(*example, options);
    addOnExample(
        Checker(schedule, example->getModule(), libraries, named, solverOptions)
            .runExample(*example),
        result);
  }
  return result;
}
