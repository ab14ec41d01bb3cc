//===- Options.cpp - Options that commands share ----------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/formwork/Options.h"

#include "engine/FileAccess.h"
#include "tools/formwork/Session.h"
#include "tools/service/Plugins.h"
#include "transforms/program/EntryPoint.h"
#include "transforms/schedule/ResolveParameters.h"

#include "verifier/solver/SolverRun.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/WithColor.h"

#include <cmath>

using namespace formwork;
using namespace formwork::tools;
namespace cl = llvm::cl;

cl::OptionCategory &formwork::tools::getInputCategory() {
  static cl::OptionCategory category("Input options");
  return category;
}

cl::OptionCategory &formwork::tools::getCommandCategory() {
  static cl::OptionCategory category("Command options");
  return category;
}

cl::OptionCategory &formwork::tools::getDebugCategory() {
  static cl::OptionCategory category("MLIR diagnostics and debugging");
  return category;
}

bool formwork::tools::checkProgramOptions(const ProgramOptions &options,
                                          mlir::ModuleOp payload,
                                          llvm::StringRef entry) {
  if (options.tolerance.getNumOccurrences() &&
      !(options.tolerance >= 0 && std::isfinite(options.tolerance))) {
    (void)failUsage(
        "--tolerance requires a finite number that is not negative");
    return false;
  }
  return succeeded(transforms::lookupEntry(payload, entry));
}

llvm::LogicalResult PluginOptions::load(mlir::DialectRegistry &registry) const {
  if (llvm::Error error = loadPlugins(llvm::to_vector(dialects),
                                      llvm::to_vector(passes), registry)) {
    (void)failUsage(llvm::toString(std::move(error)));
    return llvm::failure();
  }
  return llvm::success();
}

llvm::FailureOr<verifier::solver::SolverOptions>
SolverLimitOptions::resolve() const {
  if (!(budget >= 0)) {
    (void)failUsage("--budget requires a number of seconds that is not "
                    "negative");
    return llvm::failure();
  }
  verifier::solver::SolverOptions options;
  options.rlimit = rlimit;
  options.timeoutMs = timeout;
  options.dumpDirectory = dumpQueries;
  options.run = std::make_shared<verifier::solver::SolverRun>();
  startBudget(options);
  if (dumpQueries.empty())
    return options;
  std::error_code error = llvm::sys::fs::create_directories(dumpQueries);
  if (!error && !llvm::sys::fs::is_directory(dumpQueries.getValue()))
    error = std::make_error_code(std::errc::not_a_directory);
  if (!error)
    error =
        llvm::sys::fs::access(dumpQueries, llvm::sys::fs::AccessMode::Write);
  if (error) {
    (void)failUsage("cannot write to '" + dumpQueries +
                    "': " + error.message());
    return llvm::failure();
  }
  return options;
}

void SolverLimitOptions::startBudget(
    verifier::solver::SolverOptions &options) const {
  options.run->setBudget(verifier::solver::Budget(budget));
}

void SolverLimitOptions::print(
    const verifier::solver::SolverOptions &options) const {
  if (printStats)
    options.run->print(llvm::errs());
}

llvm::FailureOr<llvm::SmallVector<const verifier::StepKind *, 3>>
AllowOption::resolve() const {
  llvm::SmallVector<const verifier::StepKind *, 3> kinds;
  for (const std::string &name : steps) {
    const verifier::StepKind *step = verifier::lookupStepKind(name);
    if (!step) {
      (void)failUsage("unknown step '" + name +
                      "' in --allow; there are bufferize and promote");
      return llvm::failure();
    }
    kinds.push_back(step);
  }
  return kinds;
}

llvm::LogicalResult
FileAccessOption::check(const transforms::ScheduleInput &input) const {
  return isAllowed ? llvm::success()
                   : engine::checkFileAccess(input.schedule.get());
}

ExitCode ParameterOptions::resolve(transforms::ScheduleInput &input,
                                   const normalforms::Libraries &libraries,
                                   const verifier::Target *target,
                                   const transforms::Ranking *ranking) const {
  if (noSolve)
    return failed(transforms::refuseOpenParameters(input, libraries))
               ? ExitCode::Refuted
               : ExitCode::Success;
  llvm::FailureOr<verifier::solver::SolverOptions> options = limits.resolve();
  if (failed(options))
    return ExitCode::Usage;
  bool isResolved = succeeded(transforms::resolveParameters(
      input, libraries, target, *options, ranking));
  limits.print(*options);
  return isResolved ? ExitCode::Success : ExitCode::Refuted;
}

const verifier::Target *
formwork::tools::resolveTarget(llvm::StringRef name,
                               llvm::ArrayRef<llvm::StringRef> extra) {
  if (const verifier::Target *target = verifier::lookupTarget(name))
    return target;
  auto &os = llvm::WithColor::error(llvm::errs(), "formwork");
  if (name.empty())
    os << "--target is required";
  else
    os << "unknown target '" << name << "'";
  os << "; one of";
  for (const verifier::Target &target : verifier::getTargets())
    os << " " << target.name;
  for (llvm::StringRef other : extra)
    os << " " << other;
  os << "\n";
  return nullptr;
}
