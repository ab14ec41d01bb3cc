//===- ApplyCommand.cpp - formwork apply ------------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/formwork/Command.h"
#include "tools/formwork/Guard.h"
#include "tools/formwork/Options.h"
#include "tools/formwork/Pipeline.h"
#include "tools/formwork/Session.h"
#include "transforms/schedule/Prepare.h"

#include <functional>

using namespace mlir;
using namespace formwork;
using namespace formwork::tools;
namespace cl = llvm::cl;

namespace {
class ApplyCommand : public Command {
  InputOptions input;
  FileAccessOption fileAccess;
  OutputOptions output;
  ValidateOption validation;
  ParameterOptions parameters;
  Option<bool> normalize{"normalize",
                         "Insert the enabling steps that the schedule needs"};
  AllowOption allow;
  Option<bool> unchecked{"unchecked",
                         "Skip the check before the run, and MLIR's "
                         "expensive checks during the run"};
  GuardOption guardOption;

public:
  ExitCode run() override;

private:
  ExitCode apply(transforms::ScheduleInput pair, const Libraries &libraries,
                 llvm::raw_ostream &os);
};
} // namespace

ExitCode ApplyCommand::run() {
  return runSession(input, std::bind_front(&ApplyCommand::apply, this),
                    output.output);
}

ExitCode ApplyCommand::apply(transforms::ScheduleInput pair,
                             const Libraries &libraries,
                             llvm::raw_ostream &os) {
  if (!pair.payload)
    return failUsage("'apply' requires a payload");
  if (failed(fileAccess.check(pair)))
    return ExitCode::Refuted;
  if (validation.validate && unchecked)
    return failUsage("--unchecked excludes --validate, which validates the "
                     "check");
  transforms::PrepareOptions prepare;
  auto allowed = allow.resolve();
  if (failed(allowed))
    return ExitCode::Usage;
  if (!normalize && !allowed->empty())
    return failUsage("--allow requires --normalize");
  prepare.allowed = std::move(*allowed);
  if (ExitCode code = insertAllowedSteps(pair, libraries, prepare);
      failed(code))
    return code;
  if (ExitCode code = parameters.resolve(pair, libraries, nullptr);
      failed(code))
    return code;
  // A schedule that is known to fail is refused before it runs.
  if (normalize) {
    FailureOr<verifier::Plan> plan =
        transforms::planSchedule(pair, libraries, prepare);
    if (failed(plan))
      return ExitCode::Refuted;
    transforms::applyPlan(*plan, *libraries.forms);
  } else if (!unchecked && failed(transforms::refuseFailing(pair, libraries))) {
    return ExitCode::Refuted;
  }
  Guard guard(guardOption);
  if (failed(guard.begin(pair, unchecked)))
    return ExitCode::Refuted;
  if (validation.validate)
    if (ExitCode code = validateCheck(pair, libraries); failed(code))
      return code;
  if (failed(runSteps(pair, libraries, unchecked, guard)))
    return ExitCode::Refuted;
  std::string text;
  llvm::raw_string_ostream(text) << *pair.payload << "\n";
  return writeOutput(output.output, text, os);
}

std::unique_ptr<Command> formwork::tools::createApplyCommand() {
  return std::make_unique<ApplyCommand>();
}
