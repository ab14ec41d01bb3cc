//===- SolveCommand.cpp - formwork solve ------------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "engine/Diagnostics.h"
#include "engine/FileAccess.h"
#include "engine/Progress.h"
#include "tools/formwork/Command.h"
#include "tools/formwork/Options.h"
#include "tools/formwork/Pipeline.h"
#include "tools/formwork/Session.h"
#include "tools/formwork/VerdictSummary.h"
#include "transforms/gpu/Lowering.h"
#include "verifier/solver/AssignmentWriter.h"
#include "verifier/solver/Counting.h"
#include "verifier/solver/Sampler.h"
#include "verifier/solving/BeyondDomain.h"
#include "verifier/solving/ParameterCheck.h"
#include "verifier/solving/ParameterFindings.h"
#include "verifier/solving/ScheduleText.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::tools;
using engine::Finding;
using verifier::ParameterModel;
namespace solver = formwork::verifier::solver;
namespace cl = llvm::cl;

namespace {
enum class Format { Text, JsonLines };

class SolveCommand : public Command {
  InputOptions input;
  TargetOption target;
  Option<unsigned> number{"n",
                          "Print up to N assignments, any two of "
                          "which differ in at least two knobs",
                          cl::value_desc("N"), cl::init(0)};
  Option<bool> all{"all", "Print all assignments, up to --limit"};
  Option<uint64_t> limit{"limit", "How many assignments --all prints at most",
                         cl::init(10000)};
  Option<bool> count{"count", "Print how many assignments there are"};
  Option<Format> format{
      "format", "How assignments are printed", cl::init(Format::Text),
      cl::values(
          clEnumValN(Format::Text, "text", "name = value, ..."),
          clEnumValN(Format::JsonLines, "jsonl", "one JSON object a line"))};
  Option<std::string> output{
      "o",
      "Write the schedule with the first assignment filled in, '-' for "
      "standard output instead of the assignments",
      cl::value_desc("filename")};
  Option<bool> strict{"strict",
                      "Exit with 2 when a constraint is not supported"};
  Option<uint64_t> seed{"seed", "Seed of the choice that -n makes",
                        cl::init(0)};
  FirstOption first;
  SolverLimitOptions limits;

public:
  ExitCode run() override;

private:
  using Assignments = std::vector<solver::Assignment>;

  ExitCode solve(transforms::ScheduleInput pair, const Libraries &libraries,
                 llvm::raw_ostream &os);
  /// `assignments` with what they cost, the best first: where there is a
  /// target, a payload and a schedule that may be run. For the first one alone,
  /// the best of a sample.
  std::vector<transforms::RankedAssignment>
  rank(transforms::ScheduleInput &pair, const Libraries &libraries,
       const ParameterModel &model, const solver::Problem &problem,
       const Assignments &assignments);
  /// `isPart`: there may be more, of which nobody knows.
  ExitCode printCount(const solver::Problem &problem, bool isPart,
                      llvm::raw_ostream &os);
  /// The printed assignments: the first alone, those of -n, or those of --all.
  Assignments choose(const solver::Problem &problem, Location loc,
                     const solver::Assignment &first);
  void print(const solver::Problem &problem,
             ArrayRef<transforms::RankedAssignment> assignments,
             llvm::raw_ostream &os);
  ExitCode write(transforms::ScheduleInput &pair, const ParameterModel &model,
                 const solver::Assignment &assignment,
                 const normalforms::Libraries &libraries,
                 llvm::raw_ostream &os);

  const verifier::Target *gpu = nullptr;
  solver::SolverOptions solverOptions;
};
} // namespace

/// Why there are fewer assignments than asked for.
static void reportFewer(Location loc, const Twine &message) {
  (void)emitFinding(
      Finding(loc, "fw-solve-fewer", message, DiagnosticSeverity::Remark));
}

ExitCode SolveCommand::run() {
  input.writesSchedule = true;
  if ((number.getNumOccurrences() != 0) + all + count > 1)
    return failUsage("-n, --all and --count exclude each other");
  if (number.getNumOccurrences() && number == 0)
    return failUsage("-n requires a positive number");
  if (limit.getNumOccurrences() && (!all || limit == 0))
    return failUsage("--limit requires --all and a positive number");
  if (count && output.getNumOccurrences())
    return failUsage("--count excludes -o");
  if (output.getNumOccurrences() && input.splitInputFile)
    return failUsage("-o excludes --split-input-file");
  FailureOr<solver::SolverOptions> resolved = limits.resolve();
  if (failed(resolved))
    return ExitCode::Usage;
  solverOptions = *resolved;
  if (!target.name.empty() && !(gpu = resolveTarget(target.name)))
    return ExitCode::Usage;
  return runSession(input,
                    [&](transforms::ScheduleInput pair,
                        const Libraries &libraries, llvm::raw_ostream &os) {
                      ExitCode code = solve(std::move(pair), libraries, os);
                      limits.print(solverOptions);
                      return code;
                    });
}

