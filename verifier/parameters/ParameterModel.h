//===- ParameterModel.h - Parameters of a schedule --------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is symbolic in a schedule, and what must hold of it: the knobs that its
// author left open, the constraints that they wrote and those that follow from
// the steps (DESIGN §6.3). Layer: verifier; reads the schedule and the payload
// and changes nothing.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_PARAMETERS_PARAMETERMODEL_H
#define FORMWORK_VERIFIER_PARAMETERS_PARAMETERMODEL_H

#include "verifier/solver/Problem.h"

#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/Dialect/Transform/SMTExtension/SMTExtensionOps.h"
#include "mlir/Dialect/Transform/TuneExtension/TuneExtensionOps.h"

namespace formwork::verifier {

/// One choice that the solver makes: a `transform.tune.knob` with integer
/// options, or the region of a `transform.tune.alternatives`.
struct Knob {
  mlir::Operation *op;
  solver::IntTerm term;
  /// What the schedule has already chosen, if anything.
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
};

/// Owns its terms; the sources of the problem's constraints are the
/// mlir::Operations that they come from.
struct ParameterModel {
  std::unique_ptr<solver::TermContext> context;
  std::unique_ptr<solver::Problem> problem;
  llvm::SmallVector<Knob> knobs;
  llvm::SmallVector<OpaqueKnob> opaqueKnobs;
  llvm::SmallVector<ConstrainedParams> constrained;
  llvm::SmallVector<UnmodelledConstraint> unmodelled;

  /// The values that the schedule has already chosen.
  solver::Assignment getSelected() const;
  /// The problem with these values as constraints `knob.selected`.
  solver::Problem fixSelected() const;
  /// Whether no knob is open and no constrain_params is left to run.
  bool isResolved() const;
};

/// Walks what runs from `entry`: its ops in order, sequences that it includes,
/// and regions. `payload` is the module that the schedule will be applied to,
/// or null.
///
/// A parameter is a list of terms, zipped with the targets of the op that takes
/// it. Derived constraints never exclude values that change what the schedule
/// does and that it could run with:
/// - tile.nonnegative: upstream fails on a negative tile size, or makes a loop
///   with a negative step;
/// - tile.some-dimension: upstream crashes on a forall that tiles nothing;
/// - tile.mapped: a size of 0 leaves a loop out, so that the forall has fewer
///   dimensions than its mapping, which fails;
/// - tile.within-extent: a tile larger than a dimension does what one of that
///   size does. Only where the dimension is known: the target was matched by
///   name, once, in payload that no step had changed, and reached by tiling;
/// - tile.divides: `structured.vectorize` without vector sizes needs static
///   shapes, and so tiles that divide, or have one element;
/// - alternatives.region: a selected region is one that is there;
/// - constrain.defined: a result of constrain_params that is used has a value.
///
/// Errors: fw-knob-domain. Cost: linear in the schedule, and a walk of the
/// payload for each match by name.
llvm::FailureOr<ParameterModel>
collectParameters(mlir::transform::NamedSequenceOp entry,
                  mlir::Operation *payload);

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_PARAMETERS_PARAMETERMODEL_H
