//===- ContractMistakes.cpp - Planted mistakes, found or missed -----------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Plants one mistake at a time into the built-in contracts, and counts which
// are reported when the contract is loaded, which by validation, and which by
// neither. Bench; `--help` says how.
//
//===----------------------------------------------------------------------===//

#include "bench/contracts/Mistakes.h"
#include "bench/contracts/Trials.h"
#include "tools/Option.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InitLLVM.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::mistakes;
using namespace formwork::tools;
namespace cl = llvm::cl;

namespace {
struct Options {
  ToolOption<uint64_t> seed{"seed", "Decides all mistakes", cl::init(1)};
  ToolOption<unsigned> count{"count", "How many mistakes are planted",
                             cl::init(200)};
  ToolOptionList<unsigned> only{"only",
                                "Plant those with these numbers, and no others",
                                cl::CommaSeparated};
  ToolOption<double> senseless{
      "senseless", "The share of mistakes that name what there is not",
      cl::init(0.5)};
  ToolOption<unsigned> variants{
      "variants", "Variants of each witness of a contract", cl::init(10)};
  ToolOption<unsigned> pairs{"pairs", "Pairs of the campaign", cl::init(60000)};
  ToolOption<bool> right{
      "right", "Plant nothing: print what a run refutes of right contracts"};
  ToolOption<bool> verbose{"verbose", "Print how each mistake was found"};
};

/// How a mistake was found, or what it leads to.
enum class Found { Loaded, Validated, SaysLess, NoConsequence, Missed };
constexpr unsigned kNumFound = 5;

using Row = std::array<unsigned, kNumFound>;

StringRef getName(Found found) {
  static constexpr llvm::StringLiteral names[] = {
      "loaded", "validated", "says less", "no effect", "missed"};
  return names[static_cast<unsigned>(found)];
}
} // namespace

/// The path of a new file with `contract` in it.
static llvm::SmallString<128> writeContract(Operation *contract) {
  llvm::SmallString<128> path;
  int file = 0;
  if (llvm::sys::fs::createTemporaryFile("mistake", "mlir", file, path)) {
    llvm::errs() << "contract-mistakes: error: no temporary file can be made\n";
    std::exit(3);
  }
  llvm::raw_fd_ostream os(file, /*shouldClose=*/true);
  contract->print(os, OpPrintingFlags().useLocalScope());
  os << "\n";
  return path;
}

/// How the mistake is found; `said` is what was said then.
static Found findMistake(campaign::Judge &judge, Trials &trials,
                         Mistake &mistake, std::string &said) {
  StringRef name = cast<normalforms::ContractOp>(*mistake.contract).getOpName();
  auto path = writeContract(*mistake.contract);
  std::string reported;
  auto library = [&] {
    ScopedDiagnosticHandler handler(judge.getContext(),
                                    [&](Diagnostic &diagnostic) {
                                      if (reported.empty())
                                        reported = diagnostic.str();
                                    });
    return normalforms::ContractLibrary::load(
        judge.getContext(), judge.getForms(), {path.str().str()},
        // A second contract of another op is refused.
        /*mayReplace=*/name == mistake.opName);
  }();
  llvm::sys::fs::remove(path);
  if (!reported.empty() || failed(library)) {
    said = reported;
    return Found::Loaded;
  }
  Consequence consequence = trials.tryContracts(name, **library);
  said = consequence.kind == Consequence::Other ? consequence.other
                                                : consequence.refuted;
  static constexpr Found found[] = {Found::NoConsequence, Found::SaysLess,
                                    Found::Missed, Found::Validated};
  return found[consequence.kind];
}

/// Whether no run refutes the built-in contracts.
static bool tryRight(Trials &trials, bool isVerbose) {
  unsigned number = 0;
  trials.tryRight(
      [&](StringRef payload, StringRef schedule, StringRef refuted) {
        ++number;
        llvm::outs() << "refuted: " << refuted << "\n";
        if (isVerbose)
          llvm::outs() << payload << "// -----\n" << schedule << "// -----\n";
        llvm::outs().flush();
      });
  llvm::outs() << number << " refuted\n";
  return number == 0;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  Options options;
  parseToolOptions(
      argc, argv,
      "Mistakes in contracts: reported when loaded, found by validation, or "
      "missed. A mistake has no effect where a check says the same in all "
      "trials.\nExit codes: 0 none is missed, 1 some are, 3 usage error\n");
  campaign::Judge judge;
  TrialOptions trialOptions;
  trialOptions.seed = options.seed;
  trialOptions.variants = options.variants;
  trialOptions.pairs = options.pairs;
  Trials trials(judge, trialOptions);
  if (options.right)
    return !tryRight(trials, options.verbose);
  Planter planter(judge.getContracts(), judge.getForms());
  std::array<std::array<Row, kNumMistakeKinds>, 2> rows = {};
  for (unsigned i = 0; i < options.count; ++i) {
    if (!options.only.empty() && !llvm::is_contained(options.only, i))
      continue;
    Random random = Random::forStream(options.seed, i);
    bool isSenseless = random.chance(options.senseless);
    unsigned number = i % kNumMistakeKinds;
    auto kind = static_cast<MistakeKind>(number);
    Mistake mistake = planter.plant(kind, isSenseless, random);
    std::string said;
    Found found = findMistake(judge, trials, mistake, said);
    ++rows[isSenseless][number][static_cast<unsigned>(found)];
    bool isFound = found == Found::Loaded || found == Found::Validated;
    if (isFound && !options.verbose)
      continue;
    StringRef name =
        cast<normalforms::ContractOp>(*mistake.contract).getOpName();
    llvm::outs() << llvm::formatv("{0,-10}{1,4} {2} {3}: {4}", getName(found),
                                  i, isSenseless ? "senseless" : "plausible",
                                  mistakes::getName(kind), mistake.text);
    if (isFound)
      llvm::outs() << "\n    " << StringRef(said).split('\n').first << "\n";
    else
      llvm::outs() << " (" << trials.count(name) << " trials)\n";
    if (found == Found::Missed && options.verbose)
      llvm::outs() << said << "\n";
    llvm::outs().flush();
  }
  llvm::outs() << llvm::formatv("{0,-22}", "mistake");
  for (unsigned i = 0; i < kNumFound; ++i)
    llvm::outs() << llvm::formatv("{0,11}", getName(static_cast<Found>(i)));
  llvm::outs() << "\n";
  unsigned missed = 0;
  for (bool isSenseless : {true, false})
    for (unsigned kind = 0; kind < kNumMistakeKinds; ++kind) {
      const Row &row = rows[isSenseless][kind];
      missed += row[static_cast<unsigned>(Found::Missed)];
      llvm::outs() << llvm::formatv(
          "{0,-10} {1,-11}", isSenseless ? "senseless" : "plausible",
          mistakes::getName(static_cast<MistakeKind>(kind)));
      for (unsigned number : row)
        llvm::outs() << llvm::formatv("{0,11}", number);
      llvm::outs() << "\n";
    }
  return missed != 0;
}
