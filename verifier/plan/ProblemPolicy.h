//===- ProblemPolicy.h - Candidates in a run of the interpreter -*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How a set of candidates takes part in a propagation, and what is written down
// meanwhile. Layer: verifier; internal to PlanProblem.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_PLAN_PROBLEMPOLICY_H
#define FORMWORK_VERIFIER_PLAN_PROBLEMPOLICY_H

#include "verifier/plan/Problem.h"

#include <functional>

namespace formwork::verifier {

/// The values that an op placed before `op` can use, latest first.
llvm::SmallVector<mlir::Value> getVisibleValues(mlir::Operation *op);
/// Whether `value` is used by `op` or by something behind it.
bool isUsedFrom(mlir::Value value, mlir::Operation *op);

class PlanProblem::Policy : public FormPolicy {
public:
  explicit Policy(const PlanProblem &problem) : problem(problem) {}

  const PlanProblem &getProblem() const { return problem; }

  llvm::SmallVector<VirtualStep> getSteps(mlir::Operation *op,
                                          const Analysis &analysis) override;
  void reportUnmet(const FormNeed &need, const Analysis &analysis) override;

  /// How the payload of a handle lies to the anchors of a form. From the best
  /// to the worst: functions are smaller anchors than the module around them,
  /// and what is no anchor leads to one.
  enum class Place { Anchor, Parent, Module };
  /// None when an insertion before `op` could not count on all of the payload.
  static std::optional<Place> classify(mlir::Operation *op, mlir::Value handle,
                                       normalforms::AtomId form,
                                       const Analysis &analysis);

  std::function<void(mlir::Operation *, const Analysis &)> onVisit;
  std::function<void(unsigned, const Analysis &)> onStep;

  /// Per op, the candidates to take before it.
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<unsigned, 1>> steps;
  llvm::DenseMap<mlir::Operation *, unsigned> visits;
  uint64_t numVisits = 0;
  /// The needs that were met neither before nor by the steps.
  llvm::SmallVector<Element> missing;
  /// Where the steps taken established which form.
  llvm::SmallVector<std::pair<NodeId, normalforms::AtomId>, 2> tokens;

private:
  const PlanProblem &problem;
};

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_PLAN_PROBLEMPOLICY_H
