//===- RankParameters.h - The best of some values of knobs ------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compares assignments of a schedule's parameters by the payload that the
// schedule leaves with them. The caller provides the cost. Layer: transforms.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_SCHEDULE_RANKPARAMETERS_H
#define FORMWORK_TRANSFORMS_SCHEDULE_RANKPARAMETERS_H

#include "engine/Child.h"
#include "transforms/schedule/ScheduleInput.h"
#include "verifier/parameters/ParameterModel.h"

namespace formwork::transforms {

/// The cost of one assignment; less is better.
struct Judgement {
  double cost = 0;
  std::string text;
};

/// How assignments are compared.
struct Ranking {
  /// The cost of the schedule as it is then; none where it is not known. It is
  /// called in a child process, where it may change all there is.
  std::function<std::optional<Judgement>()> judge;
  /// How many assignments are judged at most.
  unsigned number = 128;
  /// Those of one child.
  engine::ChildLimits limits;
  /// After that, counted as processor time, no more are judged.
  std::chrono::milliseconds time{20000};
};

struct RankedAssignment {
  verifier::solver::Assignment assignment;
  std::optional<Judgement> judgement;
};

/// Fills `assignment` in: open knobs and alternatives are selected, and
/// constrain_params become constants. Fails, with fw-solve-unwritable, where
/// the values of these are not known.
llvm::LogicalResult
applyAssignment(const verifier::ParameterModel &model,
                const verifier::solver::Assignment &assignment);

/// Judges each of `assignments`, and puts the best first and those without a
/// judgement last. An assignment that fails or reaches a limit has no
/// judgement. Nothing is emitted. Cost: a process for each, and the judgement.
std::vector<RankedAssignment>
judgeAssignments(ScheduleInput &input, const verifier::ParameterModel &model,
                 llvm::ArrayRef<verifier::solver::Assignment> assignments,
                 const Ranking &ranking);

/// Some assignments of `problem`, the best first, those without a judgement
/// last: all of them if there are no more than `ranking.number`. Else `first`
/// and a sample of a quarter of that number, two knobs apart from each other;
/// then, for as long as it gets better, those that differ from the best one in
/// one knob, and where these are no better, in two.
std::vector<RankedAssignment>
rankAssignments(ScheduleInput &input, const verifier::ParameterModel &model,
                const verifier::solver::Problem &problem,
                const verifier::solver::Assignment &first,
                const Ranking &ranking,
                const verifier::solver::SolverOptions &options);

} // namespace formwork::transforms

#endif // FORMWORK_TRANSFORMS_SCHEDULE_RANKPARAMETERS_H
