//===- Subject.cpp - What an input is given to ------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bench/fuzz/Subject.h"

#include "engine/FileAccess.h"
#include "transforms/Registration.h"
#include "transforms/schedule/CheckPair.h"
#include "transforms/schedule/Recheck.h"
#include "transforms/schedule/Repair.h"
#include "transforms/settle/Settle.h"
#include "verifier/plan/SourceEdits.h"
#include "verifier/solver/SolverRun.h"
#include "verifier/solving/ParameterCheck.h"
#include "verifier/solving/ScheduleText.h"

#include "mlir/Parser/Parser.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::fuzz;
using transforms::ScheduleInput;
using verifier::CheckResult;

static DialectRegistry makeRegistry() {
  DialectRegistry registry;
  registerFormwork(registry);
  registerFormworkPasses();
  return registry;
}

Subject::Subject(double budget)
    : context(makeRegistry(), MLIRContext::Threading::DISABLED),
      budget(budget) {
  context.loadAllAvailableDialects();
  context.printOpOnDiagnostic(false);
  FailureOr<normalforms::Libraries> loaded =
      normalforms::Libraries::load(&context);
  if (failed(loaded))
    llvm::report_fatal_error("the built-in libraries do not load");
  libraries = std::move(*loaded);
  solver.run = std::make_shared<verifier::solver::SolverRun>();
}

Subject::~Subject() = default;

void Subject::parse(const Input &input) {
  ScopedDiagnosticHandler quiet(&context, [](Diagnostic &) {});
  for (StringRef text : {StringRef(input.payload), StringRef(input.schedule)})
    if (!text.empty())
      (void)parseSourceString<ModuleOp>(text, ParserConfig(&context));
}

FailureOr<ScheduleInput> Subject::load(const Input &input) {
  transforms::ScheduleSource source;
  if (!input.schedule.empty())
    source.transformBuffer =
        llvm::MemoryBuffer::getMemBufferCopy(input.schedule, "schedule.mlir");
  return transforms::loadScheduleInput(
      &context,
      llvm::MemoryBuffer::getMemBufferCopy(input.payload, "payload.mlir"),
      std::move(source));
}

FailureOr<CheckResult> Subject::check(const ScheduleInput &input,
                                      ModuleOp payload) {
  return transforms::checkPair(input, payload, libraries, {}, solver);
}

Reached Subject::runCheck(ScheduleInput &input, Command command) {
  FailureOr<CheckResult> result =
      check(input, input.payload ? *input.payload : ModuleOp());
  if (failed(result))
    return Reached::Refused;
  if (command == Command::Settle && input.payload) {
    FailureOr<verifier::ScheduleModel> model = transforms::getModel(input);
    transforms::SettleOptions options;
    options.isError = [](StringRef) { return true; };
    options.nameOf = [&](Value value) { return input.getName(value); };
    options.limits =
        transforms::getSettleLimits(std::chrono::milliseconds(1000));
    (void)transforms::settle(*model, *input.payload, *libraries.contracts,
                             *result, options);
    result->findings.sort();
  }
  bool isRefuted = result->verdict.kind == verifier::Verdict::Refuted;
  result->findings.emit();
  if (command == Command::Fix && input.getNames())
    (void)transforms::repairSchedule(
        input, std::move(*result),
        [&](const ScheduleInput &repaired, ModuleOp payload) {
          return check(repaired, payload);
        });
  return isRefuted ? Reached::Refused : Reached::Done;
}

Reached Subject::normalize(ScheduleInput &input) {
  if (!input.getNames() ||
      failed(engine::checkFileAccess(input.schedule.get())))
    return Reached::Refused;
  transforms::PrepareOptions options;
  options.fitToPayload = true;
  FailureOr<verifier::Plan> plan =
      transforms::planSchedule(input, libraries, options);
  if (failed(plan))
    return Reached::Refused;
  verifier::SourceNames names = *input.getNames();
  FailureOr<SmallVector<verifier::SourceEdit>> edits =
      verifier::planSourceEdits(*plan, *libraries.forms, names);
  if (failed(edits))
    return Reached::Refused;
  std::string text = verifier::applySourceEdits(names.getText(), *edits);
  return failed(transforms::recheckEdited(input, text, libraries, options, {}))
             ? Reached::Refused
             : Reached::Done;
}

Reached Subject::solve(ScheduleInput &input) {
  FailureOr<verifier::ParameterModel> model = verifier::collectParameters(
      input.entry, input.payload ? input.payload->getOperation() : nullptr,
      libraries, /*target=*/nullptr,
      {/*refuseErrors=*/true, [&](Value value) { return input.getName(value); },
       solver});
  if (failed(model))
    return Reached::Refused;
  model->beginQuestions(solver);
  verifier::solver::Problem problem = model->fixSelected();
  if (!model->sizes.empty())
    problem = model->trySizes(problem);
  verifier::solver::Verdict verdict =
      verifier::solver::Solver(problem, solver).checkSat("feasible");
  const auto *found = std::get_if<verifier::solver::Sat>(&verdict);
  if (!found || !input.getNames())
    return Reached::Refused;
  FailureOr<std::string> text = verifier::writeSolvedSchedule(
      *model, found->model, *input.sourceText.state,
      input.getNames()->getText());
  return failed(text) || failed(transforms::reloadSchedule(input, *text))
             ? Reached::Refused
             : Reached::Done;
}

Reached Subject::run(const Input &given, Command command) {
  // The messages are put together, as if somebody read them.
  size_t size = 0;
  ScopedDiagnosticHandler quiet(&context, [&](Diagnostic &diagnostic) {
    size += diagnostic.str().size();
    for (Diagnostic &note : diagnostic.getNotes())
      size += note.str().size();
  });
  solver.run->setBudget(verifier::solver::Budget(budget));
  FailureOr<ScheduleInput> input = load(given);
  if (failed(input))
    return Reached::Nothing;
  switch (command) {
  case Command::Check:
  case Command::Settle:
  case Command::Fix:
    return runCheck(*input, command);
  case Command::Normalize:
    return normalize(*input);
  case Command::Solve:
    return solve(*input);
  }
  llvm_unreachable("a command is one of five");
}
