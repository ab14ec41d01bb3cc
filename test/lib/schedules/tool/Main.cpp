//===- Main.cpp - formwork-mutants ----------------------------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The mutation corpus: breaks schedules that run, asks the interpreter what
// that did, and prints how far `formwork check` and upstream's static pass
// tell.
//
//===----------------------------------------------------------------------===//

#include "test/lib/schedules/Matrix.h"
#include "test/lib/schedules/ScheduleFiles.h"
#include "test/lib/schedules/ScheduleGenerator.h"
#include "test/lib/schedules/mutants/Mutation.h"
#include "transforms/Registration.h"
#include "transforms/schedule/ScheduleInput.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Verifier.h"
#include "mlir/InitAllPasses.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/xxhash.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::testing;
namespace cl = llvm::cl;

namespace {
/// A schedule that runs, or should.
struct Base {
  std::string name;
  transforms::ScheduleInput input;
};

struct Options {
  cl::OptionCategory category{"Mutation corpus options"};
  cl::list<std::string> paths{
      cl::Positional,
      cl::desc("FILE|FOLDER... (payload and schedule in one file, or "
               "payload.mlir beside schedule.mlir)"),
      cl::cat(category)};
  cl::opt<uint64_t> seed{"seed", cl::desc("Decides everything"), cl::init(1),
                         cl::cat(category)};
  cl::opt<unsigned> perBase{"mutants",
                            cl::desc("Mutants of each kind for each schedule"),
                            cl::init(1), cl::cat(category)};
  cl::opt<unsigned> generated{"generated",
                              cl::desc("Number of generated schedules"),
                              cl::init(0), cl::cat(category)};
  cl::opt<std::string> kinds{
      "kinds",
      cl::desc("'development', 'held-out', 'none' (the schedules themselves), "
               "or a kind"),
      cl::init("development"), cl::cat(category)};
  cl::opt<bool> validate{"validate", cl::desc("Compare all facts, too"),
                         cl::cat(category)};
  cl::opt<bool> provedOnly{
      "proved", cl::desc("Break only schedules that are proved as they stand"),
      cl::cat(category)};
  cl::opt<bool> truth{
      "truth",
      cl::desc("Only run them, and count by kind how that ends: what "
               "is seen of kinds that are held out"),
      cl::cat(category)};
  cl::opt<bool> reasons{"reasons",
                        cl::desc("Print why running ones are unproved"),
                        cl::cat(category)};
  cl::opt<bool> verbose{"verbose", cl::desc("Print each trial"),
                        cl::cat(category)};
  cl::opt<std::string> save{
      "save", cl::desc("Folder for schedules of which something false is said"),
      cl::cat(category)};
  cl::opt<std::string> only{
      "list",
      cl::desc("Also save those with this claim and truth, such as "
               "unproved-invalidation; or all"),
      cl::cat(category)};
};

class Tool {
public:
  Tool(MLIRContext &context, Options &options)
      : context(context), options(options) {}

  int run();

private:
  std::optional<Base> load(StringRef pair);
  void tryBase(Base &base);
  void judge(Base &base, ModuleOp schedule, transform::NamedSequenceOp entry,
             StringRef kind);
  void keep(StringRef name, ModuleOp schedule, ModuleOp payload,
            const Trial &trial);

  MLIRContext &context;
  Options &options;
  normalforms::Libraries libraries;
  Matrix matrix;
  std::map<std::string, Matrix> byKind;
  unsigned numBases = 0, numMutants = 0, numFalseFacts = 0;
  uint64_t numFacts = 0;
};
} // namespace

std::optional<Base> Tool::load(StringRef pair) {
  FailureOr<transforms::ScheduleInput> input = loadSchedule(&context, pair);
  if (failed(input))
    return std::nullopt;
  return Base{pair.split(':').first.str(), std::move(*input)};
}

static StringRef stringify(Truth truth) {
  static constexpr StringLiteral names[] = {"runs", "invalidation", "failure",
                                            "crash"};
  return names[static_cast<int>(truth)];
}

