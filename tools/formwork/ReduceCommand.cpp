//===- ReduceCommand.cpp - formwork reduce ----------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "engine/Diagnostics.h"
#include "engine/Progress.h"
#include "tools/formwork/Command.h"
#include "tools/formwork/Options.h"
#include "tools/formwork/Session.h"
#include "tools/report/Catalogue.h"
#include "transforms/reduce/Oracle.h"
#include "transforms/reduce/Reduce.h"
#include "transforms/results/StepResults.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include <functional>

using namespace mlir;
using namespace formwork;
using namespace formwork::tools;
namespace cl = llvm::cl;

namespace {
class ReduceCommand : public Command {
  InputOptions input;
  FileAccessOption fileAccess;
  OutputOptions output;
  Option<std::string> keep{
      "keep",
      "What the reduced input must still show: the id of a diagnostic "
      "of 'check' or of 'run "
      "--after-each-step', 'crash', or 'difference' (a result that "
      "another step changes)",
      cl::value_desc("ID|crash|difference")};
  Option<std::string> entry{"entry",
                            "Payload function to run, if several are public",
                            cl::value_desc("symbol")};
  Option<double> budget{"budget",
                        "Seconds that the search may take (120 by default)",
                        cl::value_desc("seconds"), cl::init(120)};
  Option<double> trialSeconds{"trial-seconds",
                              "Seconds of one trial (10 by default)",
                              cl::value_desc("seconds"), cl::init(10)};

public:
  ExitCode run() override;

private:
  ExitCode reduce(transforms::ScheduleInput pair, const Libraries &libraries,
                  llvm::raw_ostream &os);
  void keepPayloadNames(transforms::ScheduleInput &pair);
};
} // namespace

ExitCode ReduceCommand::run() {
  input.writesSchedule = true;
  if (keep.empty())
    return failUsage("'reduce' requires --keep=ID, crash or difference");
  if (keep != "crash" && keep != "difference" && !lookupDiagnostic(keep))
    return failUsage("--keep requires 'crash', 'difference' or the id of a "
                     "diagnostic but has '" +
                     keep + "'");
  if (!(budget > 0 && budget < 1e6) ||
      !(trialSeconds > 0 && trialSeconds < 1e6))
    return failUsage("--budget and --trial-seconds require a positive number "
                     "of seconds");
  return runSession(input, std::bind_front(&ReduceCommand::reduce, this),
                    output.output);
}

/// The parser's names are gone for a payload with a file of its own: the file
/// is read again, and its values are those of the payload in their order.
void ReduceCommand::keepPayloadNames(transforms::ScheduleInput &pair) {
  auto nameOf = [&](Value value) -> std::optional<std::string> {
    std::optional<verifier::SourceNames> names = pair.getNames();
    return names ? names->getName(value) : std::nullopt;
  };
  if (!pair.isSeparate)
    return transforms::keepNames(*pair.payload, nameOf);
  auto buffer = llvm::MemoryBuffer::getFile(input.file, /*IsText=*/true);
  if (input.file == "-" || input.splitInputFile || !buffer)
    return;
  transforms::ParsedText text;
  text.manager = std::make_shared<llvm::SourceMgr>();
  text.manager->AddNewSourceBuffer(std::move(*buffer), llvm::SMLoc());
  text.state = std::make_unique<AsmParserState>();
  Block block;
  ScopedDiagnosticHandler silent(pair.payload->getContext(),
                                 [](Diagnostic &) {});
  if (failed(parseAsmSourceFile(*text.manager, &block,
                                ParserConfig(pair.payload->getContext()),
                                text.state.get())))
    return;
  std::optional<verifier::SourceNames> names = text.getNames();
  SmallVector<std::optional<std::string>> inOrder;
  auto visit = [](Operation *root, llvm::function_ref<void(Value)> onValue) {
    root->walk<WalkOrder::PreOrder>([&](Operation *op) {
      llvm::for_each(op->getResults(), onValue);
      for (Region &region : op->getRegions())
        for (Block &inner : region)
          llvm::for_each(inner.getArguments(), onValue);
    });
  };
  for (Operation &op : block)
    visit(&op, [&](Value value) { inOrder.push_back(names->getName(value)); });
  llvm::DenseMap<Value, std::string> known;
  size_t next = 0;
  visit(*pair.payload, [&](Value value) {
    if (next < inOrder.size() && inOrder[next])
      known[value] = *inOrder[next];
    ++next;
  });
  if (next != inOrder.size())
    return;
  transforms::keepNames(
      *pair.payload, [&](Value value) -> std::optional<std::string> {
        auto found = known.find(value);
        return found == known.end() ? std::nullopt
                                    : std::optional(found->second);
      });
}

ExitCode ReduceCommand::reduce(transforms::ScheduleInput pair,
                               const Libraries &libraries,
                               llvm::raw_ostream &os) {
  if (failed(fileAccess.check(pair)))
    return ExitCode::Refuted;
  if (pair.payload)
    keepPayloadNames(pair);
  std::optional<verifier::SourceNames> names = pair.getNames();
  transforms::keepNames(*pair.schedule, [&](Value value) {
    return names ? names->getName(value) : std::optional<std::string>();
  });
  transforms::OracleOptions options;
  options.keep = keep;
  options.entryPoint = pair.entry.getSymName().str();
  options.entry = entry;
  options.isError = isErrorId;
  options.limits.time =
      std::chrono::milliseconds(static_cast<int64_t>(trialSeconds * 1000));
  options.limits.memory = transforms::executionMemory;
  options.limits.fileSize = 0;
  transforms::Oracle oracle(libraries, options);
  ModuleOp payload = pair.payload ? *pair.payload : ModuleOp();
  if (!oracle.begin(payload, *pair.schedule)) {
    (void)engine::emitFinding(
        engine::Finding(pair.entry.getLoc(), "fw-nothing-to-keep",
                        "requires a schedule that shows '" + keep.getValue() +
                            "' but this one does not"));
    return ExitCode::Refuted;
  }
  engine::Progress progress("reducing");
  transforms::ReducedPair reduced = transforms::reduce(
      payload, *pair.schedule,
      {options.entryPoint, options.entry,
       std::chrono::milliseconds(static_cast<int64_t>(budget * 1000))},
      [&](ModuleOp smaller, ModuleOp steps) {
        return oracle.shows(smaller, steps);
      });
  std::string text = transforms::printPair(
      reduced.payload ? *reduced.payload : ModuleOp(), *reduced.schedule);
  llvm::errs() << llvm::formatv(
      "reduced: payload {0} -> {1} operations, schedule {2} -> {3} steps; {4} "
      "trials{5}\n",
      reduced.payloadBefore, reduced.payloadAfter, reduced.scheduleBefore,
      reduced.scheduleAfter, reduced.numTrials,
      reduced.isCut ? ", ended by --budget" : "");
  return writeOutput(output.output, text, os);
}

std::unique_ptr<Command> formwork::tools::createReduceCommand() {
  return std::make_unique<ReduceCommand>();
}
