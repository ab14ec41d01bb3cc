//===- RankParameters.cpp - The best of some values of knobs --------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/schedule/RankParameters.h"

#include "engine/FindingTransfer.h"
#include "verifier/solver/Counting.h"
#include "verifier/solver/Sampler.h"

#include "mlir/IR/Diagnostics.h"

#include <chrono>
#include <sys/resource.h>

using namespace mlir;
using namespace formwork;
using namespace formwork::transforms;
using verifier::Knob;
using verifier::ParameterModel;
namespace json = llvm::json;
namespace solver = formwork::verifier::solver;

/// If there are more assignments, neighbours are not looked for.
static constexpr size_t mostEnumerated = 4096;

/// The judgement of one assignment, in a child.
static std::optional<Judgement> judgeOne(ScheduleInput &input,
                                         const ParameterModel &model,
                                         const solver::Assignment &assignment,
                                         const Ranking &ranking) {
  MLIRContext *context = input.schedule->getContext();
  std::optional<json::Object> object =
      engine::askChild(
          *context,
          [&](llvm::raw_ostream &) -> std::optional<json::Object> {
            ScopedDiagnosticHandler silence(context, [](Diagnostic &) {});
            if (failed(applyAssignment(model, assignment)))
              return std::nullopt;
            std::optional<Judgement> judgement = ranking.judge();
            if (!judgement)
              return std::nullopt;
            return json::Object{{"cost", judgement->cost},
                                {"text", judgement->text}};
          },
          ranking.limits)
          .object;
  if (!object)
    return std::nullopt;
  return Judgement{*object->getNumber("cost"),
                   object->getString("text")->str()};
}

/// That of this process and of its children that have ended: other processes
/// of a busy machine do not change what is chosen.
static std::chrono::microseconds getProcessorTime() {
  std::chrono::microseconds sum(0);
  for (int who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    rusage usage;
    if (getrusage(who, &usage) != 0)
      continue;
    for (const timeval &time : {usage.ru_utime, usage.ru_stime})
      sum += std::chrono::seconds(time.tv_sec) +
             std::chrono::microseconds(time.tv_usec);
  }
  return sum;
}

/// The best first; of what is equal, the order stays.
static void sortByCost(std::vector<RankedAssignment> &ranked) {
  llvm::stable_sort(ranked,
                    [](const RankedAssignment &a, const RankedAssignment &b) {
                      if (!a.judgement || !b.judgement)
                        return a.judgement.has_value() && !b.judgement;
                      return a.judgement->cost < b.judgement->cost;
                    });
}

namespace {
/// Judges until the time is spent.
class Judge {
public:
  Judge(ScheduleInput &input, const ParameterModel &model,
        const Ranking &ranking)
      : input(input), model(model), ranking(ranking),
        end(getProcessorTime() + ranking.time) {}

  bool isOver() const {
    return ranked.size() >= ranking.number || getProcessorTime() >= end;
  }

  void judge(const solver::Assignment &assignment) {
    if (isOver() || !seen.insert(getKey(assignment)).second)
      return;
    ranked.push_back({assignment, judgeOne(input, model, assignment, ranking)});
  }

  /// The first of the best ones; null if nothing is known of any.
  const RankedAssignment *getBest() const {
    const RankedAssignment *best = nullptr;
    for (const RankedAssignment &one : ranked)
      if (one.judgement &&
          (!best || one.judgement->cost < best->judgement->cost))
        best = &one;
    return best;
  }

  std::vector<int64_t> getKey(const solver::Assignment &assignment) const {
    std::vector<int64_t> key;
    for (const Knob &knob : model.knobs)
      key.push_back(assignment.get(knob.term.getVariable()).value_or(0));
    return key;
  }

  std::vector<RankedAssignment> take() {
    sortByCost(ranked);
    return std::move(ranked);
  }

private:
  ScheduleInput &input;
  const ParameterModel &model;
  const Ranking &ranking;
  std::chrono::microseconds end;
  std::set<std::vector<int64_t>> seen;
  std::vector<RankedAssignment> ranked;
};
} // namespace

std::vector<RankedAssignment> formwork::transforms::judgeAssignments(
    ScheduleInput &input, const ParameterModel &model,
    ArrayRef<solver::Assignment> assignments, const Ranking &ranking) {
  std::chrono::microseconds end = getProcessorTime() + ranking.time;
  std::vector<RankedAssignment> ranked;
  for (const solver::Assignment &assignment : assignments) {
    bool isOver = getProcessorTime() >= end;
    ranked.push_back(
        {assignment,
         isOver ? std::nullopt : judgeOne(input, model, assignment, ranking)});
  }
  sortByCost(ranked);
  return ranked;
}

std::vector<RankedAssignment> formwork::transforms::rankAssignments(
    ScheduleInput &input, const ParameterModel &model,
    const solver::Problem &problem, const solver::Assignment &first,
    const Ranking &ranking, const solver::SolverOptions &options) {
  Judge judge(input, model, ranking);
  judge.judge(first);
  std::vector<solver::Assignment> all;
  solver::enumerateAssignments(problem, options,
                               [&](const solver::Assignment &assignment) {
                                 all.push_back(assignment);
                                 return all.size() <= mostEnumerated;
                               });
  if (all.size() <= ranking.number) {
    for (const solver::Assignment &assignment : all)
      judge.judge(assignment);
    return judge.take();
  }
  for (const solver::Assignment &assignment :
       solver::sampleDiverse(problem, ranking.number / 4, /*seed=*/0, options)
           .assignments)
    judge.judge(assignment);
  if (all.size() > mostEnumerated)
    return judge.take();
  // A constraint on two knobs, such as a limit of their product, can make all
  // neighbours in one knob worse than some in two.
  auto judgeNeighbours = [&](ArrayRef<int64_t> center, unsigned distance) {
    for (const solver::Assignment &assignment : all) {
      unsigned differences = 0;
      for (auto [a, b] : llvm::zip_equal(center, judge.getKey(assignment)))
        differences += a != b;
      if (differences == distance)
        judge.judge(assignment);
    }
  };
  bool isBetter = judge.getBest() != nullptr;
  while (isBetter && !judge.isOver()) {
    std::vector<int64_t> center = judge.getKey(judge.getBest()->assignment);
    double cost = judge.getBest()->judgement->cost;
    isBetter = false;
    for (unsigned distance = 1; distance <= 2 && !isBetter; ++distance) {
      judgeNeighbours(center, distance);
      isBetter = judge.getBest()->judgement->cost < cost;
    }
  }
  return judge.take();
}
