//===- Campaign.cpp - Verdicts against the truth --------------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compares verdicts of `check` with the stock interpreter over generated pairs,
// or over files, and counts. Bench; `--help` says how.
//
//===----------------------------------------------------------------------===//

#include "bench/campaign/Batches.h"
#include "bench/campaign/Schedules.h"
#include "bench/campaign/Shrink.h"
#include "bench/campaign/Table.h"

#include "tools/Option.h"
#include "transforms/schedule/ScheduleInput.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Path.h"

#include <chrono>

using namespace mlir;
using namespace formwork;
using namespace formwork::campaign;
using namespace formwork::tools;
namespace cl = llvm::cl;

/// How often a wrong pair is judged by itself before it counts as right.
static constexpr unsigned kTriesAlone = 8;

namespace {
struct Options {
  cl::list<std::string> files{
      cl::Positional,
      cl::desc("FILE... (pairs to compare instead of generated ones: payload "
               "and schedule in one file, or FILE-payload.mlir beside it)"),
      cl::cat(getToolCategory())};
  ToolOption<uint64_t> seed{"seed", "Decides all pairs", cl::init(1)};
  ToolOption<uint64_t> first{"first", "The number of the first pair",
                             cl::init(0)};
  ToolOption<uint64_t> count{"count", "How many pairs are made",
                             cl::init(1000)};
  ToolOption<unsigned> seconds{
      "seconds", "How long a check, and a run, may take", cl::init(10)};
  ToolOption<std::string> found{
      "found", "Where wrong pairs are written, each class once",
      cl::value_desc("folder")};
  ToolOption<unsigned> trials{"trials", "Comparisons that shrink one pair",
                              cl::init(300)};
  ToolOptionList<std::string> contracts{
      "contracts", "Contracts in the place of built-in ones",
      cl::value_desc("file")};
  ToolOption<std::string> json{"json", "Where the counts are written",
                               cl::value_desc("file")};
  ToolOption<bool> grow{"grow", "Add steps while check proves the schedule"};
  ToolOption<bool> facts{"facts",
                         "Compare what is inferred behind each step, too"};
  ToolOption<bool> print{"print", "Print the pairs and do nothing else"};
  ToolOption<bool> quiet{"quiet", "Print the totals, not the table"};
};

/// The classes of wrong pairs that are known, and files for new ones.
class Finds {
public:
  Finds(Judge &judge, const Options &options, const BatchOptions &batch)
      : judge(judge), options(options), batch(batch) {
    if (options.found.empty())
      return;
    (void)llvm::sys::fs::create_directories(options.found);
    auto list = llvm::MemoryBuffer::getFile(options.found + "/LIST.md");
    if (!list)
      return;
    for (StringRef line : llvm::split((*list)->getBuffer(), '\n'))
      if (auto [before, rest] = line.split(" `"); !rest.empty()) {
        known.insert(rest.rsplit('`').first);
        unsigned used = 0;
        (void)before.trim("- ").split('-').first.getAsInteger(10, used);
        number = std::max(number, used);
      }
  }

  void add(uint64_t index, const Pair &pair, const Outcome &outcome) {
    llvm::outs() << "pair " << index << ": " << getClass(pair, outcome) << "\n";
    llvm::outs().flush();
    if (options.found.empty())
      return;
    // One reason shows many times: most need not be shrunk to see that.
    if (++seen[generalize(outcome.failure + outcome.falseFact) +
               llvm::join(outcome.errors, ",") +
               (outcome.truth == Truth::Fails || outcome.truth == Truth::Runs
                    ? std::string()
                    : llvm::join(outcome.steps, ","))] > 4)
      return;
    // Earlier work of a process can be to blame: a pair is wrong by itself.
    Outcome alone = judgeApart(judge, pair, batch);
    if (alone.getWrong() == Wrong::No)
      return;
    Pair small = shrink(judge, pair, alone, options.trials, batch);
    Outcome last = judgeApart(judge, small, batch);
    std::string key = getClass(small, last);
    if (!known.insert(key).second)
      return;
    StringRef step = StringRef(key).split('|').second.split('|').first;
    std::string name = llvm::formatv("{0:2}-", ++number).str();
    for (char c : step)
      name += llvm::isAlnum(c) ? c : '-';
    for (char &c : name)
      c = c == ' ' ? '0' : c;
    bool written = writeReproducer(judge, small, last, options.found, name);
    std::error_code error;
    llvm::raw_fd_ostream list(options.found + "/LIST.md", error,
                              llvm::sys::fs::OF_Append);
    if (error || !written) {
      llvm::errs() << "campaign: error: cannot write to '" << options.found
                   << "'\n";
      std::exit(3);
    }
    list << "- " << name << ".mlir (" << llvm::join(last.features, ", ")
         << ") `" << key << "`\n";
    llvm::outs() << "  new: " << name << ".mlir\n";
    llvm::outs().flush();
  }

private:
  Judge &judge;
  const Options &options;
  const BatchOptions &batch;
  llvm::StringSet<> known;
  std::map<std::string, unsigned> seen;
  unsigned number = 0;
};
} // namespace

