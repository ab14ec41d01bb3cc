//===- ParameterModel.h - Parameters of a schedule --------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The symbols of a schedule, and the constraints on them: the knobs that its
// author left open, the constraints that they wrote and those that follow from
// the steps (DESIGN §6.3). The interpreter fills it. Layer: verifier; knows
// terms and the ops that they come from, and no payload.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_PARAMETERS_PARAMETERMODEL_H
#define FORMWORK_VERIFIER_PARAMETERS_PARAMETERMODEL_H

#include "verifier/solver/Problem.h"
#include "verifier/solver/Solver.h"

#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/Dialect/Transform/SMTExtension/SMTExtensionOps.h"
#include "mlir/Dialect/Transform/TuneExtension/TuneExtensionOps.h"

namespace formwork::verifier {

/// One choice that the solver makes: a `transform.tune.knob` with integer
/// options, or the region of a `transform.tune.alternatives`.
struct Knob {
  mlir::Operation *op;
  solver::IntTerm term;
  /// The value that the schedule has already chosen, if any.
  std::optional<int64_t> selected;
};

/// A knob whose options are not integers.
struct OpaqueKnob {
  mlir::transform::tune::KnobOp op;
  std::string reason;
};

/// A `transform.smt.constrain_params` that the schedule runs into, with the
/// term of each result; none for a result that is not modelled. An op in a
/// sequence that is included twice is there twice.
struct ConstrainedParams {
  mlir::transform::smt::ConstrainParamsOp op;
  llvm::SmallVector<std::optional<solver::IntTerm>> results;
};

/// A constraint of the author that has no term.
struct UnmodelledConstraint {
  mlir::Operation *op;
  std::string reason;
  /// The op that is not modelled and on which it depends, if there is one.
  mlir::Operation *cause = nullptr;
};

/// The consequence if an assignment does not meet a constraint.
enum class ConstraintKind : uint8_t {
  /// The author excludes it: it is none of the values that the schedule is
  /// checked for.
  Author,
  /// The schedule fails, or its result is refused.
  Required,
  /// The same, provided that a step has something to do, which is not known.
  Conditional,
  /// A step skips its work without a word.
  Wanted,
  /// The schedule does what it does with another assignment that is left in.
  Canonical,
};

/// The symbolic values of a schedule, and the constraints on them. Owns its
/// terms; the sources of the problem's constraints are the mlir::Operations
/// that they come from.
struct ParameterModel {
  ParameterModel();

  std::unique_ptr<solver::TermContext> context;
  std::unique_ptr<solver::Problem> problem;
  llvm::SmallVector<Knob> knobs;
  llvm::SmallVector<OpaqueKnob> opaqueKnobs;
  llvm::SmallVector<ConstrainedParams> constrained;
  llvm::SmallVector<UnmodelledConstraint> unmodelled;
  /// Steps that take a parameter that is open, of which nothing is derived:
  /// "what 'transform.x' requires of %p".
  llvm::SmallVector<UnmodelledConstraint> unmodelledUses;
  /// Sizes of payload that is not known: auxiliaries.
  llvm::SmallVector<solver::VarId> sizes;
  /// How many constraints were always true.
  unsigned numFolded = 0;
  /// The kind of each constraint of the problem.
  std::vector<ConstraintKind> kinds;
  /// For each constraint, the step that has no effect without it.
  std::vector<mlir::Operation *> steps;

  /// Adds a constraint to the problem, unless it is there or is always true.
  /// `op` is where it comes from; so does `step`, unless it is given.
  void add(llvm::StringRef id, solver::BoolTerm term, mlir::Operation *op,
           const llvm::Twine &text, ConstraintKind kind,
           mlir::Operation *step = nullptr);
  /// The knob `op`, made on first use. Two knobs of one name are two choices.
  solver::IntTerm addKnob(mlir::Operation *op, llvm::StringRef name,
                          solver::Domain domain,
                          std::optional<int64_t> selected);
  /// The knob of `variable`, or null.
  const Knob *findKnob(solver::VarId variable) const;

  /// The values that the schedule has already chosen.
  solver::Assignment getSelected() const;
  /// The problem with these values as constraints `knob.selected`.
  solver::Problem fixSelected() const;
  /// The problem with the constraints of some kinds only.
  solver::Problem filter(llvm::function_ref<bool(ConstraintKind)> keep) const;
  /// `problem` with each of `sizes` one of some that many numbers divide, so
  /// that values are found soon for which there is payload; not all are.
  solver::Problem trySizes(const solver::Problem &problem) const;
  /// Whether `term` is about sizes of payload that is not known.
  bool dependsOnPayload(solver::IntTerm term) const;
  /// The questions that follow are about this model: what `options` has from
  /// earlier ones is of no use.
  void beginQuestions(const solver::SolverOptions &options) const;
  /// Whether no knob is open and no constrain_params is left to run.
  bool isResolved() const;

  /// Whether `term` holds for all values of its variables' domains. False also
  /// where these are too many to try.
  bool isSurely(solver::BoolTerm term) const;

private:
  llvm::DenseMap<mlir::Operation *, solver::IntTerm> knobTerms;
  llvm::StringMap<unsigned> numOfName;
};

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_PARAMETERS_PARAMETERMODEL_H
