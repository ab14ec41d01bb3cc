//===- Fuzz.cpp - Inputs that are nearly right, by the million --*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Changes the inputs of tests and examples at random, gives them to a command,
// and counts which of them it does not survive. Bench; `--help` says how.
//
//===----------------------------------------------------------------------===//

#include "bench/fuzz/Batches.h"
#include "engine/OutputFile.h"
#include "tools/Option.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Path.h"

#include <chrono>
#include <map>

using namespace formwork::fuzz;
using namespace formwork::tools;
using llvm::StringRef;
namespace cl = llvm::cl;

#if __has_feature(address_sanitizer)
// An error is an end by a signal, as without the sanitizers; what MLIR keeps
// for good is not looked for.
extern "C" const char *__asan_default_options() {
  return "abort_on_error=1:handle_segv=0:handle_sigbus=0:handle_sigfpe=0:"
         "handle_sigill=0:detect_leaks=0:allocator_may_return_null=1";
}
extern "C" const char *__ubsan_default_options() {
  return "halt_on_error=1:abort_on_error=1";
}
#endif

namespace {
struct Options {
  cl::list<std::string> corpus{
      cl::Positional, cl::desc("PATH... (files and folders to start from)"),
      cl::OneOrMore, cl::cat(getToolCategory())};
  ToolOption<Command> command{
      "command", "What the inputs are given to", cl::init(Command::Check),
      cl::values(clEnumValN(Command::Check, "check", "check --static"),
                 clEnumValN(Command::Settle, "settle", "check, with its run"),
                 clEnumValN(Command::Fix, "fix", "check --fix"),
                 clEnumValN(Command::Normalize, "normalize", "normalize"),
                 clEnumValN(Command::Solve, "solve", "solve -o"))};
  ToolOption<uint64_t> seed{"seed", "Decides all inputs", cl::init(1)};
  ToolOption<uint64_t> first{"first", "The number of the first input",
                             cl::init(0)};
  ToolOption<uint64_t> count{"count", "How many inputs are made",
                             cl::init(10000)};
  ToolOption<double> budget{"budget", "The --budget of the command",
                            cl::init(8)};
  ToolOption<unsigned> seconds{
      "seconds", "How long a processor may work for one input", cl::init(10)};
  ToolOption<unsigned> trials{"trials", "Runs that shrink one input",
                              cl::init(200)};
  ToolOption<std::string> found{
      "found", "Where inputs that fail are written, each class once",
      cl::value_desc("folder")};
  ToolOption<bool> print{"print", "Print the inputs and do nothing else"};
  ToolOption<bool> replay{"replay", "Give the corpus to the command as it is"};
};

/// The classes of inputs that fail, and how often each was seen.
class Finds {
public:
  Finds(Subject &subject, const Options &options, const BatchOptions &batch)
      : subject(subject), options(options), batch(batch) {}

  void add(uint64_t index, const Found &found) {
    ++faults[static_cast<unsigned>(found.fault)];
    std::string key = found.getClass();
    if (++classes[key] > 1)
      return;
    llvm::outs() << "input " << index << ": " << getName(found.fault) << ": "
                 << found.reason << "\n";
    for (StringRef name : llvm::ArrayRef(found.stack).take_front(12))
      llvm::outs() << "    " << name << "\n";
    llvm::outs().flush();
    if (!options.found.empty())
      write(found);
  }

  uint64_t count(Fault fault) const {
    return faults[static_cast<unsigned>(fault)];
  }
  size_t getNumClasses() const { return classes.size(); }

private:
  void write(const Found &found) {
    Input small = found.fault == Fault::Making
                      ? found.input
                      : shrink(subject, found, options.trials, batch);
    std::string name =
        llvm::formatv("{0}-{1}", getName(found.fault), classes.size()).str();
    std::string text =
        "// " + found.reason + "\n// " +
        llvm::join(llvm::ArrayRef(found.stack).take_front(12), "\n// ") + "\n";
    if (small.schedule.empty()) {
      writeFile(name + ".mlir", text + small.payload);
      return;
    }
    writeFile(name + ".mlir", text + small.schedule);
    writeFile(name + "-payload.mlir", small.payload);
  }

