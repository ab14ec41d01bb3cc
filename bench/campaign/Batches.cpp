//===- Batches.cpp - Many comparisons in children -------------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bench/campaign/Batches.h"
#include "bench/campaign/TimeLimit.h"

#include "engine/Child.h"

#include "llvm/Support/JSON.h"

#include <csignal>

using namespace formwork;
using namespace formwork::campaign;
using llvm::StringRef;
namespace json = llvm::json;

namespace {
/// The work that a child is doing.
enum class Phase { Making, Checking, Running };

struct Progress {
  uint64_t index = 0;
  Phase phase = Phase::Making;
  bool isOverTime = false;
};
} // namespace

//===----------------------------------------------------------------------===//
// Outcomes as text
//===----------------------------------------------------------------------===//

static void write(llvm::raw_ostream &os, uint64_t index, bool isFinal,
                  const Outcome &outcome) {
  json::Object object{{"index", static_cast<int64_t>(index)},
                      {"final", isFinal},
                      {"rejected", outcome.rejected},
                      {"withoutPayload", outcome.withoutPayload},
                      {"claim", static_cast<int>(outcome.claim)},
                      {"truth", static_cast<int>(outcome.truth)},
                      {"failure", json::fixUTF8(outcome.failure)},
                      {"errors", outcome.errors},
                      {"steps", outcome.steps},
                      {"attributes", outcome.attributes},
                      {"features", outcome.features},
                      {"ops", outcome.payloadOps}};
  os << json::Value(std::move(object)) << "\n";
  os.flush();
}

static std::vector<std::string> readNames(const json::Object &object,
                                          StringRef key) {
  std::vector<std::string> names;
  if (const json::Array *array = object.getArray(key))
    for (const json::Value &value : *array)
      names.push_back(value.getAsString()->str());
  return names;
}

static Outcome read(const json::Object &object) {
  Outcome outcome;
  outcome.rejected = object.getString("rejected")->str();
  outcome.withoutPayload = *object.getBoolean("withoutPayload");
  outcome.claim = static_cast<Claim>(*object.getInteger("claim"));
  outcome.truth = static_cast<Truth>(*object.getInteger("truth"));
  outcome.failure = object.getString("failure")->str();
  outcome.errors = readNames(object, "errors");
  outcome.steps = readNames(object, "steps");
  outcome.attributes = readNames(object, "attributes");
  outcome.features = readNames(object, "features");
  outcome.payloadOps = readNames(object, "ops");
  return outcome;
}

//===----------------------------------------------------------------------===//
// Children
//===----------------------------------------------------------------------===//

static Progress *watched = nullptr;

/// A child that takes too long ends, with the children that `check` has.
static void endOverTime(int) {
  watched->isOverTime = true;
  kill(0, SIGKILL);
}

/// In a child: judges the pairs, and writes of each what is known before and
/// behind each phase.
static bool judgeHere(Judge &judge, uint64_t begin, uint64_t end,
                      llvm::function_ref<Pair(uint64_t)> make,
                      Progress &progress, const BatchOptions &options,
                      llvm::raw_ostream &os) {
  watched = &progress;
  std::signal(SIGALRM, endOverTime);
  std::signal(SIGPROF, endOverTime);
  for (uint64_t i = begin; i < end; ++i) {
    progress.index = i;
    auto enter = [&](Phase phase) {
      progress.phase = phase;
      limitTime(options.seconds);
    };
    enter(Phase::Making);
    Pair pair = make(i);
    Outcome outcome =
        judge.judge(pair, {[&](const Outcome &known) {
                             write(os, i, /*isFinal=*/false, known);
                             enter(Phase::Checking);
                           },
                           [&](const Outcome &known) {
                             write(os, i, /*isFinal=*/false, known);
                             enter(Phase::Running);
                           }});
    limitTime(0);
    write(os, i, /*isFinal=*/true, outcome);
  }
  return true;
}

/// The outcome of the pair that ended a child.
static Outcome explainEnd(Outcome known, const Progress &progress,
                          const engine::ChildEnd &end) {
  bool hangs = progress.isOverTime || end.limit == engine::ChildLimit::Time;
  switch (progress.phase) {
  case Phase::Making:
    known.rejected = "generator";
    break;
  case Phase::Checking:
    known.claim = hangs ? Claim::Hung : Claim::Crashed;
    break;
  case Phase::Running:
    known.truth = hangs ? Truth::Hangs : Truth::Crashes;
    break;
  }
  known.failure = hangs ? "is over its time"
                        : StringRef(end.explain()).split('\n').first.str();
  return known;
}

void formwork::campaign::judgeMany(
    Judge &judge, uint64_t begin, uint64_t end,
    std::function<Pair(uint64_t)> make,
    llvm::function_ref<void(uint64_t, const Outcome &)> report,
    const BatchOptions &options) {
  while (begin < end) {
    uint64_t last = std::min(end, begin + options.size);
    engine::Shared<Progress> progress;
    engine::ChildLimits limits;
    limits.memory = uint64_t(4) << 30;
    limits.fileSize = 0;
    engine::ChildEnd ended = engine::runInChild(
        [&](llvm::raw_ostream &os) {
          return judgeHere(judge, begin, last, make, *progress, options, os);
        },
        engine::ChildOutput::Dropped, limits);
    Outcome known;
    uint64_t knownIndex = begin;
    llvm::SmallVector<StringRef, 0> lines;
    StringRef(ended.text).split(lines, '\n', -1, /*KeepEmpty=*/false);
    for (StringRef line : lines) {
      llvm::Expected<json::Value> value = json::parse(line);
      // The last line of a child that ended early may be torn.
      if (!value) {
        llvm::consumeError(value.takeError());
        continue;
      }
      const json::Object &object = *value->getAsObject();
      known = read(object);
      knownIndex = *object.getInteger("index");
      if (*object.getBoolean("final"))
        report(knownIndex, known);
    }
    if (ended.succeeded) {
      begin = last;
      continue;
    }
    if (knownIndex != progress->index)
      known = Outcome();
    report(progress->index, explainEnd(known, *progress, ended));
    begin = progress->index + 1;
  }
}

Outcome formwork::campaign::judgeApart(Judge &judge, const Pair &pair,
                                       const BatchOptions &options) {
  Outcome result;
  judgeMany(
      judge, 0, 1, [&](uint64_t) { return pair; },
      [&](uint64_t, const Outcome &outcome) { result = outcome; }, options);
  return result;
}