/// The pair of a file.
static std::optional<Pair> readPair(Judge &judge, StringRef path) {
  auto text = llvm::MemoryBuffer::getFile(path);
  if (!text)
    return std::nullopt;
  Pair pair;
  std::string payload =
      path.drop_back(StringRef(".mlir").size()).str() + "-payload.mlir";
  StringRef command = (*text)->getBuffer().split('\n').first;
  pair.withoutPayload = command.contains("--no-payload");
  if (auto beside = llvm::MemoryBuffer::getFile(payload)) {
    pair.schedule = (*text)->getBuffer().str();
    pair.payload = (*beside)->getBuffer().str();
    return pair;
  }
  if (pair.withoutPayload) {
    pair.schedule = (*text)->getBuffer().str();
    return pair;
  }
  OwningOpRef<ModuleOp> module = judge.parse((*text)->getBuffer());
  if (!module)
    return std::nullopt;
  OwningOpRef<ModuleOp> schedule = transforms::splitSchedule(*module);
  if (!schedule)
    return std::nullopt;
  pair.schedule = print(*schedule);
  pair.payload = print(*module);
  return pair;
}

static int replay(Judge &judge, const Options &options,
                  const BatchOptions &batch) {
  unsigned numWrong = 0, numPairs = 0;
  for (const std::string &path : options.files) {
    if (StringRef(path).ends_with("-payload.mlir"))
      continue;
    std::optional<Pair> pair = readPair(judge, path);
    if (!pair) {
      llvm::errs() << "campaign: error: '" << path << "' is no pair\n";
      return 3;
    }
    Outcome outcome = judgeApart(judge, *pair, batch);
    Wrong wrong = outcome.getWrong();
    ++numPairs;
    numWrong += wrong != Wrong::No;
    llvm::outs() << llvm::formatv(
        "{0,-9} {1}: {2}; stock MLIR {3}{4}{5}\n",
        wrong != Wrong::No          ? "WRONG"
        : !outcome.rejected.empty() ? "rejected"
                                    : "right",
        llvm::sys::path::filename(path), campaign::getName(outcome.claim),
        campaign::getName(outcome.truth),
        outcome.failure.empty() ? "" : ": " + outcome.failure,
        outcome.falseFact.empty() ? "" : "; " + outcome.falseFact);
  }
  llvm::outs() << numPairs << " pairs, " << numWrong << " wrong\n";
  return numWrong != 0;
}

static int run(Judge &judge, const Options &options,
               const BatchOptions &batch) {
  Generator generator(judge, options.seed, options.grow);
  auto make = [&](uint64_t number) { return generator.make(number); };
  uint64_t end = options.first + options.count;
  if (options.print) {
    constexpr uint64_t kMostAtOnce = 250;
    runInChildren(
        options.first, end, kMostAtOnce, {},
        [&](uint64_t number, llvm::raw_ostream &os) {
          Pair pair = make(number);
          os << "// pair " << number << "\n"
             << pair.payload << "\n// -----\n"
             << pair.schedule << "\n// -----\n";
        },
        [](StringRef text) {
          llvm::outs() << text;
          return true;
        });
    return 0;
  }
  Table table;
  Finds finds(judge, options, batch);
  auto start = std::chrono::steady_clock::now();
  judgeMany(
      judge, options.first, end, make,
      [&](uint64_t index, const Outcome &outcome) {
        if (!outcome.rejected.empty() || outcome.getWrong() == Wrong::No)
          return table.add(outcome);
        // Only a wrong pair is made again, in this process.
        Pair pair = make(index);
        // A pair may be wrong because of what an earlier one, which crashed
        // MLIR or read memory that was not its own, left in the process.
        Outcome alone = judgeApart(judge, pair, batch);
        for (unsigned i = 1; i != kTriesAlone; ++i)
          if (alone.getWrong() == Wrong::No)
            alone = judgeApart(judge, pair, batch);
        if (alone.getWrong() == Wrong::No) {
          llvm::outs() << "pair " << index << ": wrong once, right alone\n";
          table.addUnsteady();
          return table.add(alone);
        }
        table.add(outcome);
        finds.add(index, pair, outcome);
      },
      batch);
  double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
          .count();
  table.addHoles(judge.getContext(), judge.getContracts());
  table.print(llvm::outs(), /*onlyTotals=*/options.quiet);
  llvm::outs() << llvm::formatv("{0:f1} comparisons per second\n",
                                table.getTotal().tried / seconds);
  if (!options.json.empty()) {
    std::error_code error;
    llvm::raw_fd_ostream os(options.json, error);
    if (error) {
      llvm::errs() << "campaign: error: cannot write '" << options.json
                   << "'\n";
      return 3;
    }
    os << llvm::formatv("{0:2}\n", llvm::json::Value(table.toJson()));
  }
  return table.getTotal().wrong != 0;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  Options options;
  parseToolOptions(
      argc, argv,
      "Verdicts of check against the stock interpreter.\nExit codes: 0 none is "
      "wrong, 1 some are, 3 usage error\n");
  Judge judge(std::vector<std::string>(options.contracts), options.facts);
  BatchOptions batch;
  batch.seconds = options.seconds;
  if (!options.files.empty())
    return replay(judge, options, batch);
  return run(judge, options, batch);
}
