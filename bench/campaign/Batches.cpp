//===- Batches.cpp - Many comparisons in children -------------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bench/campaign/Batches.h"

#include "engine/Child.h"

#include "llvm/Support/JSON.h"

#include <csignal>
#include <sys/time.h>
#include <unistd.h>

using namespace formwork;
using namespace formwork::campaign;
using llvm::StringRef;
namespace json = llvm::json;

namespace {
/// The work that a child is doing.
enum class Phase { Making, Checking, Running, Comparing };

struct Progress {
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
                      {"falseFact", json::fixUTF8(outcome.falseFact)},
                      {"errors", outcome.errors},
                      {"steps", outcome.steps},
                      {"attributes", outcome.attributes},
                      {"features", outcome.features},
                      {"ops", outcome.payloadOps}};
  os << json::Value(std::move(object)) << "\n";
  os.flush();
}

/// Reads an outcome that `write` wrote.
static Outcome read(const json::Value &value, uint64_t &index, bool &isFinal) {
  Outcome outcome;
  int claim = 0, truth = 0;
  json::Path::Root root;
  json::ObjectMapper map(value, root);
  (void)(map && map.map("index", index) && map.map("final", isFinal) &&
         map.map("rejected", outcome.rejected) &&
         map.map("withoutPayload", outcome.withoutPayload) &&
         map.map("claim", claim) && map.map("truth", truth) &&
         map.map("failure", outcome.failure) &&
         map.map("falseFact", outcome.falseFact) &&
         map.map("errors", outcome.errors) && map.map("steps", outcome.steps) &&
         map.map("attributes", outcome.attributes) &&
         map.map("features", outcome.features) &&
         map.map("ops", outcome.payloadOps));
  outcome.claim = static_cast<Claim>(claim);
  outcome.truth = static_cast<Truth>(truth);
  return outcome;
}

//===----------------------------------------------------------------------===//
// Children
//===----------------------------------------------------------------------===//

void formwork::campaign::limitTime(unsigned seconds) {
  constexpr unsigned kMostWaiting = 20;
  itimerval timer{};
  timer.it_value.tv_sec = seconds;
  setitimer(ITIMER_PROF, &timer, nullptr);
  alarm(seconds * kMostWaiting);
}

static Progress *watched = nullptr;

/// A child that takes too long ends, with the children that `check` has.
static void endOverTime(int) {
  watched->isOverTime = true;
  kill(0, SIGKILL);
}

/// In a child: judges pair `number`, and writes what is known of it before and
/// behind each phase.
static void judgeHere(Judge &judge, uint64_t number,
                      llvm::function_ref<Pair(uint64_t)> make,
                      Progress &progress, unsigned seconds,
                      llvm::raw_ostream &os) {
  progress.isOverTime = false;
  watched = &progress;
  std::signal(SIGALRM, endOverTime);
  std::signal(SIGPROF, endOverTime);
  auto enter = [&](Phase phase) {
    progress.phase = phase;
    limitTime(seconds);
  };
  enter(Phase::Making);
  Pair pair = make(number);
  Outcome outcome =
      judge.judge(pair, {[&](const Outcome &known) {
                           write(os, number, /*isFinal=*/false, known);
                           enter(Phase::Checking);
                         },
                         [&](const Outcome &known) {
                           write(os, number, /*isFinal=*/false, known);
                           enter(Phase::Running);
                         },
                         [&](const Outcome &known) {
                           write(os, number, /*isFinal=*/false, known);
                           enter(Phase::Comparing);
                         }});
  limitTime(0);
  write(os, number, /*isFinal=*/true, outcome);
}

/// The outcome of the pair that ended a child.
static Outcome explainEnd(Outcome known, const Progress &progress,
                          const engine::ChildEnd &end) {
  bool hangs = progress.isOverTime || end.limit == engine::ChildLimit::Time;
  std::string how = hangs ? "is over its time"
                          : StringRef(end.explain()).split('\n').first.str();
  switch (progress.phase) {
  case Phase::Comparing:
    // MLIR may hand back what is no op, behind a step that is not proved.
    if (known.claim == Claim::Proved)
      known.falseFact = "the comparison of facts ends: " + how;
    return known;
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
  known.failure = how;
  return known;
}

void formwork::campaign::runInChildren(
    uint64_t begin, uint64_t end, uint64_t atOnce,
    const engine::ChildLimits &limits,
    llvm::function_ref<void(uint64_t, llvm::raw_ostream &)> work,
    llvm::function_ref<bool(StringRef)> read,
    llvm::function_ref<void(uint64_t, const engine::ChildEnd &)> explain) {
  while (begin < end) {
    uint64_t last = std::min(end, begin + atOnce);
    engine::Shared<uint64_t> current(begin);
    engine::ChildEnd ended = engine::runInChild(
        [&](llvm::raw_ostream &os) {
          for (uint64_t &i = *current; i < last; ++i) {
            work(i, os);
            os.flush();
          }
          return true;
        },
        engine::ChildOutput::Dropped, limits);
    if (!read(ended.text))
      return;
    begin = last;
    if (ended.succeeded)
      continue;
    if (explain)
      explain(*current, ended);
    begin = *current + 1;
  }
}

void formwork::campaign::readLines(
    StringRef text, llvm::function_ref<void(const json::Value &)> take) {
  for (StringRef line : llvm::split(text, '\n')) {
    if (llvm::Expected<json::Value> value = json::parse(line))
      take(*value);
    else
      llvm::consumeError(value.takeError());
  }
}

engine::ChildLimits formwork::campaign::getPairLimits() {
  engine::ChildLimits limits;
  limits.memory = uint64_t(4) << 30;
  limits.fileSize = 0;
  return limits;
}

void formwork::campaign::judgeMany(
    Judge &judge, uint64_t begin, uint64_t end,
    std::function<Pair(uint64_t)> make,
    llvm::function_ref<void(uint64_t, const Outcome &)> report,
    const BatchOptions &options) {
  engine::Shared<Progress> progress;
  Outcome known;
  uint64_t knownIndex = begin;
  runInChildren(
      begin, end, options.size, getPairLimits(),
      [&](uint64_t number, llvm::raw_ostream &os) {
        judgeHere(judge, number, make, *progress, options.seconds, os);
      },
      [&](StringRef text) {
        readLines(text, [&](const json::Value &value) {
          bool isFinal = false;
          known = read(value, knownIndex, isFinal);
          if (isFinal)
            report(knownIndex, known);
        });
        return true;
      },
      [&](uint64_t index, const engine::ChildEnd &ended) {
        if (knownIndex != index)
          known = Outcome();
        report(index, explainEnd(known, *progress, ended));
      });
}

Outcome formwork::campaign::judgeApart(Judge &judge, const Pair &pair,
                                       const BatchOptions &options) {
  Outcome result;
  judgeMany(
      judge, 0, 1, [&](uint64_t) { return pair; },
      [&](uint64_t, const Outcome &outcome) { result = outcome; }, options);
  return result;
}
