//===- ContractsCommand.cpp - formwork contracts ----------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "engine/NearName.h"
#include "normalforms/Coverage.h"
#include "normalforms/PayloadFacts.h"
#include "normalforms/PayloadFeatures.h"
#include "tools/formwork/Command.h"
#include "tools/formwork/Libraries.h"
#include "tools/formwork/Session.h"
#include "transforms/Registration.h"
#include "verifier/models/Models.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::tools;
using namespace formwork::normalforms;
namespace cl = llvm::cl;

namespace {
enum class Show { Print, Coverage, Facts, Features };

class ContractsCommand : public Command {
  cl::list<std::string> names{cl::Positional, cl::desc("[NAME...]"),
                              cl::cat(getInputCategory())};
  FormsOption forms;
  PluginOptions plugins;
  ContractsOption contracts;
  OutputOptions output;
  cl::opt<Show> show{
      cl::desc("What to show:"), cl::init(Show::Print),
      cl::values(
          clEnumValN(Show::Print, "print",
                     "the contracts as a contract file (the default)"),
          clEnumValN(Show::Coverage, "coverage",
                     "how much the contracts cover, as Markdown"),
          clEnumValN(Show::Facts, "facts",
                     "the properties of payload that conditions can name"),
          clEnumValN(Show::Features, "features",
                     "the features of payload that are not ordinary")),
      cl::cat(getCommandCategory())};

public:
  ExitCode run() override;

private:
  /// The declarations of those called `names`, or of all; none, after an error,
  /// when one is missing.
  FailureOr<SmallVector<ContractOp>> select(const ContractLibrary &library);
};
} // namespace

/// The contract that `name` may mean, however the name is spelled; empty when
/// nothing is near.
static std::string suggestContract(const ContractLibrary &library,
                                   StringRef name) {
  SmallVector<StringRef> names;
  for (ContractOp declaration : library.getDeclarations()) {
    StringRef full = declaration.getOpName();
    names.push_back(full);
    if (full.consume_front("transform.") || full.consume_front("pass:"))
      names.push_back(full);
  }
  std::optional<size_t> near = engine::findNearName(name, names);
  return near ? ("; did you mean '" + names[*near] + "'?").str() : "";
}

FailureOr<SmallVector<ContractOp>>
ContractsCommand::select(const ContractLibrary &library) {
  if (names.empty())
    return SmallVector<ContractOp>(library.getDeclarations());
  SmallVector<ContractOp> selected;
  for (StringRef name : names) {
    // As schedules spell it, without the dialect, or as a pass.
    ContractOp found;
    for (ContractOp declaration : library.getDeclarations()) {
      StringRef full = declaration.getOpName();
      if (full == name || full == ("transform." + name).str() ||
          full == ("pass:" + name).str())
        found = declaration;
    }
    if (!found) {
      (void)failUsage("there is no contract of '" + name + "'" +
                      suggestContract(library, name));
      return failure();
    }
    selected.push_back(found);
  }
  return selected;
}

ExitCode ContractsCommand::run() {
  if (show.getNumOccurrences() > 1)
    return failUsage(
        "--print, --coverage, --facts and --features exclude each other");
  DialectRegistry registry;
  registerFormwork(registry);
  if (failed(plugins.load(registry)))
    return ExitCode::Usage;
  MLIRContext context(registry);
  llvm::SourceMgr sourceMgr;
  SourceMgrDiagnosticHandler handler(sourceMgr, &context);
  FailureOr<Libraries> libraries = loadLibraries(&context, forms, contracts);
  if (failed(libraries))
    return ExitCode::Usage;
  const ContractLibrary &library = *libraries->contracts;
  if (show != Show::Print && !names.empty())
    return failUsage("names are for --print");

  std::string text;
  llvm::raw_string_ostream os(text);
  switch (show) {
  case Show::Print: {
    FailureOr<SmallVector<ContractOp>> selected = select(library);
    if (failed(selected))
      return ExitCode::Usage;
    for (ContractOp declaration : *selected) {
      declaration->print(os);
      os << "\n";
    }
    break;
  }
  case Show::Coverage:
    printCoverage(
        library,
        [&](StringRef model) {
          return verifier::getModelClaims(model, &context);
        },
        &context, os);
    break;
  case Show::Features:
    for (const PayloadFeature &feature : getPayloadFeatures())
      os << llvm::left_justify(feature.name, 24) << feature.meaning << "\n";
    break;
  case Show::Facts:
    for (const PayloadFact &fact : getPayloadFacts())
      os << llvm::left_justify(fact.name, 20) << fact.meaning << "\n";
    break;
  }
  return writeOutput(output.output, text, llvm::outs());
}

std::unique_ptr<Command> formwork::tools::createContractsCommand() {
  return std::make_unique<ContractsCommand>();
}
