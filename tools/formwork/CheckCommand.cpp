//===- CheckCommand.cpp - formwork check ------------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/formwork/Command.h"
#include "tools/formwork/Libraries.h"
#include "tools/formwork/Session.h"
#include "verifier/parameters/ParameterCheck.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::tools;
using verifier::CheckResult;
using verifier::Verdict;
namespace cl = llvm::cl;

namespace {
class CheckCommand : public Command {
  InputOptions input;
  TargetOption target;
  cl::opt<bool> strict{"strict",
                       cl::desc("Exit with 2 when something is not proved"),
                       cl::cat(getCommandCategory())};
  cl::opt<std::string> goal{
      "goal", cl::desc("The form that the payload must end in"),
      cl::value_desc("form"), cl::cat(getCommandCategory())};
  cl::opt<bool> noNormalize{
      "no-normalize",
      cl::desc("A required form that no step establishes is an error"),
      cl::cat(getCommandCategory())};

public:
  ExitCode run() override;

private:
  SolverLimitOptions limits;
  verifier::solver::SolverOptions solverOptions;

  ExitCode check(transforms::ScheduleInput pair, const Libraries &libraries,
                 const verifier::Target *gpu, llvm::raw_ostream &os);
};
} // namespace

/// "1 error", "2 errors".
static std::string plural(size_t count, StringRef noun) {
  return llvm::formatv("{0} {1}{2}", count, noun, count == 1 ? "" : "s").str();
}

static StringRef stringify(Verdict::Kind kind) {
  switch (kind) {
  case Verdict::Proved:
    return "proved";
  case Verdict::Refuted:
    return "refuted";
  case Verdict::Unknown:
    return "unproved";
  }
  llvm_unreachable("a verdict is one of three");
}

/// Adds what keeps the schedule from being proved to the findings.
static void addUnproved(CheckResult &result) {
  for (const verifier::Unproved &unproved : result.verdict.reasons)
    result.findings.add(engine::Finding(
        unproved.op->getLoc(), "fw-unproved",
        "cannot prove that '" + unproved.op->getName().getStringRef() +
            "' succeeds: " + unproved.reason,
        DiagnosticSeverity::Warning));
}

static void printSummary(const CheckResult &result, StringRef name,
                         llvm::raw_ostream &os) {
  os << name << ": " << stringify(result.verdict.kind) << ": "
     << plural(result.findings.count(DiagnosticSeverity::Error), "error")
     << ", "
     << plural(result.findings.count(DiagnosticSeverity::Warning), "warning")
     << "; " << plural(result.numOps, "step") << ", " << result.numUnproved
     << " unproved (LLVM " LLVM_VERSION_STRING
     << ", Formwork's own contracts)\n";
  if (result.withoutContract.empty())
    return;
  os << name
     << ": without a contract: " << llvm::join(result.withoutContract, ", ")
     << "\n";
}

ExitCode CheckCommand::run() {
  const verifier::Target *gpu = nullptr;
  if (!target.name.empty()) {
    gpu = resolveTarget(target.name);
    if (!gpu)
      return ExitCode::Usage;
  }
  FailureOr<verifier::solver::SolverOptions> resolved = limits.resolve();
  if (failed(resolved))
    return ExitCode::Usage;
  solverOptions = *resolved;
  return runSession(input,
                    [&](transforms::ScheduleInput pair,
                        const Libraries &libraries, llvm::raw_ostream &os) {
                      return check(std::move(pair), libraries, gpu, os);
                    });
}

ExitCode CheckCommand::check(transforms::ScheduleInput pair,
                             const Libraries &libraries,
                             const verifier::Target *gpu,
                             llvm::raw_ostream &os) {
  verifier::CheckOptions options;
  options.target = gpu;
  options.requireForms = noNormalize;
  options.nameOf = [&](Value value) { return pair.getName(value); };
  if (!goal.empty()) {
    const normalforms::Form *form = libraries.forms->lookup(goal);
    if (!form)
      return failUsage("unknown form '" + goal + "' in --goal");
    options.goal = form->atom;
  }
  FailureOr<verifier::ScheduleModel> model =
      verifier::ScheduleModel::create(*pair.schedule, pair.entry.getSymName());
  if (failed(model))
    return ExitCode::Refuted;

  CheckResult result = verifier::checkParameters(
      *model, pair.payload ? pair.payload->getOperation() : nullptr,
      {*libraries.forms, *libraries.contracts}, options, solverOptions);
  addUnproved(result);
  result.findings.emit();
  printSummary(result, input.transform.empty() ? input.file : input.transform,
               os);
  switch (result.verdict.kind) {
  case Verdict::Refuted:
    return ExitCode::Refuted;
  case Verdict::Unknown:
    return strict ? ExitCode::Unproved : ExitCode::Success;
  case Verdict::Proved:
    return ExitCode::Success;
  }
  llvm_unreachable("a verdict is one of three");
}

std::unique_ptr<Command> formwork::tools::createCheckCommand() {
  return std::make_unique<CheckCommand>();
}