/// The sizes of unknown payload on which it depends whether values work.
static SmallVector<solver::VarId>
getDecisiveSizes(const ParameterModel &model) {
  llvm::DenseSet<solver::VarId> used;
  for (auto [constraint, kind] :
       llvm::zip(model.problem->getConstraints(), model.kinds))
    if (kind != verifier::ConstraintKind::Canonical)
      used.insert_range(solver::collectVariables(constraint.term.getNode()));
  SmallVector<solver::VarId> sizes;
  llvm::copy_if(model.sizes, std::back_inserter(sizes),
                [&](solver::VarId size) { return used.contains(size); });
  return sizes;
}

ExitCode SolveCommand::solve(transforms::ScheduleInput pair,
                             const Libraries &libraries,
                             llvm::raw_ostream &os) {
  limits.startBudget(solverOptions);
  FailureOr<ParameterModel> model = verifier::collectParameters(
      pair.entry, pair.payload ? pair.payload->getOperation() : nullptr,
      libraries, gpu,
      {/*refuseErrors=*/true, [&](Value value) { return pair.getName(value); },
       solverOptions});
  if (failed(model))
    return ExitCode::Refuted;
  model->beginQuestions(solverOptions);
  verifier::explainUncovered(*model).emit();
  if (strict && !(model->unmodelled.empty() && model->unmodelledUses.empty()))
    return ExitCode::Unproved;

  solver::Problem problem = model->fixSelected();
  // Without a payload, the values are those for which there is one.
  solver::Problem whole = problem;
  if (!model->sizes.empty())
    problem = model->trySizes(problem);
  solver::Solver solver(problem, solverOptions);
  solver::Verdict verdict = [&] {
    engine::Progress progress("solving");
    solver::Verdict verdict = solver.checkSat("feasible");
    if (model->sizes.empty() || std::holds_alternative<solver::Sat>(verdict))
      return verdict;
    problem = whole;
    return solver::Solver(problem, solverOptions).checkSat("any-size");
  }();
  if (solver.getStats().dumpsFailed != 0)
    return failUsage("cannot write to '" + solverOptions.dumpDirectory + "'");
  Location loc = pair.entry.getLoc();
  if (const auto *unsat = std::get_if<solver::Unsat>(&verdict)) {
    Finding finding = verifier::explainInfeasible(pair.entry, *model, problem,
                                                  *unsat, solverOptions);
    verifier::suggestBeyondDomain(
        finding, pair.entry,
        pair.payload ? pair.payload->getOperation() : nullptr, libraries, gpu,
        *model, *unsat, solverOptions);
    (void)emitFinding(finding);
    return ExitCode::Refuted;
  }
  if (const auto *unknown = std::get_if<solver::Unknown>(&verdict)) {
    (void)emitFinding(verifier::explainUnknown(pair.entry, *unknown));
    return ExitCode::Unproved;
  }
  const solver::Assignment &found = std::get<solver::Sat>(verdict).model;
  SmallVector<solver::VarId> decisive = getDecisiveSizes(*model);
  if (!decisive.empty())
    (void)emitFinding(Finding(
        loc, "fw-solve-sizes",
        "finds values for which there is payload, in that each match finds one "
        "op of a static shape: " +
            solver::describe(problem, found, decisive) + ", for the first",
        DiagnosticSeverity::Remark));
  if (count)
    return printCount(problem, !decisive.empty(), os);

  std::vector<transforms::RankedAssignment> assignments =
      rank(pair, libraries, *model, problem, choose(problem, loc, found));
  if (output != "-")
    print(problem, assignments, os);
  return output.empty() ? ExitCode::Success
                        : write(pair, *model, assignments.front().assignment,
                                libraries, os);
}

std::vector<transforms::RankedAssignment>
SolveCommand::rank(transforms::ScheduleInput &pair, const Libraries &libraries,
                   const ParameterModel &model, const solver::Problem &problem,
                   const Assignments &assignments) {
  auto mayRun = [&] {
    ScopedDiagnosticHandler silence(pair.schedule->getContext(),
                                    [](Diagnostic &) {});
    return succeeded(engine::checkFileAccess(pair.schedule.get()));
  };
  bool isOpen = llvm::any_of(
      model.knobs, [](const verifier::Knob &knob) { return !knob.selected; });
  if (first.isFirst || !gpu || !pair.payload || !isOpen || !mayRun()) {
    std::vector<transforms::RankedAssignment> unranked;
    for (const solver::Assignment &assignment : assignments)
      unranked.push_back({assignment, std::nullopt});
    return unranked;
  }
  OwningOpRef<ModuleOp> lowering =
      transforms::loadLowering(pair.schedule->getContext());
  transforms::LaunchAssumptions assumptions;
  assumptions.byValue = transforms::findByValueArguments(*pair.payload);
  transforms::Ranking ranking =
      makeRanking(pair, libraries, *lowering, *gpu, assumptions);
  engine::Progress progress("ranking");
  if (!number.getNumOccurrences() && !all) {
    std::vector<transforms::RankedAssignment> ranked =
        transforms::rankAssignments(pair, model, problem, assignments.front(),
                                    ranking, solverOptions);
    ranked.resize(1);
    return ranked;
  }
  return transforms::judgeAssignments(pair, model, assignments, ranking);
}