static StringRef stringify(Claim claim) {
  static constexpr StringLiteral names[] = {"proved", "unproved", "refuted"};
  return names[static_cast<int>(claim)];
}

void Tool::keep(StringRef name, ModuleOp schedule, ModuleOp payload,
                const Trial &trial) {
  if (options.save.empty())
    return;
  std::string file = name.str();
  for (char &c : file)
    if (!llvm::isAlnum(c) && c != '-' && c != '.')
      c = '_';
  std::error_code error;
  llvm::sys::fs::create_directories(options.save);
  llvm::raw_fd_ostream os(options.save + "/" + file + ".mlir", error);
  os << "// " << stringify(trial.claim) << ", " << stringify(trial.truth)
     << "; " << trial.failure
     << "\n// errors: " << llvm::join(trial.errors, " ")
     << "; warnings: " << llvm::join(trial.warnings, " ")
     << "\n// unproved: " << llvm::join(trial.reasons, "; ") << "\n";
  if (!trial.falseFact.empty())
    os << "// " << trial.falseFact << "\n";
  // One file again, as it was loaded.
  OwningOpRef<ModuleOp> both = payload.clone();
  both->getBody()->push_back(schedule->clone());
  os << *both << "\n";
}

void Tool::judge(Base &base, ModuleOp schedule,
                 transform::NamedSequenceOp entry, StringRef kind) {
  TrialOptions trialOptions;
  trialOptions.validate = options.validate && !options.truth;
  trialOptions.check = !options.truth;
  Trial trial =
      tryPair(schedule, entry, *base.input.payload, libraries, trialOptions);
  matrix.add(trial);
  byKind[kind.str()].add(trial);
  numFacts += trial.numFacts;
  ++numMutants;
  if (options.truth) {
    if (options.verbose)
      llvm::outs() << llvm::sys::path::filename(base.name) << " " << kind
                   << ": " << stringify(trial.truth) << " " << trial.failure
                   << "\n";
    if (stringify(trial.truth) == options.only)
      keep(llvm::formatv("{0}.{1}.{2}.{3}",
                         llvm::sys::path::filename(base.name), kind,
                         options.only, numMutants)
               .str(),
           schedule, *base.input.payload, trial);
    return;
  }
  bool runs = trial.truth == Truth::Runs;
  bool isFalse = (trial.claim == Claim::Proved && !runs) ||
                 (trial.claim == Claim::Refuted && runs) ||
                 !trial.falseFact.empty() || trial.checkCrashed;
  std::string what =
      (stringify(trial.claim) + "-" + stringify(trial.truth)).str();
  std::string name =
      llvm::formatv("{0}.{1}.{2}.{3}", llvm::sys::path::filename(base.name),
                    kind, what, numMutants)
          .str();
  numFalseFacts += !trial.falseFact.empty();
  if (isFalse || options.verbose)
    llvm::outs() << (isFalse ? "FALSE " : "") << name << ": "
                 << (trial.checkCrashed ? "the check crashed; " : "")
                 << trial.failure << " " << trial.falseFact << "\n";
  if (isFalse || what == options.only || options.only == "all")
    keep(name, schedule, *base.input.payload, trial);
}

