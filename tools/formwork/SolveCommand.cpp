//===- SolveCommand.cpp - formwork solve ------------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "engine/Diagnostics.h"
#include "tools/formwork/Command.h"
#include "tools/formwork/Session.h"
#include "verifier/parameters/ParameterModel.h"
#include "verifier/parameters/ScheduleText.h"
#include "verifier/solver/AssignmentWriter.h"
#include "verifier/solver/Counting.h"
#include "verifier/solver/NearestFeasible.h"
#include "verifier/solver/Sampler.h"

#include "llvm/Support/FileSystem.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::tools;
using engine::Finding;
using engine::NoteKind;
using verifier::Knob;
using verifier::ParameterModel;
namespace solver = formwork::verifier::solver;
namespace cl = llvm::cl;

namespace {
enum class Format { Text, JsonLines };

class SolveCommand : public Command {
  InputOptions input;
  cl::opt<unsigned> number{
      "n", cl::desc("Print up to N assignments, pairwise two knobs apart"),
      cl::value_desc("N"), cl::init(0), cl::cat(getCommandCategory())};
  cl::opt<bool> all{"all", cl::desc("Print all assignments, up to --limit"),
                    cl::cat(getCommandCategory())};
  cl::opt<uint64_t> limit{"limit",
                          cl::desc("How many assignments --all prints at most"),
                          cl::init(10000), cl::cat(getCommandCategory())};
  cl::opt<bool> count{"count", cl::desc("Print how many assignments there are"),
                      cl::cat(getCommandCategory())};
  cl::opt<Format> format{
      "format", cl::desc("How assignments are printed"), cl::init(Format::Text),
      cl::values(
          clEnumValN(Format::Text, "text", "name = value, ..."),
          clEnumValN(Format::JsonLines, "jsonl", "one JSON object a line")),
      cl::cat(getCommandCategory())};
  cl::opt<std::string> output{
      "o",
      cl::desc(
          "Write the schedule with the first assignment filled in, '-' for "
          "standard output instead of the assignments"),
      cl::value_desc("filename"), cl::cat(getCommandCategory())};
  cl::opt<bool> strict{
      "strict", cl::desc("Exit with 2 when a constraint is not modelled"),
      cl::cat(getCommandCategory())};
  cl::opt<uint64_t> seed{"seed", cl::desc("Seed of the choice that -n makes"),
                         cl::init(0), cl::cat(getCommandCategory())};
  cl::opt<unsigned> rlimit{
      "solver-rlimit",
      cl::desc("Deterministic limit of each solver query, 0 for none"),
      cl::init(solver::SolverOptions().rlimit), cl::cat(getCommandCategory())};
  cl::opt<unsigned> timeout{
      "solver-timeout",
      cl::desc("Time limit of each question in milliseconds, 0 for none"),
      cl::init(solver::SolverOptions().timeoutMs),
      cl::cat(getCommandCategory())};
  cl::opt<std::string> dumpQueries{
      "dump-queries",
      cl::desc("Folder into which each question is written as SMT-LIB"),
      cl::value_desc("folder"), cl::cat(getCommandCategory())};

public:
  ExitCode run() override;

private:
  using Assignments = std::vector<solver::Assignment>;

  ExitCode solve(transforms::ScheduleInput pair, llvm::raw_ostream &os);
  ExitCode printCount(const solver::Problem &problem, llvm::raw_ostream &os);
  /// What is printed: the first assignment alone, -n, or --all.
  Assignments choose(const solver::Problem &problem, Location loc,
                     const solver::Assignment &first);
  void print(const solver::Problem &problem, const Assignments &assignments,
             llvm::raw_ostream &os);
  ExitCode write(transforms::ScheduleInput &pair, const ParameterModel &model,
                 const solver::Assignment &assignment, llvm::raw_ostream &os);

  solver::SolverOptions solverOptions;
};
} // namespace

static Operation *getSource(const solver::Constraint &constraint) {
  return static_cast<Operation *>(const_cast<void *>(constraint.source));
}

/// Why there are fewer assignments than asked for.
static void reportFewer(Location loc, const Twine &message) {
  (void)emitFinding(
      Finding(loc, "fw-solve-fewer", message, DiagnosticSeverity::Remark));
}