ExitCode SolveCommand::printCount(const solver::Problem &problem, bool isPart,
                                  llvm::raw_ostream &os) {
  solver::Count result = solver::countAssignments(problem, solverOptions);
  result.exact &= !isPart;
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
      reportFewer(loc, "prints " + plural(chosen.size(), "assignment") +
                           " of the " + Twine(number.getValue()) +
                           " that -n asks for: every other one differs from " +
                           (chosen.size() == 1 ? "this one" : "one of these") +
                           " in fewer than two knobs");
    else if (chosen.size() < number && sample.unknown)
      reportFewer(loc, "prints " + plural(chosen.size(), "assignment") +
                           " of the " + Twine(number.getValue()) +
                           " that -n asks for: the search ended early (" +
                           solver::toString(sample.unknown->reason) + ")");
  } else if (all) {
    solver::EnumerationEnd end = solver::enumerateAssignments(
        problem, solverOptions, [&](const solver::Assignment &assignment) {
          if (chosen.size() == limit)
            return false;
          chosen.push_back(assignment);
          return true;
        });
    if (end == solver::EnumerationEnd::Stopped)
      reportFewer(loc, "prints " + plural(limit, "assignment") +
                           ", the --limit, and there are more");
    else if (end == solver::EnumerationEnd::Partial)
      reportFewer(loc, "prints " + plural(chosen.size(), "assignment") +
                           ", and there may be more: a limit of the solver "
                           "ended the search");
  }
  // Valid assignments are printed although a search ended early.
  if (chosen.empty())
    chosen.push_back(first);
  return chosen;
}

void SolveCommand::print(const solver::Problem &problem,
                         ArrayRef<transforms::RankedAssignment> assignments,
                         llvm::raw_ostream &os) {
  for (const auto &[assignment, judgement] : assignments) {
    std::string line;
    llvm::raw_string_ostream lineStream(line);
    if (format == Format::JsonLines)
      solver::writeJsonLine(lineStream, problem, assignment);
    else
      solver::writeText(lineStream, problem, assignment);
    StringRef trimmed = StringRef(line).rtrim('\n');
    if (judgement && format == Format::JsonLines) {
      // No knob has such a name: a name is an identifier of SMT-LIB.
      os << trimmed.drop_back()
         << ",\"$cost\":" << llvm::json::Value(judgement->cost)
         << ",\"$counts\":" << llvm::json::Value(judgement->text) << "}\n";
      continue;
    }
    os << (trimmed.empty() ? "no knobs" : trimmed);
    if (judgement)
      os << " (" << judgement->text << ")";
    os << "\n";
  }
}

ExitCode SolveCommand::write(transforms::ScheduleInput &pair,
                             const ParameterModel &model,
                             const solver::Assignment &assignment,
                             const normalforms::Libraries &libraries,
                             llvm::raw_ostream &os) {
  std::optional<verifier::SourceNames> names = pair.getNames();
  if (!names)
    return failUsage("'" + pair.sourceName +
                     "' is bytecode; 'solve -o' edits text");
  FailureOr<std::string> text = verifier::writeSolvedSchedule(
      model, assignment, *pair.sourceText.state, names->getText());
  if (failed(text))
    return ExitCode::Refuted;

  // The written text has been parsed again, and checked. Its warnings are those
  // of the text that was read.
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
      written->entry, pair.payload ? pair.payload->getOperation() : nullptr,
      libraries, gpu);
  if (failed(resolved))
    return ExitCode::Refuted;
  resolved->beginQuestions(solverOptions);
  solver::Problem problem = resolved->fixSelected();
  if (!resolved->isResolved() ||
      !std::holds_alternative<solver::Sat>(
          solver::Solver(problem, solverOptions).checkSat("written"))) {
    (void)emitFinding(Finding(written->entry.getLoc(), "fw-solve-unwritable",
                              "requires a schedule without open parameters but "
                              "the written one is not"));
    return ExitCode::Refuted;
  }
  return writeOutput(output, getWrittenText(pair, *text), os);
}

std::unique_ptr<Command> formwork::tools::createSolveCommand() {
  return std::make_unique<SolveCommand>();
}