  void writeFile(StringRef name, StringRef text) {
    llvm::SmallString<128> path(options.found);
    std::error_code error = llvm::sys::fs::create_directories(path);
    llvm::sys::path::append(path, name);
    if (!error && !llvm::errorToBool(formwork::engine::writeFile(path, text)))
      return;
    llvm::errs() << "fuzz: error: cannot write '" << path << "'\n";
    std::exit(3);
  }

  Subject &subject;
  const Options &options;
  const BatchOptions &batch;
  std::array<uint64_t, 5> faults = {};
  std::map<std::string, unsigned> classes;
};
} // namespace

static void print(const Counts &counts, const Finds &finds,
                  const Options &options, double seconds) {
  uint64_t made = 0;
  for (uint64_t number : counts.made)
    made += number;
  llvm::outs() << "inputs: " << made;
  for (unsigned i = 0; i < numLevels; ++i)
    llvm::outs() << ", " << getName(static_cast<Level>(i)) << " "
                 << counts.made[i];
  llvm::outs() << "\nnot read: " << counts.refusedByParser
               << ", refused: " << counts.refused << ", done: " << counts.done
               << "\ncrashes: " << finds.count(Fault::Crash)
               << "\nover budget: " << finds.count(Fault::Overtime)
               << "\ncrashes of MLIR's parser: " << finds.count(Fault::Parser)
               << "\ncrashes of a mutation: " << finds.count(Fault::Making)
               << "\nclasses: " << finds.getNumClasses()
               << llvm::formatv("\nslowest: {0:f2} s, input {1}\n",
                                counts.slowest, counts.slowestIndex)
               << llvm::formatv("{0:f1} inputs per second\n", made / seconds);
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  Options options;
  parseToolOptions(
      argc, argv,
      "Inputs that are nearly right, for check, normalize and solve.\nExit "
      "codes: 0 all are survived, 1 some are not, 3 usage error\n");
  Corpus corpus;
  for (const std::string &path : options.corpus)
    if (!corpus.add(path)) {
      llvm::errs() << "fuzz: error: cannot read '" << path << "'\n";
      return 3;
    }
  if (corpus.getInputs().empty()) {
    llvm::errs() << "fuzz: error: there is no schedule to start from\n";
    return 3;
  }
  Subject subject(options.budget);
  auto make = [&](uint64_t number, Level &level) {
    if (options.replay)
      return corpus.getInputs()[number];
    return mutate(corpus, options.seed, number, subject.getContext(), level);
  };
  uint64_t end = options.replay ? corpus.getInputs().size()
                                : options.first + options.count;
  if (options.print) {
    for (uint64_t i = options.first; i < end; ++i) {
      Level level = Level::Bytes;
      Input input = make(i, level);
      llvm::outs() << "// input " << i << ", " << getName(level) << "\n"
                   << input.payload << "\n// -----\n"
                   << input.schedule << "\n// -----\n";
    }
    return 0;
  }
  llvm::outs() << "corpus: " << corpus.getInputs().size() << " inputs\n";
  BatchOptions batch;
  batch.command = options.command;
  batch.seconds = options.seconds;
  Finds finds(subject, options, batch);
  auto start = std::chrono::steady_clock::now();
  Counts counts = runMany(
      subject, options.first, end, make,
      [&](uint64_t index, const Found &found) { finds.add(index, found); },
      batch);
  std::chrono::duration<double> taken =
      std::chrono::steady_clock::now() - start;
  print(counts, finds, options, taken.count());
  return finds.count(Fault::Crash) + finds.count(Fault::Overtime) != 0;
}