/// What the answer does not cover.
static void reportUncovered(const ParameterModel &model) {
  engine::Findings findings;
  for (const verifier::OpaqueKnob &knob : model.opaqueKnobs)
    findings.add(Finding(
        knob.op->getLoc(), "fw-param-opaque",
        "takes the first option of '" +
            Twine(knob.op->getAttrOfType<StringAttr>("name").getValue()) +
            "' unless one is selected: it " + knob.reason,
        DiagnosticSeverity::Remark));
  for (const verifier::UnmodelledConstraint &constraint : model.unmodelled)
    findings.add(Finding(constraint.op->getLoc(), "fw-param-unmodelled",
                         "cannot check this constraint: " + constraint.reason,
                         DiagnosticSeverity::Warning));
  findings.emit();
}

/// The solver has no answer.
static ExitCode reportUnknown(Location loc, const solver::Unknown &unknown) {
  std::string reason = solver::toString(unknown.reason).str();
  if (!unknown.detail.empty())
    reason += ": " + unknown.detail;
  (void)emitFinding(Finding(loc, "fw-param-unknown",
                            "cannot decide whether the parameters have valid "
                            "values: " +
                                reason));
  return ExitCode::Unproved;
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

/// One note for each constraint of the core, at its op; then the nearest values
/// that work, where one knob alone is to blame.
static ExitCode reportInfeasible(Operation *entry, const ParameterModel &model,
                                 const solver::Problem &problem,
                                 const solver::Unsat &unsat,
                                 const solver::SolverOptions &options) {
  SmallVector<const Knob *> knobs = getKnobs(model, problem, unsat);
  auto getName = [&](const Knob *knob) {
    return problem.getName(knob->term.getVariable()).str();
  };
  std::string names = llvm::join(llvm::map_range(knobs, getName), ", ");
  Operation *place = knobs.size() == 1 ? knobs.front()->op : entry;
  Finding finding(place->getLoc(), "fw-param-infeasible",
                  names.empty()
                      ? Twine("requires constraints that can hold but these "
                              "cannot, whatever the parameters are")
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
  (void)emitFinding(std::move(finding));
  return ExitCode::Refuted;
}

ExitCode SolveCommand::run() {
  if ((number.getNumOccurrences() != 0) + all + count > 1)
    return failUsage("-n, --all and --count exclude each other");
  if (number.getNumOccurrences() && number == 0)
    return failUsage("-n requires a positive number");
  if (count && output.getNumOccurrences())
    return failUsage("--count excludes -o");
  if (output.getNumOccurrences() && input.splitInputFile)
    return failUsage("-o excludes --split-input-file");
  if (!dumpQueries.empty())
    if (std::error_code error = llvm::sys::fs::create_directories(dumpQueries))
      return failUsage("cannot create '" + dumpQueries +
                       "': " + error.message());
  solverOptions.rlimit = rlimit;
  solverOptions.timeoutMs = timeout;
  solverOptions.dumpDirectory = dumpQueries;
  return runSession(
      input, [&](transforms::ScheduleInput pair, const Libraries &,
                 llvm::raw_ostream &os) { return solve(std::move(pair), os); });
}

ExitCode SolveCommand::solve(transforms::ScheduleInput pair,
                             llvm::raw_ostream &os) {
  FailureOr<ParameterModel> model = verifier::collectParameters(
      pair.entry, pair.payload ? pair.payload->getOperation() : nullptr);
  if (failed(model))
    return ExitCode::Refuted;
  reportUncovered(*model);
  if (strict && !model->unmodelled.empty())
    return ExitCode::Unproved;

  solver::Problem problem = model->fixSelected();
  solver::Solver solver(problem, solverOptions);
  solver::Verdict verdict = solver.checkSat("feasible");
  if (solver.getStats().dumpsFailed != 0)
    return failUsage("cannot write to '" + dumpQueries + "'");
  Location loc = pair.entry.getLoc();
  if (const auto *unsat = std::get_if<solver::Unsat>(&verdict))
    return reportInfeasible(pair.entry, *model, problem, *unsat, solverOptions);
  if (const auto *unknown = std::get_if<solver::Unknown>(&verdict))
    return reportUnknown(loc, *unknown);
  if (count)
    return printCount(problem, os);

  Assignments assignments =
      choose(problem, loc, std::get<solver::Sat>(verdict).model);
  if (output != "-")
    print(problem, assignments, os);
  return output.empty() ? ExitCode::Success
                        : write(pair, *model, assignments.front(), os);
}

ExitCode SolveCommand::printCount(const solver::Problem &problem,
                                  llvm::raw_ostream &os) {
  solver::Count result = solver::countAssignments(problem, solverOptions);
  if (format == Format::JsonLines) {
    os << "{\"count\":";
    result.number.print(os, /*isSigned=*/false);
    os << ",\"exact\":" << (result.exact ? "true" : "false") << "}\n";
  } else {
    os << result.toString()
       << (result.exact && result.number == 1 ? " assignment\n"
                                              : " assignments\n");
  }
  return ExitCode::Success;
}

SolveCommand::Assignments
SolveCommand::choose(const solver::Problem &problem, Location loc,
                     const solver::Assignment &first) {
  Assignments chosen;
  if (number.getNumOccurrences()) {
    solver::Sample sample =
        solver::sampleDiverse(problem, number, seed, solverOptions);
    chosen = std::move(sample.assignments);
    if (chosen.size() < number && sample.exhausted)
      reportFewer(
          loc,
          "has " + Twine(chosen.size()) +
              " assignments, of which two differ in two knobs: every other "
              "one is at most one knob away from one of these");
    else if (chosen.size() < number && sample.unknown)
      reportFewer(loc, "has " + Twine(chosen.size()) +
                           " assignments that were found: " +
                           solver::toString(sample.unknown->reason));
  } else if (all) {
    solver::EnumerationEnd end = solver::enumerateAssignments(
        problem, solverOptions, [&](const solver::Assignment &assignment) {
          if (chosen.size() == limit)
            return false;
          chosen.push_back(assignment);
          return true;
        });
    if (end == solver::EnumerationEnd::Stopped)
      reportFewer(loc, "has more than " + Twine(limit.getValue()) +
                           " assignments, the --limit");
    else if (end == solver::EnumerationEnd::Partial)
      reportFewer(loc,
                  "has at least " + Twine(chosen.size()) +
                      " assignments: a limit of the solver ended the search");
  }
  // What is known to be valid is not withheld because a search ended early.
  if (chosen.empty())
    chosen.push_back(first);
  return chosen;
}

void SolveCommand::print(const solver::Problem &problem,
                         const Assignments &assignments,
                         llvm::raw_ostream &os) {
  for (const solver::Assignment &assignment : assignments) {
    std::string line;
    llvm::raw_string_ostream lineStream(line);
    if (format == Format::JsonLines)
      solver::writeJsonLine(lineStream, problem, assignment);
    else
      solver::writeText(lineStream, problem, assignment);
    StringRef trimmed = StringRef(line).rtrim('\n');
    os << (trimmed.empty() ? "no knobs" : trimmed) << "\n";
  }
}

ExitCode SolveCommand::write(transforms::ScheduleInput &pair,
                             const ParameterModel &model,
                             const solver::Assignment &assignment,
                             llvm::raw_ostream &os) {
  std::optional<verifier::SourceNames> names = pair.getNames();
  if (!names)
    return failUsage("'" + pair.sourceName +
                     "' is bytecode; 'solve -o' edits text");
  FailureOr<std::string> text = verifier::writeSolvedSchedule(
      model, assignment, *pair.sourceState, names->getText());
  if (failed(text))
    return ExitCode::Refuted;

  // What is written has been parsed again, and checked. Its warnings are those
  // of what was read.
  ScopedDiagnosticHandler errorsOnly(
      pair.schedule->getContext(), [](Diagnostic &diagnostic) {
        return success(diagnostic.getSeverity() != DiagnosticSeverity::Error);
      });
  transforms::ScheduleSource source;
  source.libraries.assign(input.libraries.begin(), input.libraries.end());
  source.entryPoint = input.entryPoint;
  source.noPayload = input.noPayload || !input.transform.empty();
  FailureOr<transforms::ScheduleInput> written = transforms::loadScheduleInput(
      pair.schedule->getContext(),
      llvm::MemoryBuffer::getMemBufferCopy(*text, pair.sourceName),
      std::move(source));
  if (failed(written))
    return ExitCode::Refuted;
  FailureOr<ParameterModel> resolved = verifier::collectParameters(
      written->entry, pair.payload ? pair.payload->getOperation() : nullptr);
  if (failed(resolved))
    return ExitCode::Refuted;
  solver::Problem problem = resolved->fixSelected();
  if (!resolved->isResolved() ||
      !std::holds_alternative<solver::Sat>(
          solver::Solver(problem, solverOptions).checkSat("written"))) {
    (void)emitFinding(Finding(written->entry.getLoc(), "fw-solve-unwritable",
                              "requires a schedule without open parameters but "
                              "the written one is not"));
    return ExitCode::Refuted;
  }
  return writeOutput(output, *text, os);
}

std::unique_ptr<Command> formwork::tools::createSolveCommand() {
  return std::make_unique<SolveCommand>();
}