void Tool::tryBase(Base &base) {
  ModuleOp original = *base.input.schedule;
  auto quiet = [](Diagnostic &) {};
  // Only what runs can be broken.
  TrialOptions plain;
  plain.check = options.provedOnly;
  Trial trial = tryPair(original, base.input.entry, *base.input.payload,
                        libraries, plain);
  if (options.provedOnly && trial.claim != Claim::Proved)
    return;
  if (trial.truth != Truth::Runs) {
    // The facts about it must be true all the same.
    if (options.kinds == "none")
      return judge(base, original, base.input.entry, "original");
    return;
  }
  ++numBases;
  if (options.kinds == "none")
    return judge(base, original, base.input.entry, "original");
  for (auto [number, kind] : llvm::enumerate(getMutationKinds())) {
    bool isWanted = options.kinds == kind.name ||
                    (options.kinds == "development" && !kind.heldOut) ||
                    (options.kinds == "held-out" && kind.heldOut);
    if (!isWanted)
      continue;
    llvm::DenseSet<llvm::hash_code> seen;
    for (unsigned i = 0; i < options.perBase; ++i) {
      Random random = Random::forStream(
          options.seed,
          llvm::xxh3_64bits(llvm::sys::path::filename(base.name)) * 1000003 +
              number * 101 + i);
      OwningOpRef<ModuleOp> mutant;
      // Text that is no IR says nothing: try again.
      for (unsigned attempt = 0; attempt < 5 && !mutant; ++attempt) {
        ScopedDiagnosticHandler handler(&context, quiet);
        IRMapping mapping;
        OwningOpRef<ModuleOp> clone = cast<ModuleOp>(original->clone(mapping));
        auto entry = cast<transform::NamedSequenceOp>(
            mapping.lookup(base.input.entry.getOperation()));
        if (kind.apply(entry, random) && succeeded(verify(*clone)))
          mutant = std::move(clone);
      }
      if (!mutant)
        break;
      std::string text;
      llvm::raw_string_ostream(text) << *mutant;
      if (!seen.insert(llvm::hash_value(StringRef(text))).second)
        continue;
      auto entry = cast<transform::NamedSequenceOp>(
          SymbolTable::lookupSymbolIn(*mutant, base.input.entry.getSymName()));
      judge(base, *mutant, entry, kind.name);
    }
  }
}

int Tool::run() {
  FailureOr<normalforms::Libraries> loaded =
      normalforms::Libraries::load(&context);
  if (failed(loaded))
    return 3;
  libraries = std::move(*loaded);

  for (const std::string &pair : findSchedules(options.paths))
    if (std::optional<Base> base = load(pair))
      tryBase(*base);
  for (unsigned i = 0; i < options.generated; ++i) {
    GeneratedPair pair = generatePair(&context, options.seed * 1000003 + i);
    Base base{("generated-" + Twine(i)).str(), {}};
    base.input.payload = std::move(pair.payload);
    base.input.schedule = std::move(pair.schedule);
    base.input.entry = pair.entry;
    tryBase(base);
  }

  if (numMutants == 0) {
    llvm::errs() << "formwork-mutants: error: there is no schedule to try\n";
    return 3;
  }
  llvm::outs() << numBases << " schedules that run, " << numMutants
               << " tried, seed " << options.seed << "\n\n";
  if (options.truth) {
    llvm::outs() << "| kind | runs | invalidation | other failure | crash |\n"
                    "|---|---|---|---|---|\n";
    for (auto &[kind, part] : byKind)
      part.printTruth(kind, llvm::outs());
    return 0;
  }
  matrix.print(llvm::outs());
  if (options.validate)
    llvm::outs() << "\n"
                 << numFacts << " facts, " << numFalseFacts
                 << " schedules with a false one\n";
  if (options.kinds != "none") {
    llvm::outs() << "\n";
    for (auto &[kind, part] : byKind) {
      llvm::outs() << "### " << kind << "\n\n";
      part.print(llvm::outs());
      llvm::outs() << "\n";
    }
  }
  if (options.reasons)
    matrix.printReasons(llvm::outs());
  return matrix.getNumFalseProofs() + matrix.getNumFalseRefusals() +
                     numFalseFacts ==
                 0
             ? 0
             : 1;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  Options options;
  cl::HideUnrelatedOptions(options.category);
  cl::ParseCommandLineOptions(argc, argv, "Mutation corpus of schedules\n");
  DialectRegistry registry;
  registerFormwork(registry);
  registerFormworkPasses();
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.allowUnregisteredDialects();
  // MLIR verifies an op that it prints, and may warn of it again.
  context.printOpOnDiagnostic(false);
  context.loadDialect<transform::TransformDialect>();
  return Tool(context, options).run();
}
